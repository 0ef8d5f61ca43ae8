"""The verdict form: what must be filled in, and where its quotes stand in the answer."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from store.rows import MarkedError, Quote, VerdictForm
from uq_tui.document.anchors import Unanchored, cut, place
from uq_tui.text import counted
from uq_tui.words import Derivation, ErrorCategory, FinalAnswer, Label, NotJudged, QuestionFlag, Relation

MAX_QUOTES = 3
"""Quotes one marked error may carry."""


def check(form: VerdictForm) -> tuple[str, ...]:
    """What keeps `form` from being recorded, one sentence each; empty when nothing does.

    A label or a reason for not judging is needed, never both. The score (0-7) and the confidence (1-5) may be
    left out: one key is enough for a verdict.
    """
    problems = []
    if form.label is None and form.not_judged is None:
        problems.append("Choose a label, or say why the answer was not judged.")
    if form.label is not None and form.not_judged is not None:
        problems.append("Choose either a label or a reason for not judging, not both.")
    if form.score_0_7 is not None and not _whole(form.score_0_7, 0, 7):
        problems.append("The score is a whole number from 0 to 7.")
    if form.confidence is not None and not _whole(form.confidence, 1, 5):
        problems.append("The confidence is a whole number from 1 to 5.")
    for name, seconds in (("active", form.seconds_active), ("total", form.seconds_total)):
        if not math.isfinite(seconds) or seconds < 0:
            problems.append(f"The {name} time is a number of seconds, 0 or more.")
    unknown = [flag for flag in form.question_flags if flag not in set(QuestionFlag)]
    if unknown:
        problems.append(f"What is wrong with a question is one of {', '.join(QuestionFlag)}.")
    for number, error in enumerate(form.errors, start=1):
        problems.extend(f"Error {number}: {problem}" for problem in _check_error(error))
    return tuple(problems)


def _whole(value: object, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _check_error(error: MarkedError) -> list[str]:
    problems = []
    if error.category not in set(ErrorCategory):
        problems.append(f"its category is one of {', '.join(ErrorCategory)}.")
    if len(error.quotes) > MAX_QUOTES:
        problems.append(f"it has {counted(len(error.quotes), 'quote')}; at most {MAX_QUOTES} are kept.")
    if any(not quote.quote for quote in error.quotes):
        problems.append("one of its quotes is empty.")
    return problems


def anchored(form: VerdictForm, raw: str) -> VerdictForm:
    """`form` with every quote at its place in the raw answer.

    A quote without a place keeps its words and has no offsets. One that is found by a bridge of `anchors.place` takes
    the answer's own words, so that offsets always name exactly the quote.
    """
    return replace(
        form,
        errors=tuple(
            replace(error, quotes=tuple(_placed(quote, raw) for quote in error.quotes)) for error in form.errors
        ),
    )


def _placed(quote: Quote, raw: str) -> Quote:
    found = place(quote, raw)
    if isinstance(found, Unanchored):
        return replace(quote, start=None, end=None)
    return Quote(*cut(raw, found.start, found.end))


def form_of(record: Mapping[str, Any]) -> VerdictForm:
    """The form a verdict row was made from, so that it can be revised. Times start again at 0."""
    steps = record.get("assignment", {})
    return form_from_plain(
        {
            **record,
            "relation": record["reviewer"]["relation"],
            "seconds_active": 0.0,
            "seconds_total": 0.0,
            "final_answer": steps.get("final_answer"),
            "derivation": steps.get("derivation"),
        }
    )


def form_from_plain(plain: Mapping[str, Any]) -> VerdictForm:
    """The form whose fields `dataclasses.asdict` wrote, as a draft keeps them.

    Keys that forms don't have are passed over, and flags that they don't know: a row that came in a file may have
    more. One that an earlier version wrote lacks the two steps of labelling.
    """
    return VerdictForm(
        label=Label(plain["label"]) if plain["label"] else None,
        not_judged=NotJudged(plain["not_judged"]) if plain["not_judged"] else None,
        score_0_7=plain["score_0_7"],
        confidence=plain["confidence"],
        rationale=plain["rationale"],
        errors=tuple(_error_from_plain(error) for error in plain["errors"]),
        question_flags=tuple(flag for flag in plain["question_flags"] if flag in set(QuestionFlag)),
        relation=Relation(plain["relation"]),
        seconds_active=plain["seconds_active"],
        seconds_total=plain["seconds_total"],
        final_answer=FinalAnswer(found) if (found := plain.get("final_answer")) else None,
        derivation=Derivation(found) if (found := plain.get("derivation")) else None,
    )


def _error_from_plain(plain: Mapping[str, Any]) -> MarkedError:
    quotes = tuple(
        Quote(quote["quote"], quote["start"], quote["end"], quote["prefix"], quote["suffix"])
        for quote in plain["quotes"]
    )
    return MarkedError(plain["category"], quotes, plain["claim"], plain["problem"], plain["fix"])
