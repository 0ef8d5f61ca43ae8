"""What a verdict says, as the command line gives it: by options, or as one JSON object."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

import click

from store.rows import MarkedError, Quote, VerdictForm
from uq_tui.words import ErrorCategory, Label, NotJudged, QuestionFlag, Relation

_NUMBERED = re.compile(r"(\d{1,9}):(.*)", re.DOTALL)
_KEYS = (
    "label",
    "not_judged",
    "score_0_7",
    "confidence",
    "rationale",
    "errors",
    "question_flags",
    "relation",
)
_ERROR_KEYS = ("category", "quotes", "claim", "problem", "fix")
_QUOTE_KEYS = tuple(field.name for field in fields(Quote))


def marked_errors(
    given: Sequence[str], quotes: Sequence[str], claims: Sequence[str], problems: Sequence[str], fixes: Sequence[str]
) -> tuple[MarkedError, ...]:
    """The errors of `--error CATEGORY[:QUOTE]`, with what `--quote`, `--claim`, `--problem` and `--fix` add to them.

    Each of these is `N:TEXT`, where N counts the errors from 1. Raises click.UsageError.
    """
    errors = [_marked_error(text) for text in given]
    more: dict[int, list[Quote]] = {}
    for text in quotes:
        at, words = _numbered("--quote", text, len(errors))
        more.setdefault(at, []).append(_words(words))
    claimed, wrong, put_right = (
        dict(_numbered(option, text, len(errors)) for text in texts)
        for option, texts in (("--claim", claims), ("--problem", problems), ("--fix", fixes))
    )
    return tuple(
        MarkedError(
            error.category,
            (*error.quotes, *more.get(at, ())),
            claimed.get(at, ""),
            wrong.get(at, ""),
            put_right.get(at, ""),
        )
        for at, error in enumerate(errors)
    )


def _marked_error(text: str) -> MarkedError:
    category, _, quote = text.partition(":")
    if category not in set(ErrorCategory):
        raise click.UsageError(f"--error {category!a}: the category is one of {', '.join(ErrorCategory)}.")
    return MarkedError(category, (_words(quote),) if quote else ())


def _words(quote: str) -> Quote:
    return Quote(quote, None, None, "", "")


def _numbered(option: str, text: str, errors: int) -> tuple[int, str]:
    found = _NUMBERED.fullmatch(text)
    if found is None or not 1 <= int(found[1]) <= errors:
        raise click.UsageError(
            f"{option} {text!a}: begin with the number of the --error it is about, such as 1:, of {errors}."
        )
    return int(found[1]) - 1, found[2]


def form_from_json(text: str) -> tuple[VerdictForm, Relation | None]:
    """The form that a JSON object describes, with the keys of verdict rows; each may be left out.

    A quote is an object as rows have it, or just its words. Raises click.UsageError.

    Returns:
        the form, and what the reviewer says they are to the question, `None` where the object doesn't say.
    """
    try:
        plain = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise click.UsageError(f"--form is not JSON: {error}") from error
    found = _object(plain, "--form", _KEYS)
    relation = _word(found, "relation", Relation)
    form = VerdictForm(
        label=_word(found, "label", Label),
        not_judged=_word(found, "not_judged", NotJudged),
        score_0_7=_number(found, "score_0_7"),
        confidence=_number(found, "confidence"),
        rationale=_text(found, "rationale", "--form"),
        errors=tuple(_error(one) for one in _list(found, "errors", "--form")),
        question_flags=tuple(_flag(one) for one in _list(found, "question_flags", "--form")),
    )
    return form, relation


def _object(plain: object, where: str, keys: Sequence[str]) -> dict[str, Any]:
    if not isinstance(plain, dict):
        raise click.UsageError(f"{where}: an object is wanted, with {', '.join(keys)}.")
    if unknown := [key for key in plain if key not in keys]:
        raise click.UsageError(f"{where}: {unknown[0]!a} is none of {', '.join(keys)}.")
    return plain


def _word(found: Mapping[str, Any], key: str, words: Any) -> Any:
    value = found.get(key)
    if value in (None, ""):
        return None
    if value not in [word.value for word in words]:
        raise click.UsageError(f"--form: {key} is one of {', '.join(words)}.")
    return words(value)


def _number(found: Mapping[str, Any], key: str) -> int | None:
    value = found.get(key)
    if value is not None and (not isinstance(value, int) or isinstance(value, bool)):
        raise click.UsageError(f"--form: {key} is a whole number or null.")
    return value


def _text(found: Mapping[str, Any], key: str, where: str) -> str:
    value = found.get(key, "")
    if not isinstance(value, str):
        raise click.UsageError(f"{where}: {key} is text.")
    return value


def _list(found: Mapping[str, Any], key: str, where: str) -> list[Any]:
    value = found.get(key, [])
    if not isinstance(value, list):
        raise click.UsageError(f"{where}: {key} is a list.")
    return value


def _error(plain: object) -> MarkedError:
    where = "--form, errors"
    found = _object(plain, where, _ERROR_KEYS)
    category = _text(found, "category", where)
    if category not in set(ErrorCategory):
        raise click.UsageError(f"{where}: category is one of {', '.join(ErrorCategory)}.")
    quotes = tuple(_quote(one) for one in _list(found, "quotes", where))
    return MarkedError(category, quotes, *(_text(found, key, where) for key in _ERROR_KEYS[2:]))


def _quote(plain: object) -> Quote:
    if isinstance(plain, str):
        return _words(plain)
    where = "--form, quotes"
    found = _object(plain, where, _QUOTE_KEYS)
    places = [_number(found, key) for key in ("start", "end")]
    words, prefix, suffix = (_text(found, key, where) for key in ("quote", "prefix", "suffix"))
    return Quote(words, places[0], places[1], prefix, suffix)


def _flag(plain: object) -> str:
    if not isinstance(plain, str) or plain not in set(QuestionFlag):
        raise click.UsageError(f"--form: question_flags are among {', '.join(QuestionFlag)}.")
    return plain
