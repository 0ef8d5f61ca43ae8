r"""Where mathematics begins and ends in a text: `$..$`, `$$..$$`, `\(..\)`, `\[..\]` and AMS environments.

Shared by all that must leave formulas alone before anything else is read as markup. Money stays money: in
`$5 to $2000` no dollar opens a formula.
"""

import re
from collections.abc import Iterator
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
_CLOSERS = {"$$": "$$", r"\(": r"\)", r"\[": r"\]"}
_BLANK_LINE = re.compile(r"\n[ \t]*\n")
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


def match_math(text: str, at: int) -> MathSpan | None:
    r"""The formula that opens exactly at `text[at]`, or None.

    The caller reads from left to right, so `text[at]` is not escaped by a backslash before it, and passes over both
    dollars of a `$$` that opens nothing. A formula never holds a blank line. An environment is its own LaTeX:
    `\begin` and `\end` are inside.
    """
    if text.startswith("$$", at):
        return _between(text, at, "$$", "$$", MAX_DISPLAY)
    if text.startswith("$", at):
        return _between_dollars(text, at)
    if text.startswith(r"\(", at):
        return _between(text, at, r"\(", r"\)", MAX_INLINE)
    if text.startswith(r"\[", at):
        span = _between(text, at, r"\[", r"\]", MAX_DISPLAY)
        # Escaped brackets in Markdown, as of a citation \[12\], look the same.
        if span and not text[at + 2].isspace() and not _TEX.search(text, span.inner_start, span.inner_end):
            return None
        return span
    if text.startswith(r"\begin{", at):
        return _environment(text, at)
    return None


def math_spans(text: str) -> Iterator[MathSpan]:
    """Every formula of a plain text, from left to right. Knows backslash escapes, no other markup."""
    at = 0
    ahead = dict.fromkeys(_CLOSERS.values(), -1)
    while found := _OPENER.search(text, at):
        closer, start = _CLOSERS.get(found[0]), found.start()
        if closer and ahead[closer] < found.end():
            # Looked up once for all openers before it, so that a text of openers is not searched from each of them.
            ahead[closer] = _found_or_end(text, closer, found.end())
        span = None if closer and ahead[closer] > start + MAX_DISPLAY + len(closer) else match_math(text, start)
        if span:
            yield span
        at = span.end if span else found.end()


def _found_or_end(text: str, sought: str, start: int) -> int:
    """Where `sought` stands next; beyond any text's end where it doesn't."""
    found = text.find(sought, start)
    return found if found >= 0 else len(text) + 2 * MAX_DISPLAY


def _between(text: str, at: int, opener: str, closer: str, longest: int) -> MathSpan | None:
    start = at + len(opener)
    limit = start + longest
    end = text.find(closer, start, limit)
    while end > 0 and _is_escaped(text, end, start):
        end = text.find(closer, end + 1, limit)
    if end < 0 or not text[start:end].strip() or _BLANK_LINE.search(text, start, end):
        return None
    return MathSpan(at, start, end, end + len(closer), display=opener != r"\(")


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


def _environment(text: str, at: int) -> MathSpan | None:
    opened = _BEGIN.match(text, at)
    if opened is None:
        return None
    name = re.escape(opened["name"])
    depth = 0
    for found in re.compile(rf"\\(begin|end)\{{{name}\}}").finditer(text, at, at + MAX_DISPLAY):
        depth += 1 if found[1] == "begin" else -1
        if depth > _MAX_DEPTH:
            break
        if depth == 0:
            if _BLANK_LINE.search(text, at, found.end()):
                return None
            return MathSpan(at, at, found.end(), found.end(), display=True)
    return None


def _is_escaped(text: str, at: int, floor: int) -> bool:
    backslashes = 0
    while at - backslashes - 1 >= floor and text[at - backslashes - 1] == "\\":
        backslashes += 1
    return backslashes % 2 == 1
