"""Plots as SVG and PNG, drawn by matplotlib, which is loaded only here and when a plot is saved.

The same numbers give the same bytes with one version of matplotlib: no date, ids by a fixed salt. Fonts are those that
matplotlib brings along; letters are drawn as outlines. Foreign names are plain text: nothing in them is taken for
mathematics.
"""

import io
import warnings
from collections.abc import Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING

from uq_tui.errors import ExportError
from uq_tui.state.reports.figures import decimal
from uq_tui.state.reports.plots import Bars, Drawing, Matrix, Plot, Ranges
from uq_tui.text import clean_line

if TYPE_CHECKING:
    from matplotlib.axes import Axes

INSTALL = 'pip install "uq-tui[plots]"'
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#e69f00", "#56b4e9", "#cc79a7", "#999999", "#f0e442", "#000000")
"""Okabe and Ito's, which are told apart without seeing red or green (jfly.uni-koeln.de/color, 2008)."""
_HATCHES = ("", "//", "..", "xx", "\\\\", "--")
_WIDTH, _ROW, _HEAD = 8.0, 0.32, 1.5
"""Inches: of a plot, of each row, of what stands around rows."""
_DPI = 150


def can_draw() -> bool:
    """Whether matplotlib is installed, which is not loaded to find that out."""
    return find_spec("matplotlib") is not None


def drawn(plot: Drawing, form: str) -> bytes:
    """A plot as a file's bytes.

    Args:
        plot: what to draw.
        form: `svg` or `png`.

    Raises:
        ExportError: matplotlib is not installed.
    """
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise ExportError(
            "Plots can't be drawn: matplotlib, which draws SVG and PNG, is not installed.",
            hint=f"{INSTALL} installs it. Numbers can be saved as CSV without it.",
        ) from error
    file = io.BytesIO()
    style = matplotlib.rc_context(
        {
            "svg.hashsalt": "uq-tui",
            "svg.fonttype": "path",
            "text.parse_math": False,
            "font.family": "DejaVu Sans",
            "axes.spines.top": False,
            "axes.spines.right": False,
        }
    )
    with style, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of letters that the font lacks: a box stands for them
        figure = Figure(figsize=(_WIDTH, _height(plot)), layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(clean_line(plot.title), loc="left", fontweight="bold")
        match plot:
            case Plot():
                _lines(axes, plot)
            case Bars():
                _bars(axes, plot)
            case Ranges():
                _ranges(axes, plot)
            case Matrix():
                _matrix(axes, plot)
        if note := plot.note if isinstance(plot, Matrix) else plot.rest:
            figure.supxlabel(clean_line(note), fontsize="small")
        figure.savefig(file, format=form, dpi=_DPI, metadata={"Date": None} if form == "svg" else None)
    return file.getvalue()


def _height(plot: Drawing) -> float:
    rows = 9 if isinstance(plot, Plot) else 3 * len(plot.rows) if isinstance(plot, Matrix) else len(plot.rows)
    return _HEAD + _ROW * max(rows, 2)


def _lines(axes: "Axes", plot: Plot) -> None:
    if plot.diagonal:
        axes.plot(plot.width, plot.height, color="#999999", linestyle=":", label="where both axes agree")
    for place, line in enumerate(plot.lines):
        colour = _COLOURS[place % len(_COLOURS)]
        label = f"{line.mark} {clean_line(line.name)}"
        axes.plot(line.xs, line.ys, color=colour, marker="o", markersize=11, label=label, clip_on=False)
        for x, y in zip(line.xs, line.ys, strict=True):
            axes.annotate(line.mark, (x, y), color="white", size=8, ha="center", va="center_baseline")
    if plot.doublings:
        axes.set_xscale("log", base=2)
    if plot.ticks:
        axes.set_xticks([at for at, _ in plot.ticks], [words for _, words in plot.ticks])
    axes.set_xlim(_wider(plot.width, doublings=plot.doublings))
    axes.set_ylim(plot.height)
    axes.set_xlabel(plot.across)
    axes.set_ylabel(plot.up)
    _legend(axes)


def _wider(ends: tuple[float, float], *, doublings: bool) -> tuple[float, float]:
    """A little room for the marks of the first and the last point."""
    low, high = ends
    if doublings:
        return low / 1.1, high * 1.1
    room = (high - low) / 50
    return low - room, high + room


def _bars(axes: "Axes", plot: Bars) -> None:
    before = [0.0] * len(plot.rows)
    for place, one in enumerate(plot.series):
        axes.barh(
            range(len(plot.rows)),
            one.values,
            left=before,
            color=_COLOURS[place % len(_COLOURS)],
            edgecolor="white",
            hatch=_HATCHES[place % len(_HATCHES)],
            label=clean_line(one.name),
        )
        before = [so_far + value for so_far, value in zip(before, one.values, strict=True)]
    for row, (end, total) in enumerate(zip(before, plot.totals, strict=True)):
        axes.annotate(clean_line(total), (end, row), xytext=(4, 0), textcoords="offset points", va="center")
    axes.set_xlim(0, max(before, default=0.0) * 1.25 or 1.0)  # with room for the totals
    axes.locator_params(axis="x", nbins=4)
    axes.xaxis.set_major_formatter("{x:,.10g}")
    _name_rows(axes, plot.rows)
    axes.set_xlabel(plot.across)
    if len(plot.series) > 1:
        _legend(axes)


def _ranges(axes: "Axes", plot: Ranges) -> None:
    for row, one in enumerate(plot.rows):
        if one.low is not None and one.high is not None:
            axes.plot((one.low, one.high), (row, row), color=_COLOURS[0], marker="|")
        if one.value is not None:
            axes.plot((one.value,), (row,), color=_COLOURS[0], marker="o")
    axes.set_xlim(_wider(plot.width, doublings=False))
    _name_rows(axes, [f"{one.name} ({decimal(one.value)}, n = {one.n:,})" for one in plot.rows])
    axes.set_xlabel(plot.across)
    axes.grid(axis="x", color="#dddddd")


def _matrix(axes: "Axes", plot: Matrix) -> None:
    axes.imshow(plot.cells, cmap="Blues", vmin=0, aspect="auto")
    top = max((count for row in plot.cells for count in row), default=0)
    for row, counts in enumerate(plot.cells):
        for column, count in enumerate(counts):
            axes.text(
                column, row, f"{count:,}", ha="center", va="center", color="white" if count > top / 2 else "black"
            )
    axes.set_xticks(range(len(plot.columns)), [clean_line(name) for name in plot.columns])
    axes.set_yticks(range(len(plot.rows)), [clean_line(name) for name in plot.rows])
    axes.set_xlabel(plot.across)
    axes.set_ylabel(plot.down)


def _legend(axes: "Axes") -> None:
    """What each line or part is, where it covers nothing."""
    axes.figure.legend(frameon=False, fontsize="small", loc="outside right upper")


def _name_rows(axes: "Axes", names: Sequence[str]) -> None:
    """Rows from above, as on screen."""
    axes.set_yticks(range(len(names)), [clean_line(name) for name in names])
    axes.set_ylim(len(names) - 0.5, -0.5)
