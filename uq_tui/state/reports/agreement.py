"""How far people agree on candidates, with each other, with themselves, with known labels and with validators."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TypeVar

from store.gold import gold_items
from store.opinions import Given, VerdictSubset, by_candidate, standing
from store.persons import persons
from store.traces import traces
from store.withheld import withheld
from store.workspace import Workspace
from uq_tui.analysis.cases import Case, Group, by_author, from_elsewhere
from uq_tui.analysis.consensus import DECIDING
from uq_tui.analysis.telling import gives_away
from uq_tui.state.people import names_of
from uq_tui.state.reports import agreement_people, candidate_scores
from uq_tui.state.reports.agreement_people import GoldFigures, Overall, Pair, Repeats
from uq_tui.state.reports.agreement_validators import Beside, beside
from uq_tui.state.reviewing.blind import NOTHING, LeftOut
from uq_tui.words import Exposure, Label

Told = Mapping[Exposure, frozenset[tuple[str, str]]]
"""Candidates, as (question id, candidate id), of which a report tells more than counts."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a report is to be on."""

    subset: VerdictSubset = field(default_factory=VerdictSubset)
    borderline_correct: bool = True


AnyWanted = TypeVar("AnyWanted", bound=Wanted)


@dataclass(frozen=True, slots=True)
class Counts:
    """What verdicts the figures rest on. Only the first three count verdicts that are compared."""

    verdicts: int
    """Ordinary verdicts that stand, copies apart."""
    candidates: int
    several: int
    """Candidates that two people or more have judged."""
    unsure: int
    not_judged: int
    not_blind: int
    """Verdicts given on sight of something that machines or others had made of the candidate."""
    copies: int
    """Verdicts that only go along with another one, on an identical answer."""
    repeats: int
    adjudications: int


@dataclass(frozen=True, slots=True)
class AgreementFindings:
    """All figures and what they rest on."""

    wanted: Wanted
    counts: Counts
    people: Mapping[str, str]
    """How each person is called, by id; nobody is called as somebody else is."""
    overall: tuple[Overall, ...]
    pairs: tuple[Pair, ...]
    repeats: tuple[Repeats, ...]
    gold: tuple[GoldFigures, ...]
    validators: tuple[Beside, ...]
    elsewhere: int
    """Outcomes of validators among those compared that came in files."""
    told: Told
    left_out: LeftOut = NOTHING


def read(ws: Workspace, wanted: Wanted, reviewer_id: str, left_out: LeftOut = NOTHING) -> AgreementFindings:
    """Read verdicts that stand and reckon. Takes seconds: not for an event loop.

    Args:
        ws: where to look.
        wanted: which verdicts, and what borderline correct counts as.
        reviewer_id: who reads it. Problems that they judge blind are left out, and their own verdicts on candidates
            that they are to judge once more.
        left_out: what is said of that.
    """
    given = standing(ws, wanted.subset, withheld(ws, reviewer_id))
    own = [one for one in given if not one.linked_to]
    ordinary = [one for one in own if one.ordinary]
    by_key = defaultdict[str, list[Given]](list)
    for one in ordinary:
        by_key[one.candidate_id].append(one)
    several = [verdicts for verdicts in by_key.values() if len(verdicts) > 1]
    items = [one for one in gold_items(ws) if one.candidate_id not in left_out.candidates]
    shown = [one for one in traces(ws) if one.candidate_id not in left_out.candidates]
    said = {key: one for key, one in by_candidate(given).items() if one.ordinary}
    questions = {key: one.ordinary[0].question_id for key, one in said.items()}
    borderline = wanted.borderline_correct
    validators, groups = beside(ws, said, shown, borderline_correct=borderline)
    gold = agreement_people.gold(ordinary, items, borderline_correct=borderline)
    return AgreementFindings(
        wanted=wanted,
        counts=_counts(given, ordinary, len(by_key), len(several)),
        people=names_of(one for one in given if not one.settles),
        overall=agreement_people.overall(several, borderline_correct=borderline),
        pairs=agreement_people.pairs(several, borderline_correct=borderline),
        repeats=agreement_people.repeats(own),
        gold=gold,
        validators=validators,
        elsewhere=from_elsewhere(groups),
        told=_told(several, groups, gold, questions, persons(ws)[reviewer_id]),
        left_out=left_out,
    )


def record_shown(ws: Workspace, reviewer_id: str, found: AgreementFindings, where: str) -> None:
    """Record what figures give away of single candidates as shown to a reviewer. Their own verdict is no news."""
    candidate_scores.record_told(ws, reviewer_id, found.told, where)


def other_borderline(wanted: AnyWanted, _found: object) -> AnyWanted:
    """Count borderline correct answers the other way."""
    return replace(wanted, borderline_correct=not wanted.borderline_correct)


def restricted(wanted: AnyWanted, subset: VerdictSubset) -> AnyWanted:
    """Ask the same of other verdicts."""
    return replace(wanted, subset=subset)


def _counts(given: Iterable[Given], ordinary: Sequence[Given], candidates: int, several: int) -> Counts:
    kinds = Counter("copies" if one.linked_to else _kind(one) for one in given)
    return Counts(
        verdicts=len(ordinary),
        candidates=candidates,
        several=several,
        unsure=sum(one.label is not None and one.label not in DECIDING for one in ordinary),
        not_judged=sum(one.label is None for one in ordinary),
        not_blind=sum(not one.blind for one in ordinary),
        copies=kinds["copies"],
        repeats=kinds["repeats"],
        adjudications=kinds["adjudications"],
    )


def _kind(one: Given) -> str:
    return "repeats" if one.repeat_of else "adjudications" if one.settles else "ordinary"


def _told(
    several: Iterable[Sequence[Given]],
    groups: Iterable[Group],
    gold: Iterable[GoldFigures],
    questions: Mapping[str, str],
    reader: str,
) -> Told:
    """Whose verdicts, outcomes and known labels follow from the figures: where those are of few, or all are alike."""
    verdicts, outcomes = set[str](), set[str]()
    cells = defaultdict[tuple[str, str, Label | None], list[tuple[str, object]]](list)
    for given in several:
        for one, other in combinations(sorted(given, key=lambda each: (each.person != reader, each.person)), 2):
            # Who is one of the two knows what they said, and so learns from each row of the table by itself.
            own, said = (one.label, other.label) if one.person == reader else (None, one.label is other.label)
            cells[one.person, other.person, own].append((one.candidate_id, said))
    for cell in cells.values():
        if gives_away(len(cell), (said for _, said in cell)):
            verdicts.update(key for key, _ in cell)
    for group in groups:
        for cases in (group.measured, *by_author(group.measured).values()):
            if _gives_away(cases):
                found = {case.answer.candidate_id for case in cases}
                verdicts |= found
                outcomes |= found
    known = {key for one in gold if gives_away(len(one.items), one.items.values()) for key in one.items}
    return {
        Exposure.KNOWN_LABEL: frozenset((questions[key], key) for key in known),
        Exposure.OTHER_VERDICTS: frozenset((questions[key], key) for key in verdicts),
        Exposure.OUTCOMES: frozenset((questions[key], key) for key in outcomes),
    }


def _gives_away(cases: Sequence[Case]) -> bool:
    return any(
        gives_away(len(cases), values)
        for values in ([case.accepted for case in cases], [case.correct for case in cases])
        if values
    )
