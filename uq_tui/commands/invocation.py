"""What one call of the command line carries from its global options to its command."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from uq_tui import paths
from uq_tui.errors import EXIT_INTERRUPTED, EXIT_NOTHING_DONE, EXIT_OK, EXIT_PROBLEM, EXIT_USAGE, StoreError
from uq_tui.startup import open_workspace
from uq_tui.text import clean_line, counted

if TYPE_CHECKING:
    from store.rows import ImportReport
    from store.workspace import Workspace

LARGEST = 10**15
"""Bound of whole numbers among options that have no other: SQLite and readers of JSON can hold it."""

Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass
class Invocation:
    """Global options and `--json` of the running command."""

    workspace: Path | None = None
    as_json: bool = False

    def workspace_path(self) -> Path:
        """The workspace named by `--workspace`, else the default one.

        Raises:
            StoreError: the folder of the default workspace cannot be made.
        """
        if self.workspace is not None:
            return self.workspace
        try:
            return paths.default_workspace()
        except OSError as error:
            raise StoreError(
                f"The folder of the default workspace cannot be made: {error}",
                hint=f"Name a workspace with --workspace, or another folder in {paths.HOME_VARIABLE}.",
            ) from error

    @contextmanager
    def open(self) -> Iterator[Workspace]:
        """The workspace, closed at the end. Says on stderr when it was new or is of an earlier version."""
        path = self.workspace_path()

        def tell(report: ImportReport) -> None:
            told = f"New workspace {path}: the bundled pack is in it ({counted(report.new, 'row')})."
            click.echo(clean_line(told), err=True)

        workspace = open_workspace(path, on_filled=tell, on_older=lambda told: click.echo(clean_line(told), err=True))
        if workspace.copy is not None:
            click.echo(clean_line(f"The workspace as it was before: {workspace.copy}"), err=True)
        try:
            yield workspace
        finally:
            workspace.close()


def exit_codes(partly: str = "some of it could not be done", nothing: str = "nothing could be done") -> str:
    """The end of a command's help: what its exit code says."""
    lines = (
        (EXIT_OK, "all of it done"),
        (EXIT_PROBLEM, partly),
        (EXIT_USAGE, "wrong usage or configuration, or no place to start: nothing was tried"),
        (EXIT_NOTHING_DONE, nothing),
        (EXIT_INTERRUPTED, "interrupted"),
    )
    return "\b\nExit codes:\n" + "\n".join(f"  {code:<3}  {meaning}" for code, meaning in lines)


def utf8(text: str) -> str:
    """The type of texts and ids among options: valid UTF-8, since the store and JSON can hold no other."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise click.BadParameter(f"{text!a} is not valid UTF-8.") from error
    return text


class Finite(click.FloatRange):
    """The type of numbers among options: NaN, which no bound of a range keeps out, and infinities are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is no finite number.", param, ctx)
        return number


pass_invocation = click.make_pass_decorator(Invocation)


def _set_json(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value:
        ctx.ensure_object(Invocation).as_json = True  # eager: errors in the other options are then JSON too


def json_option(command: Command) -> Command:
    """Add `--json`, which is kept in the invocation."""
    option = click.option(
        "--json",
        is_flag=True,
        is_eager=True,
        expose_value=False,
        callback=_set_json,
        help="Write JSON on standard output, errors included.",
    )
    return option(command)


def write_json(value: Any) -> None:
    """One JSON document on standard output, ASCII only, so that no foreign text can steer a terminal."""
    click.echo(json.dumps(value, allow_nan=False, indent=2))
