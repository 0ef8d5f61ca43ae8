"""`uq-tui models add` and `models remove`: GGUF files on this machine as models `local/NAME`."""

import os
import re
from pathlib import Path

import click

from uq_tui import config, config_file
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.engine.local import weights
from uq_tui.engine.local.gguf import GgufInfo, check_chat_model
from uq_tui.engine.local.weights import NAME, PREFIX
from uq_tui.errors import ModelError
from uq_tui.text import clean_line

_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_.+-]+")


@click.command("add", epilog=exit_codes(nothing="the file is no chat model, or the name is taken"))
@click.option("--gguf", type=utf8, required=True, metavar="FILE", help="The model file. It stays where it is.")
@click.option("--name", type=utf8, default="", help="For local/NAME; by default from the file's name.")
@click.option("--slots", type=click.IntRange(1, 256), metavar="N", help="Calls in flight at once; by default 2.")
@click.option(
    "--context",
    type=click.IntRange(*config.CONTEXTS),
    metavar="N",
    help="Tokens of a call, prompt and reply together; by default what the model was trained with, at most 8192.",
)
@json_option
@pass_invocation
def add(invocation: Invocation, gguf: str, name: str, slots: int | None, context: int | None) -> None:
    """Check a GGUF chat model and add it to the configuration as local/NAME."""
    file = Path(os.path.abspath(os.path.expanduser(gguf)))
    about = check_chat_model(file)
    model_id = _free_id(name or _NOT_IN_NAMES.sub("-", file.stem).lstrip(".+-")[:100])
    _require_trained(model_id, about, context)
    settings: dict[str, str | int] = {"gguf": str(file)}
    settings |= {key: value for key, value in (("concurrency", slots), ("context", context)) if value is not None}
    place = config_file.add_model(model_id, settings)
    note = _what_is_missing(model_id)
    if invocation.as_json:
        write_json(
            {
                "id": model_id,
                "gguf": str(file),
                "architecture": about.architecture,
                "trained_context": about.context or None,
                "slots": slots,
                "context": context,
                "config": str(place),
                "ready": not note,
                "note": note,
            }
        )
        return
    click.echo(clean_line(f"{model_id} was added to {place}."))
    click.echo(clean_line(f"Take it out again: uq-tui models remove {model_id}"), err=True)
    if note:
        click.echo(clean_line(note), err=True)


def _free_id(name: str) -> str:
    """The id under a name that can be used and isn't used yet; the configuration is looked at when it is edited."""
    if not NAME.match(name):
        raise ModelError(
            f"A model cannot be called {name!r}.",
            hint="Give --name: letters, digits, and _ . + - after the first; at most 100 characters.",
        )
    own = weights.models_dir() / f"{name}.gguf"
    if name in weights.FETCHABLE or own.exists():
        taken = f"it is {own}" if own.exists() else "it is the embedded model's"
        raise ModelError(f"The name {PREFIX}{name} is taken: {taken}.", hint="Give another one as --name.")
    return f"{PREFIX}{name}"


def _require_trained(model_id: str, about: GgufInfo, context: int | None) -> None:
    if context is not None and 0 < about.context < context:
        raise ModelError(
            f"{model_id} was trained with a context of {about.context:,} tokens, so it cannot have {context:,}.",
            hint=f"Give at most --context {about.context}.",
        )


def _what_is_missing(model_id: str) -> str:
    try:
        weights.usable_gguf(model_id.removeprefix(PREFIX), config.load().model(model_id))
    except ModelError as error:
        return f"{error.message} {error.hint}".strip()
    return ""


@click.command("remove", epilog=exit_codes())
@click.argument("model_id", metavar="ID", type=utf8)
@json_option
@pass_invocation
def remove(invocation: Invocation, model_id: str) -> None:
    """Take a model local/NAME out of the configuration. Its file stays."""
    if not model_id.startswith(PREFIX):
        raise ModelError(
            f"Only models of this machine can be removed, {PREFIX}NAME.", hint="Edit config.toml for others."
        )
    place = config_file.remove_model(model_id)
    if invocation.as_json:
        write_json({"id": model_id, "config": str(place)})
    else:
        click.echo(clean_line(f"{model_id} was removed from {place}. Its file is still there."))
