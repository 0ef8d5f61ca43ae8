"""How work that failed in a screen or widget reaches the app, which reports it."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.worker import Worker, WorkerState


@dataclass
class WorkFailed(Message):
    """Bubbles to the app: a worker of some screen or widget raised."""

    work: str
    error: BaseException


class TellsFailures(MessagePump):
    """Mixed into whatever starts workers: Textual tells a worker's failure only to the node that started it."""

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.post_message(WorkFailed(event.worker.name, event.worker.error))


@contextmanager
def left_on_failure(screen: Screen[Any]) -> Iterator[None]:
    """Leave a screen that can't be filled, since nothing of it may be shown; the app says why."""
    try:
        yield
    except Exception:
        if screen.is_current:
            screen.app.pop_screen()
        raise
