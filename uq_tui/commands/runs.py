"""`uq-tui runs`: what was started, what came of it, and going on with what was interrupted."""

import dataclasses
import math
from collections.abc import Container
from datetime import UTC, datetime
from functools import partial
from typing import Any

import click

from store import runs
from store.run_rows import Run
from uq_tui.commands import blind, display, ids, live, reporting, results, running
from uq_tui.commands.groups import ListingGroup
from uq_tui.commands.invocation import LARGEST, Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.engine.session import EngineSession
from uq_tui.errors import EXIT_INTERRUPTED, EXIT_NOTHING_DONE, EXIT_OK, EXIT_PROBLEM, RunHeldError
from uq_tui.text import counted
from uq_tui.words import RunState


@click.group("runs", cls=ListingGroup, epilog=exit_codes())
def group() -> None:
    """List runs, show what one brought, or resume interrupted ones. Plain `runs` lists.

    A run is cancelled where it runs: Ctrl-C in its command, or the app's Runs screen.
    """


@group.command("list", epilog=exit_codes())
@click.option("--limit", type=click.IntRange(1, LARGEST), default=50, show_default=True, help="At most so many.")
@json_option
@pass_invocation
def list_runs(invocation: Invocation, limit: int) -> None:
    """List runs, the newest first."""
    with invocation.open() as workspace:
        cut_short = {run.id for run in runs.interrupted(workspace)}
        hidden = blind.runs(workspace)
        found = [hidden.veiled(_as_it_stands(run, cut_short)) for run in runs.recent(workspace, limit)]
    if invocation.as_json:
        write_json({"runs": [results.run_json(run) for run in found]})
        return
    shown = display.table("id", "state", "done", "failed", "cost", "started (UTC)", "title", fold=("title",))
    for run in found:
        done = f"{run.done:,}/{run.total:,}"
        values = (display.short_run(run.id), run.state.value, done, f"{run.failed:,}")
        shown.add_row(
            *(display.cell(value) for value in values),
            display.cost_cell(run.cost_usd, run.unknown_costs),
            *(display.cell(value) for value in (display.minute(run.created_at), run.title)),
        )
    display.print_table(shown)


def _as_it_stands(run: Run, cut_short: Container[str]) -> Run:
    """A run whose process was killed never said so: it still calls itself running."""
    return dataclasses.replace(run, state=RunState.INTERRUPTED) if run.id in cut_short else run


@group.command("show", epilog=exit_codes())
@click.argument("run_id", type=utf8, metavar="RUN")
@json_option
@pass_invocation
def show_run(invocation: Invocation, run_id: str) -> None:
    """Show what a run brought in: candidates, outcomes or utilities."""
    with invocation.open() as workspace:
        cut_short = {run.id for run in runs.interrupted(workspace)}
        run = _as_it_stands(runs.get(workspace, ids.run(workspace, run_id)), cut_short)
        blind.refuse_runs(workspace, [run.id])
        if invocation.as_json:
            write_json(results.as_json(workspace, run))
            return
        results.show(workspace, run)
    live.say_end(live.Ended(run, ()))


@group.command("resume", epilog=running.EPILOG)
@click.argument("run_ids", type=utf8, metavar="[RUN]...", nargs=-1)
@running.budget_options
@json_option
@pass_invocation
@click.pass_context
def resume(
    ctx: click.Context,
    invocation: Invocation,
    run_ids: tuple[str, ...],
    budget_usd: float | None,
    budget_tokens: int | None,
) -> None:
    """Go on with runs that stopped before their end; without RUN, with all interrupted ones.

    What was answered before is not asked again. A run that another process is working on is left to it, and one that
    was killed counts as working for up to 15 seconds. A budget that is given replaces each run's own; what a run has
    used before counts.
    """
    with invocation.open() as workspace:
        named = tuple(dict.fromkeys(ids.run(workspace, one) for one in run_ids))
        blind.refuse_runs(workspace, named)
        hidden = blind.runs(workspace)
        held = () if named else runs.held(workspace)
        cut_short = runs.interrupted(workspace)
        wanted = named or tuple(run.id for run in cut_short if not hidden.hides(run))
        if not named and len(wanted) < len(cut_short):
            some = counted(len(cut_short) - len(wanted), "run")
            click.echo(f"{some} on problems you still judge blind: not resumed.", err=True)
        left = [_left(run, until) for run, until in held if run.id not in wanted and not hidden.hides(run)]
        if not wanted and not left:
            click.echo("No run is interrupted.", err=True)
        codes = [EXIT_PROBLEM if wanted else EXIT_NOTHING_DONE for _ in left]
        shown: list[dict[str, Any]] = []
        for run_id, error in left:
            reporting.report(error, as_json=False)
            shown.append({"run": {"id": run_id}, "error": reporting.error_object(error)})
        for run_id in wanted:
            try:
                ended = live.drive(workspace, partial(_resume, run_id, budget_usd, budget_tokens))
            except RunHeldError as error:
                reporting.report(error, as_json=False)
                codes.append(error.exit_code)
                shown.append({"run": {"id": run_id}, "error": reporting.error_object(error)})
                continue
            codes.append(ended.exit_code)
            if invocation.as_json:
                shown.append(running.ended_json(workspace, ended))
            else:
                results.show(workspace, ended.run)
            live.say_end(ended)
            if ended.exit_code == EXIT_INTERRUPTED:
                break
        if invocation.as_json:
            write_json({"runs": shown})
    ctx.exit(max(codes, default=EXIT_OK))


def _left(run: Run, until: float) -> tuple[str, RunHeldError]:
    """A run that is held until a Unix time, and what to say of it."""
    clock = datetime.fromtimestamp(math.ceil(until), UTC).strftime("%H:%M:%S")
    error = RunHeldError(
        f"Another uq-tui works on run {run.id}; it holds it until {clock} UTC, and longer while it lives.",
        hint=f"Let it finish there. If it was killed: uq-tui runs resume {run.id}, after that time.",
    )
    return run.id, error


async def _resume(run_id: str, budget_usd: float | None, budget_tokens: int | None, session: EngineSession) -> str:
    await session.resume(run_id, budget_usd=budget_usd, budget_tokens=budget_tokens)
    return run_id
