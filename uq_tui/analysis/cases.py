"""What validators made of answers: the cases that reports count."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from uq_tui.analysis.truth import Standing
from uq_tui.words import Outcome


@dataclass(frozen=True, slots=True)
class Validator:
    """What judged: two runs with equal ones are the same validator asked twice."""

    strategy: str
    notation: str
    models: tuple[str, ...]
    endpoints: tuple[str, ...]
    form: str
    prompts: str
    """Differs when its prompts, plug-ins, the filling of its slots or how its replies are drawn differ."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a validator made of a candidate."""

    validator: Validator
    candidate_id: str
    outcome: Outcome
    stage: str
    """The stage that rejected first; empty when none did."""
    calls: int | None
    """Calls made for it; `None` when they were not all recorded."""
    elsewhere: bool = False
    """Whether it is from a run elsewhere, and came in a file."""


@dataclass(frozen=True, slots=True)
class Author:
    """Who wrote an answer: the name that tables show, and its family."""

    name: str
    family: str


@dataclass(frozen=True, slots=True)
class Answer:
    """A candidate as the report needs it."""

    candidate_id: str
    authors: tuple[Author, ...]
    standing: Standing


@dataclass(frozen=True, slots=True)
class Case:
    """A judgement beside what it is about."""

    judgement: Judgement
    answer: Answer

    @property
    def labelled(self) -> bool:
        """Whether its labels come to correct or incorrect."""
        return self.answer.standing in (Standing.CORRECT, Standing.INCORRECT)

    @property
    def decided(self) -> bool:
        """Whether there is a decision: an accept or a reject."""
        return self.judgement.outcome in (Outcome.ACCEPT, Outcome.REJECT)

    @property
    def accepted(self) -> bool:
        return self.judgement.outcome is Outcome.ACCEPT

    @property
    def correct(self) -> bool:
        return self.answer.standing is Standing.CORRECT


@dataclass(frozen=True, slots=True)
class Group:
    """A validator's cases. Groups are numbered from 1."""

    number: int
    validator: Validator
    cases: Sequence[Case] = field(repr=False)

    @property
    def measured(self) -> list[Case]:
        """The cases that enter its confusion matrix."""
        return [case for case in self.cases if case.labelled and case.decided]


def grouped(judgements: Iterable[Judgement], answers: Iterable[Answer]) -> list[Group]:
    """Judgements by validator.

    Args:
        judgements: in the order in which they were made. Where a validator judged a candidate more than once, the
            last one counts that has not failed: an outage says nothing of the validator.
        answers: the candidates; judgements on others are left out.
    """
    known = {answer.candidate_id: answer for answer in answers}
    found = defaultdict[Validator, dict[str, Case]](dict)
    for one in judgements:
        if one.candidate_id not in known:
            continue
        cases = found[one.validator]
        if one.outcome is not Outcome.FAILED or one.candidate_id not in cases:
            cases[one.candidate_id] = Case(one, known[one.candidate_id])
    in_order = sorted(found, key=lambda it: (it.strategy, it.models, it.form, it.notation, it.prompts, it.endpoints))
    return [Group(number, it, list(found[it].values())) for number, it in enumerate(in_order, start=1)]


def from_elsewhere(groups: Iterable[Group]) -> int:
    """How many judgements that count were made elsewhere."""
    return sum(case.judgement.elsewhere for group in groups for case in group.cases)


def by_author(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Cases by the names of their authors; one of several authors stands under each."""
    found = defaultdict[str, list[Case]](list)
    for case in cases:
        for name in dict.fromkeys(author.name for author in case.answer.authors):
            found[name].append(case)
    return found
