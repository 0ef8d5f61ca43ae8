"""What the store holds for one item of a queue. Functions wait for the disk: call them in a thread."""

from collections.abc import Mapping
from dataclasses import dataclass

from store import blindness, candidates, decisions, exposures, questions, queues
from store.review_rows import QueueItem
from store.rows import Candidate, KnownLabel, Question, Verdict
from store.workspace import Workspace
from uq_tui.state.question_text import posted_answers
from uq_tui.state.reading.readable import Readable, readable_answer
from uq_tui.state.reviewing import blind, reference
from uq_tui.state.reviewing.blind import Mask
from uq_tui.state.reviewing.problem import AnswerLine, answer_lines
from uq_tui.state.reviewing.reference import Reference
from uq_tui.state.verdict.words import given
from uq_tui.words import Exposure, ItemRole, ItemState

PLACE = "review"
"""Where an exposure took place, in the log."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What an item's problem brings along, the same for all its items."""

    question: Question
    reference: Reference
    mask: Mask | None
    names: Mapping[str, str]
    """What candidates are called, by id, in the order in which they are shown; the reference too."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """An item with its texts, ready to be shown."""

    item: QueueItem
    problem: Problem
    candidate: Candidate
    """Without its author where that is masked."""
    answer: Readable

    @property
    def names_author(self) -> bool:
        """The answer says who wrote it, or seems to."""
        return self.problem.mask is not None and self.problem.mask.names_author(self.candidate.id)


def load(ws: Workspace, item: QueueItem, before: Problem | None = None) -> Loaded:
    """Read an item; `before` is used again where it is the same problem's and still holds.

    Raises:
        NotFoundError: its question or answer is not in this workspace.
    """
    if before is not None and holds(ws, before, item):
        problem = before
    else:
        problem = load_problem(ws, item.reviewer_id, item.question_id)
    candidate = candidates.get(ws, item.candidate_id)
    if problem.mask is not None:
        (candidate,) = problem.mask.stripped((candidate,))
    posted = posted_answers(ws, [candidate]) if problem.mask is None else {}
    return Loaded(item, problem, candidate, readable_answer(candidate, posted.get(candidate.id, "")))


def holds(ws: Workspace, problem: Problem, item: QueueItem) -> bool:
    """Whether this is the item's problem, masked now as when it was read."""
    masked = problem.mask is not None
    same = problem.question.row.id == item.question_id
    return same and masked == blindness.is_masked(ws, item.reviewer_id, item.question_id)


def load_problem(ws: Workspace, reviewer_id: str, question_id: str) -> Problem:
    """Read what all items of a problem share. Raises NotFoundError."""
    mask = blind.mask_of(ws, reviewer_id, question_id)
    names = (
        mask.letters if mask is not None else {one.id: one.called for one in candidates.of_question(ws, question_id)}
    )
    return Problem(questions.get(ws, question_id), reference.read(ws, question_id), mask, names)


def lines_of(ws: Workspace, loaded: Loaded) -> tuple[AnswerLine, ...]:
    """The answers of an item's problem, as they stand now."""
    here = loaded.item
    items = queues.of_problem(ws, here.queue_id, here.reviewer_id, here.question_id)
    decided = [item for item in items if item.state in (ItemState.DECIDED, ItemState.SKIPPED)]
    verdicts = decisions.newest(ws, {item.verdict_id for item in decided if item.verdict_id})
    said = {item.id: _given(item, verdicts.get(item.verdict_id)) for item in decided}
    return answer_lines(items, loaded.problem.names, said, here.id)


def _given(item: QueueItem, verdict: Verdict | None) -> str:
    if item.role is ItemRole.PRACTICE:
        return item.given.replace("_", " ")
    return given(verdict) if verdict is not None else ""


def note_shown(ws: Workspace, loaded: Loaded) -> None:
    """Log what the screen tells of an item's answer beyond itself: who wrote it, by its text or by its name."""
    item, candidate = loaded.item, loaded.candidate
    blind.note_read(ws, item.reviewer_id, (candidate.id,))
    if candidate.origins:
        exposures.record(ws, item.reviewer_id, item.question_id, item.candidate_id, Exposure.MODEL, PLACE)


def known_label(ws: Workspace, item: QueueItem) -> KnownLabel | None:
    """The label that a practice item came with, to be told: that is logged first, so nobody is measured by it later."""
    known = candidates.known_label(ws, item.candidate_id)
    if known is not None:
        exposures.record(ws, item.reviewer_id, item.question_id, item.candidate_id, Exposure.KNOWN_LABEL, PLACE)
    return known
