"""What the app tells: of its engine and runs, and of what went wrong. It is the one boundary that reports errors."""

import asyncio

from textual import work
from textual.notifications import SeverityLevel

from uq_tui.crash_log import keep_traceback
from uq_tui.engine.protocol import EngineProblem, Event, RunFinished, WorkerHeard, WorkerSilent
from uq_tui.errors import EngineLostError, UqError
from uq_tui.key_map import key_shown
from uq_tui.text import clean, clean_line
from uq_tui.texts_app import TextsApp
from uq_tui.widgets.failures import WorkFailed
from uq_tui.words import RunState


class TellingApp(TextsApp):
    """An app that tells its user of events and errors. Nothing that a model or a file says is parsed as markup."""

    def __init__(self) -> None:
        super().__init__()
        self.failure: BaseException | None = None
        """What the app could not open or go on after."""

    def show_status(self) -> None:
        """Bring what stands above every place up to date, for apps that have such a thing."""

    # Events

    def tell(self, event: Event) -> None:
        """Say what the user has to know of it; nothing of most events."""
        match event:
            case EngineProblem():
                self._tell_problem(event)
            case WorkerSilent():
                key = key_shown(self, "app.engine")
                silent = (
                    f"The engine has not answered for {event.seconds} s. {key} restarts it; what was answered is kept."
                )
                self.notify(silent, title="Engine", severity="warning", timeout=12)
            case WorkerHeard():
                self.notify("The engine answers again.", title="Engine")
            case RunFinished() if event.message:
                self._tell_end(event)

    @work(group="told", exit_on_error=False)
    async def _tell_problem(self, problem: EngineProblem) -> None:
        message, hint = problem.message, problem.hint
        if problem.ticket and (hidden := await self._hides(problem.ticket)):
            message, hint = hidden, ""
        if problem.warning:
            self.notify(f"{message} {hint}", title=problem.title, severity="warning", timeout=12)
        else:
            self.report(EngineLostError(message, hint=hint), title=problem.title)

    @work(group="told", exit_on_error=False)
    async def _tell_end(self, event: RunFinished) -> None:
        done = event.state is RunState.DONE
        said = await self._hides(event.run_id) or event.message
        self.notify(said, title=f"Run {event.state}", severity="information" if done else "warning")

    async def _hides(self, run_id: str) -> str:
        """What to say instead of what a run on a problem that is judged blind reports; "" of any other one."""
        from uq_tui.state.reviewing import blind, blind_runs

        assert self.desk is not None
        hidden = await asyncio.to_thread(blind_runs.hides, self.desk.workspace, self.desk.reviewer.id, run_id)
        return f"What it reports is {blind.HIDDEN}." if hidden else ""

    # Errors

    def notify(
        self,
        message: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        timeout: float | None = None,
        markup: bool = False,
    ) -> None:
        """Show a notification, whoever asks for one: cleaned, and never parsed as markup, whatever `markup` says."""
        super().notify(clean(message), title=clean_line(title), severity=severity, timeout=timeout, markup=False)

    def on_work_failed(self, failure: WorkFailed) -> None:
        """The one place where what went wrong in the app is reported."""
        error = failure.error
        if self.desk is None:
            self.failure = error
            self.exit()
        elif isinstance(error, UqError):
            self.report(error)
            self.show_status()
        else:
            try:
                details = f"Details are in {keep_traceback(error)}."
            except OSError as unwritten:
                details = f"Its details could not be kept: {unwritten}"
            self.notify(
                f"{type(error).__name__} in {failure.work}. {details}", title="Unexpected", severity="error", timeout=12
            )

    def _fatal_error(self) -> None:
        """End on an error that no worker raised. Textual's own prints its text raw, and what all variables held."""
        self.failure = self.failure or self._exception
        self._close_messages_no_wait()
