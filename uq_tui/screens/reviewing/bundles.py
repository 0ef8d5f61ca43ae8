"""The bundles of a queue: what went to whom, what has come back, and what to do about the rest."""

from collections.abc import Sequence
from threading import Event

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from store.review_rows import Queue
from uq_tui.errors import UqError
from uq_tui.key_map import key_shown
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.bundle_list import BundleListState
from uq_tui.state.reviewing.bundles import REASONS, ShareLine
from uq_tui.state.verdict.words import minute
from uq_tui.text import clean_line, counted
from uq_tui.widgets import marks
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.widgets.title_bar import TitleBar


class BundlesScreen(TellsFailures, Screen[None]):
    """One line a share. It is read again after all that is done here."""

    CSS_PATH = "queues.tcss"
    AUTO_FOCUS = "#queues"
    BINDINGS = [
        Binding("w", "send", "Write bundles", id="bundles.send", tooltip="Write a file for each reviewer elsewhere"),
        Binding("h", "hand_on", "Hand on", id="bundles.hand_on", tooltip="Give to another what is out of depth"),
        Binding(
            "b", "give_back", "Send back", id="bundles.return", tooltip="Write what you have said, to send it back"
        ),
        Binding("r", "reload", "Read again", id="bundles.reload", tooltip="Read again what has come by now"),
        Binding("escape", "leave", "Back", id="bundles.leave", tooltip="Stop writing, or go back to the queues"),
    ]

    def __init__(self, desk: Desk, queue: Queue, header: TitleBar) -> None:
        """`header` is that of the screen before."""
        super().__init__()
        self._state = BundleListState(desk, queue)
        self._header = header
        self._writing = False
        self._rows = 0
        self._stop = Event()

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield OptionList(id="queues", markup=False)
        yield Static(id="about", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        bar = self.query_one(TitleBar)
        bar.place, bar.status, bar.busy = "Bundles", self._header.status, self._header.busy
        self.query_one(OptionList).border_title = Content(f"Shares of {clean_line(self._state.queue.name)}")
        self.action_reload()

    @work(group="bundles", exclusive=True, exit_on_error=False)
    async def action_reload(self) -> None:
        await self._state.load()
        self._draw()

    def _draw(self, *told: str) -> None:
        listing = self.query_one(OptionList)
        before = listing.highlighted or 0
        listing.clear_options()
        listing.add_options([Option(_prompt(line), id=line.reviewer.id) for line in self._state.lines])
        if self._state.lines:
            listing.highlighted = min(before, len(self._state.lines) - 1)
        said = [*map(clean_line, told)]
        if waiting := len(self._state.waiting):
            key = key_shown(self, "bundles.hand_on")
            said.append(f"{counted(waiting, 'item')} out of somebody's depth: {key} hands on to somebody else.")
        elif self._state.out_of_depth:
            said.append("Others of the queue judge what is out of somebody's depth: nothing is to be handed on.")
        if self._state.hidden:
            said.append(
                f"Of {counted(self._state.hidden, 'item')} that you judge blind it isn't said what has no label."
            )
        self.query_one("#about", Static).update("\n".join(said))
        self.refresh_bindings()

    @work(group="bundles", exclusive=True, exit_on_error=False)
    async def action_send(self) -> None:
        folder = await self._asked("Write bundles", "Folder, made if need be", self._state.folder)
        if not folder:
            return
        self._writing = True
        self._stop.clear()
        self._tell(0)
        try:
            sent = await self._state.send(folder, self._later, self._stop.is_set)
        except UqError:
            self._writing = False
            self._draw()
            raise
        self._writing = False
        told = [f"{one.reviewer.handle}: {counted(one.items, 'item')} in {one.report.path}" for one in sent]
        if self._stop.is_set():
            told.append(f"Stopped: {counted(len(sent), 'bundle')} written. Earlier files are as they were.")
        self._draw(*told)

    def _later(self, rows: int) -> None:
        """From the writing thread, for each row; told once for all that came until the screen has time."""
        if not self._rows:
            self.call_later(self._tell_rows)
        self._rows = rows

    def _tell_rows(self) -> None:
        rows, self._rows = self._rows, 0
        if self._writing:
            self._tell(rows)

    def _tell(self, rows: int) -> None:
        way = "Stopping ..." if self._stop.is_set() else f"{key_shown(self, 'bundles.leave')} stops."
        self.query_one("#about", Static).update(f"Writing bundles: {counted(rows, 'row')} ... {way}")
        self.refresh_bindings()

    @work(group="bundles", exclusive=True, exit_on_error=False)
    async def action_give_back(self) -> None:
        path = await self._asked("Send back what you have said", "File", self._state.returned)
        if path:
            self._draw(*(await self._state.give_back(path)).lines())

    @work(group="bundles", exclusive=True, exit_on_error=False)
    async def action_hand_on(self) -> None:
        handle = await self._asked("Hand on what is out of depth", "Public name of who is to judge it", "")
        if handle:
            reviewer, done = await self._state.hand_on(handle)
            them = "it" if done.new == 1 else "them"
            self._draw(f"{counted(done.new, 'item')} handed on to {reviewer.handle}. Their next bundle has {them}.")

    async def _asked(self, title: str, label: str, value: str) -> str | None:
        return await self.app.push_screen_wait(AskModal(title, label, value))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only what can be done is offered."""
        match action:
            case "reload":
                return not self._writing
            case "hand_on":
                return bool(self._state.waiting) and not self._writing
            case "give_back":
                return self._state.has_own and not self._writing
            case "send":
                is_open = self._state.queue.closed_at is None
                return bool(self._state.lines) and is_open and not (self._state.elsewhere or self._writing)
        return True

    def action_leave(self) -> None:
        """Stop what is being written; where nothing is, leave."""
        if self._writing and not self._stop.is_set():
            self._stop.set()
        else:
            self._stop.set()
            self.app.pop_screen()


class AskModal(ModalScreen[str | None]):
    """Returns one line that was entered, or None."""

    CSS_PATH = "../modal.tcss"
    BINDINGS = [Binding("escape", "dismiss(None)", "Cancel", id="ask.cancel", tooltip="Leave things as they are")]

    def __init__(self, title: str, label: str, value: str) -> None:
        super().__init__()
        self._title = title
        self._label = label
        self._value = value

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = Content(self._title)
            yield Label(self._label, markup=False)
            yield OneLineInput(self._value, id="asked", compact=True)
        yield KeyFooter()

    @on(Input.Submitted)
    def _typed(self, event: Input.Submitted) -> None:
        self.dismiss(event.value.strip() or None)


def _prompt(line: ShareLine) -> Content:
    """Who works on it; below, how far they are, with a bar."""
    status = line.status
    sent = f"sent {minute(status.sent_at)}" if status.sent_at else "not sent"
    if status.opened_at:
        sent = f"opened {minute(status.opened_at)}"
    back = f"back {minute(status.returned_at)}" if status.returned_at else ""
    head = Content.assemble((clean_line(line.reviewer.handle), "bold"), "   ", "   ".join(filter(None, (sent, back))))
    done = marks.bar(status.returned / status.items if status.items else 0.0)
    told = [
        f"{status.returned:,} of {status.items:,}",
        f"{status.missing:,} {'left' if status.opened_at else 'missing'}",
        *_reasons(line),
    ]
    return head + Content.assemble("\n  ", (done, "$text-accent"), (f"  {'   '.join(told)}", "$text-muted"))


def _reasons(line: ShareLine) -> Sequence[str]:
    return [f"{n:,} {reason.value.replace('_', ' ')}" for reason in REASONS if (n := line.status.count(reason))]
