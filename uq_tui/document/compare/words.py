r"""The words and paragraphs of a source, as they are compared: a formula is one word, white space is none."""

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from uq_tui.document.maths.spans import math_spans

_UNSPACED = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Scripts that don't part words by blanks: each sign of them is a word."""
_WORD = re.compile(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+(?:['’][^\W{_UNSPACED}]+)*|([^\w\s])\1*")
_BREAK = re.compile(r"\n[^\S\n]*\n")
_BLANK_IN_FORMULA = re.compile(r"(\\[A-Za-z]+)\s+(?=[A-Za-z])|\s+")


class Word(NamedTuple):
    """`source[start:end]`. Two words are the same where their keys are."""

    key: str
    start: int
    end: int


def words(source: str) -> list[Word]:
    """The words of a source in order: runs of letters and digits, of one other sign, and whole formulas.

    All that isn't white space lies in one of them.
    """
    found: list[Word] = []
    at = 0
    for span in math_spans(source):
        found += _plain(source, at, span.start)
        found.append(Word(_formula_key(source[span.start : span.end]), span.start, span.end))
        at = span.end
    found += _plain(source, at, len(source))
    return found


def paragraphs(source: str, given: list[Word]) -> list[tuple[int, int]]:
    """Which words make up each paragraph: index of the first, and behind the last. Blank lines part them."""
    breaks = iter([*(found.start() for found in _BREAK.finditer(source)), len(source)])
    cuts, end = [0], next(breaks)
    for number, word in enumerate(given):
        if word.start >= end:
            cuts.append(number)
            while word.start >= end:
                end = next(breaks)
    cuts.append(len(given))
    return [(start, stop) for start, stop in pairwise(cuts) if start < stop]


def _plain(source: str, start: int, end: int) -> Iterator[Word]:
    return (Word(found[0], found.start(), found.end()) for found in _WORD.finditer(source, start, end))


def _formula_key(formula: str) -> str:
    r"""A formula without the blanks that part nothing in it: all but those between a `\name` and a letter."""
    return _BLANK_IN_FORMULA.sub(lambda blank: f"{blank[1]} " if blank[1] else "", formula)
