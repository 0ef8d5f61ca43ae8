"""What somebody has said in one annotation of Label Studio, as a verdict form, and what no form has room for.

Labels are read from words of choices. Words that say yes or no count only where the control is named after the verdict,
or is the annotation's only one: a project may ask other things with yes and no, too.

Spans are counted in UTF-16 units by older versions, in code points by newer ones, and in HTML from element to element.
Their words decide (`uq_tui.document.anchors`): where these could stand at either of two counts, they stand nowhere.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store.ingest.report import RowError
from store.record_shape import is_text
from store.rows import MarkedError, Quote, VerdictForm
from uq_tui.words import ErrorCategory, Label, NotJudged, QuestionFlag, Relation

WORDS: Mapping[str, Label | NotJudged] = {
    **{label.value: label for label in Label},
    **{reason.value: reason for reason in NotJudged},
    "borderline": Label.CORRECT_BORDERLINE,
    "borderline_correct": Label.CORRECT_BORDERLINE,
}
"""Choices that are verdicts whatever their control is called."""
YES_NO: Mapping[str, Label] = {
    **dict.fromkeys(("yes", "1", "true"), Label.CORRECT),
    **dict.fromkeys(("no", "0", "false"), Label.INCORRECT),
}
CONTROLS = frozenset(("verdict", "label", "correct", "correctness", "is_correct", "grade", "judgement", "judgment"))
"""Names of controls whose yes and no are verdicts."""

_REVIEWER_ID = re.compile(r"[0-9a-f-]{32,36}")
_SPANS = ("labels", "hypertextlabels", "paragraphlabels")
CONFIDENCE = "confidence"
SCORE = "score_0_7"
FLAGS = "question_flags"
"""A control whose choices say what is wrong with the question."""
CLAIM, FIX = "claim", "fix"
"""Controls of what a span says, and of how it could be mended; other texts on a span say what is wrong with it."""
REVIEWER = "reviewer"
"""A control with the handle and id of whoever gave the verdict, in tasks that `exports.label_studio` wrote."""

_RATIONALE = frozenset(("rationale", "comment", "comments", "explanation", "reason", "textarea"))


@dataclass(frozen=True, slots=True)
class Read:
    """One annotation, read."""

    form: VerdictForm | None
    """`None` where nothing in it is a verdict."""
    rest: Mapping[str, Any]
    """What there is no room for in a form, by control."""
    read_as: tuple[str, ...]
    """Choices in other words than ours, and how they were taken."""
    wordless: int
    """Spans without their words, at a place that can't be told."""


def read(results: Sequence[Any], seconds: float, answer: str) -> Read:
    """Read an annotation's `result`.

    Args:
        results: the regions and choices.
        seconds: how long the annotator took.
        answer: the answer's raw text, for spans without words.

    Raises:
        RowError: it says two different things of the answer, or a part is no object.
    """
    parts = [part for one in results if (part := _part(one)).control != REVIEWER]
    rest: dict[str, list[Any]] = {}
    said: dict[Label | NotJudged, str] = {}
    read_as = []
    flags: list[str] = []
    controls = {part.control for part in parts if part.kind == "choices" and not part.is_regions} - {FLAGS}
    for part in parts:
        if part.kind != "choices" or part.is_regions:
            continue
        for choice in part.words("choices"):
            if part.control == FLAGS and choice in set(QuestionFlag):
                flags.append(choice)
                continue
            found = _verdict(choice, part.control, only=len(controls) == 1)
            if found is None:
                rest.setdefault(part.control, []).append(choice)
                continue
            said[found] = choice
            if _word(choice) != found.value:
                read_as.append(f"choice {choice!a} of {part.control!a} was read as {found}")
    if len(said) > 1:
        raise RowError(f"it says both {' and '.join(repr(choice) for choice in said.values())} of the answer")
    errors, wordless = _errors(parts, answer)
    confidence, score = _scale(parts, CONFIDENCE, 1, 5), _scale(parts, SCORE, 0, 7)
    used = {CONFIDENCE} if confidence is not None else set[str]()
    used |= {SCORE} if score is not None else set()
    for part in parts:
        if part.kind in ("rating", "number") and part.control not in used:
            rest.setdefault(part.control, []).append(part.value.get(part.kind))
        elif part.kind not in ("rating", "number", "choices", "textarea", *_SPANS):
            rest.setdefault(part.control, []).append(part.value)
    verdict = next(iter(said), None)
    form = None
    if verdict is not None:
        form = VerdictForm(
            label=verdict if isinstance(verdict, Label) else None,
            not_judged=verdict if isinstance(verdict, NotJudged) else None,
            score_0_7=score,
            confidence=confidence,
            rationale=_rationale(parts),
            errors=errors,
            question_flags=tuple(flags),
            relation=Relation.OTHER,
            seconds_total=seconds,
        )
    return Read(form, rest, tuple(read_as), wordless)


def reviewer_named(results: Sequence[Any]) -> tuple[str, str] | None:
    """Handle and id of whoever gave the verdict, where a control that is named after it says both."""
    for one in results:
        if isinstance(one, dict) and one.get("from_name") == REVIEWER:
            words = _part(one).words("text")
            if len(words) == 2 and is_text(words[1], _REVIEWER_ID):
                return words[0], words[1]
    return None


@dataclass(frozen=True, slots=True)
class _Part:
    kind: str
    control: str
    region: str
    value: Mapping[str, Any]
    is_regions: bool
    """It is said of a span, not of the answer."""

    def words(self, key: str) -> list[str]:
        """The texts in a list, or the one in its place."""
        found = self.value.get(key)
        every = found if isinstance(found, list) else [found]
        return [one for one in every if isinstance(one, str) and one.strip()]


def _part(given: object) -> _Part:
    if not isinstance(given, dict):
        raise RowError("a part of its `result` is not an object")
    value = given.get("value")
    value = value if isinstance(value, dict) else {}
    kind, control = str(given.get("type", "")), str(given.get("from_name", ""))
    on_span = kind not in _SPANS and "start" in value and "end" in value
    return _Part(kind, control[:100], str(given.get("id", "")), value, on_span)


def _verdict(choice: str, control: str, *, only: bool) -> Label | NotJudged | None:
    word = _word(choice)
    return WORDS.get(word) or (YES_NO.get(word) if only or _word(control) in CONTROLS else None)


def _word(text: str) -> str:
    return "_".join(text.lower().replace("-", " ").replace("_", " ").split())


def _scale(parts: Sequence[_Part], name: str, low: int, high: int) -> int | None:
    """A number of a control that is named after one of ours, and on its scale."""
    for part in parts:
        value = part.value.get(part.kind)
        if part.control != name or part.kind not in ("rating", "number") or isinstance(value, bool):
            continue
        if isinstance(value, int | float) and low <= value <= high and value % 1 == 0:
            return int(value)
    return None


def _rationale(parts: Sequence[_Part]) -> str:
    """What was written about the answer as a whole, each under its control's name where that says something."""
    regions = {part.region for part in parts if part.kind in _SPANS}
    written = [
        (part.control, text)
        for part in parts
        if part.kind == "textarea" and part.region not in regions and not part.is_regions
        for text in part.words("text")
    ]
    return "\n\n".join(
        text if len(written) == 1 or _word(control) in _RATIONALE else f"{control}: {text}" for control, text in written
    )


def _errors(parts: Sequence[_Part], answer: str) -> tuple[tuple[MarkedError, ...], int]:
    """An error for each span, and how many have no words and no certain place."""
    notes: dict[tuple[str, str], list[str]] = {}
    for part in parts:
        if part.kind == "textarea":
            about = part.control if part.control in (CLAIM, FIX) else ""
            notes.setdefault((part.region, about), []).extend(part.words("text"))
    errors, wordless = [], 0
    for part in parts:
        if part.kind not in _SPANS:
            continue
        quote = _quote(part.value, answer)
        if quote is None:
            wordless += 1
            continue
        names = part.words(part.kind)
        category = next((found for name in names if (found := _category(name))), ErrorCategory.OTHER)
        told = [name for name in names if _category(name) is None]
        claim, problem, fix = (notes.get((part.region, about), []) if part.region else [] for about in (CLAIM, "", FIX))
        errors.append(
            MarkedError(category.value, (quote,), "\n".join(claim), "\n".join([*told, *problem]), "\n".join(fix))
        )
    return tuple(errors), wordless


def _category(name: str) -> ErrorCategory | None:
    word = _word(name)
    return ErrorCategory(word) if word in set(ErrorCategory) else None


def _quote(value: Mapping[str, Any], answer: str) -> Quote | None:
    """The span's words, with an offset where one count alone fits them."""
    words = value.get("text")
    readings = list(dict.fromkeys(_readings(value, answer)))
    if not isinstance(words, str) or not words.strip():
        if len(readings) != 1 or not answer[slice(*readings[0])].strip():
            return None
        start, end = readings[0]
        return Quote(answer[start:end], start, end, "", "")
    fitting = [one for one in readings if answer[slice(*one)] == words]
    if len(fitting) != 1:
        return Quote(words, None, None, "", "")
    start, end = fitting[0]
    return Quote(words, start, end, "", "")


def _readings(value: Mapping[str, Any], answer: str) -> Iterator[tuple[int, int]]:
    """The places that a span's offsets may mean: code points, and UTF-16 units."""
    start, end = value.get("start"), value.get("end")
    if type(start) is not int or type(end) is not int or not 0 <= start < end <= 2 * len(answer):
        return
    if end <= len(answer):
        yield start, end
    units = answer.encode("utf-16-le", "surrogatepass")
    if 2 * end <= len(units):
        yield _code_points(units, start), _code_points(units, end)


def _code_points(units: bytes, count: int) -> int:
    return len(units[: 2 * count].decode("utf-16-le", "surrogatepass"))
