"""How a command that could not go on ends: a message on stderr, an exit code, and no traceback."""

from typing import Any

import click

from uq_tui.commands.invocation import write_json
from uq_tui.crash_log import keep_traceback
from uq_tui.errors import EXIT_NOTHING_DONE, StrategyError, UqError
from uq_tui.text import clean


def report(error: UqError, *, as_json: bool) -> None:
    """The error's message and hint on stderr; with `as_json` an error object on stdout as well."""
    position = error.position if isinstance(error, StrategyError) else None
    where = "" if position is None else f", character {position + 1:,}"
    click.echo(clean(f"{error.title}{where}: {error.message}"), err=True)
    if error.hint:
        click.echo(clean(error.hint), err=True)
    if as_json:
        write_json({"error": error_object(error)})


def error_object(error: UqError) -> dict[str, Any]:
    """An error as `--json` shows it."""
    return {"title": error.title, "message": error.message, "hint": error.hint, "exit_code": error.exit_code}


def usage_object(error: click.ClickException) -> dict[str, Any]:
    """A wrong option or argument as `--json` shows it."""
    return {"title": "Usage", "message": error.format_message(), "hint": "", "exit_code": error.exit_code}


def cleaned(error: click.ClickException) -> click.ClickException:
    """The error, with nothing in its message that a terminal obeys: the name of a file can hold any sign."""
    said = error.format_message()
    if clean(said) == said:
        return error
    if isinstance(error, click.UsageError):
        return click.UsageError(clean(said), error.ctx)
    return click.ClickException(clean(said))


def report_unexpected(error: Exception, *, as_json: bool) -> int:
    """Keep the traceback in a log file and name that file. Returns the exit code."""
    summary = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    try:
        hint = f"The details are in {keep_traceback(error)}"
    except OSError as unwritten:
        hint = f"The details could not be kept: {unwritten}"
    report(UqError(f"uq-tui met an error it does not know. {summary}", hint=hint), as_json=as_json)
    return EXIT_NOTHING_DONE
