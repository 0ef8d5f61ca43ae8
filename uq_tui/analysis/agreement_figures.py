"""Figures of agreement, each with what it is of and a bootstrap interval over units.

Units are resampled, so each figure is taken over again as it was: alpha over units that several people rated, kappa and
shares over pairs. They count as independent, though candidates of one question hang together: intervals are then too
narrow rather than too wide.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from uq_tui.analysis.agreement import NOTHING_TWICE, Alpha, Compared, Level, Rating, cohen_kappa
from uq_tui.analysis.bootstrap import Resampled, percentile

Cell = TypeVar("Cell", bound=Hashable)

MOST_INTERVALS = 60
"""Of a table of pairs only so many rows get intervals, which take a tenth of a second each."""
NO_VALUE = Resampled(None, None)
NOT_RECKONED = Resampled(None, None, why=f"it is reckoned for the {MOST_INTERVALS} rows with the largest n")


@dataclass(frozen=True, slots=True)
class Measured:
    """A figure over `n` units; without a value, `undefined` says why."""

    value: float | None
    n: int
    interval: Resampled = NO_VALUE
    expected: float | None = None
    """What chance alone would bring, or a base rate, where the figure has one."""
    ratings: int = 0
    """In all units together, where units have different numbers of them."""
    undefined: str = ""

    @property
    def low(self) -> float | None:
        """The lower end of the 95 % interval."""
        return self.interval.low

    @property
    def high(self) -> float | None:
        """The upper end."""
        return self.interval.high


def alpha_of(units: Iterable[Sequence[Rating | None]], level: Level) -> Measured:
    """Krippendorff's alpha of units that several people rated."""
    compared = Compared(units, level)
    return _over(compared, lambda found: found.value)


def equal_of(units: Iterable[Sequence[Rating | None]]) -> Measured:
    """The share of pairs of ratings of a unit that are equal; `expected` is that of any two ratings."""
    compared = Compared(units, Level.NOMINAL)
    return _over(compared, lambda found: found.observed)


def _over(compared: Compared, of: Callable[[Alpha], float | None]) -> Measured:
    found = compared.alpha(compared.counts)
    value = of(found)
    if value is None:
        return Measured(None, found.units, expected=found.expected, ratings=found.ratings, undefined=found.undefined)
    interval = percentile(compared.counts, lambda counts: of(compared.alpha(counts)))
    return Measured(value, found.units, interval, found.expected, found.ratings)


def kappa_of(table: Mapping[tuple[Cell, Cell], int], *, interval: bool = True) -> Measured:
    """Cohen's kappa of two raters from how often they gave each pair of labels."""
    found = cohen_kappa(table)
    if found.value is None:
        return Measured(None, found.n, expected=found.expected, undefined=found.undefined)
    cells = tuple(table)

    def again(counts: Sequence[int]) -> float | None:
        return cohen_kappa(dict(zip(cells, counts, strict=True))).value

    drawn = percentile(tuple(table.values()), again) if interval else NOT_RECKONED
    return Measured(found.value, found.n, drawn, found.expected)


def share_of(
    hits: int, n: int, why: str = NOTHING_TWICE, *, expected: float | None = None, interval: bool = True
) -> Measured:
    """`hits` of `n` units; undefined for the reason `why` where `n` is 0."""
    if n == 0:
        return Measured(None, 0, undefined=why)
    drawn = percentile((hits, n - hits), lambda counts: counts[0] / n) if interval else NOT_RECKONED
    return Measured(hits / n, n, drawn, expected)
