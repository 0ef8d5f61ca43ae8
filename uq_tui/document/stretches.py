"""Where a stretch of the source stands among its laid-out lines."""

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from uq_tui.document.layout import lay_out
from uq_tui.document.lines import Line

LONGEST = 4_000
"""Characters of a stretch that are looked for exactly; of a longer one all lines of its blocks are meant."""
_WIDE = 10_000
"""Cells of a line that holds any such stretch unbroken."""
_PASSED_OVER = re.compile(r"[\s▌│↪•◦▪]+")
"""Blanks, and what is drawn before lines of quotes, code and lists."""


class Stretch(NamedTuple):
    """Laid-out text from character `begin` of line `first` up to character `end` of line `last`, without that one."""

    first: int
    begin: int
    last: int
    end: int


def find_stretch(lines: Sequence[Line], source: str, start: int, end: int) -> Stretch | None:
    """The laid-out text that code points `start` to `end` of the source became.

    Lines know the block that they come from, and a block may be long. So the stretch is laid out by itself and its text
    looked for in the block; where it isn't there, as when it begins within a formula, the whole block is meant.

    Returns:
        `None` when nothing of the source's lines was laid out.
    """
    top, bottom = source.count("\n", 0, start), source.count("\n", 0, max(start, end - 1))
    own = [number for number, line in enumerate(lines) if line.first <= bottom and line.last > top]
    if not own:
        return None
    first, last = own[0], own[-1]
    whole = Stretch(first, 0, last, len(lines[last].text))
    if end - start > LONGEST:
        return whole
    block = _line_start(source, min(lines[number].first for number in own))
    found = _nth(lines[first : last + 1], _shown(source[start:end]), source[min(block, start) : start])
    return whole if found is None else found._replace(first=found.first + first, last=found.last + first)


def _line_start(source: str, number: int) -> int:
    at = 0
    for _ in range(number):
        at = source.find("\n", at) + 1
    return at


def _shown(source: str) -> str:
    """The text that `source` is shown as, without what may differ with the place where it stands."""
    return _PASSED_OVER.sub("", "".join(line.text for line in lay_out(source, _WIDE).lines))


def _nth(lines: Sequence[Line], wanted: str, before: str) -> Stretch | None:
    """Where `wanted` stands in the lines; of several places the one that has as many before it as the source."""
    if not wanted:
        return None
    squeezed = [_PASSED_OVER.sub("", line.text) for line in lines]
    text = "".join(squeezed)
    places = [found.start() for found in re.finditer(f"(?={re.escape(wanted)})", text)]
    if not places:
        return None
    skipped = _shown(before).count(wanted) if len(places) > 1 and len(before) <= LONGEST else 0
    at = places[min(skipped, len(places) - 1)]
    ends = list(accumulate(map(len, squeezed)))
    first, begin = _position(lines, squeezed, ends, at)
    last, final = _position(lines, squeezed, ends, at + len(wanted) - 1)
    return Stretch(first, begin, last, final + 1)


def _position(lines: Sequence[Line], squeezed: Sequence[str], ends: Sequence[int], at: int) -> tuple[int, int]:
    """Line, and character in it, of the character `at` of all the squeezed lines together."""
    number = next(number for number, end in enumerate(ends) if end > at)
    nth = at - (ends[number] - len(squeezed[number]))
    kept = [place for place, sign in enumerate(lines[number].text) if not _PASSED_OVER.match(sign)]
    return number, kept[nth]
