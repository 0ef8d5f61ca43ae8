"""A queue with problems in it, and people to work on it."""

from collections.abc import Mapping, Sequence

from store import queues, reviewers
from store.review_rows import NewItem, Queue, QueueItem
from store.rows import Reviewer, VerdictForm
from store.workspace import Workspace
from tests.store.records.stock import put_candidate
from uq_tui.words import ItemRole, Label, QueueMode

ADA = Reviewer("0199aaaa-0000-7000-8000-00000000000a", "ada", "", ())
BOB = Reviewer("0199aaaa-0000-7000-8000-00000000000b", "bob", "", ())
WRONG = VerdictForm(label=Label.INCORRECT)
RIGHT = VerdictForm(label=Label.CORRECT)


def people(ws: Workspace) -> None:
    """Make both known; Bob is the current one."""
    for reviewer in (ADA, BOB):
        reviewers.save(ws, reviewer)


def problems(ws: Workspace, n: int, answers: int = 2) -> tuple[tuple[str, ...], ...]:
    """The candidates of `n` new questions, q0 and so on."""
    return tuple(
        tuple(put_candidate(ws, f"Answer {which} to {number}.", f"q{number}") for which in range(answers))
        for number in range(n)
    )


def plain(*of_problems: Sequence[str]) -> list[NewItem]:
    """A share with all these candidates, question after question."""
    return [NewItem(f"q{number}", key) for number, keys in enumerate(of_problems) for key in keys]


def queue(
    ws: Workspace, shares: Mapping[Reviewer, Sequence[NewItem]], *, mode: QueueMode = QueueMode.BLIND, name: str = "one"
) -> Queue:
    """A new queue."""
    by_id = {reviewer.id: share for reviewer, share in shares.items()}
    return queues.make(ws, name=name, mode=mode, spec={"seed": 1}, guideline="Be *kind*.", shares=by_id)


def share(ws: Workspace, made: Queue, reviewer: Reviewer = ADA) -> tuple[QueueItem, ...]:
    """All items of a reviewer."""
    return queues.items(ws, made.id, reviewer.id, limit=100_000)


def practice(question_id: str, candidate_id: str) -> NewItem:
    """An item without a verdict."""
    return NewItem(question_id, candidate_id, ItemRole.PRACTICE)
