r"""Where mathematics begins and ends in a text: `$..$`, `$$..$$`, `\(..\)`, `\[..\]` and AMS environments.

Shared by all that must leave formulas alone before anything else is read as markup. Money stays money: in
`$5 to $2000` no dollar opens a formula.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

MAX_INLINE = 2_000
"""Longest formula within a line of text, in characters."""
MAX_DISPLAY = 20_000
"""Longest displayed formula, in characters."""
_MAX_CLOSERS = 8
"""How many dollars are tried as the end of one formula."""
_MAX_DEPTH = 20
"""Deepest nesting of an environment in itself."""

ENVIRONMENTS = (
    "align|alignat|aligned|array|bmatrix|cases|displaymath|eqnarray|equation|flalign|gather|gathered|math|matrix"
    "|multline|pmatrix|smallmatrix|split|vmatrix|Vmatrix|Bmatrix|tikzcd|tikzpicture|CD"
)
_BEGIN = re.compile(rf"\\begin\{{(?P<name>(?:{ENVIRONMENTS})\*?)\}}")
_OPENER = re.compile(r"\$\$?|\\.", re.DOTALL)
EDGE = re.compile(r"\\(begin|end)\{([A-Za-z]+\*?)\}")
r"""A `\begin` or an `\end` of any environment."""
_BLANK_LINE = re.compile(r"\n(?=[ \t]*\n)")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)

_TEX = re.compile(r"\\[A-Za-z{}|,;:! ]|[\^_={}<>]")
_AMOUNT = re.compile(r"\d[\d,.]*\s?(?:[kKmMbB]|bn|million|billion|thousand|USD)?(?=$|[\s.,;:!?)/\-–—])")
_WORD = re.compile(r"[^\W\d_]{2,}")
_LONG_WORD = re.compile(r"[^\W\d_]{3,}")


class MathSpan(NamedTuple):
    """A formula at `text[start:end]`; its LaTeX is `text[inner_start:inner_end]`."""

    start: int
    inner_start: int
    inner_end: int
    end: int
    display: bool


class Formulas:
    """Where formulas are in one text.

    What may end one is looked up once for the whole text, so that it isn't searched from each of many openers; thus
    time is near linear in the text whatever it holds.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._closers: dict[str, list[int]] = {}
        self._plain = (0, 0)
        """A stretch that holds nothing of LaTeX."""

    def match(self, at: int) -> MathSpan | None:
        r"""The formula that opens exactly at the offset `at`, or None.

        The caller reads from left to right, so what is there is not escaped by a backslash before it, and passes over
        both dollars of a `$$` that opens nothing. A formula never holds a blank line. An environment is its own LaTeX:
        `\begin` and `\end` are inside.
        """
        text = self._text
        if text.startswith("$$", at):
            return self._between(at, "$$", MAX_DISPLAY)
        if text.startswith("$", at):
            return _between_dollars(text, at)
        if text.startswith(r"\(", at):
            return self._between(at, r"\)", MAX_INLINE)
        if text.startswith(r"\[", at):
            span = self._between(at, r"\]", MAX_DISPLAY)
            # Escaped brackets in Markdown, as of a citation \[12\], look the same.
            return span if span and (text[at + 2].isspace() or self._has_tex(span)) else None
        if text.startswith(r"\begin{", at) and _BEGIN.match(text, at):
            return self._environment(at)
        return None

    def _between(self, at: int, closer: str, longest: int) -> MathSpan | None:
        start = at + 2
        ends = self._closers.get(closer)
        if ends is None:
            ends = self._closers[closer] = list(_unescaped(self._text, closer))
        index = bisect_left(ends, start)
        if index == len(ends) or ends[index] > start + longest - len(closer):
            return None
        end = ends[index]
        if not self._text[start:end].strip() or self._is_parted(start, end):
            return None
        return MathSpan(at, start, end, end + len(closer), display=closer != r"\)")

    def _has_tex(self, span: MathSpan) -> bool:
        if self._plain[0] <= span.inner_start and span.inner_end <= self._plain[1]:
            return False
        if _TEX.search(self._text, span.inner_start, span.inner_end):
            return True
        self._plain = (span.inner_start, span.inner_end)
        return False

    def _environment(self, at: int) -> MathSpan | None:
        end = self._ends.get(at, len(self._text) + MAX_DISPLAY)
        if end > at + MAX_DISPLAY or self._is_parted(at, end):
            return None
        return MathSpan(at, at, end, end, display=True)

    def _is_parted(self, start: int, end: int) -> bool:
        """Whether a blank line lies between."""
        index = bisect_left(self._blank_lines, start)
        return index < len(self._blank_lines) and self._text.find("\n", self._blank_lines[index] + 1, end) >= 0

    @cached_property
    def _blank_lines(self) -> list[int]:
        """The line end before each."""
        return [found.start() for found in _BLANK_LINE.finditer(self._text)]

    @cached_property
    def _ends(self) -> dict[int, int]:
        r"""For each `\begin` that has one, where its `\end` ends."""
        return paired((edge, edge.end()) for edge in EDGE.finditer(self._text))


def paired(edges: Iterable[tuple[re.Match[str], int]]) -> dict[int, int]:
    r"""For the offset of each `\begin`, the number that came with its `\end`; those too deep in their like have none.

    Args:
        edges: matches of `EDGE` from left to right, and a number with each.
    """
    ends: dict[int, int] = {}
    opened: dict[str, list[tuple[int, int]]] = {}
    for edge, number in edges:
        stack = opened.setdefault(edge[2], [])
        if edge[1] == "begin":
            stack.append((edge.start(), 1))
        elif stack:
            start, depth = stack.pop()
            if depth <= _MAX_DEPTH:
                ends[start] = number
            if stack:
                stack[-1] = (stack[-1][0], max(stack[-1][1], depth + 1))
    return ends


def math_spans(text: str) -> Iterator[MathSpan]:
    """Every formula of a plain text, from left to right. Knows backslash escapes, no other markup."""
    formulas = Formulas(text)
    at = 0
    while found := _OPENER.search(text, at):
        span = formulas.match(found.start())
        if span:
            yield span
        at = span.end if span else found.end()


def _unescaped(text: str, sought: str) -> Iterator[int]:
    """Where `sought` stands without a backslash before it that escapes it."""
    at = text.find(sought)
    while at >= 0:
        if not _is_escaped(text, at, 0):
            yield at
        at = text.find(sought, at + 1)


def _between_dollars(text: str, at: int) -> MathSpan | None:
    start = at + 1
    limit = start + MAX_INLINE
    first = -1
    end, depth, counted = start - 1, 0, start
    for _ in range(_MAX_CLOSERS):
        end = text.find("$", end + 1, limit)
        if end < 0:
            break
        if _is_escaped(text, end, start):
            continue
        if first < 0:
            first = end
        for brace in _BRACE.findall(text, counted, end):
            depth += (brace == "{") - (brace == "}")
        counted = end
        if depth == 0:
            break
    else:
        end = -1
    # A dollar within braces belongs to a \text{..}; without a balanced end the first one is as good as any.
    if end < 0:
        end = first
    if end < 0 or _BLANK_LINE.search(text, start, end) or not _is_formula(text, start, end):
        return None
    return MathSpan(at, start, end, end + 1, display=False)


def _is_formula(text: str, start: int, end: int) -> bool:
    """Whether what stands between two dollars is mathematics, not the text between two prices."""
    inner = text[start:end]
    if not inner.strip():
        return False
    before = text[start - 2] if start >= 2 else ""
    after = text[end + 1] if end + 1 < len(text) else ""
    spaced = inner[0].isspace() or inner[-1].isspace()
    if spaced and after.isdigit():
        return False
    amount = _AMOUNT.match(inner) is not None
    if amount and (before.isalnum() or after.isdigit() or _WORD.search(inner)):
        # "$5 for \foo, and $x": a price, unless it goes on as a formula does.
        return not (spaced or after.isdigit() or before.isalnum()) and _TEX.search(inner) is not None
    if _TEX.search(inner):
        return True
    if spaced:
        return _LONG_WORD.search(inner) is None
    return not after.isdigit() and not (after.isalnum() and _LONG_WORD.search(inner))


def _is_escaped(text: str, at: int, floor: int) -> bool:
    backslashes = 0
    while at - backslashes - 1 >= floor and text[at - backslashes - 1] == "\\":
        backslashes += 1
    return backslashes % 2 == 1
