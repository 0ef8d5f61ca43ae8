"""Insights: how validators, utilities and judges compare with verdicts or known labels."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static, TabbedContent, TabPane

from uq_tui.state.desk import Desk
from uq_tui.state.reports import utility_tables
from uq_tui.state.reports.insight_tables import NOTHING_YET, WHAT_TO_DO, intro, sections
from uq_tui.state.reports.insights import Findings, InsightsState
from uq_tui.state.reports.plots import Plot, calibration_plot, convergence_plot, separation_plot
from uq_tui.state.reports.section import Section
from uq_tui.state.reports.utility_insights import UtilityFindings, UtilityInsightsState
from uq_tui.text import clean_line, counted
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.tour_bar import TourBar

WHOLE = 11
"""Columns of the longest word that is never broken: an interval."""
BROKEN = 9
"""Columns at least for longer words."""

VALIDATORS, UTILITY = "validators", "utility"
READING = "Reading ..."


class InsightsScreen(TellsFailures, Screen[None]):
    """Two reports, each one table under another, read anew whenever the screen is opened or one is turned to."""

    CSS_PATH = "insights.tcss"
    AUTO_FOCUS = "#report"
    BINDINGS = [
        Binding("u", "turn", "Utility", id="insights.turn", tooltip="From validators to utility, and back"),
        Binding("l", "labels", "Labels", id="insights.labels", tooltip="Go by verdicts or by known labels"),
        Binding("b", "borderline", "Borderline", id="insights.borderline", tooltip="Count borderline the other way"),
        Binding("n", "unit", "Unit", id="insights.unit", tooltip="Metrics by question or by neighbour"),
        Binding("h", "reference", "Reference", id="insights.reference", tooltip="Rank reference solutions, or don't"),
        Binding("r", "reload", "Read again", id="insights.reload", tooltip="Read again what there is by now"),
        Binding(
            "c", "app.curation", "Funnel", id="insights.curation", tooltip="The curation funnel, beside the paper's"
        ),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._validators = InsightsState(desk.workspace, desk.reviewer.id)
        self._utility = UtilityInsightsState(desk.workspace, desk.reviewer.id)

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield TourBar()
        with TabbedContent(initial=VALIDATORS):
            with TabPane("Validators", id=VALIDATORS), VerticalScroll(id="report"):
                yield Static(READING, markup=False)
            with TabPane("Utility", id=UTILITY), VerticalScroll(id="utility-report"):
                yield Static(READING, markup=False)
        yield KeyFooter()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Units and references are nothing that the report on validators knows."""
        return self._on_utility or action not in ("unit", "reference")

    @property
    def _on_utility(self) -> bool:
        return self.is_mounted and self.query_one(TabbedContent).active == UTILITY

    @on(TabbedContent.TabActivated)
    def _read_what_is_shown(self) -> None:
        self.refresh_bindings()
        self.query_one("#utility-report" if self._on_utility else "#report").focus()
        self.action_reload()

    def action_turn(self) -> None:
        self.query_one(TabbedContent).active = VALIDATORS if self._on_utility else UTILITY

    @work(group="load", exclusive=True, exit_on_error=False)
    async def action_reload(self) -> None:
        report = self.query_one("#utility-report" if self._on_utility else "#report", VerticalScroll)
        report.border_title = READING
        try:
            if self._on_utility:
                await self._utility.load()
                told = () if self._utility.findings is None else tuple(_utility_told(self._utility.findings))
            else:
                await self._validators.load()
                told = () if self._validators.findings is None else tuple(_told(self._validators.findings))
        finally:
            report.border_title = ""
        read_so_far = report.scroll_y
        with self.app.batch_update():
            await report.remove_children()
            await report.mount_all(told)
        self.call_after_refresh(report.scroll_to, y=read_so_far, animate=False)

    def action_labels(self) -> None:
        (self._utility if self._on_utility else self._validators).turn_labels()
        self.action_reload()

    def action_borderline(self) -> None:
        (self._utility if self._on_utility else self._validators).turn_borderline()
        self.action_reload()

    def action_unit(self) -> None:
        self._utility.turn_unit()
        self.action_reload()

    def action_reference(self) -> None:
        self._utility.turn_reference()
        self.action_reload()


def _told(findings: Findings) -> Iterator[Widget]:
    if not findings.report.validators:
        yield from _nothing(NOTHING_YET, (*findings.left_out.lines, *WHAT_TO_DO))
        return
    yield Static(_lines(intro(findings)), markup=False)
    yield from _sections(sections(findings.report))


def _utility_told(findings: UtilityFindings) -> Iterator[Widget]:
    found = findings.selection
    if findings.left_out.lines:
        yield Static(_lines(findings.left_out.lines), markup=False)
    if found.qualities:
        yield Static(_lines(utility_tables.selection_intro(found)), markup=False)
        yield from _sections(utility_tables.selection_sections(found))
        yield from _plot(separation_plot(found))
    else:
        yield from _nothing(utility_tables.NO_SCORES, utility_tables.WHAT_TO_DO)
    if findings.convergence.curves:
        yield Static("How fast scores settle", markup=False, classes="heading")
        yield Static(_lines(utility_tables.convergence_intro(findings.convergence)), markup=False, classes="about")
        yield from _plot(convergence_plot(findings.convergence))
        yield from _sections(utility_tables.convergence_sections(findings.convergence))
    if findings.combined.calibrated:
        yield Static("Utility together with a judge", markup=False, classes="heading")
        yield Static(_lines(utility_tables.combined_intro(findings.combined)), markup=False, classes="about")
        yield from _plot(calibration_plot(findings.combined))
        yield from _sections(utility_tables.combined_sections(findings.combined))


def _nothing(what: str, to_do: tuple[str, ...]) -> Iterator[Widget]:
    yield Static(what, markup=False)
    yield Static("\n".join(to_do), markup=False, classes="table")


def _sections(shown: Sequence[Section]) -> Iterator[Widget]:
    for section in shown:
        yield Static(clean_line(section.title), markup=False, classes="heading")
        yield Static(section.about, markup=False, classes="about")
        yield Static(laid_out(section), markup=False, classes="table")
        if section.notes:
            yield Static(_lines(section.notes), markup=False, classes="about")


def _plot(plot: Plot | None) -> Iterator[Widget]:
    """A plot with the names of its lines; the tables beside it have its numbers."""
    if plot is None:
        return
    from uq_tui.widgets.plot import PlotView  # brings a library along that nothing else needs

    yield PlotView(plot)
    names = "   ".join(f"{line.mark} {clean_line(line.name)}" for line in plot.lines)
    more = f"   {counted(plot.left_out, 'scorer')} more in the table" if plot.left_out else ""
    diagonal = "   · where score and share agree" if plot.diagonal else ""
    yield Static(f"{names}{more}{diagonal}", markup=False, classes="about")


def laid_out(section: Section) -> Table:
    """Laid out anew for each width: where there is no room, cells of words are broken, at blanks if that is enough."""
    table = Table(box=None, padding=(0, 2, 0, 0))  # with its edge: without, Rich cuts the last column short
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
