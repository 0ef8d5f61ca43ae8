"""Quotes taken over from one answer to another that says the same with other white space or composed signs."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

from store.rows import Quote, VerdictForm
from uq_tui.document.anchors import cut

_WORD = re.compile(r"\S+")


class _Words:
    """Which words of two texts are the same ones, by their number."""

    def __init__(self, text: str, other: str) -> None:
        self._text, self._other = text, other
        self._here = [found.span() for found in _WORD.finditer(text)]
        self._there = [found.span() for found in _WORD.finditer(other)]
        self._starts: Sequence[int] = [start for start, _ in self._here]

    def span(self, start: int, end: int) -> tuple[int, int] | None:
        """Where in the other text code points `start` to `end` of the text are, white space at either end apart."""
        if len(self._here) != len(self._there) or not 0 <= start < end <= len(self._text):
            return None
        start += len(self._text[start:end]) - len(self._text[start:end].lstrip())
        end = start + len(self._text[start:end].rstrip())
        if start == end:
            return None
        first, last = self._begin(start), self._end(end - 1)
        return None if first is None or last is None else (first, last)

    # A word may be composed otherwise, as é can be: then only its ends are known.

    def _begin(self, at: int) -> int | None:
        here, there, same = self._word(at)
        return there[0] + at - here[0] if same or at == here[0] else None

    def _end(self, last: int) -> int | None:
        here, there, same = self._word(last)
        if same:
            return there[0] + last + 1 - here[0]
        return there[1] if last + 1 == here[1] else None

    def _word(self, at: int) -> tuple[tuple[int, int], tuple[int, int], bool]:
        """The word there, that in the other text, and whether they are the same sign for sign."""
        number = bisect_right(self._starts, at) - 1
        here, there = self._here[number], self._there[number]
        return here, there, self._text[slice(*here)] == self._other[slice(*there)]


def taken_over(form: VerdictForm, text: str, other: str) -> VerdictForm:
    """`form`, whose quotes are anchored in `text`, with them in `other`, word for word.

    A quote that no place corresponds to keeps its words and loses its offsets; `verdict_form.anchored` looks for it.
    The time is not taken over: it was spent once.
    """
    words = _Words(text, other)

    def moved(quote: Quote) -> Quote:
        span = None if quote.start is None or quote.end is None else words.span(quote.start, quote.end)
        return replace(quote, start=None, end=None) if span is None else Quote(*cut(other, *span))

    errors = tuple(replace(error, quotes=tuple(moved(quote) for quote in error.quotes)) for error in form.errors)
    return replace(form, errors=errors, seconds_active=0.0, seconds_total=0.0)
