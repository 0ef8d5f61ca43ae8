"""Shares on a common axis from 0 to 1, in characters: a value with its interval, and single values beside it."""

from collections.abc import Sequence

from textual.content import Content

LEAST = 10
"""Cells below which a strip says nothing."""


def strip(
    value: float | None, low: float | None, high: float | None, dots: Sequence[float | None], width: int
) -> Content:
    """One line of `width` cells: whiskers from `low` to `high`, `●` at the value, `○` at each of `dots`.

    All numbers are in [0, 1]; unknown ones are not drawn. Where two meet in a cell the value is seen, then a dot.
    """
    cells = ["·"] * width
    if low is not None and high is not None:
        first, last = _cell(low, width), _cell(high, width)
        cells[first : last + 1] = "─" * (last + 1 - first)
        cells[first], cells[last] = ("├", "┤") if last > first else ("│", "│")
    for dot in dots:
        if dot is not None:
            cells[_cell(dot, width)] = "○"
    drawn = Content("".join(cells)).stylize("dim")
    if value is None:
        return drawn
    at = _cell(value, width)
    return Content.assemble(drawn[:at], ("●", "bold"), drawn[at + 1 :])


def axis(width: int) -> str:
    """What stands above strips of `width` cells: 0, .5 and 1 at their places."""
    cells = list("0".ljust(width - 1) + "1")
    middle = _cell(0.5, width)
    cells[middle : middle + 2] = ".5"
    return "".join(cells[:width])


def shaded(value: float, low: float, high: float, width: int) -> str:
    """A bar of `width` cells with its interval on the same track.

    Full below the interval, then `▓` up to the value, `░` from there to the end of the interval: what is dark is sure.
    """
    at, first, last = (round(share * width) for share in (value, low, high))
    return ("█" * first + "▓" * (at - first) + "░" * (last - at)).ljust(width, "·")


def _cell(share: float, width: int) -> int:
    return min(width - 1, max(0, round(share * (width - 1))))
