"""What verdicts come to, candidate by candidate, and how reliable people are as far as that tells."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from exports.consensus import ConsensusRow
from store.opinions import Given, Said, by_candidate, standing
from store.withheld import withheld
from store.workspace import Workspace
from uq_tui.analysis.consensus import DECIDING, Consensus, Method, estimate, majority, weighed
from uq_tui.analysis.dawid_skene import Estimated
from uq_tui.analysis.telling import gives_away
from uq_tui.analysis.truth import Standing
from uq_tui.state.people import names_of
from uq_tui.state.reports import agreement, candidate_scores
from uq_tui.state.reviewing.blind import NOTHING, LeftOut
from uq_tui.words import Exposure, Label


@dataclass(frozen=True, slots=True)
class Wanted(agreement.Wanted):
    """What is to be put together, and how."""

    method: Method = Method.MAJORITY


@dataclass(frozen=True, slots=True)
class ConsensusFindings:
    """One row for each candidate that has an ordinary verdict, and what they rest on."""

    wanted: Wanted
    rows: tuple[ConsensusRow, ...]
    """In order of question and candidate."""
    people: Mapping[str, str]
    """How each person is called, by id."""
    estimate: Estimated[Label] | None
    """Of Dawid and Skene's method, where a verdict decides."""
    left_out: LeftOut = NOTHING

    @property
    def standings(self) -> Counter[Standing]:
        """How many candidates come to what."""
        return Counter(row.found.standing for row in self.rows)

    @property
    def undecided(self) -> tuple[ConsensusRow, ...]:
        """Candidates on which as much speaks for one side as for the other."""
        return tuple(row for row in self.rows if row.found.standing is Standing.TIED)


def read(ws: Workspace, wanted: Wanted, reviewer_id: str, left_out: LeftOut = NOTHING) -> ConsensusFindings:
    """Read verdicts that stand and put them together. Takes seconds: not for an event loop.

    An adjudication that settles a candidate is the consensus on it; reliability is reckoned from what people said
    before. `reviewer_id` and `left_out` are as for `agreement.read`.
    """
    given = standing(ws, wanted.subset, withheld(ws, reviewer_id))
    said = {key: one for key, one in by_candidate(given).items() if one.ordinary}
    keys = sorted(said, key=lambda key: (said[key].ordinary[0].question_id, key))
    found: Estimated[Label] | None = None
    if wanted.method is Method.MAJORITY:
        come_to = [_majority(said[key].ordinary, wanted) for key in keys]
    else:
        found, chances = estimate([{one.person: one.label for one in said[key].ordinary} for key in keys])
        come_to = [weighed(one, borderline_correct=wanted.borderline_correct) for one in chances]
    rows = tuple(_row(key, said[key], one, wanted) for key, one in zip(keys, come_to, strict=True))
    return ConsensusFindings(wanted, rows, names_of(one for one in given if not one.settles), found, left_out)


def record_shown(ws: Workspace, reviewer_id: str, found: ConsensusFindings, where: str, *, rows: bool) -> None:
    """Record what is shown of candidates: with `rows` of each, else of those that counts give away."""
    told = found.rows if rows or gives_away(len(found.rows), found.standings) else found.undecided
    places = [(row.question_id, row.candidate_id) for row in told]
    candidate_scores.record_told(ws, reviewer_id, {Exposure.OTHER_VERDICTS: places}, where)


def other_method(wanted: Wanted, _found: ConsensusFindings | None) -> Wanted:
    """Put verdicts together by the next method."""
    methods = tuple(Method)
    return replace(wanted, method=methods[(methods.index(wanted.method) + 1) % len(methods)])


def _majority(ordinary: tuple[Given, ...], wanted: Wanted) -> Consensus:
    return majority((one.label for one in ordinary), borderline_correct=wanted.borderline_correct)


def _row(candidate_id: str, said: Said, found: Consensus, wanted: Wanted) -> ConsensusRow:
    settled_by = said.settled_by
    if settled_by is not None:
        found = _majority((settled_by,), wanted)
    labels = [one.label for one in said.ordinary]
    return ConsensusRow(
        question_id=said.ordinary[0].question_id,
        candidate_id=candidate_id,
        method=wanted.method,
        borderline_correct=wanted.borderline_correct,
        found=found,
        n=sum(label in DECIDING for label in labels),
        unsure=labels.count(Label.UNSURE),
        not_judged=labels.count(None),
        settled_by="" if settled_by is None else settled_by.name,
    )
