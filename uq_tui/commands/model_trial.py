"""`uq-tui models test`: one tiny question, asked in one piece and as a stream, and what came back."""

import asyncio
import dataclasses
import hashlib
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from store.run_rows import CUT_OFF, Message
from uq_tui import config
from uq_tui.commands import display
from uq_tui.commands.advice import ADVICE
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.engine.calls.providers import Models
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import Ask, CallFailedError, Prepared, Provider, Reply, TemplateRef
from uq_tui.errors import EXIT_PROBLEM, ModelError
from uq_tui.text import clean, clean_line

QUESTION = "Reply with the one word: ready"
MAX_TOKENS = 64
"""Enough for the word and for a little reasoning before it."""
NOTHING = Reply("", "", "", None, None, None)
"""What has come of a call that failed at once."""


@dataclass(frozen=True, slots=True)
class Answered:
    """What came back of one request: all of it, or what had come before it failed. Times are in seconds."""

    reply: Reply
    latency_s: float
    first_text_s: float | None = None
    """To the first text of a stream, reasoning included."""
    error: CallFailedError | None = None

    def as_json(self) -> dict[str, Any]:
        """All of it, `null` where nothing is known."""
        error = self.error and {"kind": self.error.kind.value, "message": str(self.error)}
        first_s = None if self.first_text_s is None else round(self.first_text_s, 3)
        return {
            "ok": self.error is None,
            "error": error,
            **dataclasses.asdict(self.reply),
            "cut_off": self.reply.finish_reason == CUT_OFF,
            "latency_s": round(self.latency_s, 3),
            "first_text_s": first_s,
        }


@dataclass(frozen=True, slots=True)
class Trial:
    """One question asked both ways."""

    prepared: Prepared
    plain: Answered
    streamed: Answered

    @property
    def failures(self) -> tuple[CallFailedError, ...]:
        """What failed, plain first."""
        return tuple(one.error for one in (self.plain, self.streamed) if one.error)


@click.command("test", epilog=exit_codes("one of both requests failed", "the model could not be used, or both failed"))
@click.argument("model_id", metavar="ID", type=utf8)
@click.option("--api-base", type=utf8, default="", metavar="URL", help="Where it is served, if not at its provider's.")
@json_option
@pass_invocation
def try_model(invocation: Invocation, model_id: str, api_base: str) -> None:
    """Send one tiny question, in one piece and as a stream, and say what came back. Nothing of it is kept."""
    trial = asyncio.run(_ask(ModelChoice(model_id, api_base), invocation.workspace_path()))
    failures = trial.failures
    if len(failures) == 2:
        raise ModelError(f"{model_id} did not answer: {failures[0]}", hint=ADVICE[failures[0].kind]) from failures[0]
    if invocation.as_json:
        write_json(_document(model_id, trial))
    else:
        answered = trial.plain if trial.streamed.error else trial.streamed
        click.echo(clean(answered.reply.reply))
        for line in _report(model_id, trial):
            click.echo(clean_line(line), err=True)
    if failures:
        click.get_current_context().exit(EXIT_PROBLEM)


def _document(model_id: str, trial: Trial) -> dict[str, Any]:
    prepared, price = trial.prepared, trial.prepared.price
    return {
        "model": model_id,
        "provider_model": prepared.provider_model,
        "api_base": prepared.endpoint,
        "sent": dict(prepared.parameters),
        "not_sent": list(prepared.dropped),
        "usd_per_million_in": None if price is None else price.usd_in * 1e6,
        "usd_per_million_out": None if price is None else price.usd_out * 1e6,
        "plain": trial.plain.as_json(),
        "streamed": trial.streamed.as_json(),
    }


def _report(model_id: str, trial: Trial) -> list[str]:
    prepared, price = trial.prepared, trial.prepared.price
    known = "unknown" if price is None else f"{display.price(price.usd_in * 1e6, price.usd_out * 1e6)} a million tokens"
    return [
        f"{model_id}: sent {_listed(prepared.parameters)}",
        *([f"not sent, since the model doesn't take it: {', '.join(prepared.dropped)}"] if prepared.dropped else []),
        f"price: {known}",
        f"in one piece: {_told(trial.plain)}",
        f"as a stream: {_told(trial.streamed)}",
    ]


def _listed(parameters: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in parameters.items()) or "no parameters"


def _told(answered: Answered) -> str:
    reply, error = answered.reply, answered.error
    if error is not None:
        return f"failed ({error.kind.value}) after {len(reply.reply + reply.reasoning):,} characters: {error}"
    first = "" if answered.first_text_s is None else f", first text after {answered.first_text_s:.2f} s"
    return ", ".join(
        (
            f"{_or_unknown(reply.tokens_in)} tokens in",
            f"{_or_unknown(reply.tokens_out)} out",
            display.cost(reply.cost_usd, 1 if reply.cost_usd is None else 0),
            f"{len(reply.reasoning):,} characters of reasoning" if reply.reasoning else "no reasoning seen",
            "cut off at the length limit" if reply.finish_reason == CUT_OFF else f"ended by {reply.finish_reason}",
            f"{answered.latency_s:.2f} s{first}",
        )
    )


def _or_unknown(tokens: int | None) -> str:
    return "unknown" if tokens is None else f"{tokens:,}"


async def _ask(choice: ModelChoice, workspace: Path) -> Trial:
    settings = config.load()
    sampling = settings.model(choice.id).sampling
    most = min(sampling.max_tokens or MAX_TOKENS, MAX_TOKENS)
    models = Models(settings, workspace)
    template = TemplateRef("models.test", "1", hashlib.sha256(QUESTION.encode()).hexdigest())
    ask = Ask(choice, (Message("user", QUESTION),), template, max_tokens=most)
    try:
        provider = models.resolve(choice)
        prepared = await provider.prepare(ask, dataclasses.replace(sampling, max_tokens=most), 0)
        plain = await _sent(provider, prepared, streamed=False)
        return Trial(prepared, plain, await _sent(provider, prepared, streamed=True))
    finally:
        await models.close()


async def _sent(provider: Provider, prepared: Prepared, *, streamed: bool) -> Answered:
    arrivals: list[float] = []
    started = time.perf_counter()

    def hear(reasoning: str, reply: str) -> None:
        arrivals.append(time.perf_counter() - started)

    def ended(reply: Reply, error: CallFailedError | None = None) -> Answered:
        return Answered(reply, time.perf_counter() - started, arrivals[0] if arrivals else None, error)

    heard: Callable[[str, str], None] | None = hear if streamed else None
    try:
        return ended(await provider.complete(prepared, heard))
    except CallFailedError as error:
        return ended(error.partial or NOTHING, error)
