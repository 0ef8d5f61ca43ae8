"""Queues of a few answers, and a state that goes through one."""

from collections.abc import Sequence
from typing import Any

from store import queues
from store.review_rows import NewItem, Queue
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from uq_tui.engine.requests import ModelChoice
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.guard import GUARD_S, HELD_S
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.state.reviewing.review import ReviewState
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.words import QueueMode


class Clock:
    """Seconds that a test sets."""

    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now

    def wait(self, seconds: float = max(GUARD_S, HELD_S)) -> None:
        """Let time pass; by default as much as any key needs to count."""
        self.now += seconds


def add_problem(ws: Workspace, question_id: str, *answers: str) -> tuple[NewItem, ...]:
    """A question with these answers, each an item on its way into a queue."""
    add_question(ws, question_id, title=f"Problem {question_id}")
    return tuple(NewItem(question_id, one) for one in add_candidates(ws, *answers, question_id=question_id))


def make_queue(
    ws: Workspace, desk: Desk, items: Sequence[NewItem], *, name: str = "pilot", guideline: str = "", **spec: Any
) -> Queue:
    """A queue with one share, for the desk's reviewer. `spec`: fields of QueueSpec."""
    built = QueueSpec(**{"mode": QueueMode.BLIND, **spec})
    return queues.make(
        ws,
        name=name,
        mode=built.mode,
        spec=built.as_json(),
        guideline=guideline,
        shares={desk.reviewer.id: tuple(items)},
    )


async def desk_of(ws: Workspace) -> Desk:
    """The current reviewer's desk."""
    return await Desk.sit_down(ws, ScriptedEngine(ws.path), ModelChoice("replay/none"))


async def reviewing(desk: Desk, queue: Queue) -> tuple[ReviewState, Clock]:
    """The state of a queue that was just opened, with time enough passed for keys to count."""
    clock = Clock()
    state = ReviewState(desk, VerdictEditor(desk, clock=clock), clock=clock)
    await state.open(queue.id)
    clock.wait()
    return state, clock
