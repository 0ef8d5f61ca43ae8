"""Reading the fields of foreign rows: several names for one thing, loose types, strict meanings."""

import html
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from store.ingest.report import RowError
from uq_tui.words import QuestionStatus, TextFormat

_MOST_INTEGER = 2**63 - 1
_MOST_NUMBER = 1e100
"""Sums and squares of some numbers have to be numbers too."""
_ENTITY = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_HTML = re.compile(r"</(?:p|pre|blockquote|ul|ol|li|h[1-6]|em|strong|code|a|table|div)\s*>|<(?:p|br|hr)\s*/?>", re.I)
_LISTED = re.compile(r"[<>|,;\[\]]+")
_TITLE_LENGTH = 120


def text(row: Mapping[str, Any], *names: str) -> str:
    """The first of these fields that is there and not null or empty; "" when none is. Raises RowError: no text."""
    for name in names:
        value = row.get(name)
        if value is None or value == "":
            continue
        if not isinstance(value, str):
            raise RowError(f"`{name}` is not text")
        return value
    return ""


def identifier(row: Mapping[str, Any], *names: str) -> str:
    """Like `text`, for ids: a whole number counts as its digits, so that 12 and "12" are one id."""
    for name in names:
        value = row.get(name)
        if value is None or value == "":
            continue
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise RowError(f"`{name}` is neither text nor a whole number")
        return str(value).strip()
    return ""


def integer(row: Mapping[str, Any], *names: str) -> int | None:
    """The first of these fields that is there and not null, as a 64-bit number. Raises RowError: it is none."""
    for name in names:
        value = row.get(name)
        if value is None or value == "":
            continue
        if isinstance(value, str) and re.fullmatch(r"[+-]?[0-9]{1,20}", value.strip()):
            value = int(value)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise RowError(f"`{name}` is not a whole number")
        if abs(value) > _MOST_INTEGER:
            raise RowError(f"`{name}` is too large")
        return value
    return None


def number(row: Mapping[str, Any], name: str) -> float | None:
    """The field as a number, None when it isn't there or null. Raises RowError: it is none, not finite, or too large.

    Text is no number here, and neither are true and false.
    """
    value = row.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise RowError(f"`{name}` is not a number")
    if not -_MOST_NUMBER <= value <= _MOST_NUMBER:  # so that NaN is refused, too
        raise RowError(f"`{name}` is not a finite number, or too large")
    return float(value)


def tags(row: Mapping[str, Any], name: str = "tags") -> tuple[str, ...]:
    """Tags, given as a list or as text: `<a><b>`, `|a|b|`, `a, b`, `a b`. Raises RowError: neither."""
    value = row.get(name)
    if value is None:
        return ()
    if isinstance(value, str):
        value = split_tags(value)
    if not isinstance(value, list) or not all(isinstance(tag, str) for tag in value):
        raise RowError(f"`{name}` is neither a list of texts nor text")
    return tuple(dict.fromkeys(tag.strip() for tag in value if tag.strip()))


def split_tags(value: str) -> list[str]:
    """The tags in `<a><b>`, `|a|b|`, `a, b` or `a b`."""
    parts = _LISTED.split(value) if _LISTED.search(value) else value.split()
    return [part.strip(" \t\r\n\"'") for part in parts if part.strip(" \t\r\n\"'")]


def moment(value: object) -> str | None:
    """A time as UTC text ending in `Z`, from ISO 8601 or Unix seconds; None when it is neither.

    A time without zone is taken as UTC, which is what Stack Exchange's dumps mean.
    """
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            at = datetime.fromtimestamp(value, UTC)
        elif isinstance(value, str):
            at = datetime.fromisoformat(value.strip())
            at = at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
        else:
            return None
    except (ValueError, OverflowError, OSError):
        return None
    return at.isoformat(timespec="milliseconds").removesuffix("+00:00") + "Z"


def unescaped(title: str) -> str:
    """A title with its HTML entities decoded, once. `AT&T` and `a & b` stay."""
    return _ENTITY.sub(lambda entity: html.unescape(entity[0]), title)


def title_of(body: str) -> str:
    """A title for a text that has none: its first line with words, shortened."""
    line = next((line.strip(" #*\t\r") for line in body.split("\n") if line.strip(" #*\t\r")), "")
    return line if len(line) <= _TITLE_LENGTH else line[: _TITLE_LENGTH - 1].rstrip() + "…"


def format_of(body: str) -> TextFormat:
    """HTML when the text has the tags of HTML documents, else Markdown."""
    return TextFormat.HTML if _HTML.search(body) else TextFormat.MARKDOWN


def text_format(word: str) -> TextFormat:
    """The format a row names. Raises RowError: there is no such format."""
    try:
        return TextFormat(word)
    except ValueError:
        raise RowError(f"`format` is {word!r}, not one of {', '.join(TextFormat)}") from None


def status_of(*, accepted: bool, closed: bool, answers: int) -> QuestionStatus:
    """Where a question stands. An accepted answer says more than that it was closed, and that more than answers."""
    if accepted:
        return QuestionStatus.ACCEPTED
    if closed:
        return QuestionStatus.CLOSED
    return QuestionStatus.ANSWERED if answers > 0 else QuestionStatus.UNANSWERED
