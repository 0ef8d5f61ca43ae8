"""What is marked in a text, layer over layer, and the painting of it over laid-out lines."""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import accumulate, pairwise
from typing import NamedTuple

from uq_tui.document.drawing.lines import Span


class Layer(StrEnum):
    """A kind of mark. Later ones lie over earlier ones. Each is a style name too."""

    REMOVED = "removed"
    ADDED = "added"
    REMARK = "remark"
    CLAIM = "claim"
    QUOTE_A = "quote-a"
    """What the first of several verdicts quotes; of the second, and of all others."""
    QUOTE_B = "quote-b"
    QUOTE_C = "quote-c"
    QUOTE_OWN = "quote-own"
    """What the verdict quotes that is to decide between these."""
    FOUND = "found"
    FOUND_HERE = "found-here"
    POINTED = "pointed"
    SELECTED = "selected"
    CARET = "caret"


class Mark(NamedTuple):
    """Code points that a layer marks."""

    start: int
    end: int
    layer: Layer


class Highlights:
    """The ranges of every layer, in code points of the source."""

    def __init__(self) -> None:
        self._layers: dict[Layer, tuple[list[tuple[int, int]], list[int]]] = {}
        """Ranges by where they begin, and beside each the furthest end up to it: ranges may lie within others."""

    def put(self, layer: Layer, ranges: Iterable[tuple[int, int]]) -> None:
        """Let a layer have these ranges and no others."""
        own = sorted((start, end) for start, end, *_ in ranges if start < end)
        self._layers.pop(layer, None)
        if own:
            self._layers[layer] = own, list(accumulate((end for _, end in own), max))

    def ranges(self, layer: Layer) -> Sequence[tuple[int, int]]:
        """The ranges of a layer, by where they begin."""
        return self._layers[layer][0] if layer in self._layers else ()

    def clear(self) -> None:
        """Mark nothing."""
        self._layers.clear()

    def within(self, start: int, end: int) -> tuple[Mark, ...]:
        """The marks that touch code points `start` to `end`, lowest layer first, whole."""
        return tuple(self._within(start, end))

    def _within(self, start: int, end: int) -> Iterator[Mark]:
        for layer in Layer if self._layers else ():
            if layer in self._layers:
                ranges, furthest = self._layers[layer]
                first = bisect_right(furthest, start)
                for begin, stop in ranges[first : bisect_left(ranges, (end,))]:
                    if stop > start:
                        yield Mark(begin, stop, layer)


def paint(spans: Sequence[Span], marks: Sequence[Mark]) -> tuple[Span, ...]:
    """The spans with the names of the layers that mark them added to their styles.

    A span that shows its source sign for sign is cut where a mark begins or ends. One that stands for it as one, as a
    formula does, is marked whole. What shows nothing of the source is never marked.
    """
    return tuple(piece for span in spans for piece in _painted(span, marks)) if marks else tuple(spans)


def _painted(span: Span, marks: Sequence[Mark]) -> Iterator[Span]:
    own = [mark for mark in marks if mark.start < span.end and mark.end > span.start] if span.start >= 0 else []
    if not own:
        yield span
        return
    if len(span.text) != span.end - span.start:
        yield span._replace(style=_over(span.style, own))
        return
    cuts = {span.start, span.end}
    for mark in own:
        cuts.update((max(mark.start, span.start), min(mark.end, span.end)))
    places = sorted(cuts)
    for start, end in pairwise(places):
        covering = [mark for mark in own if mark.start <= start and mark.end >= end]
        text = span.text[start - span.start : end - span.start]
        yield Span(text, _over(span.style, covering), start, end)


def _over(style: str, marks: Sequence[Mark]) -> str:
    return " ".join(filter(None, (style, *dict.fromkeys(mark.layer.value for mark in marks))))
