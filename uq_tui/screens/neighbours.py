"""Neighbours: the questions on which the utilities of one question's candidates are measured."""

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import OptionList, Static

from store.rows import Neighbour, Question
from uq_tui.document.maths.readable import readable_line
from uq_tui.engine.protocol import CallFinished, CallRetrying, CallStarted, Event, TextDelta
from uq_tui.errors import StoreError
from uq_tui.screens.following import FollowingScreen
from uq_tui.screens.neighbour_form import NeighbourModal
from uq_tui.screens.propose import choose_proposing
from uq_tui.screens.transfer import ImportModal
from uq_tui.state.desk import Desk
from uq_tui.state.live_reply import LiveReply
from uq_tui.state.neighbours import neighbour_text
from uq_tui.state.neighbours.live_proposals import as_it_comes
from uq_tui.state.neighbours.neighbourhood import Advised
from uq_tui.state.neighbours.proposed import Proposed
from uq_tui.state.neighbours.proposing import ProposingEditor
from uq_tui.state.neighbours.screen import Going, NeighboursState
from uq_tui.state.reading.readable import readable_words
from uq_tui.text import clean_line
from uq_tui.widgets import neighbour_lines
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import WorkFailed
from uq_tui.widgets.finding_list import FindingList
from uq_tui.widgets.key_footer import PANE_KEYS, KeyFooter
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import NeighbourUse

REDRAW_S = 0.1
"""Seconds between redraws of what events have changed."""
PANES = ("list", "statement", "about")
LIVE = CallStarted | CallRetrying | TextDelta | CallFinished


class NeighboursScreen(FollowingScreen):
    """Draws from `NeighboursState` alone; statement and remarks follow what is stood on in the list."""

    CSS_PATH = "neighbours.tcss"
    AUTO_FOCUS = "#list"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium")]
    BINDINGS = [
        Binding("n", "write", "Write", id="neighbours.write", tooltip="Write a neighbour by hand"),
        Binding("e,r", "edit", "Edit", id="neighbours.edit", tooltip="Write a new one from it, which replaces it"),
        Binding("t", "take_over", "Take over", id="neighbours.take_over", tooltip="Make a neighbour of this proposal"),
        Binding("d,space", "set_aside", "Set aside", id="neighbours.set_aside", tooltip="Measure no more on this one"),
        Binding("d,space", "use", "Use", id="neighbours.use", tooltip="Take this one back into use"),
        Binding("g", "generate", "Generate", id="neighbours.generate", tooltip="Have a model propose, solvers agree"),
        Binding("k,X", "cancel", "Cancel", id="neighbours.cancel", tooltip="Stop proposing and solving"),
        Binding("i,a", "import_file", "Import", id="neighbours.import", tooltip="Bring in a file", show=False),
        Binding("left", "pane(-1)", "Panes", id="neighbours.previous", group=PANE_KEYS, tooltip="Previous pane"),
        Binding("right", "pane(1)", "Panes", id="neighbours.next", group=PANE_KEYS, tooltip="Next pane"),
        Binding("escape", "leave", "Back", id="neighbours.leave", tooltip="Back to the workbench"),
    ]

    class Imported(Message):
        """A file has come in."""

    def __init__(self, desk: Desk, question: Question, header: TitleBar) -> None:
        """`header` is that of the screen before; this one goes on with what it tells."""
        self._state = NeighboursState(desk, question)
        super().__init__(desk, self._state, header)
        self._writing = LiveReply(desk.workspace, desk.engine)
        self._stand_on: tuple[str, ...] = ()
        """What to turn to at the next drawing: something new, the first of these that is there."""
        self._offered: tuple[object, ...] = ()
        """What decides which keys work; the footer is made anew only when it changes."""

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield Static(id="note", markup=False)
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield FindingList(id="list")
            with Vertical(id="right"):
                yield Document(id="statement")
                yield Document(id="about")
        yield KeyFooter()

    def on_mount(self) -> None:
        row = self._state.question.row
        self._begin("Neighbours", f"{row.id}  {readable_line(row.title)}", REDRAW_S)

    def on_unmount(self) -> None:
        if not self._writing.finished:
            self._desk.engine.unwatch(self._writing.call_key)

    # Events

    def _receive(self, event: Event) -> None:
        before = set(self._state.running)
        self._dirty = self._state.apply(event) or self._dirty
        if begun := self._state.running.keys() - before:
            self._stand_on = tuple(map(neighbour_lines.run_key, begun))
        if isinstance(event, LIVE) and event.call_key == self._writing.call_key:
            self._hear(event)

    @work(group="live", exit_on_error=False)
    async def _hear(self, event: LIVE) -> None:
        if await self._writing.apply(event):
            self._dirty = True

    # Drawing

    def _draw(self) -> None:
        self._dirty = False
        state, listing = self._state, self.query_one("#list", FindingList)
        listing.border_title = Content(f"Neighbours  {len(state.in_use):,} in use, {len(state.set_aside):,} set aside")
        ended = neighbour_lines.run_of(listing.key)
        made = state.made_by(ended) if ended and ended not in state.running else ()
        listing.show(neighbour_lines.entries(state), empty="Reading…", stand_on=[*self._stand_on, *made])
        self._stand_on = ()
        note = self.query_one("#note", Static)
        note.update(Content(clean_line(state.came_to_nothing)))
        note.display = bool(state.came_to_nothing)
        self._turn_when_empty()
        self._show()

    def _turn_when_empty(self) -> None:
        """Where there is nothing to list, there is only why that matters and what to do."""
        empty = self._state.loaded and self._state.empty
        if empty != self.has_class("-empty"):
            self.set_class(empty, "-empty")
            self._turn_to("statement" if empty else "list")

    @on(FindingList.Stood)
    def _show(self) -> None:
        """Statement and remarks of what is stood on."""
        statement, about = self.query_one("#statement", Document), self.query_one("#about", Document)
        held, proposed, going = self._held, self._proposed, self._going
        if held is not None:
            statement.border_title = Content(f"N{held.neighbour.number}")
            one = held.neighbour
            statement.read(readable_words(one.statement, one.id, name=f"n{one.number}"))
            remarks = neighbour_text.about_neighbour(held, self._state.origin(held.neighbour.id))
        elif proposed is not None:
            taken = self._state.taken_over(proposed)
            proposal = proposed.proposal
            statement.border_title = Content(f"P{proposal.number}, proposed by a model")
            statement.read(readable_words(proposal.statement, proposed.key, name=f"p{proposal.number}"))
            remarks = neighbour_text.about_proposal(
                proposed,
                taken_over=taken.number if taken is not None else None,
                under_way=proposal.run_id in self._state.running,
            )
        elif going is not None:
            self._show_writing(going)
            remarks = neighbour_text.about_run(going)
        else:
            statement.border_title = "Why neighbours"
            statement.show(neighbour_text.WHY if self._state.loaded else "", key="why")
            remarks = ""
        about.border_title = "Answer, advice, solvers" if held is not None else "How it stands"
        about.show(remarks, key=self._key)
        offered = (held.neighbour.use if held is not None else None, proposed is not None, bool(self._state.running))
        if offered != self._offered:
            self._offered = offered
            self.refresh_bindings()

    def _show_writing(self, going: Going) -> None:
        """The text of the call that writes proposals, as it comes."""
        statement = self.query_one("#statement", Document)
        statement.border_title = "Proposals, as the model writes them"
        if not (going.call_key or going.followed):
            statement.show(neighbour_text.NOT_FOLLOWED, key=going.run_id)
            return
        if going.call_key != self._writing.call_key:
            self._follow(going.call_key)
            return
        source = as_it_comes(self._writing.markdown())
        if statement.source and source.startswith(statement.source):
            statement.append(source[len(statement.source) :])
        else:
            statement.show(source, key=going.call_key)

    @work(group="follow", exclusive=True, exit_on_error=False)
    async def _follow(self, call_key: str) -> None:
        await self._writing.follow(call_key, running=True)
        self._dirty = True

    # What is stood on

    @property
    def _key(self) -> str:
        return self.query_one("#list", FindingList).key

    @property
    def _held(self) -> Advised | None:
        return self._state.neighbour(self._key)

    @property
    def _proposed(self) -> Proposed | None:
        return self._state.proposal(self._key)

    @property
    def _going(self) -> Going | None:
        return self._state.running.get(neighbour_lines.run_of(self._key))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something for."""
        match action:
            case "cancel":
                return bool(self._state.running)
            case "edit":
                return self._held is not None
            case "set_aside" | "use":
                in_use = action == "set_aside"
                return self._held is not None and in_use == (self._held.neighbour.use is NeighbourUse.IN_USE)
            case "take_over":
                return self._proposed is not None
        return True

    # Moving

    @on(OptionList.OptionSelected)
    def _selected(self) -> None:
        self._turn_to("statement")

    def action_pane(self, by: int) -> None:
        focused = self.focused.id if self.focused is not None else None
        at = PANES.index(focused) if focused in PANES else 0
        self._turn_to(PANES[(at + by) % len(PANES)])

    def _turn_to(self, pane: str) -> None:
        self.set_class(pane != "list", "-reading")  # what is hidden can't take the focus
        self.query_one(f"#{pane}", Widget).focus()

    def action_leave(self) -> None:
        if self.has_class("-narrow") and self.has_class("-reading") and not self.has_class("-empty"):
            self._turn_to("list")
        else:
            self.dismiss(None)

    # Writing and setting aside

    def action_write(self) -> None:
        self._write()

    def action_edit(self) -> None:
        if self._held is not None:
            self._write(replaces=self._held.neighbour)

    def action_take_over(self) -> None:
        if self._proposed is not None:
            self._write(proposed=self._proposed)

    @work(group="write", exclusive=True, exit_on_error=False)
    async def _write(self, *, replaces: Neighbour | None = None, proposed: Proposed | None = None) -> None:
        draft = self._state.draft(replaces, proposed)
        while await self.app.push_screen_wait(NeighbourModal(draft)):
            try:
                self._stand_on = (await self._state.keep(draft),)
            except StoreError as error:  # what is entered must not be lost: the form opens again
                self.post_message(WorkFailed("write", error))
            else:
                self._draw()
                return

    def action_set_aside(self) -> None:
        self._toggle()

    def action_use(self) -> None:
        self._toggle()

    @work(group="use", exit_on_error=False)
    async def _toggle(self) -> None:
        changed = await self._state.toggle(self._key)
        if changed is not None:
            now = "set aside" if changed.use is NeighbourUse.SET_ASIDE else "in use"
            self.notify(f"N{changed.number} is {now}; d takes that back.", title="Neighbours", markup=False)
            self._draw()

    @work(group="import", exclusive=True, exit_on_error=False)
    async def action_import_file(self) -> None:
        if await self.app.push_screen_wait(ImportModal(self._desk.workspace, self._state.question.row.id)):
            self._load()
            self.post_message(self.Imported())

    # Runs

    @work(group="generate", exclusive=True, exit_on_error=False)
    async def action_generate(self) -> None:
        editor = ProposingEditor(self._state.question.row.id, self._desk.model, self._desk.solvers)
        request = await choose_proposing(self.app, editor)
        if request is not None:
            self._desk.solvers = tuple(editor.solvers)
            self._state.start(request)

    def action_cancel(self) -> None:
        self._state.cancel()
