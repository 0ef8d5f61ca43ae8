"""`uq-tui models`: which models there are, and fetching the embedded model's weights."""

import dataclasses

import click

from uq_tui import config, keys
from uq_tui.commands import display, model_keys, model_trial, models_add
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.engine.local.weights import get_weights
from uq_tui.engine.models import ModelInfo, ModelKind, keyring_entries, known_models
from uq_tui.errors import ModelError
from uq_tui.text import clean_line


@click.group("models", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """List models, test one, keep its key, or fetch the embedded model's weights. Plain `models` lists."""


group.add_command(model_trial.try_model)
group.add_command(model_keys.group)
group.add_command(models_add.add)
group.add_command(models_add.remove)


@group.command("list", epilog=exit_codes())
@json_option
@pass_invocation
def list_models(invocation: Invocation) -> None:
    """List the models that are here or configured. Any other LiteLLM id works as well."""
    settings = config.load()
    try:
        entries = keys.held(keyring_entries(settings))
    except ModelError as error:
        click.echo(clean_line(f"{error.message} {error.hint}"), err=True)
        entries = None
    found = known_models(settings, entries)
    if invocation.as_json:
        write_json({"default": settings.default_model, "models": [dataclasses.asdict(one) for one in found]})
        return
    shown = display.table("id", "kind", "ready", "key", "price", "limits", "note", fold=("key", "limits", "note"))
    for one in found:
        name = f"{one.id} (default)" if one.id == settings.default_model else one.id
        key = str(one.key) if one.kind is ModelKind.HOSTED else None
        values = (name, one.kind.value, "yes" if one.ready else "no", key, _price(one), _limits(one), one.note)
        shown.add_row(*(display.cell(value) for value in values))
    display.print_table(shown)


def _price(model: ModelInfo) -> str | None:
    """As configured."""
    if model.usd_per_million_in is None or model.usd_per_million_out is None:
        return None
    return display.price(model.usd_per_million_in, model.usd_per_million_out)


def _limits(model: ModelInfo) -> str | None:
    """As configured."""
    limits = (
        (model.concurrency, "at once"),
        (model.requests_per_minute, "requests/min"),
        (model.tokens_per_minute, "tokens/min"),
    )
    return ", ".join(f"{value:,} {unit}" for value, unit in limits if value is not None) or None


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
