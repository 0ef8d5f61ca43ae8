"""How far people agree: with each other, with themselves, and with labels that are known."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from store.gold import Gold
from store.opinions import Given
from uq_tui.analysis.agreement import Level
from uq_tui.analysis.agreement_figures import MOST_INTERVALS, Measured, alpha_of, equal_of, kappa_of, share_of
from uq_tui.analysis.consensus import DECIDING, is_correct
from uq_tui.words import Label

DECISION, LABEL, SCORE = "correct or not", "label", "score 0-7"
"""What of verdicts is compared."""
NO_REPEATS = "nothing was judged twice"
NO_GOLD = "no gold item was decided"

_RANKS = {label: rank for rank, label in enumerate(reversed(DECIDING))}
"""Labels on their scale: incorrect 0, borderline 1, correct 2."""
_ALPHA = {level: f"alpha, {level.value}" for level in Level}
EQUAL = "percent agreement"


@dataclass(frozen=True, slots=True)
class Overall:
    """One figure over all candidates that several people judged."""

    of: str
    """What is compared."""
    figure: str
    found: Measured


@dataclass(frozen=True, slots=True)
class Pair:
    """How far two people agree on the candidates that both labelled."""

    people: tuple[str, str]
    """Their ids, the smaller one first."""
    table: Mapping[tuple[Label, Label], int]
    """How often each pair of labels was given, the first one by the first of them."""
    undecided: int
    """Candidates that both judged, where one is unsure or gave no label."""
    decisions: Measured
    """Share on which they agree whether it is correct."""
    labels: Measured
    """Share to which they give the same label."""
    kappa: Measured
    """Cohen's kappa of the labels."""


@dataclass(frozen=True, slots=True)
class Repeats:
    """How far a person agrees with themselves on what they judged again without seeing what they had said."""

    person: str
    labels: Measured
    kappa: Measured
    undecided: int
    """Repeats where one of both verdicts gives no label that decides."""
    not_compared: int
    """Repeats whose first verdict doesn't stand any more, was changed since, or isn't among those that are read."""


@dataclass(frozen=True, slots=True)
class GoldFigures:
    """How often a person is right about gold items."""

    person: str
    right: Measured
    """`expected` is the share that always saying the commoner answer would get right."""
    undecided: int
    """Gold items they judged without a label that decides."""
    items: Mapping[str, bool] = field(default_factory=dict)
    """The candidates, and whether they were right about each."""


def _decides(one: Given) -> Label | None:
    """The label of a verdict, if it says something of the answer."""
    return one.label if one.label in DECIDING else None


def overall(several: Iterable[Sequence[Given]], *, borderline_correct: bool) -> tuple[Overall, ...]:
    """All figures over candidates, from the ordinary verdicts on each of them."""
    given = [tuple(verdicts) for verdicts in several]
    labels = [[label for one in verdicts if (label := _decides(one))] for verdicts in given]
    decided = [[is_correct(one, borderline_correct=borderline_correct) for one in unit] for unit in labels]
    ranks = [[_RANKS[one] for one in unit] for unit in labels]
    scores = [[one.score_0_7 for one in verdicts] for verdicts in given]
    return (
        Overall(DECISION, EQUAL, equal_of(decided)),
        Overall(DECISION, _ALPHA[Level.NOMINAL], alpha_of(decided, Level.NOMINAL)),
        Overall(LABEL, EQUAL, equal_of(ranks)),
        Overall(LABEL, _ALPHA[Level.NOMINAL], alpha_of(ranks, Level.NOMINAL)),
        Overall(LABEL, _ALPHA[Level.ORDINAL], alpha_of(ranks, Level.ORDINAL)),
        Overall(SCORE, EQUAL, equal_of(scores)),
        Overall(SCORE, _ALPHA[Level.ORDINAL], alpha_of(scores, Level.ORDINAL)),
        Overall(SCORE, _ALPHA[Level.INTERVAL], alpha_of(scores, Level.INTERVAL)),
    )


def pairs(several: Iterable[Sequence[Given]], *, borderline_correct: bool) -> tuple[Pair, ...]:
    """Each two people that have judged a candidate in common, those with most in common first."""
    tables = defaultdict[tuple[str, str], Counter[tuple[Label, Label]]](Counter)
    undecided = Counter[tuple[str, str]]()
    for verdicts in several:
        for one, other in combinations(sorted(verdicts, key=lambda given: given.person), 2):
            both = one.person, other.person
            if (label := _decides(one)) and (beside := _decides(other)):
                tables[both][label, beside] += 1
            else:
                undecided[both] += 1
    everybody = sorted({*tables, *undecided}, key=lambda both: (-tables[both].total(), both))
    return tuple(
        _pair(both, tables[both], undecided[both], borderline_correct, interval=place < MOST_INTERVALS)
        for place, both in enumerate(everybody)
    )


def _pair(
    both: tuple[str, str],
    table: Counter[tuple[Label, Label]],
    undecided: int,
    borderline_correct: bool,
    *,
    interval: bool,
) -> Pair:
    n = table.total()
    same = sum(count for (one, other), count in table.items() if one is other)
    agreed = sum(
        count
        for (one, other), count in table.items()
        if is_correct(one, borderline_correct=borderline_correct)
        is is_correct(other, borderline_correct=borderline_correct)
    )
    return Pair(
        people=both,
        table=table,
        undecided=undecided,
        decisions=share_of(agreed, n, interval=interval),
        labels=share_of(same, n, interval=interval),
        kappa=kappa_of(table, interval=interval),
    )


def repeats(given: Iterable[Given]) -> tuple[Repeats, ...]:
    """Of each person who was given repeats, and of all together under "" where there are several; by id.

    A repeat is compared with the first verdict as long as that is still what it was when the repeat was given.
    """
    verdicts = tuple(given)
    first = {one.verdict_id: one for one in verdicts}
    tables = defaultdict[str, Counter[tuple[Label, Label]]](Counter)
    undecided, not_compared = Counter[str](), Counter[str]()
    for again in verdicts:
        if not again.repeat_of or again.linked_to:
            continue
        before = first.get(again.repeat_of)
        for person in (again.person, ""):
            if before is None or before.created_at > again.created_at:
                not_compared[person] += 1
            elif (label := _decides(before)) and (now := _decides(again)):
                tables[person][label, now] += 1
            else:
                undecided[person] += 1
    people = sorted({*tables, *undecided, *not_compared})
    wanted = people if len(people) > 2 else people[1:]
    return tuple(_repeats(one, tables[one], undecided[one], not_compared[one]) for one in wanted)


def _repeats(person: str, table: Counter[tuple[Label, Label]], undecided: int, not_compared: int) -> Repeats:
    same = sum(count for (before, again), count in table.items() if before is again)
    return Repeats(person, share_of(same, table.total(), NO_REPEATS), kappa_of(table), undecided, not_compared)


def gold(ordinary: Iterable[Given], items: Iterable[Gold], *, borderline_correct: bool) -> tuple[GoldFigures, ...]:
    """Of each person who judged gold items, by id. A known label that is unsure measures nobody."""
    known = {(one.person, one.candidate_id): one.label for one in items if one.label in DECIDING}
    judged = defaultdict[str, dict[str, bool]](dict)
    correct, undecided = Counter[str](), Counter[str]()
    for one in ordinary:
        true_label, label = known.get((one.person, one.candidate_id)), _decides(one)
        if true_label is None:
            continue
        if label is None:
            undecided[one.person] += 1
            continue
        truly, said = (is_correct(each, borderline_correct=borderline_correct) for each in (true_label, label))
        correct[one.person] += truly
        judged[one.person][one.candidate_id] = truly is said
    return tuple(
        GoldFigures(
            person,
            share_of(
                sum(judged[person].values()),
                len(judged[person]),
                NO_GOLD,
                expected=_commoner(correct[person], len(judged[person])),
            ),
            undecided[person],
            judged[person],
        )
        for person in sorted({*judged, *undecided})
    )


def _commoner(correct: int, n: int) -> float | None:
    return max(correct, n - correct) / n if n else None
