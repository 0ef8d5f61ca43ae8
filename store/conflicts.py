"""Conflicts: candidates on which the verdicts of two people disagree, and how far they are settled."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from store.driver import AMONG, driver, listed, loaded
from store.opinions import Given, Said, VerdictSubset, by_candidate, standing
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
        ranks = [_RANKS[one.label] for one in self.verdicts if one.label is not None and one.label in _RANKS]
        return max(ranks) - min(ranks) if ranks else 0

    @property
    def scores_apart(self) -> int:
        """Points between the furthest scores, 0 to 7; 0 with fewer than two."""
        scores = [one.score_0_7 for one in self.verdicts if one.score_0_7 is not None]
        return max(scores) - min(scores) if scores else 0

    def is_by(self, by: ConflictBy) -> bool:
        """Whether the verdicts differ in this."""
        match by:
            case ConflictBy.VERDICT:
                labels = {one.label for one in self.verdicts}
                return Label.INCORRECT in labels and not labels.isdisjoint({Label.CORRECT, Label.CORRECT_BORDERLINE})
            case ConflictBy.LABEL:
                return self.labels_apart > 0
            case ConflictBy.SCORE:
                return self.scores_apart >= SCORES_APART


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
    found = [one for one in _read(ws, subset, without) if one.is_by(by)]
    return tuple(sorted(found, key=_order))


def of_candidate(ws: Workspace, question_id: str, candidate_id: str, without: Withheld = NOTHING) -> Conflict:
    """What stands on one candidate, if verdicts on it differ in anything that makes a conflict.

    Raises:
        NotFoundError: they don't, or the reader is not to see them.
    """
    subset = VerdictSubset(question_ids=frozenset({question_id}))
    one = next((one for one in _read(ws, subset, without) if one.candidate_id == candidate_id), None)
    if one is None or not any(one.is_by(by) for by in ConflictBy):
        raise NotFoundError(
            f"No verdicts of two people disagree on candidate {candidate_id}.",
            hint="`uq-tui adjudicate list` has all conflicts.",
        )
    return one


def _read(ws: Workspace, subset: VerdictSubset, without: Withheld) -> Iterable[Conflict]:
    """Every candidate with verdicts of two people, be they in conflict or not."""
    said = {
        key: one
        for key, one in by_candidate(standing(ws, subset, without)).items()
        if len(one.ordinary) > 1 and key not in without.candidates
    }
    with ws.read() as conn:
        rows = driver(conn).execute(_NAMED, (listed(said),)).fetchall()
    for key, number, readable, title in rows:
        yield Conflict(said[key].ordinary[0].question_id, loaded(title), key, number, bool(readable), said[key])


def _order(one: Conflict) -> tuple[int, bool, int, int, str, int]:
    return _STATES.index(one.state), not one.readable, -one.labels_apart, -one.scores_apart, one.question_id, one.number
