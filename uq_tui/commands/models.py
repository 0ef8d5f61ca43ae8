"""`uq-tui models`: which models there are, whether one answers, and fetching the embedded model's weights."""

import asyncio
import dataclasses
import hashlib
import time
from dataclasses import dataclass, replace

import click

from store.rows import Message
from uq_tui import config
from uq_tui.commands import display
from uq_tui.commands.advice import ADVICE
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.engine.models import known_models
from uq_tui.engine.protocol import ModelChoice
from uq_tui.engine.providers import Models
from uq_tui.engine.spec import Ask, CallFailedError, Reply, TemplateRef
from uq_tui.engine.weights import get_weights
from uq_tui.errors import ModelError
from uq_tui.text import clean, clean_line

QUESTION = "Reply with the one word: ready"
MAX_TOKENS = 64
"""Enough for the word and for a little reasoning before it."""


@click.group("models", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """List models, test one, or fetch the embedded model's weights. Plain `models` lists."""


@group.command("list", epilog=exit_codes())
@json_option
@pass_invocation
def list_models(invocation: Invocation) -> None:
    """List the models that are here or configured. Any other LiteLLM id works as well."""
    settings = config.load()
    found = known_models(settings)
    if invocation.as_json:
        write_json({"default": settings.default_model, "models": [dataclasses.asdict(one) for one in found]})
        return
    shown = display.table("id", "kind", "ready", "note", fold=("note",))
    for one in found:
        name = f"{one.id} (default)" if one.id == settings.default_model else one.id
        values = (name, one.kind.value, "yes" if one.ready else "no", one.note)
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)


@dataclass(frozen=True, slots=True)
class Answered:
    """What a model sent back, and how long that took, in seconds."""

    reply: Reply
    latency_s: float


@group.command("test", epilog=exit_codes(nothing="the model could not be used, or its call failed"))
@click.argument("model_id", metavar="ID", type=utf8)
@click.option("--api-base", type=utf8, default="", metavar="URL", help="Where it is served, if not at its provider's.")
@json_option
@pass_invocation
def try_model(invocation: Invocation, model_id: str, api_base: str) -> None:
    """Send one tiny request and say what came back. Nothing of it is kept."""
    answered = asyncio.run(_ask(ModelChoice(model_id, api_base)))
    reply = answered.reply
    if invocation.as_json:
        write_json({"model": model_id, **dataclasses.asdict(reply), "latency_s": round(answered.latency_s, 3)})
        return
    click.echo(clean(reply.reply))
    tokens = f"{_or_unknown(reply.tokens_in)} tokens in, {_or_unknown(reply.tokens_out)} out"
    money = display.cost(reply.cost_usd, 1 if reply.cost_usd is None else 0)
    click.echo(
        clean_line(f"{model_id}: {tokens}, {answered.latency_s:.2f} s, {money}, ended by {reply.finish_reason}"),
        err=True,
    )


def _or_unknown(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"


async def _ask(choice: ModelChoice) -> Answered:
    settings = config.load()
    models = Models(settings)
    template = TemplateRef("models.test", "1", hashlib.sha256(QUESTION.encode()).hexdigest())
    ask = Ask(choice, (Message("user", QUESTION),), template, max_tokens=MAX_TOKENS)
    try:
        provider = models.resolve(choice)
        prepared = await provider.prepare(ask, replace(settings.model(choice.id).sampling, max_tokens=MAX_TOKENS), 0)
        started = time.perf_counter()
        reply = await provider.complete(prepared, lambda reasoning, text: None)
        return Answered(reply, time.perf_counter() - started)
    except CallFailedError as error:
        raise ModelError(f"{choice.id} did not answer: {error}", hint=ADVICE[error.kind]) from error
    finally:
        await models.close()


@group.command("get", epilog=exit_codes())
@click.argument("name", type=utf8)
@json_option
@pass_invocation
def get(invocation: Invocation, name: str) -> None:
    """Fetch the weights of an embedded model, smollm2-135m, and check them."""
    file = get_weights(name, lambda doing: click.echo(clean_line(doing), err=True))
    if invocation.as_json:
        write_json({"name": name, "file": str(file)})
    else:
        click.echo(clean_line(str(file)))
