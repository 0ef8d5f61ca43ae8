"""What may be wrong with a neighbour: advice to whoever decides whether utilities are measured on it. Pure.

A neighbour should need the idea that solves the question, yet be another problem; not give its answer away; have an
answer that can be checked; and be solved neither always nor never without help (arXiv 2602.06291v1, Section 3 and the
constraints on generated neighbours).

Two texts are near-duplicates when, numbers masked, they are the same, or most runs of `RUN` words of the shorter one
are in the other. Measured: of the 79,800 pairs of IMO-Bench's 400 answer problems none shares more than .46 of them; of
the 319,600 pairs of TheoremQA's 800 questions 124 share `MOST_SHARED` or more, and all of these are one text with other
numbers (69 pairs) or a few other words (55). A text whose numbers alone were swapped shares all.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import lru_cache

from uq_tui.analysis.answers import MAX_LENGTH, Value, compare, is_readable, read
from uq_tui.analysis.intervals import mean_of_proportions

RUN = 4
"""Words in a run."""
MOST_SHARED = 0.8
"""Share of the shorter text's runs that a text about something else doesn't have."""
FEWEST_RUNS = 6
"""Shorter texts are near-duplicates only when they are the same."""
GENERATED_ABOVE = 1000
"""What answers of generated neighbours must exceed, so that they can't be guessed."""
TELLING = 20
"""Integers up to this stand in many statements for other reasons than that they are the answer. Beyond it the answer is
among a statement's numbers in 4 of 400 problems of IMO-Bench and 10 of 800 of TheoremQA, by chance or not."""
TOO_HARD, TOO_EASY = 0.05, 0.9
"""Shares of solved control attempts beyond which a neighbour hardly tells candidates apart."""

_TOKEN = re.compile(r"\d+(?:[.,]\d+)*|\\[a-zA-Z]+|[^\W\d_]+|[^\s\w]")
_GROUPS = re.compile(r"(?<=\d)(?:,|\{,\}|\\,|\\ | |\u202f|\u00a0)(?=\d{3}(?!\d))")
_NUMBER = re.compile(r"(?<![\d.])\d+(?!\d|\.\d)")
_BLANK = re.compile(r"[\s$]+")
_WORDS = re.compile(r"[a-z\\{},.'-]*", re.IGNORECASE)
_SAID = re.compile(
    r"\b(?:answer|result)\s+(?:is|equals|=)\s*(?::\s*)?\$?(?:\\boxed\{)?([+-]?\d+)(?!\d|\.\d)", re.IGNORECASE
)
_SHORTEST_TEXT = 6
"""Shorter answers that are no number stand in many statements by chance."""
_SKIPPED = frozenset("$`*{}(),.;:!?\"'[]|~&<>") | {"\\left", "\\right", "\\displaystyle", "\\quad"}
# fmt: off
_NUMBER_WORDS = frozenset((
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine",
    "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty", "thirty", "forty", "fifty", "hundred", "thousand",
))
# fmt: on
_MASK = "#"


class Concern(StrEnum):
    """What an advice is about."""

    NEAR_DUPLICATE = "near_duplicate"
    ANSWER_STATED = "answer_stated"
    ANSWER_FORM = "answer_form"
    CONTROL = "control"


@dataclass(frozen=True, slots=True)
class Advice:
    """One concern about a neighbour, as a sentence. `severe`: a generated neighbour is set aside for it at once."""

    kind: Concern
    text: str
    severe: bool = False


@dataclass(frozen=True, slots=True)
class Posed:
    """A neighbour as it is asked. `name` is what others call it: N2."""

    statement: str
    answer: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Control:
    """Attempts of a solver without any candidate: solved of decided."""

    solved: int
    decided: int
    solver: str = ""


class Likeness(StrEnum):
    """How near two texts are, nearest first. `OTHER` is what they should be."""

    SAME = "same"
    SWAPPED = "swapped"
    """The same but for its numbers."""
    NEAR = "near"
    OTHER = "other"


def advice(
    question: str,
    neighbour: Posed,
    *,
    others: Sequence[Posed] = (),
    control: Control | None = None,
    generated: bool = False,
) -> tuple[Advice, ...]:
    """What speaks against a neighbour; nothing where nothing is found.

    Args:
        question: the question's text, title and body.
        neighbour: the one to look at.
        others: the question's other neighbours, which it shouldn't repeat.
        control: how often it is solved without a candidate, where that was measured.
        generated: a model made it, so that its answer must be an integer above `GENERATED_ABOVE`.
    """
    found = _duplicates(question, neighbour, others)
    found += [one for one in (_stated(neighbour), _form(neighbour.answer, generated)) if one]
    found += [one] if control is not None and (one := _control(control)) else []
    return tuple(found)


def likeness(left: str, right: str) -> Likeness:
    """How near two texts are; symmetric."""
    one, other = _shape(left), _shape(right)
    if one.words == other.words:
        return Likeness.SAME
    if one.masked == other.masked:
        return Likeness.SWAPPED
    fewest = min(len(one.runs), len(other.runs))
    if fewest < FEWEST_RUNS or len(one.runs & other.runs) < MOST_SHARED * fewest:
        return Likeness.OTHER
    return Likeness.NEAR


def states_answer(statement: str, answer: str) -> bool:
    """Whether the answer stands in the statement in so many words.

    Integers above `TELLING` count wherever they stand, smaller ones after "the answer is"; formulas and collections
    are compared as texts without spaces. Words don't count: "true" stands in every statement that asks whether
    something is.
    """
    value = _value(answer)
    if isinstance(value, Fraction):
        if value.denominator != 1:
            return False
        plain = _GROUPS.sub("", statement)
        if str(value.numerator) in (found.lstrip("+") for found in _SAID.findall(plain)):
            return True
        return abs(value) > TELLING and str(abs(value.numerator)) in _NUMBER.findall(plain)
    wanted = _BLANK.sub("", value if isinstance(value, str) else answer)
    if len(wanted) < _SHORTEST_TEXT or _WORDS.fullmatch(wanted):
        return False
    return wanted in _BLANK.sub("", statement)


def is_checkable(answer: str) -> bool:
    """Whether the answer can be compared: it reads as mathematics, or is yes, no, true or false.

    One that can't is equal to the very same text only.
    """
    return is_readable(_value(answer)) or any(compare(answer, word) is not None for word in ("yes", "no"))


def is_large_integer(answer: str) -> bool:
    """Whether the answer is of the form that is demanded of generated neighbours: an integer above 1,000."""
    value = _value(answer)
    return isinstance(value, Fraction) and value.denominator == 1 and value > GENERATED_ABOVE


@dataclass(frozen=True, slots=True)
class _Shape:
    """A text as words; the same with numbers masked, several in a row as one; and the runs in that."""

    words: tuple[str, ...]
    masked: tuple[str, ...]
    runs: frozenset[tuple[str, ...]]


@lru_cache(maxsize=128)  # a question and its neighbours; a shape of 300 words takes 43 KB
def _shape(text: str) -> _Shape:
    words = tuple(word for word in _TOKEN.findall(text.lower()) if word not in _SKIPPED)
    masked: list[str] = []
    for word in words:
        is_number = word[0].isdigit() or word in _NUMBER_WORDS
        if not is_number:
            masked.append(word)
        elif not masked or masked[-1] != _MASK:
            masked.append(_MASK)
    runs = frozenset(tuple(masked[start : start + RUN]) for start in range(len(masked) - RUN + 1))
    return _Shape(words, tuple(masked), runs)


def _duplicates(question: str, neighbour: Posed, others: Sequence[Posed]) -> list[Advice]:
    found = []
    for other in (Posed(question, "", "the question"), *others):
        name = other.name or "another"
        match likeness(other.statement, neighbour.statement):
            case Likeness.SAME:
                contradicted = compare(other.answer, neighbour.answer) is False
                said = f"It is {name} again, word for word{', with another answer' if contradicted else ''}."
            case Likeness.SWAPPED:
                said = f"It is {name} with other numbers."
            case Likeness.NEAR:
                said = f"It is nearly the same text as {name}."
            case Likeness.OTHER:
                continue
        found.append(Advice(Concern.NEAR_DUPLICATE, said, severe=True))
    return found


def _stated(neighbour: Posed) -> Advice | None:
    if not states_answer(neighbour.statement, neighbour.answer):
        return None
    return Advice(Concern.ANSWER_STATED, "Its answer stands in its text.", severe=True)


def _form(answer: str, generated: bool) -> Advice | None:
    if not is_checkable(answer):
        said = "Its answer can't be compared as mathematics: only the very same text counts as equal."
    elif generated and not is_large_integer(answer):
        said = f"Its answer is no integer above {GENERATED_ABOVE:,}, so that it may be guessed."
    else:
        return None
    return Advice(Concern.ANSWER_FORM, said)


def _control(control: Control) -> Advice | None:
    """Said only where the interval lies on the one side of a half, which takes four attempts or more."""
    rate = mean_of_proportions([(control.solved, control.decided)])
    if rate is None:
        return None
    by = f" by {control.solver}" if control.solver else ""
    counts = f"control {control.solved}/{control.decided} [{_bound(rate.low)}, {_bound(rate.high)}]{by}"
    if rate.value <= TOO_HARD and rate.high <= 0.5:
        said = f"Hardly ever solved without a candidate: {counts}. If no candidate changes that, it tells none apart."
    elif rate.value >= TOO_EASY and rate.low >= 0.5:
        said = f"Nearly always solved without a candidate: {counts}. It hardly tells candidates apart."
    else:
        return None
    return Advice(Concern.CONTROL, said)


def _bound(value: float) -> str:
    return f"{value:.2f}".removeprefix("0")


def _value(answer: str) -> Value:
    return read(answer) if len(answer) <= MAX_LENGTH else answer
