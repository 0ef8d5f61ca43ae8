"""Validators held against labels: what a report on them says, from what judged what.

Everything is counted in candidates. Unparsed and failed are no decision, and never a no: they are counted apart, and
rates over decisions say how many decisions there were. What an answer by several authors brought counts for each.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import combinations
from statistics import mean

from uq_tui.analysis.cases import Answer, Case, Group, Validator, by_author
from uq_tui.analysis.classification import (
    NOTHING_DECIDED,
    Confusion,
    Figure,
    Quality,
    over_rating,
    quality,
    share,
)
from uq_tui.analysis.families import bare_name, family_of
from uq_tui.analysis.ranks import kendall_tau_b
from uq_tui.analysis.truth import Standing
from uq_tui.words import Outcome

NOTHING_LABELLED = "no candidate it judged is labelled"


class Kinship(StrEnum):
    """How the author of an answer is related to the models that judge it; the closest of several counts."""

    SAME_MODEL = "same model"
    SAME_FAMILY = "same family"
    OTHER = "other"


@dataclass(frozen=True, slots=True)
class Calls:
    """Calls made for a candidate, over the `n` labelled candidates for which they were recorded."""

    mean: float | None
    fewest: int | None
    most: int | None
    n: int
    unknown: int
    """Labelled candidates for which they were not."""


@dataclass(frozen=True, slots=True)
class ValidatorReport:
    """One validator on the labelled candidates it judged."""

    number: int
    """By which other parts of the report name it."""
    validator: Validator
    judged: int
    """Candidates it judged, labelled or not."""
    labelled: int
    outcomes: Mapping[Outcome, int]
    """Of the labelled ones; all four that a strategy can have."""
    confusion: Confusion
    """Of the labelled ones it decided."""
    quality: Quality
    """Over those decisions."""
    right_of_labelled: Figure
    """Right decisions of all labelled candidates: to decide nothing is not to be right."""
    base_rate_of_labelled: Figure
    always_reject_of_labelled: Figure
    unparsed: Figure
    failed: Figure
    calls: Calls


@dataclass(frozen=True, slots=True)
class OverRating:
    """How often a validator accepts the answers of one family, against how often they are correct."""

    number: int
    judge_families: tuple[str, ...]
    author_family: str
    kinship: Kinship
    accepted: Figure
    correct: Figure
    excess: Figure
    """Accepted less correct; above 0 it is too kind."""


@dataclass(frozen=True, slots=True)
class Failing:
    """Where the answers of one author fail with a validator. Needs no labels."""

    number: int
    author: str
    judged: int
    accepted: int
    undecided: int
    stages: Mapping[str, int]
    """Answers by the stage that rejected first, the commonest first."""


@dataclass(frozen=True, slots=True)
class Stability:
    """Whether two validators rank the answers' authors alike, by the share they accept. Needs no labels.

    Both shares are over the candidates that both decided.
    """

    first: int
    second: int
    authors: int
    candidates: int
    tau_b: float | None
    undefined: str = ""


@dataclass(frozen=True, slots=True)
class Gap:
    """How well a model answers, beside how well it judges."""

    number: int
    model: str
    answering: Figure
    """Correct ones of its own labelled answers."""
    judging: Figure
    """Its accuracy as the only model of a validator."""
    gap: float | None
    """Judging less answering."""


@dataclass(frozen=True, slots=True)
class Report:
    """All of it. Validators are numbered from 1."""

    standings: Mapping[Standing, int]
    """Judged candidates by what their labels come to."""
    validators: tuple[ValidatorReport, ...]
    over_rating: tuple[OverRating, ...]
    failing: tuple[Failing, ...]
    stability: tuple[Stability, ...]
    gaps: tuple[Gap, ...]


def evaluate(groups: Sequence[Group]) -> Report:
    """The report on what `grouped` has put together."""
    judged = {case.answer.candidate_id: case.answer for group in groups for case in group.cases}
    return Report(
        standings=_counted(Standing, (answer.standing for answer in judged.values())),
        validators=tuple(_validator(group) for group in groups),
        over_rating=tuple(row for group in groups for row in _over_ratings(group)),
        failing=tuple(row for group in groups for row in _failings(group)),
        stability=tuple(_stabilities(groups)),
        gaps=tuple(row for group in groups for row in _gaps(group, judged.values())),
    )


def _validator(group: Group) -> ValidatorReport:
    labelled = [case for case in group.cases if case.labelled]
    n, correct = len(labelled), sum(case.correct for case in labelled)
    outcomes = {
        outcome: sum(case.judgement.outcome is outcome for case in labelled)
        for outcome in (Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED, Outcome.FAILED)
    }
    confusion = _confusion(group.measured)
    return ValidatorReport(
        number=group.number,
        validator=group.validator,
        judged=len(group.cases),
        labelled=n,
        outcomes=outcomes,
        confusion=confusion,
        quality=quality(confusion),
        right_of_labelled=share(confusion.right, n, NOTHING_LABELLED),
        base_rate_of_labelled=share(correct, n, NOTHING_LABELLED),
        always_reject_of_labelled=share(n - correct, n, NOTHING_LABELLED),
        unparsed=share(outcomes[Outcome.UNPARSED], n, NOTHING_LABELLED),
        failed=share(outcomes[Outcome.FAILED], n, NOTHING_LABELLED),
        calls=_calls([case.judgement.calls for case in labelled]),
    )


def _confusion(cases: Iterable[Case]) -> Confusion:
    counts = Counter((case.accepted, case.correct) for case in cases)
    return Confusion(
        true_positive=counts[True, True],
        false_positive=counts[True, False],
        false_negative=counts[False, True],
        true_negative=counts[False, False],
    )


def _calls(made: Sequence[int | None]) -> Calls:
    known = [number for number in made if number is not None]
    unknown = len(made) - len(known)
    if not known:
        return Calls(None, None, None, 0, unknown)
    return Calls(mean(known), min(known), max(known), len(known), unknown)


def kin_cells(group: Group) -> dict[tuple[Kinship, str], list[Case]]:
    """The measured cases of a validator by kinship and family of their authors, the closest kin first."""
    models = {bare_name(model) for model in group.validator.models}
    families = {family_of(model) for model in group.validator.models}
    cells = defaultdict[tuple[Kinship, str], dict[str, Case]](dict)
    for case in group.measured:
        for author in case.answer.authors:
            if author.name in models:
                kinship = Kinship.SAME_MODEL
            else:
                kinship = Kinship.SAME_FAMILY if author.family in families else Kinship.OTHER
            cells[kinship, author.family][case.answer.candidate_id] = case
    in_order = sorted(cells, key=lambda cell: (list(Kinship).index(cell[0]), cell[1]))
    return {cell: list(cells[cell].values()) for cell in in_order}


def _over_ratings(group: Group) -> list[OverRating]:
    families = tuple(sorted({family_of(model) for model in group.validator.models}))
    rows = []
    for (kinship, family), cases in kin_cells(group).items():
        confusion = _confusion(cases)
        rows.append(
            OverRating(
                number=group.number,
                judge_families=families,
                author_family=family,
                kinship=kinship,
                accepted=share(confusion.accepted, confusion.n, NOTHING_DECIDED),
                correct=share(confusion.correct, confusion.n, NOTHING_DECIDED),
                excess=over_rating(confusion),
            )
        )
    return rows


def _failings(group: Group) -> list[Failing]:
    return [
        Failing(
            number=group.number,
            author=author,
            judged=len(cases),
            accepted=sum(case.accepted for case in cases),
            undecided=sum(not case.decided for case in cases),
            stages=_commonest(case.judgement.stage for case in cases if case.judgement.outcome is Outcome.REJECT),
        )
        for author, cases in sorted(by_author(group.cases).items())
    ]


def _commonest(stages: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(stages).items(), key=lambda stage: (-stage[1], stage[0])))


def _stabilities(groups: Sequence[Group]) -> Iterator[Stability]:
    """One row for each pair of validators. There are hundreds of pairs, so what they share is looked up once."""
    decided = [{case.answer.candidate_id: case for case in group.cases if case.decided} for group in groups]
    for (first, left), (second, right) in combinations(zip(groups, decided, strict=True), 2):
        both = [(case, right[candidate_id]) for candidate_id, case in left.items() if candidate_id in right]
        accepted = defaultdict[str, list[int]](lambda: [0, 0, 0])
        for one, other in both:
            for name in {author.name for author in one.answer.authors}:
                counts = accepted[name]
                counts[0] += one.accepted
                counts[1] += other.accepted
                counts[2] += 1
        rates = [(by_first / n, by_second / n) for by_first, by_second, n in accepted.values()]
        tau = kendall_tau_b([rate for rate, _ in rates], [rate for _, rate in rates])
        why = ""
        if tau is None:
            alike = "one of them accepts the same share from all authors"
            why = alike if len(rates) > 1 else "fewer than two authors were judged by both"
        yield Stability(first.number, second.number, len(rates), len(both), tau, why)


def _gaps(group: Group, judged: Iterable[Answer]) -> list[Gap]:
    models = {bare_name(model) for model in group.validator.models}
    if len(models) != 1:
        return []
    (model,) = models
    own = Counter(answer.standing for answer in judged if any(author.name == model for author in answer.authors))
    n = own[Standing.CORRECT] + own[Standing.INCORRECT]
    answering = share(own[Standing.CORRECT], n, "none of its own answers is labelled")
    judging = quality(_confusion(group.measured)).accuracy
    gap = None if answering.value is None or judging.value is None else judging.value - answering.value
    return [Gap(group.number, model, answering, judging, gap)]


def _counted(kinds: type[Standing], found: Iterable[Standing]) -> dict[Standing, int]:
    counts = Counter(found)
    return {kind: counts[kind] for kind in kinds}
