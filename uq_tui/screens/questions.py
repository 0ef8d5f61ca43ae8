"""Questions: facets, list, preview. Enter opens one on the workbench."""

from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from store.rows import Facet, QuestionRow
from uq_tui.document.maths.readable import readable_line
from uq_tui.state.questions import QuestionsState
from uq_tui.state.reading.readable import readable_question
from uq_tui.text import clean_line
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.tour_bar import TourBar

PAUSE_S = 0.15
"""Seconds without a key before the list follows a search or the preview follows the highlight."""
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
        Binding("slash,S", "search", "Search", id="questions.search", tooltip="Search title, body and tags"),
        Binding("f", "facets", "Filter", id="questions.facets", tooltip="Restrict by site or status"),
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
        Binding("x", "app.export", "Export", id="questions.export", tooltip="Write verdicts as JSONL"),
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
            facets = OptionList(id="facets", markup=False)
            facets.border_title = "Filter"
            yield facets
            with Vertical(id="middle"):
                yield OneLineInput(id="search", placeholder="Search title, body, tags", compact=True)
                yield QuestionList(id="questions", markup=False)
            yield Document(id="preview")
        yield KeyFooter()

    def on_mount(self) -> None:
        search = self.query_one("#search", Input)
        with self.prevent(Input.Changed):
            search.value = self._state.filter.text
        search.display = bool(search.value)
        self.reload()

    @work(group="list", exclusive=True, exit_on_error=False)
    async def reload(self) -> None:
        """Read facets and the first page again."""
        if await self._state.load():
            self._show_facets()
            self._show_rows()

    def _show_rows(self) -> None:
        listing = self.query_one("#questions", OptionList)
        listing.clear_options()
        listing.border_title = Content(self._state.count_text())
        if not self._state.rows:
            listing.add_option(
                Option(Content.styled("Nothing matches. Escape lifts the search.", "dim"), disabled=True)
            )
            self.query_one("#preview", Document).clear()
            return
        listing.add_options([_option(row) for row in self._state.rows])
        listing.highlighted = self._state.place

    def _show_facets(self) -> None:
        listing = self.query_one("#facets", OptionList)
        keep = listing.highlighted
        listing.clear_options()
        options: list[Option] = []
        for kind in ("status", "site"):
            options.append(Option(Content.styled(kind, "bold"), disabled=True))
            options += [self._facet_option(facet) for facet in self._state.facets if facet.kind == kind]
        listing.add_options(options)
        listing.highlighted = keep

    def _facet_option(self, facet: Facet) -> Option:
        mark = "●" if self._state.holds(facet) else " "
        name = Content(clean_line(facet.value)).truncate(16, ellipsis=True, pad=True)
        return Option(Content.assemble(f"{mark} ", name, f"{facet.n:>6,}"), id=f"{facet.kind}:{facet.value}")

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
        self.query_one("#questions", OptionList).add_options([_option(row) for row in rows])

    @work(group="preview", exclusive=True, exit_on_error=False)
    async def _preview(self, question_id: str) -> None:
        question = await self._state.preview(question_id)
        self.query_one("#preview", Document).read(readable_question(question, question_id))

    @on(OptionList.OptionSelected, "#questions")
    def _selected(self, event: OptionList.OptionSelected) -> None:
        if event.option.id is not None:
            self.post_message(self.Opened(event.option.id))

    @on(OptionList.OptionSelected, "#facets")
    def _facet_selected(self, event: OptionList.OptionSelected) -> None:
        chosen = event.option.id
        for facet in self._state.facets:
            if f"{facet.kind}:{facet.value}" == chosen:
                self._state.toggle(facet)
                self.reload()

    @on(Input.Changed, "#search")
    def _search_changed(self, event: Input.Changed) -> None:
        if self._search_pause is not None:
            self._search_pause.stop()
        text = event.value
        self._search_pause = self.set_timer(PAUSE_S, lambda: self._search(text))

    def _search(self, text: str) -> None:
        self._state.search(text)
        self.reload()

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
        facets = self.query_one("#facets", OptionList)
        facets.add_class("-open")
        facets.focus()

    def action_back(self) -> None:
        search = self.query_one("#search", Input)
        self.query_one("#facets", OptionList).remove_class("-open")
        if search.has_focus or not isinstance(self.focused, OptionList) or self.focused.id == "questions":
            search.value = ""
            search.display = False
        self.query_one("#questions", OptionList).focus()


def _option(row: QuestionRow) -> Option:
    marks = f"{row.candidates} candidates" if row.candidates > 1 else "1 candidate" if row.candidates else ""
    if row.verdicts:
        marks += f", {row.verdicts} judged"
    under = ", ".join(part for part in (clean_line(row.site), row.status.value, marks) if part)
    return Option(Content.assemble(readable_line(row.title), (f"\n  {under}", "dim")), id=row.id)
