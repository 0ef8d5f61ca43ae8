"""Where a span stands, for people: the line, and the sentence around it."""

import re
from bisect import bisect_right

from uq_tui.citations.reference import Span

AROUND = 240
"""Characters of a sentence that are shown on either side at most."""

_STARTS = re.compile(r"\n|(?<=[.!?])\s+(?=[A-Z\[(*$\\]|\Z)")
_ABBREVIATED = re.compile(
    r"(?:\b[A-Z]|\b(?:al|cf|e\.g|i\.e|vs|resp|Thm|Prop|Cor|Lem|Def|Sec|Ch|Eq|Fig|J|Math|Ann|pp?|No))\.\Z"
)


class Lines:
    """Line numbers of a text, looked up in logarithmic time."""

    def __init__(self, text: str) -> None:
        self._starts = [0, *(found.end() for found in re.finditer("\n", text))]

    def number(self, at: int) -> int:
        """The line, from 1, that holds the code point `at`."""
        return bisect_right(self._starts, at)


def sentence(text: str, span: Span) -> str:
    """The sentence around a span on one line; with `…` where it is cut, at most `AROUND` characters on either side."""
    floor, ceiling = max(0, span.start - AROUND), min(len(text), span.end + AROUND)
    before = _after_last_stop(text[floor : span.start])
    after = _up_to_stop(text[span.end : ceiling])
    cut_before = floor > 0 and len(before) == span.start - floor
    cut_after = ceiling < len(text) and len(after) == ceiling - span.end
    inner = " ".join(f"{before}{text[span.start : span.end]}{after}".split())
    return f"{'…' if cut_before else ''}{inner}{'…' if cut_after else ''}"


def _after_last_stop(before: str) -> str:
    start = 0
    for found in _STARTS.finditer(before):
        if not _ABBREVIATED.search(before, max(0, found.start() - 8), found.start()):
            start = found.end()
    return before[start:]


def _up_to_stop(after: str) -> str:
    for found in re.finditer(r"\n|[.!?](?=\s)", after):
        if found[0] == "\n":
            return after[: found.start()]
        if not _ABBREVIATED.search(after, max(0, found.start() - 8), found.end()):
            return after[: found.end()]
    return after
