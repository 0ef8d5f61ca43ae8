"""Running the engine inside a command: live progress on standard error, and a clean end on Ctrl-C."""

import asyncio
import logging
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path

import click
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from store import judgements, runs
from store.run_rows import Run
from store.workspace import Workspace
from uq_tui import config, paths
from uq_tui.commands import display
from uq_tui.commands.advice import ADVICE
from uq_tui.engine.protocol import CallFinished, CallRetrying, EngineProblem, Event, RunProgress, RunStarted
from uq_tui.engine.session import EngineSession
from uq_tui.errors import EXIT_INTERRUPTED, EXIT_NOTHING_DONE, EXIT_OK, EXIT_PROBLEM
from uq_tui.log_lines import FORMAT, CleanFormatter
from uq_tui.text import clean, clean_line, counted
from uq_tui.words import CallErrorKind, CallState, Outcome, RunState

TICKET = "command"

LONGEST_LOG = 2_000_000
"""Bytes."""


@dataclass(frozen=True, slots=True)
class Failure:
    """Calls, or checks by plug-ins, that failed in the same way; the latter are of no kind."""

    kind: CallErrorKind | None
    error: str
    times: int


@dataclass(frozen=True, slots=True)
class Ended:
    """A run as it stands after the command drove it, the calls that failed meanwhile, and its plug-ins' failures."""

    run: Run
    failures: tuple[Failure, ...]
    plugins: tuple[Failure, ...] = ()

    @property
    def exit_code(self) -> int:
        """What the command's exit code says of the run."""
        if self.run.state in (RunState.INTERRUPTED, RunState.CANCELLED):
            return EXIT_INTERRUPTED
        if self.run.state is RunState.DONE:
            return EXIT_PROBLEM if self.run.failed or self.plugins else EXIT_OK
        return EXIT_PROBLEM if self.run.done else EXIT_NOTHING_DONE


class _Display:
    """Follows a run's events; draws them when standard error is a terminal."""

    def __init__(self) -> None:
        console = display.note_console()
        self.run_id = ""
        self.failures: Counter[tuple[CallErrorKind | None, str]] = Counter()
        self.progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=12),
            MofNCompleteColumn(),
            TextColumn("{task.fields[calls]}", markup=False),
            TimeElapsedColumn(),
            console=console,
            disable=not console.is_terminal,
            transient=True,
        )
        self._task = self.progress.add_task("starting", total=None, calls="")

    def receive(self, event: Event) -> None:
        match event:
            case RunStarted():
                self.run_id = event.run_id
                click.echo(clean_line(event.title), err=True)
                self.progress.update(self._task, description=event.kind.value)
            case RunProgress():
                self.progress.update(self._task, completed=event.done, total=event.total, calls=_brief(event))
            case CallRetrying():
                self.progress.update(self._task, calls=_waiting(event))
            case CallFinished(state=CallState.FAILED) if event.error_kind is not CallErrorKind.CANCELLED:
                self.failures[event.error_kind, event.error] += 1
            case EngineProblem():
                click.echo(clean_line(f"{event.title}: {event.message} {event.hint}"), err=True)


def calls_text(counts: RunProgress | Run) -> str:
    """`17 calls asked, 4 remembered, 1 failed, $0.0031`."""
    parts = [f"{counted(counts.asked, 'call')} asked", f"{counts.remembered:,} remembered", f"{counts.failed:,} failed"]
    parts += [f"{counted(counts.retried, 'attempt')} made again"] if counts.retried else []
    parts += [counted(counts.tokens, "token")] if counts.tokens else []
    return ", ".join([*parts, display.cost(counts.cost_usd, counts.unknown_costs)])


def _brief(counts: RunProgress) -> str:
    """The same in few words, for one line with a bar."""
    amounts = (
        (counts.asked, "asked"),
        (counts.remembered, "remembered"),
        (counts.retried, "retried"),
        (counts.failed, "failed"),
    )
    parts = [f"{amount:,} {word}" for amount, word in amounts if amount]
    money = "cost unknown" if counts.cost_usd is None else f"${counts.cost_usd:.4f}"
    return ", ".join([*parts, money])


def _waiting(event: CallRetrying) -> str:
    kind = event.error_kind.value.replace("_", " ")
    return clean_line(f"{kind} failure, attempt {event.attempts + 1:,} in {event.delay_s:.0f} s")


def drive(workspace: Workspace, begin: Callable[[EngineSession], Awaitable[str]]) -> Ended:
    """Start what `begin` starts and wait for its end; Ctrl-C interrupts it, so that it can be resumed.

    Args:
        workspace: the opened workspace.
        begin: starts or resumes a run in the session it is given, and returns the run's id.

    Raises:
        UqError: the run could not start.
        KeyboardInterrupt: Ctrl-C before the run had an id.
    """
    shown = _Display()
    log = paths.log_dir() / "engine.log"
    with _logged(log), shown.progress:
        try:
            run = asyncio.run(_drive(workspace, begin, shown, log))
        except KeyboardInterrupt:
            if not shown.run_id:
                raise
            run = runs.get(workspace, shown.run_id)
    found = sorted(shown.failures.items(), key=lambda item: -item[1])
    failures = tuple(Failure(kind, error, times) for (kind, error), times in found)
    return Ended(run, failures, failed_plugins(workspace, run))


def failed_plugins(workspace: Workspace, run: Run) -> tuple[Failure, ...]:
    """What went wrong in a run's plug-ins: their outcomes are those without a call and without parts."""
    if not run.spec.get("plugins"):
        return ()
    found = judgements.outcomes_of_run(workspace, run.id)
    wholes = {(one.candidate_id, one.path.rpartition("/")[0]) for one in found if one.path}
    alone = (one for one in found if not one.call_keys and (one.candidate_id, one.path) not in wholes)
    reasons = Counter(one.reason for one in alone if one.outcome is Outcome.FAILED)
    return tuple(Failure(None, reason, times) for reason, times in reasons.most_common())


@contextmanager
def _logged(file: Path) -> Iterator[None]:
    """Keep what the engine logs in a file; unexpected errors are logged with their traceback."""
    handler = RotatingFileHandler(file, maxBytes=LONGEST_LOG, backupCount=1, encoding="utf-8", delay=True)
    handler.setFormatter(CleanFormatter(FORMAT))
    logging.getLogger().addHandler(handler)
    try:
        yield
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()


async def _drive(
    workspace: Workspace, begin: Callable[[EngineSession], Awaitable[str]], shown: _Display, log: Path
) -> Run:
    session = EngineSession(workspace, config.load(), shown.receive, log=log)
    try:
        return await session.wait(await begin(session))
    finally:
        await session.close()


def say_end(ended: Ended) -> None:
    """What a person should know when the run has ended, on standard error."""
    run = ended.run
    click.echo(clean_line(f"Run {run.id}: {run.state.value}; {calls_text(run)}"), err=True)
    if run.message:
        click.echo(clean(run.message), err=True)
    for kind in dict.fromkeys(failure.kind for failure in ended.failures):
        if kind is not None:
            click.echo(ADVICE[kind], err=True)
    if ended.plugins:
        checks = counted(sum(failure.times for failure in ended.plugins), "check")
        click.echo(clean_line(f"{checks} by plug-ins failed, most with: {ended.plugins[0].error}"), err=True)
    if run.state in (RunState.INTERRUPTED, RunState.CANCELLED, RunState.FAILED):
        click.echo(f"To go on where it stopped: uq-tui runs resume {run.id}", err=True)
    elif run.failed:
        click.echo(f"To ask the failed calls again: uq-tui runs resume {run.id}", err=True)
