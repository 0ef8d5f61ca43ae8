"""Questions: facets, list, preview. Enter opens one on the workbench."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from store.rows import QuestionRow
from store.saved_views import SavedView
from uq_tui.key_map import key_shown
from uq_tui.screens.browsing.views import ViewsModal
from uq_tui.state.questions import QuestionsState
from uq_tui.state.reading.readable import readable_question
from uq_tui.text import clean_line
from uq_tui.widgets.document import Document
from uq_tui.widgets.facet_panel import FacetPanel
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.widgets.question_lines import question_option
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.tour_bar import TourBar

PAUSE_S = 0.15
"""Seconds without a key before the preview follows the highlight."""
LIVE_S = 0.05
"""The same before the list follows a search: what is still being looked up then is interrupted."""
NEAR_END = 20
"""Rows before the end at which the next page is fetched."""


class QuestionList(OptionList):
    """The list, with its own name for Enter in the footer."""

    BINDINGS = [Binding("enter", "select", "Open", id="questions.open", tooltip="Open it on the workbench")]


class QuestionsScreen(TellsFailures, Screen[None]):
    """Browse and search. Posts `Opened` with a question's id."""

    CSS_PATH = "questions.tcss"
    AUTO_FOCUS = "#questions"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (160, "-wide")]
    BINDINGS = [
        Binding(
            "slash,S", "search", "Search", id="questions.search", tooltip="Search questions, their answers, comments"
        ),
        Binding("f", "facets", "Filter", id="questions.facets", tooltip="Restrict by status, site, tag, score, year"),
        Binding("l", "lift", "Lift", id="questions.lift", tooltip="Lift all filters and the search"),
        Binding("o,t", "order", "Order", id="questions.order", tooltip="Sort by score, date, or how well it matches"),
        Binding("r", "reverse", "Reverse", id="questions.reverse", tooltip="Turn the order round", show=False),
        Binding("v", "views", "Views", id="questions.views", tooltip="Saved views: choose one, keep this one"),
        Binding("escape", "back", "List", id="questions.back", tooltip="Back to the list", show=False),
        Binding("i", "app.import_file", "Import", id="questions.import", tooltip="Bring in questions or answers"),
        Binding(
            "colon",
            "comments",
            "Comments",
            id="questions.comments",
            tooltip="Comments, your note, and what you are to the question",
        ),
        Binding("c", "app.curation", "Curation", id="questions.curation", tooltip="Curate: the funnel of questions"),
        Binding("x", "app.export", "Export", id="questions.export", tooltip="Write verdicts and other rows to a file"),
    ]

    @dataclass
    class Opened(Message):
        question_id: str

    @dataclass
    class CommentsWanted(Message):
        """What is said of a question is to be shown."""

        question_id: str

    def __init__(self, state: QuestionsState) -> None:
        """`state` outlives the screen: filter and place are there again when one comes back."""
        super().__init__()
        self._state = state
        self._search_pause: Timer | None = None
        self._preview_pause: Timer | None = None

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield TourBar()
        with Horizontal(id="columns"):
            panel = FacetPanel(id="panel")
            panel.border_title = "Filter"
            yield panel
            with Vertical(id="middle"):
                yield OneLineInput(id="search", placeholder='words, "a phrase", -not this, begin*', compact=True)
                yield Static(id="held", markup=False)
                yield QuestionList(id="questions", markup=False)
            yield Document(id="preview")
        yield KeyFooter()

    def on_mount(self) -> None:
        self._show_search()
        self._state.facet_text = ""
        self.reload()

    def _show_search(self) -> None:
        search = self.query_one("#search", Input)
        with self.prevent(Input.Changed):
            search.value = self._state.filter.text
        search.display = bool(search.value)

    def reload(self) -> None:
        """Read facets and the first page again."""
        self._load_facets()
        self._load()

    @work(group="list", exclusive=True, exit_on_error=False)
    async def _load(self) -> None:
        if await self._state.load():
            self._show_rows()

    @work(group="facets", exclusive=True, exit_on_error=False)
    async def _load_facets(self) -> None:
        if await self._state.load_facets():
            self._show_facets()

    def _show_facets(self) -> None:
        self.query_one("#panel", FacetPanel).show(self._state.facets, self._state.holds)

    def _show_rows(self) -> None:
        listing = self.query_one("#questions", OptionList)
        listing.clear_options()
        listing.border_title = Content(self._state.count_text())
        held = self.query_one("#held", Static)
        held.update(clean_line(self._state.held_text()))
        held.display = bool(self._state.held_text())
        self.refresh_bindings()
        if not self._state.rows:
            listing.add_option(Option(Content.styled(self._nothing(), "dim"), disabled=True))
            self._forget_preview()
            return
        listing.add_options(self._options(self._state.rows))
        listing.highlighted = self._state.place

    def _nothing(self) -> str:
        lift, back = key_shown(self, "questions.lift"), key_shown(self, "questions.back")
        first = f"{back}, then " if isinstance(self.focused, Input) else ""
        return f"Nothing matches. {first}{lift} lifts filters and search."

    def _forget_preview(self) -> None:
        if self._preview_pause is not None:
            self._preview_pause.stop()
        self.workers.cancel_group(self, "preview")
        self.query_one("#preview", Document).clear()

    @on(OptionList.OptionHighlighted, "#questions")
    def _highlighted(self, event: OptionList.OptionHighlighted) -> None:
        if self._preview_pause is not None:
            self._preview_pause.stop()
        if event.option.id is None:
            return
        question_id = self._state.stood_on = event.option.id
        self._preview_pause = self.set_timer(PAUSE_S, lambda: self._preview(question_id))
        if event.option_index >= len(self._state.rows) - NEAR_END and not self._state.complete:
            self._load_more()

    @work(group="more", exclusive=True, exit_on_error=False)
    async def _load_more(self) -> None:
        rows = await self._state.load_more()
        self.query_one("#questions", OptionList).add_options(self._options(rows))

    def _options(self, rows: Sequence[QuestionRow]) -> list[Option]:
        state = self._state
        return [question_option(row, state.snippets.get(row.seq), state.resolutions.get(row.id)) for row in rows]

    @work(group="preview", exclusive=True, exit_on_error=False)
    async def _preview(self, question_id: str) -> None:
        question, resolution = await self._state.preview(question_id), await self._state.stands(question_id)
        self.query_one("#preview", Document).read(readable_question(question, question_id, resolution=resolution))

    @on(OptionList.OptionSelected, "#questions")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option.id is not None:
            self.post_message(self.Opened(event.option.id))

    @on(FacetPanel.Chosen)
    def _facet_chosen(self, event: FacetPanel.Chosen) -> None:
        self._state.toggle(event.facet)
        self._show_facets()
        self._load()

    @on(FacetPanel.Narrowed)
    def _facets_narrowed(self, event: FacetPanel.Narrowed) -> None:
        self._state.facet_text = event.text
        self._load_facets()

    @on(Input.Changed, "#search")
    def _search_changed(self, event: Input.Changed) -> None:
        if self._search_pause is not None:
            self._search_pause.stop()
        text = event.value
        self._search_pause = self.set_timer(LIVE_S, lambda: self._search(text))

    def _search(self, text: str) -> None:
        self._state.search(text)
        self._load()

    @on(Input.Submitted, "#search")
    def _search_submitted(self) -> None:
        self.query_one("#questions", OptionList).focus()

    def action_search(self) -> None:
        search = self.query_one("#search", Input)
        search.display = True
        search.focus()

    def action_comments(self) -> None:
        if self._state.stood_on:
            self.post_message(self.CommentsWanted(self._state.stood_on))

    def action_facets(self) -> None:
        panel = self.query_one("#panel", FacetPanel)
        panel.add_class("-open")
        panel.type_here()

    def action_order(self) -> None:
        self._state.next_order()
        self._load()

    def action_reverse(self) -> None:
        self._state.reverse()
        self._load()

    def action_lift(self) -> None:
        self._state.lift()
        self._show_search()
        self._show_facets()
        self._load()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Nothing is lifted where nothing holds."""
        return action != "lift" or bool(self._state.held_text() or self._state.filter.text)

    def action_views(self) -> None:
        self.app.push_screen(ViewsModal(self._state), self._choose_view)

    def _choose_view(self, view: SavedView | None) -> None:
        if view is not None:
            self._state.choose(view)
            self._show_search()
            self._show_facets()
            self._load()

    def action_back(self) -> None:
        search = self.query_one("#search", Input)
        self.query_one("#panel", FacetPanel).remove_class("-open")
        if search.has_focus or self.query_one("#questions").has_focus:
            search.value = ""
            search.display = False
        self.query_one("#questions", OptionList).focus()
