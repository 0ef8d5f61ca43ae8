"""docs/reading.md lists every key of the reading view and of the screen with texts side by side, and no other."""

import re
from collections.abc import Iterable
from pathlib import Path

from textual.binding import Binding, BindingType
from textual.keys import format_key

from uq_tui.screens.reading.side_by_side import SideBySideScreen
from uq_tui.widgets.reading.keys import KEYS, SELECTING

PAGE = Path(__file__).resolve().parents[2] / "docs" / "reading.md"
NAMES = {"pgdn": "PgDn", "pgup": "PgUp"}


def listed(heading: str) -> list[frozenset[str]]:
    """The keys of each row of the table below a heading."""
    _, _, part = PAGE.read_text(encoding="utf-8").partition(f"# {heading}\n")
    rows = re.findall(r"^\| (`[^|]*`) \|", re.split("\n##+ ", part)[0], flags=re.MULTILINE)
    return [frozenset(re.findall(r"`([^`]+)`", row)) for row in rows]


def bound(bindings: Iterable[BindingType]) -> set[frozenset[str]]:
    """The keys of each binding, as the page writes them."""
    keys = (binding.key.split(",") for binding in bindings if isinstance(binding, Binding))
    return {frozenset(map(written, own)) for own in keys}


def written(key: str) -> str:
    """`Ctrl+D` for `ctrl+d`, `}` for `right_curly_bracket`."""
    *held, last = key.split("+")
    shown = NAMES.get(format_key(last), format_key(last))
    shown = shown.capitalize() if last in ("home", "end", "space", "tab", "escape") else shown
    return "+".join([*(name.capitalize() for name in held), shown.upper() if "ctrl" in held else shown])


def test_every_key_of_a_text_is_listed_once() -> None:
    rows = listed("Keys")
    assert set(rows) == bound(KEYS)
    assert len(rows) == len(KEYS)


def test_every_key_that_selects_is_listed_once() -> None:
    rows = listed("Selecting by keys")
    assert set(rows) == bound(SELECTING)
    assert len(rows) == len(SELECTING)


def test_every_key_of_texts_side_by_side_is_listed_once() -> None:
    rows = listed("Side by side")
    assert set(rows) == bound(SideBySideScreen.BINDINGS)
    assert len(rows) == len(SideBySideScreen.BINDINGS)
