"""Insights: how validators compare with verdicts or known labels."""

from collections.abc import Iterator

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Footer, Static

from uq_tui.state.desk import Desk
from uq_tui.state.insight_tables import NOTHING_YET, WHAT_TO_DO, Section, intro, sections
from uq_tui.state.insights import Findings, InsightsState
from uq_tui.text import clean_line
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.tour_bar import TourBar

WHOLE = 11
"""Columns of the longest word that is never broken: an interval."""
BROKEN = 9
"""Columns at least for longer words."""


class InsightsScreen(TellsFailures, Screen[None]):
    """One table under another, read anew whenever the screen is opened."""

    CSS_PATH = "insights.tcss"
    AUTO_FOCUS = "#report"
    BINDINGS = [
        Binding("question_mark", "app.keys", "Keys", id="insights.keys", key_display="?", tooltip="What works here"),
        Binding("l", "labels", "Labels", id="insights.labels", tooltip="Go by verdicts or by known labels"),
        Binding("b", "borderline", "Borderline", id="insights.borderline", tooltip="Count borderline the other way"),
        Binding("r", "reload", "Read again", id="insights.reload", tooltip="Read again what there is by now"),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._state = InsightsState(desk.workspace, desk.reviewer.id)

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield TourBar()
        with VerticalScroll(id="report") as report:
            report.border_title = "Validators"
            yield Static("Reading ...", markup=False)
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.action_reload()

    @work(group="load", exclusive=True, exit_on_error=False)
    async def action_reload(self) -> None:
        await self._state.load()
        if self._state.findings is not None:
            report = self.query_one("#report", VerticalScroll)
            read_so_far = report.scroll_y
            with self.app.batch_update():
                await report.remove_children()
                await report.mount_all(_told(self._state.findings))
            self.call_after_refresh(report.scroll_to, y=read_so_far, animate=False)

    def action_labels(self) -> None:
        self._state.turn_labels()
        self.action_reload()

    def action_borderline(self) -> None:
        self._state.turn_borderline()
        self.action_reload()


def _told(findings: Findings) -> Iterator[Static]:
    if not findings.report.validators:
        yield Static(NOTHING_YET, markup=False)
        yield Static("\n".join(WHAT_TO_DO), markup=False, classes="table")
        return
    yield Static(_lines(intro(findings)), markup=False)
    for section in sections(findings.report):
        yield Static(section.title, markup=False, classes="heading")
        yield Static(section.about, markup=False, classes="about")
        yield Static(_table(section), classes="table")
        if section.notes:
            yield Static(_lines(section.notes), markup=False, classes="about")


def _table(section: Section) -> Table:
    """Laid out anew for each width: where there is no room, cells of words are broken, at blanks if that is enough."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False)
    for place, name in enumerate(section.columns):
        header = name.replace(" ", "\n", 1)
        if name in section.numbers:
            table.add_column(Text(header), justify="right", no_wrap=True)
        else:
            words = [word for row in section.rows for word in row[place].split()] + header.split()
            longest = max(cell_len(word) for word in words)
            table.add_column(Text(header), overflow="fold", min_width=longest if longest <= WHOLE else BROKEN)
    for row in section.rows:
        table.add_row(*(Text(clean_line(cell)) for cell in row))
    return table


def _lines(lines: tuple[str, ...]) -> str:
    return "\n".join(clean_line(line) for line in lines)
