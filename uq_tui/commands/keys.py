"""`uq-tui keys`: what the app's keys do, where, and which they are."""

from collections.abc import Mapping
from typing import Any

import click

from uq_tui import config, paths
from uq_tui.commands import display
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, write_json
from uq_tui.errors import EXIT_PROBLEM, ConfigError
from uq_tui.key_catalogue import KeyAction, catalogue, checked, written
from uq_tui.key_map import key_names
from uq_tui.text import clean_line


@click.command("keys", epilog=exit_codes(partly="the keys in config.toml cannot be used"))
@json_option
@pass_invocation
def keys(invocation: Invocation) -> None:
    """List what the app's keys do: by id, where, and with which keys.

    The table `keys` of config.toml gives an id other keys, which are listed then; docs/configuration.md tells how.
    """
    changed, problem = _changed()
    if invocation.as_json:
        write_json({"keys": [_object(one, changed) for one in catalogue()], "problem": problem or None})
    else:
        shown = display.table("id", "keys", "where", "name", "what it does", fold=("what it does",))
        for one in catalogue():
            row = (one.id, _written(_now(one, changed)), one.where, one.description, one.tooltip)
            shown.add_row(*(display.cell(value) for value in row))
        display.print_table(shown)
    if problem:
        click.echo(clean_line(problem), err=True)
        click.get_current_context().exit(EXIT_PROBLEM)


def _changed() -> tuple[Mapping[str, str], str]:
    """The keys that the settings want, and what is wrong with them; then they are those of the app."""
    wanted = config.load().keys
    try:
        return checked(wanted, paths.config_dir() / "config.toml").changed, ""
    except ConfigError as error:  # the ids are listed all the same: one of them is what its owner looks for
        return {}, str(error)


def _now(one: KeyAction, changed: Mapping[str, str]) -> tuple[str, ...]:
    return key_names(changed[one.id]) if one.id in changed else one.keys


def _written(names: tuple[str, ...]) -> str:
    return " ".join(map(written, names))


def _object(one: KeyAction, changed: Mapping[str, str]) -> dict[str, Any]:
    return {
        "id": one.id,
        "keys": [written(name) for name in _now(one, changed)],
        "usual_keys": [written(name) for name in one.keys],
        "where": one.where,
        "name": one.description,
        "what": one.tooltip,
    }
