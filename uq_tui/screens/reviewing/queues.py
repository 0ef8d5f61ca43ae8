"""Review without a queue open: all queues, how far one is with each, and the way to make one."""

from dataclasses import dataclass

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from uq_tui.key_map import key_shown
from uq_tui.screens.adjudicating.conflicts import ConflictsScreen
from uq_tui.screens.reviewing.bundles import BundlesScreen
from uq_tui.screens.reviewing.guideline import GuidelineModal
from uq_tui.screens.reviewing.new_queue import NewQueueModal
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.pace import pace_words, progress_words
from uq_tui.state.reviewing.queue_list import QueueLine, QueueListState
from uq_tui.text import clean_line
from uq_tui.widgets import marks
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.widgets.tour_bar import TourBar

NAME_CELLS = 40
"""A longer name of a queue is cut."""


class QueueList(OptionList):
    """Enter goes on with a queue."""

    BORDER_TITLE = "Queues"
    BINDINGS = [
        Binding("enter", "select", "Go on", id="queues.open", tooltip="Go on with this queue where you left it"),
    ]


class QueuesScreen(TellsFailures, Screen[None]):
    """Posts `Opened` when the reviewer wants to go on with a queue."""

    CSS_PATH = "queues.tcss"
    AUTO_FOCUS = "#queues"
    BINDINGS = [
        Binding("n", "new", "New queue", id="queues.new", tooltip="Lay out answers for one or more reviewers"),
        Binding("i", "guideline", "Guideline", id="queues.guideline", tooltip="Read the guideline of this queue"),
        Binding(
            "b", "bundles", "Bundles", id="queues.bundles", tooltip="Work for others elsewhere, and yours sent back"
        ),
        Binding("d", "conflicts", "Conflicts", id="queues.conflicts", tooltip="Answers on which verdicts disagree"),
        Binding("r", "reload", "Read again", id="queues.reload", tooltip="Read again what there is by now"),
    ]

    @dataclass
    class Opened(Message):
        queue_id: str

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self._state = QueueListState(desk)

    def compose(self) -> ComposeResult:
        yield TitleBar()
        yield TourBar()
        yield QueueList(id="queues", markup=False)
        yield Static(id="about", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self.action_reload()

    @work(group="queues", exclusive=True, exit_on_error=False)
    async def action_reload(self) -> None:
        await self._reload(self._state.last)

    async def _reload(self, chosen: str) -> None:
        await self._state.load()
        lines = self._state.lines
        listing = self.query_one(QueueList)
        listing.clear_options()
        listing.add_options([Option(_prompt(line), id=line.queue.id) for line in lines])
        ids = [line.queue.id for line in lines]
        wanted = chosen or self._state.last
        if ids:
            listing.highlighted = ids.index(wanted) if wanted in ids else 0
        else:
            new = key_shown(self, "queues.new")
            listing.add_option(Option(f"No queues yet: {new} lays one out, and so does uq-tui queue.", disabled=True))
        self._show_about()

    def _chosen(self) -> QueueLine | None:
        option = self.query_one(QueueList).highlighted_option
        return next((line for line in self._state.lines if option is not None and line.queue.id == option.id), None)

    @on(OptionList.OptionHighlighted)
    def _show_about(self) -> None:
        self.query_one("#about", Static).update(self._about(self._chosen()))
        self.refresh_bindings()

    def _about(self, line: QueueLine | None) -> str:
        if line is None:
            return ""
        if line.closed:
            return "Closed: nothing of it is decided or hidden any more. Its verdicts stand."
        if not line.progress.total:
            shares = f"{key_shown(self, 'queues.bundles')} shows whose it is, and how far they are."
            return f"Nothing in it is for {clean_line(self._desk.reviewer.handle)}. {shares}"
        back = f" {key_shown(self, 'queues.bundles')} sends back what you have said." if line.from_bundle else ""
        if not line.progress.left:
            return f"You have decided all of it.{back}"
        return f"{key_shown(self.query_one(QueueList), 'queues.open')} goes on where you left it.{back}"

    @on(OptionList.OptionSelected)
    def _open(self) -> None:
        line = self._chosen()
        if line is not None and not line.closed and line.progress.total:
            self.post_message(self.Opened(line.queue.id))

    def action_guideline(self) -> None:
        line = self._chosen()
        if line is not None:
            self.app.push_screen(GuidelineModal(line.queue))

    def action_bundles(self) -> None:
        line = self._chosen()
        if line is not None:
            self.app.push_screen(BundlesScreen(self._desk, line.queue, self.query_one(TitleBar)))

    def action_conflicts(self) -> None:
        self.app.push_screen(ConflictsScreen(self._desk, self.query_one(TitleBar)))

    @work(group="new", exclusive=True, exit_on_error=False)
    async def action_new(self) -> None:
        made = await self.app.push_screen_wait(NewQueueModal(self._desk))
        if made is not None:
            await self._reload(made)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer a guideline and bundles only where there are any.

        Asked too while the screen is made and while it is taken away.
        """
        if action not in ("guideline", "bundles") or not self.query(QueueList):
            return True
        line = self._chosen()
        return line is not None and (action == "bundles" or bool(line.queue.guideline))


def _prompt(line: QueueLine) -> Content:
    """Name and mode; below, how far the reviewer is, with a bar."""
    queue, progress = line.queue, line.progress
    name = Content(clean_line(queue.name)).truncate(NAME_CELLS, ellipsis=True)
    guideline = "   guideline" if queue.guideline else ""
    head = Content.assemble((name.plain, "bold"), f"   {queue.mode}{guideline}")
    if line.closed:
        return Content.assemble("× closed  ", name, f"   {queue.mode}").stylize("$text-muted")
    if not progress.total:
        return head + Content.styled("\n  nothing for you", "$text-muted")
    done = marks.bar((progress.total - progress.left) / progress.total)
    told = "   ".join(filter(None, (progress_words(progress), pace_words(line.pace))))
    return head + Content.assemble("\n  ", (done, "$text-accent"), (f"  {told}", "$text-muted"))
