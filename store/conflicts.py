"""Conflicts: candidates on which the verdicts of two people disagree, and how far they are settled."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection

from store.driver import AMONG, driver, listed, loaded
from store.opinions import Given, Said, VerdictSubset, each_candidate
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import ConflictBy, ConflictState, Label

SCORES_APART = 2
"""Scores of 0 to 7 that differ by less are no conflict."""

_RANKS: Mapping[Label, int] = {Label.INCORRECT: 0, Label.CORRECT_BORDERLINE: 1, Label.CORRECT: 2}
_NAMED = (
    "SELECT candidate.id, candidate.number, candidate.answer_sha256 IS NOT NULL, question.title"
    f" FROM candidate JOIN question ON question.id = candidate.question_id WHERE candidate.id {AMONG}"
)
_STATES = tuple(ConflictState)
_EVERYWHERE = VerdictSubset()


@dataclass(frozen=True, slots=True)
class Conflict:
    """A candidate with the ordinary verdicts that stand on it, and the adjudications between them."""

    question_id: str
    title: str
    """Of the question, as it came; "" where it isn't known."""
    candidate_id: str
    number: int
    """The candidate's among those of its question."""
    readable: bool
    """Its text is here, so that it can be read and settled."""
    said: Said

    @property
    def verdicts(self) -> tuple[Given, ...]:
        """One of each person, in order of time."""
        return self.said.ordinary

    @property
    def called(self) -> str:
        """What the candidate goes by within its question: `c2`."""
        return f"c{self.number}"

    @property
    def names(self) -> tuple[str, ...]:
        """The revisions that an adjudicator decides between, as `verdict_id#revision`."""
        return tuple(one.name for one in self.verdicts)

    @property
    def state(self) -> ConflictState:
        """Whether an adjudication settles it as it stands."""
        if self.said.settled_by is not None:
            return ConflictState.SETTLED
        return ConflictState.STALE if self.said.adjudications else ConflictState.OPEN

    @property
    def adjudication(self) -> Given | None:
        """The one that settles it, or else the newest one that did."""
        return self.said.settled_by or next(reversed(self.said.adjudications), None)

    @property
    def labels_apart(self) -> int:
        """Steps between the furthest labels on the scale incorrect, borderline, correct: 0 to 2."""
        return _labels_apart(self.verdicts)

    @property
    def scores_apart(self) -> int:
        """Points between the furthest scores, 0 to 7; 0 with fewer than two."""
        return _scores_apart(self.verdicts)


def _labels_apart(verdicts: Sequence[Given]) -> int:
    ranks = [_RANKS[one.label] for one in verdicts if one.label is not None and one.label in _RANKS]
    return max(ranks) - min(ranks) if ranks else 0


def _scores_apart(verdicts: Sequence[Given]) -> int:
    scores = [one.score_0_7 for one in verdicts if one.score_0_7 is not None]
    return max(scores) - min(scores) if scores else 0


def _differ(verdicts: Sequence[Given], by: ConflictBy) -> bool:
    """Whether verdicts make a conflict of this kind."""
    match by:
        case ConflictBy.VERDICT:
            labels = {one.label for one in verdicts}
            return Label.INCORRECT in labels and not labels.isdisjoint({Label.CORRECT, Label.CORRECT_BORDERLINE})
        case ConflictBy.LABEL:
            return _labels_apart(verdicts) > 0
        case ConflictBy.SCORE:
            return _scores_apart(verdicts) >= SCORES_APART


def conflicts(
    ws: Workspace,
    by: ConflictBy = ConflictBy.VERDICT,
    subset: VerdictSubset = _EVERYWHERE,
    without: Withheld = NOTHING,
) -> tuple[Conflict, ...]:
    """All conflicts: open ones first, then stale, then settled ones; within these the furthest apart first.

    Those whose text isn't here come behind others of their state.

    Args:
        ws: where to look.
        by: what verdicts have to differ in.
        subset: on which questions; whatever else it restricts leaves verdicts out that conflicts hang on.
        without: what the reader is not to see. A candidate that they are to judge once more is left out whole.
    """
    with ws.read() as conn:
        found = _read(conn, (by,), subset, without)
    return tuple(sorted(found, key=_order))


def of_candidate(ws: Workspace, question_id: str, candidate_id: str, without: Withheld = NOTHING) -> Conflict:
    """What stands on one candidate, if verdicts on it differ in anything that makes a conflict.

    Raises:
        NotFoundError: they don't, or the reader is not to see them.
    """
    with ws.read() as conn:
        return read_of_candidate(conn, question_id, candidate_id, without)


def read_of_candidate(conn: Connection, question_id: str, candidate_id: str, without: Withheld = NOTHING) -> Conflict:
    """`of_candidate` within a transaction."""
    subset = VerdictSubset(question_ids=frozenset({question_id}))
    found = _read(conn, ConflictBy, subset, without)
    one = next((one for one in found if one.candidate_id == candidate_id), None)
    if one is None:
        raise NotFoundError(
            f"No verdicts of two people disagree on candidate {candidate_id}.",
            hint="`uq-tui adjudicate list` has all conflicts.",
        )
    return one


def _read(conn: Connection, kinds: Iterable[ConflictBy], subset: VerdictSubset, without: Withheld) -> list[Conflict]:
    """Every candidate on which verdicts are in conflict in one of these ways."""
    said = {
        key: one
        for key, one in each_candidate(conn, subset, without)
        if key not in without.candidates and any(_differ(one.ordinary, by) for by in kinds)
    }
    rows = driver(conn).execute(_NAMED, (listed(said),))
    return [
        Conflict(said[key].ordinary[0].question_id, loaded(title), key, number, bool(readable), said[key])
        for key, number, readable, title in rows
    ]


def _order(one: Conflict) -> tuple[int, bool, int, int, str, int]:
    return _STATES.index(one.state), not one.readable, -one.labels_apart, -one.scores_apart, one.question_id, one.number
