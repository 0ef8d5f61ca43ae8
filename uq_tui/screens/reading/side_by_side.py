"""Two or three texts of a question side by side: answers, reasoning, what judges wrote, rollouts, the question."""

from textual import events, on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from store.rows import Question
from uq_tui.screens.reading.text_picker import TextPickerModal
from uq_tui.state.desk import Desk
from uq_tui.state.reading.beside.side_by_side import MOST, SideBySideState
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.reading.led_document import LedDocument
from uq_tui.widgets.reading.messages import Moved
from uq_tui.widgets.title_bar import TitleBar


class SideBySideScreen(TellsFailures, Screen[None]):
    """Draws from `SideBySideState` alone. The pane that is moved leads, those tied to it follow."""

    CSS_PATH = "side_by_side.tcss"
    AUTO_FOCUS = "#pane-0"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium")]
    BINDINGS = [
        Binding("p,enter", "pick", "Pick", id="beside.pick", tooltip="Choose what is read in this pane"),
        Binding("d", "mark", "Differences", id="beside.mark", tooltip="Mark the words that two answers don't share"),
        Binding("right_square_bracket", "change(1)", "Next", id="beside.next", key_display="]", tooltip="Next change"),
        Binding(
            "left_square_bracket", "change(-1)", "Before", id="beside.before", key_display="[", tooltip="Change before"
        ),
        Binding("w", "tie", "Tied", id="beside.tie", tooltip="Scroll panes together, or each by itself"),
        Binding("plus", "add", "Add", id="beside.add", key_display="+", tooltip="One more pane"),
        Binding("minus", "remove", "Remove", id="beside.remove", key_display="-", tooltip="Close this pane"),
        Binding("tab,right", "pane(1)", "Panes", id="beside.pane", key_display="⇥", tooltip="Next pane"),
        Binding(
            "shift+tab,left", "pane(-1)", "Pane before", id="beside.pane_before", tooltip="The pane before", show=False
        ),
        Binding("escape,c", "leave", "Back", id="beside.leave", tooltip="Back to the workbench"),
    ]

    def __init__(self, desk: Desk, question: Question, chosen: str, header: TitleBar) -> None:
        """`chosen` is the candidate to begin with; `header` is that of the screen before."""
        super().__init__()
        self._state = SideBySideState(desk, question, chosen)
        self._header = header
        self._front = 0
        """The pane that has the focus, and that a narrow terminal shows."""
        self._leader: Document | None = None

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static(id="tabs", markup=False)
        yield Static(id="note", markup=False)
        with Horizontal(id="panes"):
            for at in range(MOST):
                yield LedDocument(id=f"pane-{at}")
        yield KeyFooter()

    def on_mount(self) -> None:
        bar = self.query_one(TitleBar)
        bar.place, bar.subject = "Side by side", self._header.subject
        bar.status, bar.busy = self._header.status, self._header.busy
        self._arrange()
        self._load()

    def _pane(self, at: int) -> LedDocument:
        return self.query_one(f"#pane-{at}", LedDocument)

    @work(group="texts", exclusive=True, exit_on_error=False)
    async def _load(self) -> None:
        await self._state.load()
        await self._read()

    @work(group="texts", exclusive=True, exit_on_error=False)
    async def _reread(self, at: int) -> None:
        """Show what the panes are to hold now: the one at `at` is another, and follows the others."""
        self._leader = self._pane(0 if at else 1)
        await self._read()

    async def _read(self) -> None:
        """Show what the panes are to hold, then what differs."""
        self._arrange()
        for at in range(len(self._state.panes)):
            self._pane(at).read(await self._state.open(at))
        self._tell()
        await self._state.compare()
        self._mark()
        if self._state.tied:
            self._lead()

    # Drawing

    def _arrange(self) -> None:
        """Give every pane its title and its place. On a narrow terminal one is seen, under a line that names all."""
        shown, names = len(self._state.panes), []
        self._front = min(self._front, max(0, shown - 1))
        for at in range(MOST):
            pane = self._pane(at)
            pane.set_class(at >= shown, "-unused")
            pane.set_class(at == self._front, "-front")
            if at < shown:
                choice = self._state.choice(at)
                title = choice.title if choice is not None else "Gone"
                pane.border_title = Content(title)
                names.append(f"[{title}]" if at == self._front else f" {title} ")
        self.query_one("#tabs", Static).update("  ".join(names))
        self._tell()

    def _tell(self) -> None:
        self.query_one("#note", Static).update(self._state.told)
        self.refresh_bindings()

    def _mark(self) -> None:
        compared = self._state.compared if self._state.marking else None
        for at in range(len(self._state.panes)):
            left = compared is not None and compared.left == at
            right = compared is not None and compared.right == at
            pane = self._pane(at)
            pane.highlight(Layer.REMOVED, compared.found.removed if compared is not None and left else ())
            pane.highlight(Layer.ADDED, compared.found.added if compared is not None and right else ())
            pane.highlight(Layer.POINTED, ())
        self._tell()

    # Scrolling

    @on(LedDocument.Taken)
    def _taken(self, event: LedDocument.Taken) -> None:
        self._leader = event.document

    def on_key(self, event: events.Key) -> None:
        """Whatever moves a pane by a key moves the one with the focus."""
        self._leader = self._pane(self._front)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """A pane that was clicked is the one that keys are for."""
        for at in range(MOST):
            if event.widget is self._pane(at) and at != self._front:
                self._front = at
                self._arrange()

    @on(Moved)
    def _moved(self, event: Moved) -> None:
        if self._state.tied and event.document is self._leader:
            self._lead()

    def _lead(self) -> None:
        panes = [self._pane(at) for at in range(len(self._state.panes))]
        if self._leader not in panes:
            return
        own = panes.index(self._leader)
        for at, pane in enumerate(panes):
            if at != own:
                pane.follow(self._state.tie(own, at).across(panes[own].top_offset))

    def action_tie(self) -> None:
        self._state.tied = not self._state.tied
        if self._state.tied:
            self._lead()
        self._tell()

    # Panes

    def action_pane(self, by: int) -> None:
        self._turn_to((self._front + by) % max(1, len(self._state.panes)))

    def _turn_to(self, at: int) -> None:
        self._front = at
        self._arrange()  # what is hidden can't take the focus
        self._pane(at).focus()

    def action_add(self) -> None:
        if self._state.add():
            self._turn_to(len(self._state.panes) - 1)
            self._reread(self._front)

    def action_remove(self) -> None:
        if self._state.remove(self._front):
            self._turn_to(min(self._front, len(self._state.panes) - 1))
            self._reread(self._front)

    @work(group="pick", exclusive=True, exit_on_error=False)
    async def action_pick(self) -> None:
        await self._state.load()
        at = self._front
        picked = await self.app.push_screen_wait(TextPickerModal(self._state.choices, self._state.panes[at]))
        if picked is not None:
            self._state.put(at, picked.key)
            self._reread(at)

    def action_leave(self) -> None:
        self.app.pop_screen()

    # Differences

    def action_mark(self) -> None:
        self._state.marking = not self._state.marking
        self._mark()

    def action_change(self, by: int) -> None:
        """Go to a change in both answers, and point at it."""
        compared, pane = self._state.compared, self._pane(self._front)
        change = self._state.step(by, self._front, pane.top_offset)
        if compared is None or change is None:
            return
        if self._front not in (compared.left, compared.right):
            self._turn_to(compared.left)
        for at, place in ((compared.left, change.left), (compared.right, change.right)):
            self._pane(at).highlight(Layer.POINTED, [place])
            if at == self._front or not self._state.tied:
                self._pane(at).go_to(place.start)
        self._tell()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer what can be done with the panes that there are."""
        if action == "mark":
            return self._state.comparable
        if action == "change":
            return self._state.marking and self._state.compared is not None
        if action == "pick":
            return bool(self._state.panes)
        return True
