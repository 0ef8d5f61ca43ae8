"""What is counted in a text: its paragraphs, displayed formulas, blocks of code and tables; and its headings."""

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise
from typing import NamedTuple

from markdown_it.token import Token

from uq_tui.document.markup.parse import parse_inline
from uq_tui.document.maths.readable import one_line
from uq_tui.text import clean_line

_MAYBE_DISPLAY = re.compile(r"\$\$|\\\[|\\begin\{")
PUNCTUATION = re.compile(r"[.,;:!?)]+")
"""What stands right behind a displayed formula belongs to it."""
_BREAKS = frozenset({"softbreak", "hardbreak"})


class UnitKind(StrEnum):
    """What a unit is."""

    PARAGRAPH = "paragraph"
    DISPLAY = "display"
    CODE = "code"
    TABLE = "table"


class Unit(NamedTuple):
    """A stretch of a text that is checked as one: a run of prose, a displayed formula, a block of code, a table."""

    start: int
    end: int
    kind: UnitKind


class Heading(NamedTuple):
    """A heading, and the code point of the text that it begins at."""

    level: int
    text: str
    start: int


def units_of(tokens: Sequence[Token]) -> tuple[Unit, ...]:
    """The units among the tokens of `parse` or `parse_blocks`, in order, by their places.

    A displayed formula within a paragraph parts it in three, and has the punctuation right behind it. Link definitions
    aren't looked at, so that the units of a text don't change when a definition comes. Headings and rules are none.
    """
    return tuple(_units(tokens))


def headings_of(tokens: Sequence[Token]) -> tuple[Heading, ...]:
    """The headings among the tokens. Their text is plain: formulas on one line, links without addresses."""
    return tuple(
        Heading(int(token.tag[1]), plain_text(_children(inline)), inline.meta["extent"][0])
        for token, inline in pairwise(tokens)
        if token.type == "heading_open"
    )


def plain_text(tokens: Iterable[Token]) -> str:
    """What inline tokens say, on one line."""
    parts: list[str] = []
    for token in tokens:
        if token.type in ("math_inline", "math_display"):
            parts.append(one_line(token.content))
        elif token.type == "image":
            parts.append(plain_text(token.children or []))
        else:
            parts.append(" " if token.type in _BREAKS else token.content)
    return clean_line("".join(parts))


def _children(inline: Token) -> list[Token]:
    """What an inline token holds where no link is defined, whatever else it was read with."""
    return parse_inline(Token("inline", "", 0, content=inline.content, meta=inline.meta), {}, ())


def _units(tokens: Sequence[Token]) -> Iterator[Unit]:
    before, in_table = "", False
    for token in tokens:
        if token.type == "inline":
            if not in_table and before != "heading_open":
                yield from _runs(token)
        elif token.type == "math_block":
            start, end = token.meta["at"]
            yield Unit(start, token.meta.get("info", (start, end))[1], UnitKind.DISPLAY)
        elif token.type in ("fence", "code_block"):
            yield _unit(token, UnitKind.CODE)
        elif token.type == "plain_block":
            yield _unit(token, UnitKind.PARAGRAPH)
        elif token.type == "table_open":
            yield _unit(token, UnitKind.TABLE)
            in_table = True
        elif token.type == "table_close":
            in_table = False
        before = token.type


def _unit(token: Token, kind: UnitKind) -> Unit:
    start, end = token.meta["at"]
    return Unit(start, end, kind)


def _runs(token: Token) -> Iterator[Unit]:
    """The units of a paragraph: itself, or what stands between its displayed formulas, and these."""
    start, end = token.meta["extent"]
    if not _MAYBE_DISPLAY.search(token.content):
        if start < end:
            yield Unit(start, end, UnitKind.PARAGRAPH)
        return
    run: tuple[int, int] | None = None
    display: tuple[int, int] | None = None
    for child in _children(token):
        start, end = child.meta["at"]
        if child.type == "math_display":
            yield from _ended(display, run)
            display, run = (start, end), None
            continue
        if display and run is None and child.type == "text" and display[1] == start:
            found = PUNCTUATION.match(child.content)
            if found:
                start += found.end()
                display = display[0], start
        if child.type == "text":
            content = child.content[start - end :] if start < end else ""
            start += len(content) - len(content.lstrip())
            end -= len(content) - len(content.rstrip())
        if child.type not in _BREAKS and start < end:
            run = (run[0] if run else start, end)
    yield from _ended(display, run)


def _ended(display: tuple[int, int] | None, run: tuple[int, int] | None) -> Iterator[Unit]:
    if display:
        yield Unit(*display, UnitKind.DISPLAY)
    if run:
        yield Unit(*run, UnitKind.PARAGRAPH)
