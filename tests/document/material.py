"""Texts to try the reading view on, and texts that arrive in pieces."""

from tests.document.sources import commonmark_examples, hostile_text
from uq_tui.document.layout import Change, Flow
from uq_tui.document.lines import Line

__all__ = ["commonmark_examples", "fed", "hostile_text"]


def fed(source: str, width: int, cuts: list[int]) -> Change:
    """`source` laid out as it comes, cut at the offsets `cuts`, as one change."""
    flow = Flow(width)
    lines: list[Line] = []
    change = Change(0, (), ())
    ends = sorted({min(cut, len(source)) for cut in cuts} | {len(source)})
    begin = 0
    for end in ends:
        change = flow.feed(source[begin:end])
        del lines[change.first :]
        lines += change.lines
        begin = end
    return Change(0, tuple(lines), change.headings)
