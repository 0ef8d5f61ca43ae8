"""Plots of how scores settle, what they are worth, and where they tell candidates apart."""

from collections.abc import Sequence

from uq_tui.analysis.convergence import SIZES
from uq_tui.state.reports.combined import Combined
from uq_tui.state.reports.convergence import Convergence
from uq_tui.state.reports.plots import MOST_LINES, Line, Plot, rest
from uq_tui.state.reports.selection import Selection


def convergence_plot(found: Convergence) -> Plot | None:
    """Normalised error by number of samples, on a scale of doublings; `None` without points."""
    drawn = [(one, one.points) for one in found.curves if one.points]
    if not drawn:
        return None
    lines = [
        Line(f"{number}", one.name, tuple(float(point.n) for point in points), tuple(point.error for point in points))
        for number, (one, points) in enumerate(drawn, 1)
    ]
    top = max(max(line.ys) for line in lines)
    return _plot(
        "Normalised error by samples",
        "samples",
        "error",
        lines,
        (float(SIZES[0]), float(SIZES[-1])),
        (0.0, max(top * 1.05, 0.05)),
        ticks=tuple((float(n), f"{n}") for n in SIZES),
        doublings=True,
    )


def calibration_plot(found: Combined) -> Plot | None:
    """Share correct by mean score of each bin; `None` where nothing is rated."""
    lines = []
    for number, one in enumerate(found.calibrated, 1):
        points = [
            (each.mean_score, each.share_correct.value)
            for each in one.calibration.bins
            if each.mean_score is not None and each.share_correct.value is not None
        ]
        if points:
            lines.append(Line(f"{number}", one.name, tuple(x for x, _ in points), tuple(y for _, y in points)))
    if not lines:
        return None
    about = ("Share correct by score", "mean score, scaled to 0 to 1", "share correct")
    return _plot(*about, lines, (0.0, 1.0), (0.0, 1.0), diagonal=True)


def separation_plot(found: Selection) -> Plot | None:
    """Separation of correct and wrong candidates by difficulty, in the bins of the table; `None` without points."""
    lines = []
    for number, one in enumerate(found.qualities, 1):
        bins = one.separation.bins if one.separation else ()
        points = [((each.low + each.high) / 2, each.gap) for each in bins if each.gap is not None]
        if points:
            lines.append(Line(f"{number}", one.name, tuple(x for x, _ in points), tuple(y for _, y in points)))
    if not lines:
        return None
    values = [y for line in lines for y in line.ys]
    ends = (min(-0.1, *values) - 0.05, max(0.1, *values) + 0.05)
    return _plot("Separation by difficulty", "difficulty", "separation", lines, (0.0, 1.0), ends)


def _plot(
    title: str,
    across: str,
    up: str,
    lines: Sequence[Line],
    width: tuple[float, float],
    height: tuple[float, float],
    *,
    ticks: tuple[tuple[float, str], ...] = (),
    diagonal: bool = False,
    doublings: bool = False,
) -> Plot:
    shown = tuple(lines[:MOST_LINES])
    more = rest(len(lines) - len(shown), "scorer")
    return Plot(title, across, up, shown, width, height, ticks, diagonal, doublings, more)
