"""A conflict as an adjudicator reads it: the answer, the verdicts that disagree on it, and where each quotes it.

Who wrote the answer is no part of it, so that an adjudicator isn't told by what decides between others.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import NamedTuple

from store import adjudications, candidates, conflicts, exposures, questions
from store.conflicts import Conflict
from store.opinions import Given
from store.rows import Candidate, Question, Reviewer, Verdict, VerdictForm
from store.verdict_form import form_of
from store.verdict_rows import read_revision
from store.withheld import withheld
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.state.people import names_of
from uq_tui.state.reading.marks.entries import Entry, quotes_of
from uq_tui.state.reading.readable import Readable, readable_answer
from uq_tui.state.reviewing import blind
from uq_tui.text import clean_line
from uq_tui.words import Exposure

WHERE = "adjudication"
"""Where verdicts of others were seen, in the log of what a reviewer was shown."""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the verdicts that disagree."""

    at: int
    """Its place among them, from 0, in order of time."""
    name: str
    """The reviewer's public name, cleaned; with the end of their id where another one has the same."""
    given: Given
    verdict: Verdict
    form: VerdictForm
    quotes: tuple[Entry, ...]
    """Of its errors; empty where the answer's text isn't here."""

    @property
    def letter(self) -> str:
        """What it goes by: A, B and so on."""
        return blind.letter(self.at)


class Quoted(NamedTuple):
    """Words of the answer that a verdict quotes, and where they stand in what is read."""

    place: tuple[int, int]
    side: Side
    entry: Entry


@dataclass(frozen=True, slots=True)
class Matter:
    """All there is to read of one conflict."""

    conflict: Conflict
    question: Question
    candidate: Candidate
    """Without its origins."""
    answer: Readable
    sides: tuple[Side, ...]
    own: Verdict | None
    """The newest revision of the reader's own adjudication."""

    @property
    def quotes(self) -> tuple[Quoted, ...]:
        """All quotes that have a place in the answer, in the order of their places."""
        placed = (Quoted(one.place, side, one) for side in self.sides for one in side.quotes if one.place is not None)
        return tuple(sorted(placed, key=lambda one: (one.place, one.side.at)))


def own_places(matter: Matter, form: VerdictForm) -> tuple[tuple[int, int], ...]:
    """Where the quotes of the form that is to settle a conflict stand in what is read of the answer."""
    text = next(iter(matter.answer.texts), None)
    found = quotes_of(form, text, matter.answer) if text is not None else ()
    return tuple(one.place for one in found if one.place is not None)


def record_shown(ws: Workspace, reviewer: Reviewer, shown: Iterable[Conflict], where: str = WHERE) -> None:
    """Record that a reviewer is shown what others say of these candidates. To be called before they are."""
    them = [(one.question_id, one.candidate_id) for one in shown]
    exposures.record_all(ws, reviewer.id, them, Exposure.OTHER_VERDICTS, where)


def read(ws: Workspace, reviewer: Reviewer, candidate_id: str, where: str = WHERE) -> Matter:
    """All there is to read of the conflict on a candidate; recorded as shown.

    Raises:
        NotFoundError: there is no such candidate, or no verdicts on it disagree.
        BlindError: its problem is masked for this reviewer.
    """
    candidate = candidates.get(ws, candidate_id)
    blind.require(ws, reviewer.id, candidate.question_id)
    conflict = conflicts.of_candidate(ws, candidate.question_id, candidate_id, withheld(ws, reviewer.id))
    candidate = replace(candidate, origins=())
    answer = readable_answer(candidate)
    matter = Matter(
        conflict,
        questions.get(ws, candidate.question_id),
        candidate,
        answer,
        tuple(_sides(ws, conflict, answer)),
        adjudications.latest(ws, reviewer.id, candidate_id),
    )
    record_shown(ws, reviewer, [conflict], where)
    if conflict.readable:
        blind.note_read(ws, reviewer.id, [candidate_id])
    return matter


def _sides(ws: Workspace, conflict: Conflict, answer: Readable) -> Iterable[Side]:
    text = next(iter(answer.texts), None)
    names = names_of(conflict.verdicts)
    for at, given in enumerate(conflict.verdicts):
        with ws.read() as conn:
            verdict = read_revision(conn, given.verdict_id, given.revision)
        if verdict is None:
            raise NotFoundError(f"The verdict {given.name} has gone.", hint="Read the conflict again.")
        form = form_of(verdict.record)
        quotes = quotes_of(form, text, answer) if text is not None else ()
        yield Side(at, clean_line(names[given.person]), given, verdict, form, quotes)
