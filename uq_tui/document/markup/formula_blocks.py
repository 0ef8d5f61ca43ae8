r"""Displayed formulas on lines of their own, as a rule for blocks of markdown-it.

Such a formula may interrupt a paragraph and never holds a blank line. Where the opener's formula would end is looked
up in an index of the lines up to the next blank one, so that a text of openers isn't searched from each of them.
"""

import re
from bisect import bisect_right
from dataclasses import dataclass, field

from markdown_it.rules_block import StateBlock

from uq_tui.document.markup.places import Places
from uq_tui.document.maths.spans import EDGE, ENVIRONMENTS, MAX_DISPLAY, Formulas, MathSpan, paired

_OPENER = re.compile(rf"\$\$|\\\[|\\begin\{{(?P<name>(?:{ENVIRONMENTS})\*?)\}}")
_CLOSERS = {
    "$$": re.compile(r"(?<!\\)(?:\\\\)*\$\$"),
    r"\[": re.compile(r"(?<!\\)(?:\\\\)*\\\]"),
}
_PUNCTUATION = re.compile(r"\s*[.,;:]?\s*")


def math_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A displayed formula on lines of its own."""
    if state.sCount[start_line] - state.blkIndent >= 4:
        return False
    at = state.bMarks[start_line] + state.tShift[start_line]
    opener = _OPENER.match(state.src, at, state.eMarks[start_line])
    if opener is None:
        return False
    found = _find(state, opener, start_line, min(end_line, state.lineMax))
    if found is None:
        return False
    text, places, span, last_line = found
    rest = text[span.end :]
    goes_on = not _PUNCTUATION.fullmatch(rest)
    if goes_on and last_line == start_line:
        return False
    if silent:
        return True
    token = state.push("math_block", "math", 0)
    token.content = text[span.inner_start : span.inner_end]
    token.map = [start_line, last_line + 1]
    token.meta.update(at=places.span(span.start, span.end), inner=places.span(span.inner_start, span.inner_end))
    state.line = last_line + 1
    if goes_on:
        # The paragraph that begins behind the formula has this line's end for its first line.
        state.line = last_line
        state.bMarks[last_line] = state.eMarks[last_line] - len(rest.lstrip())
        state.tShift[last_line] = 0
        state.sCount[last_line] = state.blkIndent
    elif punctuation := rest.strip():
        token.info = punctuation
        behind = span.end + rest.index(punctuation)
        token.meta["info"] = places.span(behind, behind + len(punctuation))
    return True


def _find(
    state: StateBlock, opener: re.Match[str], start_line: int, end_line: int
) -> tuple[str, Places, MathSpan, int] | None:
    """The formula that opens `start_line`: the text of its lines, where they stand, where it is, its last line."""
    region = _region(state, start_line, end_line)
    last_line = region.closing_line(state, opener, start_line)
    if last_line is None or state.bMarks[last_line] - opener.start() > MAX_DISPLAY:
        return None
    kind = opener[0]
    if region.failed.get((kind, last_line), start_line + 1) <= start_line and not _is_blank_behind(opener):
        return None
    lines = [_line_text(state, line) for line in range(start_line, last_line + 1)]
    text = "\n".join(lines)
    span = Formulas(text).match(0)
    if span is None:
        # There was nothing in it that looks like LaTeX: nor is there from a later line up to the same end.
        region.failed.setdefault((kind, last_line), start_line)
        return None
    contents: list[int] = []
    at = 0
    for line in lines:
        contents.append(at)
        at += len(line) + 1
    offsets = [state.bMarks[line] + state.tShift[line] for line in range(start_line, last_line + 1)]
    return text, Places(contents, offsets), span, last_line


def _is_blank_behind(opener: re.Match[str]) -> bool:
    return opener.string[opener.end() : opener.end() + 1].isspace()


@dataclass(eq=False)
class _Region:
    """Lines of one block that follow each other without a blank one: from `first` on, `end` not included.

    Only what the lines hold counts, not where reading them began, so all that is remembered here is as true for a text
    cut in two at any block.
    """

    first: int
    end: int
    failed: dict[tuple[str, int], int] = field(default_factory=dict)
    """Opener and line of the closer: the first line from which there is no formula up to there."""
    _closers: dict[str, list[int]] = field(default_factory=dict)
    _ends: dict[int, int] | None = None

    def closing_line(self, state: StateBlock, opener: re.Match[str], line: int) -> int | None:
        """The line with the closer of the formula that begins with `opener` on `line`."""
        if opener["name"]:
            if self._ends is None:
                self._ends = self._pair(state)
            return self._ends.get(opener.start())
        kind = opener[0]
        if _CLOSERS[kind].search(state.src[opener.end() : state.eMarks[line]]):
            return line
        if kind not in self._closers:
            closer = _CLOSERS[kind]
            self._closers[kind] = [
                number for number in range(self.first, self.end) if closer.search(_line_text(state, number))
            ]
        closers = self._closers[kind]
        index = bisect_right(closers, line)
        return closers[index] if index < len(closers) else None

    def _pair(self, state: StateBlock) -> dict[int, int]:
        r"""For the offset of each `\begin`: the line of its `\end`."""
        lines = ((number, state.bMarks[number] + state.tShift[number]) for number in range(self.first, self.end))
        return paired(
            (edge, number) for number, start in lines for edge in EDGE.finditer(state.src, start, state.eMarks[number])
        )


def _region(state: StateBlock, line: int, end_line: int) -> _Region:
    """The lines from `line` on that a formula may reach to, or those of an earlier look that `line` is among."""
    regions: dict[tuple[int, int, int], _Region] = state.env.setdefault("regions", {})
    key = (state.level, state.blkIndent, end_line)
    known = regions.get(key)
    if known and known.first <= line < known.end:
        return known
    end = line + 1
    while end < end_line and not state.isEmpty(end) and state.sCount[end] >= state.blkIndent:
        end += 1
    region = regions[key] = _Region(line, end)
    return region


def _line_text(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]
