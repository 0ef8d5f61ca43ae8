"""One conflict: the answer, the verdicts that disagree on it, and the form that settles it."""

import asyncio
from collections.abc import Awaitable, Callable

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from store.conflicts import Conflict
from uq_tui.errors import DraftMovedError
from uq_tui.key_map import key_shown
from uq_tui.state.adjudicating.adjudication import Adjudication
from uq_tui.state.adjudicating.matter import Matter, own_places
from uq_tui.state.adjudicating.words import NO_TEXT, standing, title
from uq_tui.state.desk import Desk
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.state.reading.readable import readable_question
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.state.verdict.words import given
from uq_tui.text import clean_line
from uq_tui.widgets.adjudicating.side_panes import LAYERS, SidePanes, layer_of, named
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import TellsFailures, left_on_failure
from uq_tui.widgets.key_footer import PANE_KEYS, KeyFooter
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.verdict_dock import VerdictDock

COPIED = "What the form said before stays among your copies."


class AdjudicateScreen(TellsFailures, Screen[None]):
    """Drawn from `Adjudication` after each step. What is recorded goes on to the next conflict."""

    CSS_PATH = "adjudicating.tcss"
    AUTO_FOCUS = "#text"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (170, "-wide")]
    BINDINGS = [  # In the order in which a narrow footer should show them.
        Binding("enter", "form", "Settle", id="adjudicate.form", tooltip="The form that settles the conflict"),
        Binding("n", "go(1)", "Next", id="adjudicate.next", tooltip="The next conflict"),
        Binding("p", "go(-1)", "Before", id="adjudicate.before", tooltip="The conflict before"),
        Binding(
            "right_square_bracket",
            "quote(1)",
            "Quotes",
            id="adjudicate.quote",
            key_display="]",
            tooltip="Go to the next words of the answer that a verdict quotes",
        ),
        Binding(
            "left_square_bracket",
            "quote(-1)",
            "Quote before",
            id="adjudicate.quote_before",
            key_display="[",
            tooltip="Go to the quoted words before",
            show=False,
        ),
        Binding("t", "take", "Take over", id="adjudicate.take", tooltip="Begin the form with what this verdict says"),
        Binding("u", "undo", "Undo", id="adjudicate.undo", tooltip="Take back what you settled here last"),
        Binding("a", "text", "Question", id="adjudicate.text", tooltip="The question, or the answer again"),
        Binding("r", "reload", "Read again", id="adjudicate.reload", tooltip="Read the verdicts as they stand by now"),
        Binding("left", "pane(-1)", "Panes", id="adjudicate.pane_before", group=PANE_KEYS, tooltip="Previous pane"),
        Binding("right", "pane(1)", "Panes", id="adjudicate.pane", group=PANE_KEYS, tooltip="Next pane"),
        Binding("escape", "leave", "Back", id="adjudicate.leave", tooltip="Back to the list of conflicts"),
    ]

    def __init__(self, desk: Desk, found: tuple[Conflict, ...], candidate_id: str, header: TitleBar) -> None:
        """`found` are the conflicts to go through, from that on `candidate_id`; `header` is of the screen before."""
        super().__init__()
        editor = VerdictEditor(desk)
        self._state = Adjudication(desk, editor, found, candidate_id)
        self._dock = VerdictDock(editor, id="verdict", quiet=True)
        self._header = header
        self._one_by_one = asyncio.Lock()
        """A key that comes while another one is at work waits for it."""
        self._drawn: Matter | None = None
        self._question = False
        """The question is read in place of the answer."""
        self._said = ""
        """What was recorded last, or what is pointed at."""

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static(id="note", markup=False)
        with Horizontal(id="columns"):
            yield Document(id="text")
            yield SidePanes(id="sides")
        yield self._dock
        yield KeyFooter()

    def on_mount(self) -> None:
        bar = self.query_one(TitleBar)
        bar.place, bar.status, bar.busy = "Settle", self._header.status, self._header.busy
        self._open()

    @work(group="adjudicate", exit_on_error=False)
    async def _open(self) -> None:
        with left_on_failure(self):
            await self._state.load()
        await self._draw()

    # Drawing

    async def _draw(self) -> None:
        matter = self._state.matter
        if matter is None:
            return
        if matter is not self._drawn:
            self._drawn, self._question = matter, False
            await self.query_one(SidePanes).show(matter.sides)
            self._dock.show()
        self.query_one(TitleBar).subject = f"{self._state.progress}  {title(matter.conflict)}"
        self._draw_text(matter)
        self._tell()
        self.refresh_bindings()

    def _draw_text(self, matter: Matter) -> None:
        text = self.query_one("#text", Document)
        if self._question:
            text.border_title = "Question"
            text.read(readable_question(matter.question))
            return
        text.border_title = Content(f"Answer  {matter.candidate.called}")
        text.read(matter.answer)
        for layer in LAYERS:
            text.highlight(layer, [one.place for one in matter.quotes if layer_of(one.side) is layer])
        text.highlight(Layer.QUOTE_OWN, own_places(matter, self._state.editor.form))

    def _tell(self) -> None:
        matter = self._state.matter
        if matter is None:
            return
        lines = [Content("   ").join([*map(named, matter.sides), Content(standing(matter.conflict))])]
        lines += [] if matter.conflict.readable else [Content(NO_TEXT)]
        lines += [Content(self._said)] if self._said else []
        self.query_one("#note", Static).update(Content("\n").join(lines))

    # Steps

    async def _go(self, step: Callable[[], Awaitable[object]]) -> None:
        """Take a step with all that the form shows, and draw what is before the adjudicator then."""
        async with self._one_by_one:
            self._dock.take_in()
            try:
                await step()
            except DraftMovedError:
                self.post_message(VerdictDock.Torn(self._dock))
            finally:
                if self.is_attached:
                    await self._draw()

    @work(group="verdict", exit_on_error=False)
    async def action_go(self, by: int) -> None:
        self._said = ""
        await self._go(lambda: self._state.go(by))
        self._turn_to("text")

    @work(group="verdict", exit_on_error=False)
    async def action_reload(self) -> None:
        await self._go(self._state.reload)

    @work(group="verdict", exit_on_error=False)
    async def action_undo(self) -> None:
        self._said = ""
        await self._go(self._undo)

    async def _undo(self) -> None:
        decision = await self._state.undo()
        if decision is not None:
            self._said = f"Taken back: it says {given(decision.verdict)} by now."

    @on(VerdictDock.Recorded)
    @work(group="verdict", exit_on_error=False)
    async def _recorded(self, event: VerdictDock.Recorded) -> None:
        on = f" on {self._drawn.candidate.called}, {title(self._drawn.conflict)}" if self._drawn is not None else ""
        self._said = f"Recorded{on}: {given(event.verdict)}. {key_shown(self, 'adjudicate.undo')} undoes."
        self.remove_class("-judging")
        await self._go(lambda: self._state.took(event.decision))
        self._turn_to("text")

    # The form

    def action_form(self) -> None:
        self.add_class("-judging")
        self._dock.show()
        self._dock.start()
        self.refresh_bindings()

    @work(group="verdict", exit_on_error=False)
    async def action_take(self) -> None:
        side = self.query_one(SidePanes).focused
        if side is not None:
            self._dock.take_in()
            self._said = COPIED if await self._state.begin_from(side) else ""
            self._tell()
            self.action_form()
            await self._dock.keep_quote()

    @on(VerdictDock.Changed)
    def _quoted(self) -> None:
        """The form quotes other words now."""
        if (matter := self._state.matter) is not None:
            self._draw_text(matter)

    @on(VerdictDock.Left)
    def _close_form(self) -> None:
        self.remove_class("-judging")
        self._turn_to("text")

    # Reading

    @on(Document.Moved)
    def _reads(self) -> None:
        """Count the time for reading as active."""
        self._state.editor.touch()

    def on_descendant_focus(self) -> None:
        """What a verdict offers is offered on its pane."""
        self.refresh_bindings()

    def action_quote(self, by: int) -> None:
        found = self._state.quote(by)
        if found is None:
            return
        self._question = False
        self._said = f"{found.side.letter} {found.side.name}: {clean_line(found.entry.said)}"
        if self._state.matter is not None:
            self._draw_text(self._state.matter)
        self._tell()
        self._turn_to("text")
        self.query_one("#text", Document).point_at(*found.place)

    def action_text(self) -> None:
        self._question = not self._question
        if self._state.matter is not None:
            self._draw_text(self._state.matter)
        self._turn_to("text")

    def action_pane(self, by: int) -> None:
        panes = ["text", *(f"side-{at}" for at in range(len(self.query_one(SidePanes).panes)))]
        focused = self.focused.id if self.focused is not None else None
        at = panes.index(focused) if focused in panes else 0
        self._turn_to(panes[(at + by) % len(panes)])

    def _turn_to(self, pane: str) -> None:
        self.set_class(pane != "text", "-sides")  # what is hidden can't take the focus
        self.query_one(f"#{pane}", Document).focus()
        self.refresh_bindings()

    @work(group="verdict", exit_on_error=False)
    async def action_leave(self) -> None:
        """A draft that can't be written keeps the screen open, with what was entered."""
        self._dock.take_in()
        try:
            await self._state.editor.save_draft()
        except DraftMovedError:
            self.post_message(VerdictDock.Torn(self._dock))
            return
        if self.is_current:
            self.app.pop_screen()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done now; while the form is open, letters are its own."""
        if not self.is_mounted:
            return True
        matter, writing = self._state.matter, self.has_class("-judging")
        match action:
            case "form":
                return not writing and matter is not None and matter.conflict.readable
            case "take":
                return not writing and bool(matter and matter.conflict.readable) and bool(self._side)
            case "quote":
                return not writing and matter is not None and bool(matter.quotes)
            case "undo":
                return not writing and self._state.undoable
            case "go" | "text" | "reload" | "leave":
                return not writing
        return True

    @property
    def _side(self) -> bool:
        return any(panes.focused is not None for panes in self.query(SidePanes))
