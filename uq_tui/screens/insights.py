"""Insights: how validators, utilities and judges compare with people, how people compare, and what all of it takes."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import Screen
from textual.widgets import Static, TabbedContent, TabPane

from uq_tui.key_map import key_shown
from uq_tui.screens.adjudicating.conflicts import ConflictsScreen
from uq_tui.screens.saving import SaveModal
from uq_tui.screens.subset import SubsetModal
from uq_tui.state.desk import Desk
from uq_tui.state.reports.page import Page
from uq_tui.state.reports.saving import Item, items
from uq_tui.state.reports.subset import Chosen
from uq_tui.state.reports.tab import Option
from uq_tui.state.reports.tabs import AGREEMENT, CONSENSUS, TABS
from uq_tui.text import clean_line
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.report_page import widgets
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.tour_bar import TourBar

READING = "Reading ..."
WHERE = "insights"
"""The place of what is recorded as shown."""
_TAB_KEYS = Binding.Group("Tabs", compact=True)


class InsightsScreen(TellsFailures, Screen[None]):
    """One page a tab, read anew whenever the screen is opened or a tab is turned to."""

    CSS_PATH = "insights.tcss"
    AUTO_FOCUS = f"#{TABS[0].name}-report"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (170, "-wide")]
    BINDINGS = [
        Binding("left", "turn(-1)", "Tabs", id="insights.back", tooltip="The tab before", group=_TAB_KEYS),
        Binding("right,u", "turn(1)", "Tabs", id="insights.turn", tooltip="The next tab", group=_TAB_KEYS),
        Binding("l", f"option('{Option.LABELS}')", "Labels", id="insights.labels", tooltip="Whose labels count"),
        Binding(
            "b",
            f"option('{Option.BORDERLINE}')",
            "Borderline",
            id="insights.borderline",
            tooltip="Count borderline the other way",
        ),
        Binding(
            "n", f"option('{Option.UNIT}')", "Unit", id="insights.unit", tooltip="Metrics by question or by neighbour"
        ),
        Binding(
            "h",
            f"option('{Option.REFERENCE}')",
            "Reference",
            id="insights.reference",
            tooltip="Rank reference solutions, or don't",
        ),
        Binding(
            "w",
            f"option('{Option.METHOD}')",
            "Weigh",
            id="insights.method",
            tooltip="Put verdicts together by majority, or by reliability",
        ),
        Binding(
            "f", "filter", "Filter", id="insights.filter", tooltip="Only verdicts of a site, field, queue, person, time"
        ),
        Binding("o", "blind", "Only blind", id="insights.blind", tooltip="Take blind verdicts only, or all"),
        Binding("x", "lift", "Lift", id="insights.lift", tooltip="Lift the filter: all verdicts"),
        Binding("s", "save", "Save", id="insights.save", tooltip="Save plots and tables of this tab as files"),
        Binding("d", "conflicts", "Conflicts", id="insights.conflicts", tooltip="Answers on which verdicts disagree"),
        Binding("r", "reload", "Read again", id="insights.reload", tooltip="Read again what there is by now"),
        Binding(
            "c", "app.curation", "Funnel", id="insights.curation", tooltip="The curation funnel, beside the paper's"
        ),
    ]

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._pages: dict[str, Page] = {}
        """What each tab has shown last."""
        self._reports = {tab.name: tab.open(desk.workspace, desk.reviewer.id) for tab in TABS}

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield TourBar()
        with TabbedContent(initial=TABS[0].name):
            for tab in TABS:
                with TabPane(tab.title, id=tab.name):
                    yield Static(id=f"{tab.name}-subset", classes="subset", markup=False)
                    with VerticalScroll(id=f"{tab.name}-report", classes="report"):
                        yield Static(READING, markup=False)
        yield KeyFooter()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Each tab has keys of its own, and nothing is saved of one that shows nothing."""
        match action:
            case "option":
                return parameters[0] in self._reports[self._shown].options
            case "save":
                return bool(self._items)
            case "conflicts":
                return self._shown in (AGREEMENT, CONSENSUS)
            case "filter" | "blind":
                return self._reports[self._shown].on_verdicts
            case "lift":
                return self._reports[self._shown].on_verdicts and bool(self._desk.subset)
        return True

    @property
    def _shown(self) -> str:
        """The name of the tab that is in front."""
        return (self.query_one(TabbedContent).active if self.is_mounted else "") or TABS[0].name

    @on(TabbedContent.TabActivated)
    def _read_what_is_shown(self) -> None:
        self.refresh_bindings()
        self.query_one(f"#{self._shown}-report").focus()
        self.action_reload()

    @property
    def _items(self) -> tuple[Item, ...]:
        """What can be saved of the tab that is in front."""
        page = self._pages.get(self._shown)
        return () if page is None else items(self._shown, page)

    def action_save(self) -> None:
        self.app.push_screen(SaveModal(self._items))

    def action_conflicts(self) -> None:
        conflicts = ConflictsScreen(self._desk, self.query_one(TitleBar))
        self.app.push_screen(conflicts, self._settled)

    def _settled(self, _closed: None) -> None:
        """What was settled there is in the figures here."""
        self.action_reload()

    def action_turn(self, by: int) -> None:
        names = [tab.name for tab in TABS]
        self.query_one(TabbedContent).active = names[(names.index(self._shown) + by) % len(names)]

    def action_option(self, option: str) -> None:
        self._reports[self._shown].turn(Option(option))
        self.action_reload()

    @work(group="filter", exclusive=True, exit_on_error=False)
    async def action_filter(self) -> None:
        chosen = await self.app.push_screen_wait(SubsetModal(self._desk))
        if chosen is not None:
            self._restrict(chosen)

    def action_blind(self) -> None:
        self._restrict(self._desk.subset.blind_or_all())

    def action_lift(self) -> None:
        self._restrict(Chosen())

    def _restrict(self, chosen: Chosen) -> None:
        """Be on these verdicts, on this tab and on others once they are turned to."""
        self._desk.subset = chosen
        self.action_reload()

    def _tell_subset(self, shown: str, chosen: Chosen) -> None:
        """What the figures of a tab are on, where that isn't all."""
        told = chosen and self._reports[shown].on_verdicts
        words = f"Only: {chosen.words}; {key_shown(self, 'insights.lift')} lifts it" if told else ""
        line = self.query_one(f"#{shown}-subset", Static)
        line.update(clean_line(words))
        line.display = bool(words)

    @work(group="load", exclusive=True, exit_on_error=False)
    async def action_reload(self) -> None:
        shown, chosen = self._shown, self._desk.subset
        self._reports[shown].restrict(chosen.subset)
        report = self.query_one(f"#{shown}-report", VerticalScroll)
        report.border_title = READING
        try:
            page = await self._reports[shown].load(WHERE)
        finally:
            report.border_title = ""
        self._pages[shown] = page
        self.refresh_bindings()
        read_so_far = report.scroll_y
        with self.app.batch_update():
            self._tell_subset(shown, chosen)
            await report.remove_children()
            await report.mount_all(widgets(page))
        self.call_after_refresh(report.scroll_to, y=read_so_far, animate=False)
