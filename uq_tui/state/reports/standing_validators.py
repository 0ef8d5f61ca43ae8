"""What validators would make of who solves questions: pass rates, and the places that each would give.

The UQ paper (arXiv 2508.17580v1) gives no places by validators, since each ranks the same models in another order.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from uq_tui.analysis.cases import Case, Group, Validator
from uq_tui.analysis.classification import Figure, share
from uq_tui.analysis.ranks import kendall_tau_b, places
from uq_tui.state.reports.solvers import Solver
from uq_tui.words import Outcome

NOTHING_DECIDED = "it has decided on none"
NOT_JUDGED = "people have decided on none of these"
FEW_AUTHORS = "fewer than two authors"
SAME_SHARE = "all authors have the same share"


@dataclass(frozen=True, slots=True)
class Rate:
    """How often one validator accepts, over candidates."""

    number: int
    validator: Validator
    accepted: Figure
    """Of those it decided on."""
    undecided: int
    """Unparsed or failed: no decision, and never a no."""
    base_rate: Figure
    """Correct ones by people's verdicts, of those it decided on that people decided on."""


@dataclass(frozen=True, slots=True)
class Passed:
    """One author's questions with one validator. `None` is everybody together."""

    number: int
    by: Solver | None
    place: int | None
    """Among the authors that this validator decided on; `None` for all together."""
    passed: Figure
    """Questions with an answer that passed, of those with one that it decided on."""
    correct: Figure
    """Of the questions that passed: those whose passing answer people found correct, of those that people decided."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """How like the order of authors by one validator is to that by people, on the same answers."""

    number: int
    authors: int
    candidates: int
    """Decided on by the validator and by people."""
    tau_b: float | None
    """-1 to 1, of the shares of answers accepted and correct."""
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Moved:
    """The places that validators would give one author."""

    by: Solver
    places: Mapping[int, int]
    """Solver number of the validator; those that decided on none of theirs are missing."""


@dataclass(frozen=True, slots=True)
class ByValidators:
    """What all validators would say. They have the numbers that all reports give them."""

    rates: tuple[Rate, ...]
    passed: tuple[Passed, ...]
    likeness: tuple[Likeness, ...]
    moved: tuple[Moved, ...]
    """Those that at least two validators place; the farthest moved first."""


def by_validators(
    groups: Sequence[Group], authors: Mapping[str, Sequence[Solver]], questions: Mapping[str, str]
) -> ByValidators:
    """Count for each validator.

    Args:
        groups: what each made of candidates.
        authors: of each candidate; one without a known author counts for all together only.
        questions: of each candidate.
    """
    passed = tuple(row for group in groups for row in _passed(group, authors, questions))
    return ByValidators(
        rates=tuple(map(_rate, groups)),
        passed=passed,
        likeness=tuple(_likeness(group, authors) for group in groups),
        moved=_moved(passed),
    )


def _rate(group: Group) -> Rate:
    decided = [case for case in group.cases if case.decided]
    return Rate(
        number=group.number,
        validator=group.validator,
        accepted=share(sum(case.accepted for case in decided), len(decided), NOTHING_DECIDED),
        undecided=sum(case.judgement.outcome in (Outcome.UNPARSED, Outcome.FAILED) for case in group.cases),
        base_rate=share(sum(case.correct for case in group.measured), len(group.measured), NOT_JUDGED),
    )


def _passed(group: Group, authors: Mapping[str, Sequence[Solver]], questions: Mapping[str, str]) -> Iterable[Passed]:
    own = defaultdict[Solver, list[Case]](list)
    decided = [case for case in group.cases if case.decided]
    for case in decided:
        for author in authors.get(case.answer.candidate_id, ()):
            own[author].append(case)
    found = {by: _counted(cases, questions) for by, cases in own.items()}
    placed = dict(zip(found, places([passed.value or 0.0 for passed, _ in found.values()]), strict=True))
    in_order = sorted(found, key=lambda by: (placed[by], by))
    rows = [Passed(group.number, by, placed[by], *found[by]) for by in in_order]
    together = Passed(group.number, None, None, *_counted(decided, questions))
    return [*rows, together] if decided else rows


def _counted(cases: Iterable[Case], questions: Mapping[str, str]) -> tuple[Figure, Figure]:
    decided, passed, judged, correct = (set[str]() for _ in range(4))
    for case in cases:
        question = questions[case.answer.candidate_id]
        decided.add(question)
        if case.accepted:
            passed.add(question)
            if case.labelled:
                judged.add(question)
            if case.correct:
                correct.add(question)
    return share(len(passed), len(decided), NOTHING_DECIDED), share(len(correct), len(judged), NOT_JUDGED)


def _likeness(group: Group, authors: Mapping[str, Sequence[Solver]]) -> Likeness:
    counts = defaultdict[Solver, list[int]](lambda: [0, 0, 0])
    measured = group.measured
    for case in measured:
        for author in authors.get(case.answer.candidate_id, ()):
            own = counts[author]
            own[0] += case.accepted
            own[1] += case.correct
            own[2] += 1
    accepted = [one / n for one, _, n in counts.values()]
    correct = [one / n for _, one, n in counts.values()]
    tau = kendall_tau_b(accepted, correct)
    why = "" if tau is not None else FEW_AUTHORS if len(counts) < 2 else SAME_SHARE
    return Likeness(group.number, len(counts), len(measured), tau, why)


def _moved(passed: Iterable[Passed]) -> tuple[Moved, ...]:
    found = defaultdict[Solver, dict[int, int]](dict)
    for row in passed:
        if row.by is not None and row.place is not None:
            found[row.by][row.number] = row.place
    several = [Moved(by, own) for by, own in found.items() if len(own) > 1]
    return tuple(sorted(several, key=lambda one: (min(one.places.values()) - max(one.places.values()), one.by)))
