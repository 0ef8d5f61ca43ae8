"""`uq-tui models key`: keeping a model's API key in the system's keyring, and removing it."""

import re
import sys

import click

from uq_tui import config, keys, paths
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.engine.models import ModelKind, kind_of
from uq_tui.errors import EXIT_NOTHING_DONE, ModelError
from uq_tui.text import clean_line

_KEY = re.compile(r"[!-~]+\Z")
"""What can stand in a request's header: printable ASCII without spaces."""


@click.group("key", epilog=exit_codes())
def group() -> None:
    """Keep a model's API key in the system's keyring, or remove it."""


@group.command("set", epilog=exit_codes())
@click.argument("model_id", metavar="ID", type=utf8)
@json_option
@pass_invocation
def set_key(invocation: Invocation, model_id: str) -> None:
    """Put the key of a model into the system's keyring. It is asked for, or read from standard input.

    The key is bound to the model's api_base in the configuration, or without one to its provider.
    """
    settings = _settings(model_id)
    entry = keys.holder_of(model_id, settings.api_base)
    keys.held((entry,))  # nobody should type a key for a keyring that can't be used
    keys.keep(entry, _typed_key(entry))
    if invocation.as_json:
        write_json({"model": model_id, "entry": entry, "used": settings.api_key_keyring})
        return
    click.echo(clean_line(f"The keyring has the key for {entry}."))
    if not settings.api_key_keyring:
        file = paths.config_dir() / "config.toml"
        where = f'api_key_keyring = true under [models."{model_id}"] in {file}'
        click.echo(clean_line(f"It is used once you put {where}."), err=True)


@group.command("forget", epilog=exit_codes(nothing="the keyring had no such key, or could not be asked"))
@click.argument("model_id", metavar="ID", type=utf8)
@json_option
@pass_invocation
def forget_key(invocation: Invocation, model_id: str) -> None:
    """Remove the key of a model from the system's keyring, for all models at its address or provider."""
    entry = keys.holder_of(model_id, _settings(model_id).api_base)
    forgotten = keys.forget(entry)
    if invocation.as_json:
        write_json({"model": model_id, "entry": entry, "forgotten": forgotten})
    else:
        had = "has no longer a" if forgotten else "had no"
        click.echo(clean_line(f"The keyring {had} key for {entry}."))
    if not forgotten:
        click.get_current_context().exit(EXIT_NOTHING_DONE)


def _settings(model_id: str) -> config.ModelSettings:
    if kind_of(model_id) is not ModelKind.HOSTED:
        raise ModelError(f"{model_id} runs on this machine and needs no key.")
    return config.load().model(model_id)


def _typed_key(entry: str) -> str:
    """The key as typed unseen or piped in. Raises ModelError when that can't be a key; it is never repeated."""
    if sys.stdin.isatty():
        typed = click.prompt(clean_line(f"Key for {entry}"), hide_input=True, err=True, type=str)
    else:
        typed = sys.stdin.read()
    key = str(typed).strip()
    if not _KEY.match(key):
        raise ModelError(
            "That is no key: it is empty, or has spaces or characters that cannot be sent.",
            hint="Give the key alone, on one line.",
        )
    return key
