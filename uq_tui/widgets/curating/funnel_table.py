"""The funnel as a table: counts and shares of a curation, and beside them the paper's."""

from collections.abc import Iterator, Sequence

from textual import events
from textual.binding import Binding
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from uq_tui.state.curating.figures import UNDEFINED, count_words, per_cent, share_words
from uq_tui.state.curating.funnel_lines import FunnelLine, FunnelSection
from uq_tui.text import clean_line

SECTION_KEYS = Binding.Group("Sections", compact=True)
N, SHARE, PAPER, PAPER_SHARE = 10, 22, 10, 7
"""Cells of the columns, the gap before each included."""
EDGES = 4
"""Cells of the list's and the options' own padding, and of the scroll bar."""
LEAST_LABEL, MOST_LABEL = 12, 48
INDENT = 2
HEADS = (("n", N), ("  share", SHARE), ("the paper", PAPER), ("share", PAPER_SHARE))


class FunnelTable(OptionList):
    """Its lines can be stood on; titles can't. Left and right go from section to section."""

    BINDINGS = [
        Binding("enter", "select", "Questions", id="funnel.open", tooltip="List the questions of this line"),
        Binding(
            "left",
            "section(-1)",
            "Sections",
            id="funnel.before",
            group=SECTION_KEYS,
            tooltip="One section back",
        ),
        Binding("right", "section(1)", "Sections", id="funnel.next", group=SECTION_KEYS, tooltip="Next section"),
    ]

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._sections: Sequence[FunnelSection] = ()
        self._empty = ""
        self._drawn = 0
        """The width of labels that the lines were drawn for."""

    @property
    def key(self) -> str:
        """The key of the line that is stood on; empty where there is none."""
        option = self.highlighted_option
        return (option.id or "") if option is not None else ""

    def show(self, sections: Sequence[FunnelSection], *, empty: str) -> None:
        """Show these, standing on the same line as before; `empty` where there are none."""
        self._sections, self._empty = sections, empty
        self._draw()

    def on_resize(self, event: events.Resize) -> None:
        """Lines are drawn for the width that there is."""
        if label_cells(event.size.width) != self._drawn:
            self._draw()

    def _draw(self) -> None:
        self._drawn = label_cells(self.size.width)
        before = self.key
        options = list(_options(self._sections, self._drawn))
        ids = [option.id for option in options]
        self.clear_options()
        self.add_options(options or [Option(self._empty, disabled=True)])
        first = next((at for at, found in enumerate(ids) if found), None)
        self.highlighted = ids.index(before) if before in ids else first

    def action_section(self, by: int) -> None:
        """Go to the first line of the next section, or of this one or the one before."""
        firsts = [section.lines[0].key for section in self._sections]
        if not firsts:
            return
        at, here = self._section_at(), self.key
        wanted = at + by if by > 0 or here == firsts[at] else at
        wanted %= len(firsts)
        self.highlighted = self.get_option_index(firsts[wanted])
        self.scroll_to_highlight(top=True)
        title = 1 + bool(wanted) + bool(self._sections[wanted].about)
        self.scroll_relative(y=-title, animate=False)

    def _section_at(self) -> int:
        here = self.key
        found = (at for at, one in enumerate(self._sections) if any(line.key == here for line in one.lines))
        return next(found, 0)


def label_cells(width: int) -> int:
    """Cells for labels in a table of this width."""
    return min(MOST_LABEL, max(LEAST_LABEL, width - EDGES - N - SHARE - PAPER - PAPER_SHARE))


def heads(width: int) -> Content:
    """What stands above the columns."""
    cells = [Content(" " * (label_cells(width) + 1))]
    cells += [_cell(name, cells_, left=name.startswith(" ")) for name, cells_ in HEADS]
    return Content("").join(cells).stylize("dim")


def line_content(line: FunnelLine, label: int) -> Content:
    """A line: label, count, share, and the paper's count and share where it has any."""
    indent = INDENT * line.depth
    name = Content(" " * indent + clean_line(line.label)).truncate(label, ellipsis=True, pad=True)
    share = share_words(line.n, line.of)
    theirs = _theirs(line)
    made = Content.assemble(
        name,
        _cell(count_words(line.n), N),
        _cell(f"  {share}", SHARE, left=True),
        theirs.stylize("dim"),
    )
    return made if line.n or line.depth == 0 else made.stylize("dim")


def _theirs(line: FunnelLine) -> Content:
    if line.paper_n is None:
        return Content("")
    share = per_cent(line.paper_n, line.paper_of)
    shown = _cell(count_words(line.paper_n), PAPER)
    return shown if share == UNDEFINED else shown + _cell(share, PAPER_SHARE)


def _cell(text: str, cells: int, *, left: bool = False) -> Content:
    return Content(text.ljust(cells) if left else text.rjust(cells))


def _options(sections: Sequence[FunnelSection], label: int) -> Iterator[Option]:
    for at, section in enumerate(sections):
        gap = "\n" if at else ""
        about = f"\n{section.about}" if section.about else ""
        head = Content.assemble(gap, (section.title, "bold $text-primary"), (about, "dim"))
        yield Option(head, disabled=True)
        for line in section.lines:
            yield Option(line_content(line, label), id=line.key)
