"""Which parts of a text are folded, and which are hidden by that.

Headings fold what is below them, up to the next heading of their level or of one above it. Code blocks and spoilers
that are segments of their own fold to a line; spoilers begin so.
"""

from collections import Counter
from collections.abc import Sequence
from enum import Enum, auto

from uq_tui.document.drawing.lines import Line, as_one
from uq_tui.document.markup.scan import Segment
from uq_tui.text import counted


class Fold(Enum):
    """What becomes of a segment."""

    OPEN = auto()
    HEAD = auto()
    """Its heading is shown, and a line that tells what is folded below."""
    STUB = auto()
    """One line stands for all of it."""
    HIDDEN = auto()


class Folds:
    """Folded or not, by where a segment begins: that stays while a text grows."""

    def __init__(self) -> None:
        self._segments: Sequence[Segment] = ()
        self._levels: list[int] = []
        """Of the heading that a segment begins with, 0 where it begins with none."""
        self._turned: set[int] = set()
        """Those that are not as they began."""
        self._folds: list[Fold] = []
        self._under: list[int] = []
        """For each segment the level of the folded heading that it is at or below, 0 where there is none."""

    def __getitem__(self, segment: int) -> Fold:
        return self._folds[segment]

    def forget(self) -> None:
        """Another text: all is as it begins."""
        self._turned.clear()
        self._levels.clear()
        self._folds.clear()
        self._under.clear()

    def take(self, segments: Sequence[Segment], source: str, first: int) -> None:
        """Take over the segments from `first` on; those before are as they were."""
        self._segments = segments
        del self._levels[first:]
        self._levels += (_level(segment, source) for segment in segments[first:])
        self._follow(first)

    def _follow(self, first: int = 0) -> None:
        del self._folds[first:]
        del self._under[first:]
        under = self._under[-1] if self._under else 0
        for segment, level in zip(self._segments[first:], self._levels[first:], strict=True):
            if under and (not level or level > under):
                fold = Fold.HIDDEN
            else:
                folded = self._folded(segment)
                under = level if folded else 0
                fold = (Fold.HEAD if level else Fold.STUB) if folded else Fold.OPEN
            self._folds.append(fold)
            self._under.append(under)

    def _folded(self, segment: Segment) -> bool:
        return (segment.kind == "spoiler") != (segment.start in self._turned)

    @property
    def any(self) -> bool:
        """Whether there is anything that folds."""
        return any(self._levels) or any(segment.kind for segment in self._segments)

    def turn(self, number: int) -> None:
        """Fold a segment that is open, or its section; open one that is folded."""
        self._turned ^= {self._segments[number].start}
        self._follow()

    def turn_all(self) -> None:
        """Open everything if anything is folded, else fold all blocks that fold, and the outermost sections."""
        folded = [segment for segment in self._segments if self._folded(segment)]
        self._turned ^= {segment.start for segment in folded or self._together()}
        self._follow()

    def _together(self) -> list[Segment]:
        """What is folded together: blocks, and sections of the outermost level that there are several of."""
        levels = Counter(filter(None, self._levels))
        outermost = min((level for level, times in levels.items() if times > 1), default=min(levels, default=-1))
        both = zip(self._segments, self._levels, strict=True)
        return [segment for segment, level in both if segment.kind or level == outermost]

    def folding(self, number: int) -> int | None:
        """What folds at a segment: itself, or else the section it is in; `None` where nothing does."""
        if self._segments[number].kind:
            return number
        return next((one for one in range(number, -1, -1) if self._levels[one]), None)

    def opener(self, number: int) -> int | None:
        """What has to be opened first for all of a segment to be seen; `None` if nothing has to."""
        if self._folds[number] is Fold.OPEN:
            return None
        while self._folds[number] is Fold.HIDDEN:
            number -= 1
        return number

    def stop(self, number: int) -> int:
        """The segment at which the section ends that begins with this one."""
        level = self._levels[number]
        rest = range(number + 1, len(self._levels))
        return next((one for one in rest if 0 < self._levels[one] <= level), len(self._levels))


def stub(source: str, segment: Segment, begin: int, end: int) -> Line:
    """The line that stands for all that is folded from `begin`, in the segment, up to `end`, in the source."""
    first, last = segment.start + begin, end
    while first < last and source[first] == "\n":
        first += 1
    while first < last and source[last - 1] == "\n":
        last -= 1
    rows = counted(source.count("\n", first, last) + 1, "line")
    folded = {"code": f"{rows} of code folded", "spoiler": f"spoiler, {rows} folded"}
    what = folded.get(segment.kind, f"{rows} folded")
    unit = 0 if segment.kind and segment.units else -1
    end -= segment.start
    return Line(tuple(as_one(f"▸ {what}, z opens", "dim", begin, end)), begin, end, unit=unit)


def _level(segment: Segment, source: str) -> int:
    """The level of the heading that a segment begins with; one that stands within a list or a quote doesn't count."""
    if not segment.headings or segment.kind:
        return 0
    heading = segment.headings[0]
    before = source[segment.start : segment.start + heading.start]
    return heading.level if not before.strip().strip("#") else 0
