"""What ratings come to: a question stands, falls by a criterion, or is undecided for want of ratings.

Unsolved Questions (arXiv 2508.17580v1, section 2.1): all three yes-or-no criteria unanimous, mean answer correctness at
most 40 %, mean expert solvability at most 70 %. Figures are of the ratings that could be read: what failed, or could
not be read, is neither a zero nor a vote.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum

from uq_tui.curation.thresholds import ModelLimits
from uq_tui.words import Criterion


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating that was read. Figures are percentages, from 0 to 100."""

    answer_correctness: float
    expert_solvability: float
    well_defined: bool
    approachable: bool
    objective: bool


@dataclass(frozen=True, slots=True)
class Judged:
    """What ratings come to. `fell` is `None` where the question stands, or is undecided; `detail` says it in words."""

    fell: Criterion | None = None
    detail: str = ""
    decided: bool = True


_UNANIMOUS: tuple[tuple[Criterion, Callable[[Rated], bool]], ...] = (
    (Criterion.WELL_DEFINED, lambda one: one.well_defined),
    (Criterion.APPROACHABLE, lambda one: one.approachable),
    (Criterion.OBJECTIVE, lambda one: one.objective),
)


def judge(read: Sequence[Rated], limits: ModelLimits) -> Judged:
    """What the ratings that were read come to; the first criterion in the order of `Criterion` is named.

    Args:
        read: those of the planned ratings that brought something.
        limits: how many are planned and needed, and what they must come to; limits may be met exactly.
    """
    if len(read) < limits.least_ratings:
        return Judged(detail=f"undecided: {len(read)} of {limits.ratings} ratings read", decided=False)
    for criterion, says in _UNANIMOUS:
        no = sum(not says(one) for one in read)
        if no:
            return Judged(criterion, f"{_name(criterion)}: no in {no} of {len(read)} ratings")
    correctness = fsum(one.answer_correctness for one in read) / len(read)
    solvability = fsum(one.expert_solvability for one in read) / len(read)
    for criterion, mean, limit in (
        (Criterion.ANSWER_CORRECTNESS, correctness, limits.answer_correctness),
        (Criterion.EXPERT_SOLVABILITY, solvability, limits.expert_solvability),
    ):
        if mean > limit:
            return Judged(criterion, f"{_name(criterion)} {mean:.4g} > {limit:g}, mean of {len(read)}")
    met = f"answer correctness {correctness:.4g}, expert solvability {solvability:.4g}, means of {len(read)}"
    return Judged(detail=met)


def _name(criterion: Criterion) -> str:
    return criterion.value.replace("_", " ")
