"""Reading ratings of questions: the one JSON object that carries the code, with just the six keys that were asked for.

The keys are those of the authors' code (uq-project/UQ, llm_prefilter/filter.py). There, what can't be read becomes a
zero; here it is no rating.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from uq_tui.curation.criteria import Rated
from uq_tui.engine.judging.coded_json import StructureError, coded_object, require_keys

CORRECTNESS, SOLVABILITY = FIGURES = ("Answer_Correctness", "Expert_Solve_Probability")
"""Percentages."""
APPROACHABLE, WELL_DEFINED, OBJECTIVE = ANSWERS = ("Answerable", "Clear", "Unambiguous_Answer")
"""Yes or no: whether an expert could approach it, whether it is well defined, whether its answer is objective."""
TEXT = "Explanation"
LONGEST_EXPLANATION = 4_000
"""Characters."""


@dataclass(frozen=True, slots=True)
class ReadRating:
    """What a reply says. `trouble` says why it can't be read; then there is no rating."""

    rated: Rated | None = None
    explanation: str = ""
    trouble: str = ""


def read_rating(reply: str, tag: str) -> ReadRating:
    """The rating in a reply.

    Args:
        reply: the reply proper, without the rater's reasoning.
        tag: the code that was asked for.
    """
    try:
        return _rating(coded_object(reply, tag))
    except StructureError as error:
        return ReadRating(trouble=str(error))


def _rating(given: Mapping[str, Any]) -> ReadRating:
    require_keys(given, ("code", *FIGURES, *ANSWERS, TEXT), "the object")
    explanation = given[TEXT]
    if not isinstance(explanation, str):
        raise StructureError(f"{TEXT} is no text")
    if len(explanation) > LONGEST_EXPLANATION:
        raise StructureError(f"{TEXT} is longer than {LONGEST_EXPLANATION:,} characters")
    rated = Rated(
        answer_correctness=_percentage(given, CORRECTNESS),
        expert_solvability=_percentage(given, SOLVABILITY),
        well_defined=_yes(given, WELL_DEFINED),
        approachable=_yes(given, APPROACHABLE),
        objective=_yes(given, OBJECTIVE),
    )
    return ReadRating(rated, explanation)


def _percentage(given: Mapping[str, Any], key: str) -> float:
    value = given[key]
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 100:
        raise StructureError(f"{key} is no number from 0 to 100")
    return float(value)


def _yes(given: Mapping[str, Any], key: str) -> bool:
    value = given[key]
    if not isinstance(value, bool):
        raise StructureError(f"{key} is neither true nor false")
    return value
