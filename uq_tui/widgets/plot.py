"""A plot drawn in characters. Imported only when one is to be shown: it brings a library along."""

from collections.abc import Iterable
from math import log2

from textual_plotext import PlotextPlot

from uq_tui.state.reports.plots import Plot
from uq_tui.text import clean_line
from uq_tui.widgets.plot_rows import COLOURS

_LINE, _DIAGONAL = "braille", "·"
_GREY = 244
_MARKS_UP = 5


class PlotView(PlotextPlot):
    """Lines whose points are marked by digits, so that they are told apart without colour."""

    DEFAULT_CSS = """
    PlotView { height: 16; max-width: 90; margin-top: 1; }
    """

    def __init__(self, plot: Plot) -> None:
        super().__init__()
        self._shown = plot

    def on_mount(self) -> None:  # beside the base's own, which Textual calls by itself
        shown, plt = self._shown, self.plt
        plt.title(clean_line(shown.title))
        plt.xlabel(shown.across)
        plt.ylabel(shown.up)
        plt.xlim(*self._across(shown.width))
        plt.ylim(*shown.height)
        plt.yfrequency(_MARKS_UP)
        if shown.ticks:
            plt.xticks(self._across([at for at, _ in shown.ticks]), [words for _, words in shown.ticks])
        if shown.diagonal:
            plt.plot(list(shown.width), list(shown.height), marker=_DIAGONAL, color=_GREY)
        coloured = list(zip(shown.lines, COLOURS, strict=False))
        for line, colour in coloured:
            if len(line.xs) > 1:
                plt.plot(self._across(line.xs), list(line.ys), marker=_LINE, color=colour)
        for line, colour in coloured:  # last, so that no line covers a mark
            plt.scatter(self._across(line.xs), list(line.ys), marker=line.mark, color=colour)

    def _across(self, values: Iterable[float]) -> list[float]:
        """Where values stand on the horizontal axis."""
        return [log2(value) for value in values] if self._shown.doublings else list(values)
