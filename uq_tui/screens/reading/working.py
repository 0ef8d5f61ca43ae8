"""What is shown while a job on a long text takes its time."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import LoadingIndicator

from uq_tui.widgets.document import Document
from uq_tui.widgets.key_footer import KeyFooter

PATIENCE_S = 0.3
"""Seconds after which it is said that a job is running."""

Made = TypeVar("Made")


class WorkingModal(ModalScreen[bool]):
    """Returns whether the job has ended; False once it was given up."""

    CSS_PATH = "tools.tcss"
    BINDINGS = [Binding("escape", "dismiss(False)", "Give up", id="working.cancel", tooltip="Wait no longer")]

    def __init__(self, doing: str, job: "asyncio.Future[Any]") -> None:
        """`doing` is words of ours."""
        super().__init__()
        self._doing = doing
        self._job = job

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(self._doing)
            yield LoadingIndicator()
        yield KeyFooter()

    def on_mount(self) -> None:
        self._job.add_done_callback(self._end)

    def _end(self, _: "asyncio.Future[Any]") -> None:
        if self.is_current:
            self.dismiss(True)


async def patiently(app: App[None], document: Document, doing: str, work: Callable[[], Made]) -> Made | None:
    """What `work` makes in a thread; None where the user gave up, and what it makes is dropped. Raises what it raises.

    A job that takes longer than a moment is shown over the document, where nothing else has come before that.
    """
    job = asyncio.ensure_future(asyncio.to_thread(work))
    done, _ = await asyncio.wait({job}, timeout=PATIENCE_S)
    if not done and app.screen is document.screen and not await app.push_screen_wait(WorkingModal(doing, job)):
        job.cancel()
        return None
    return await job
