"""Where `12`, `50%` and `:120` lead in a text."""

import re
from collections.abc import Sequence

from uq_tui.document.markup.units import Unit
from uq_tui.errors import UqError
from uq_tui.text import counted

FORMS = "12 paragraph, formula, code block or table · 50% of the text · :120 line of its source"
"""What can be typed, in words."""

_TYPED = re.compile(r"(?P<line>:)?\s*(?P<number>\d{1,9})(?:(?:[.,]\d{0,9})?\s*(?P<share>%))?", re.ASCII)


class NoSuchPlaceError(UqError):
    """Nothing in the text goes by this."""

    title = "Go to"


def place_of(typed: str, source: str, units: Sequence[Unit]) -> int:
    """The place in the source that is meant.

    Args:
        typed: a unit's number, a per cent or a line of the source, in one of `FORMS`.
        source: the text.
        units: its units, in order.

    Raises:
        NoSuchPlaceError: it is none of these forms, or the text has no such unit or line.
    """
    found = _TYPED.fullmatch(typed.strip())
    if found is None or (found["line"] and found["share"]):
        raise NoSuchPlaceError("That is no place.", hint=FORMS)
    number = int(found["number"])
    if found["share"]:
        return len(source) * min(number, 100) // 100
    if found["line"]:
        return _line(number, source)
    if not 1 <= number <= len(units):
        raise NoSuchPlaceError(f"There is no {number}: the text has {counted(len(units), 'unit')}.", hint=FORMS)
    return units[number - 1].start


def _line(number: int, source: str) -> int:
    lines = source.count("\n") + 1
    if not 1 <= number <= lines:
        raise NoSuchPlaceError(f"There is no line {number}: the source has {counted(lines, 'line')}.", hint=FORMS)
    at = 0
    for _ in range(number - 1):
        at = source.index("\n", at) + 1
    return at
