"""A word diff as one running text: what two answers share, and in its place what either has alone."""

import re
from collections.abc import Iterable, Iterator
from enum import Enum
from typing import NamedTuple

from uq_tui.document.compare.word_diff import Change, WordDiff
from uq_tui.text import counted

_BREAK = re.compile(r"\n[^\S\n]*\n\s*")


class Side(Enum):
    """Where a piece of the text stands."""

    BOTH = "both"
    LEFT = "left"
    RIGHT = "right"


class Piece(NamedTuple):
    """Some of the text."""

    side: Side
    text: str


def running_paragraphs(left: str, right: str, found: WordDiff) -> list[list[Piece]]:
    """The paragraphs of both texts as one, in order. White space is that of the right text where both have some."""
    paragraphs: list[list[Piece]] = [[]]
    for side, text in _pieces(left, right, found.changes):
        for number, part in enumerate(_BREAK.split(text)):
            if number:
                paragraphs.append([])
            if part:
                paragraphs[-1].append(Piece(side, part))
    return [pieces for pieces in paragraphs if any(piece.text.strip() for piece in pieces)]


def _pieces(left: str, right: str, changes: Iterable[Change]) -> Iterator[Piece]:
    at = 0
    for own, other in changes:
        yield Piece(Side.BOTH, right[at : other.start])
        removed, added = left[own.start : own.end], right[other.start : other.end]
        if not added and other.start:
            yield Piece(Side.BOTH, left[len(left[: own.start].rstrip()) : own.start])
        yield Piece(Side.LEFT, removed)
        if removed and added and (_BREAK.search(removed) or _BREAK.search(added)):
            yield Piece(Side.BOTH, "\n\n")
        if not added and not other.start:
            yield Piece(Side.BOTH, left[own.end : len(left) - len(left[own.end :].lstrip())])
        yield Piece(Side.RIGHT, added)
        at = other.end
    yield Piece(Side.BOTH, right[at:])


def differences_text(found: WordDiff) -> str:
    """`214 words differ in 12 paragraphs: 120 only on the left, 94 only on the right`, and whether nothing is alike."""
    words = found.words_removed + found.words_added
    if not words:
        return "Not one word differs"
    verb = "differs" if words == 1 else "differ"
    return (
        f"{counted(words, 'word')} {verb} in {counted(found.paragraphs, 'paragraph')}: "
        f"{found.words_removed:,} only on the left, {found.words_added:,} only on the right"
        f"{'' if found.pairs else '; no paragraph has a like on the other side'}"
    )
