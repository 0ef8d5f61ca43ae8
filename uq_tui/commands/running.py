"""What the commands that ask a model have in common: their options, and showing how it ended."""

import dataclasses
from collections.abc import Callable
from typing import Any, TypeVar

import click

from store import runs
from store.run_rows import Run
from store.workspace import Workspace
from uq_tui.commands import blind, live, results
from uq_tui.commands.invocation import LARGEST, Finite, Invocation, exit_codes, utf8, write_json
from uq_tui.commands.live import Ended
from uq_tui.commands.planned import Planned
from uq_tui.engine.requests import Request
from uq_tui.engine.session import EngineSession
from uq_tui.text import clean_line

Command = TypeVar("Command", bound=Callable[..., Any])

EPILOG = exit_codes("some calls failed", "the run could not start, or nothing came of it")


def model_options(command: Command, *, required: bool = True) -> Command:
    """Add `--model` and `--api-base`."""
    needed: dict[str, Any] = {"required": True} if required else {"default": ""}
    model = click.option("--model", type=utf8, metavar="ID", help="The model: see `uq-tui models`.", **needed)
    api_base = click.option(
        "--api-base", type=utf8, default="", metavar="URL", help="Where the model is served, if not at its provider's."
    )
    return model(api_base(command))


def budget_options(command: Command) -> Command:
    """Add `--budget-usd` and `--budget-tokens`."""
    usd = click.option(
        "--budget-usd",
        type=Finite(min=0),
        metavar="DOLLARS",
        help="Ask nothing that could make the run cost more; budget_usd in config.toml by default.",
    )
    tokens = click.option(
        "--budget-tokens",
        type=click.IntRange(0, LARGEST),
        metavar="N",
        help="Ask nothing that could make it use more tokens, in and out.",
    )
    return usd(tokens(command))


def fresh_option(command: Command) -> Command:
    """Add `--fresh`."""
    return click.option("--fresh", is_flag=True, help="Ask anew instead of reusing remembered replies.")(command)


def run_request(
    invocation: Invocation,
    workspace: Workspace,
    request: Request,
    planned: Planned,
    *,
    budget_usd: float | None,
    budget_tokens: int | None,
    about: Callable[[Run], str] = lambda run: "",
) -> int:
    """Run a request to its end and show what it brought. Returns the exit code.

    Args:
        planned: the calls it will take, said before any is made.
        about: a line on what the run has pinned, said then too; "" for none.

    Raises:
        UqError: the request is refused, before anything is said of it.
    """
    ended = run_to_end(workspace, request, planned, budget_usd=budget_usd, budget_tokens=budget_tokens, about=about)
    if invocation.as_json:
        write_json(ended_json(workspace, ended))
    else:
        results.show(workspace, ended.run)
    live.say_end(ended)
    return ended.exit_code


def run_to_end(
    workspace: Workspace,
    request: Request,
    planned: Planned,
    *,
    budget_usd: float | None,
    budget_tokens: int | None,
    about: Callable[[Run], str] = lambda run: "",
) -> Ended:
    """Run a request to its end, without showing what it brought. Arguments and errors are those of `run_request`."""
    blind.refuse_request(workspace, request)

    async def begin(session: EngineSession) -> str:
        run_id = await session.start(live.TICKET, request, budget_usd=budget_usd, budget_tokens=budget_tokens)
        if planned.most:
            click.echo(planned.text(), err=True)
        if line := about(runs.get(workspace, run_id)):
            click.echo(clean_line(line), err=True)
        return run_id

    return live.drive(workspace, begin)


def ended_json(workspace: Workspace, ended: Ended) -> dict[str, object]:
    """The run, its results, and the calls and checks by plug-ins that failed."""
    return {
        **results.as_json(workspace, ended.run),
        "failures": [dataclasses.asdict(failure) for failure in (*ended.failures, *ended.plugins)],
    }
