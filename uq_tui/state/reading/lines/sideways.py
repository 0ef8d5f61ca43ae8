"""The part of a wide line that is in sight when it is scrolled sideways."""

from collections.abc import Iterable

from rich.cells import cell_len

from uq_tui.document.drawing.lines import Span, as_one

MORE_LEFT, MORE_RIGHT = "‹", "›"


def cut_sideways(spans: Iterable[Span], left: int, width: int) -> tuple[Span, ...]:
    """The cells `left` to `left + width` of a line, with a sign at an end behind which there is more.

    A character that lies half outside is shown as a blank.
    """
    spans = tuple(spans)
    cells = sum(cell_len(span.text) for span in spans)
    more_left, more_right = left > 0, cells > left + width
    first, last = left + more_left, left + width - more_right
    kept: list[Span] = [Span(MORE_LEFT, "dim")] if more_left else []
    at = 0
    for span in spans:
        wide = cell_len(span.text)
        if at >= first and at + wide <= last:
            kept.append(span)
        elif at < last and at + wide > first:
            kept += _part(span, first - at, last - at)
        at += wide
    return (*kept, Span(MORE_RIGHT, "dim")) if more_right else tuple(kept)


def _part(span: Span, first: int, last: int) -> list[Span]:
    """The cells `first` to `last` of a span, which reach over one of its ends."""
    text, style, start, end = span
    begin, stop, before, after = len(text), 0, 0, 0
    at = 0
    for number, sign in enumerate(text):
        wide = cell_len(sign)
        if at >= first and at + wide <= last:
            begin, stop = min(begin, number), number + 1
        elif at < first < at + wide:
            before = at + wide - first
        elif at < last < at + wide:
            after = last - at
        at += wide
    kept = [Span(" " * before, style)] if before else []
    if begin < stop:
        shown = text[begin:stop]
        if start < 0:
            kept.append(Span(shown, style))
        elif end - start == len(text):
            kept.append(Span(shown, style, start + begin, start + stop))
        else:
            kept += as_one(shown, style, start, end)
    return [*kept, Span(" " * after, style)] if after else kept
