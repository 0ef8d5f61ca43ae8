"""A plot drawn in characters. Imported only when one is to be shown: it brings a library along."""

from textual_plotext import PlotextPlot

from uq_tui.state.reports.plots import Plot

_LINE, _DIAGONAL = "braille", "·"
_COLOURS = (33, 166, 34, 127, 136, 61, 160, 37, 244)
"""Of the terminal's 256, one a line: neither too dark nor too light for any background."""
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
        plt.title(shown.title)
        plt.xlabel(shown.across)
        plt.ylabel(shown.up)
        plt.xlim(*shown.width)
        plt.ylim(*shown.height)
        plt.yfrequency(_MARKS_UP)
        if shown.ticks:
            plt.xticks([at for at, _ in shown.ticks], [words for _, words in shown.ticks])
        if shown.diagonal:
            plt.plot(list(shown.width), list(shown.height), marker=_DIAGONAL, color=_GREY)
        coloured = list(zip(shown.lines, _COLOURS, strict=False))
        for line, colour in coloured:
            if len(line.xs) > 1:
                plt.plot(list(line.xs), list(line.ys), marker=_LINE, color=colour)
        for line, colour in coloured:  # last, so that no line covers a mark
            plt.scatter(list(line.xs), list(line.ys), marker=line.mark, color=colour)
