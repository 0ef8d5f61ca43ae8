"""Second pass: what machines claimed of an answer, and how they reasoned, decided one by one; one key each."""

import asyncio
from collections.abc import Awaitable, Callable

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import OptionList, Static

from uq_tui.document.maths.readable import readable_line
from uq_tui.errors import UqError
from uq_tui.key_map import key_shown
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.claims import ClaimItem
from uq_tui.state.reviewing.second_pass import Decision, Item, SecondPass
from uq_tui.state.reviewing.traces import StageItem
from uq_tui.text import clean_line
from uq_tui.widgets import second_pass_lines
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import TellsFailures, left_on_failure
from uq_tui.widgets.finding_list import FindingList
from uq_tui.widgets.finding_text import FindingText
from uq_tui.widgets.key_footer import PANE_KEYS, KeyFooter
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import ClaimDecision, Soundness

CAUTION = "Claims of machines: each may be wrong. What you decide is saved at each key."
EMPTY = "No machine has claimed anything of this answer, and no validator run on it has finished."
_ORDER = ("list", "detail", "text")
_OFFERED = ("decide", "reply", "undo")
"""Actions that are offered at times."""
_MEANT: dict[str, tuple[ClaimDecision, Soundness]] = {
    "yes": (ClaimDecision.CONFIRM, Soundness.SOUND),
    "no": (ClaimDecision.REFUTE, Soundness.UNSOUND),
    "unsure": (ClaimDecision.UNSURE, Soundness.UNSURE),
}
"""What each of the three keys decides on a claim, and on a judgement."""


class SecondPassScreen(TellsFailures, Screen[None]):
    """Draws from `SecondPass`. A masked problem is refused as it opens: the screen closes and says why.

    Args:
        desk: of the reviewer.
        candidate_id: whose claims and judgements.
        header: that of the screen before; this one goes on with what it tells of model, spend and runs.
    """

    CSS_PATH = "second_pass.tcss"
    AUTO_FOCUS = "#list"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium")]
    BINDINGS = [
        Binding(
            "c", "decide('yes')", "Confirm, sound", id="second_pass.yes", tooltip="The claim or the reasoning holds"
        ),
        Binding(
            "x", "decide('no')", "Refute, unsound", id="second_pass.no", tooltip="The claim or the reasoning is wrong"
        ),
        Binding("v", "decide('unsure')", "Unsure", id="second_pass.unsure", tooltip="You can't tell"),
        Binding("u", "undo", "Undo", id="second_pass.undo", tooltip="Take back the last decision made here"),
        Binding("r", "reply", "Reply", id="second_pass.reply", tooltip="The machine's whole reply, or the answer"),
        Binding("left", "pane(-1)", "Panes", id="second_pass.previous", group=PANE_KEYS, tooltip="Previous pane"),
        Binding("right", "pane(1)", "Panes", id="second_pass.next", group=PANE_KEYS, tooltip="Next pane"),
        Binding("escape,p", "leave", "Back", id="second_pass.leave", tooltip="Back to where you came from"),
    ]

    def __init__(self, desk: Desk, candidate_id: str, header: TitleBar) -> None:
        super().__init__()
        self._state = SecondPass(desk, candidate_id)
        self._desk = desk
        self._header = header
        self._one_by_one = asyncio.Lock()
        """A key that comes while a decision is being written is about the item that is stood on after it."""
        self._waiting = 0
        """Keys that are not done yet. What they make of it is drawn once, after the last of them."""
        self._failures = 0
        """A key that waited while a decision failed was meant for the item behind that one: it does nothing."""
        self._ahead: str | None = None
        """The item that is stood on from now on, while that is not drawn yet."""
        self._reply = False
        """Of a claim, the reply that makes it is read, not the answer."""
        self._offered: tuple[bool, ...] = ()

    def compose(self) -> ComposeResult:
        yield TitleBar()
        with Horizontal(id="columns"):
            with Vertical(id="left"):
                yield Static(id="note", markup=False)
                yield FindingList(id="list")
                yield Document(id="detail")
            yield FindingText(self._desk.workspace, self._desk.engine, id="text")
        yield KeyFooter()

    def on_mount(self) -> None:
        bar = self.query_one(TitleBar)
        bar.place, bar.status, bar.busy = "Second pass", self._header.status, self._header.busy
        self._load()

    def on_resize(self) -> None:
        """Keep in sight what is stood on."""
        self.query_one("#list", FindingList).scroll_to_highlight()

    @work(group="load", exit_on_error=False)
    async def _load(self) -> None:
        with left_on_failure(self):
            await self._state.load()
        if (matter := self._state.matter) is not None:  # the screen before may have gone on to another problem
            self.query_one(TitleBar).subject = f"{matter.candidate.called}  {readable_line(matter.question)}"
        self._draw(self._state.next_after(""))

    # Drawing

    def _draw(self, stand_on: str = "") -> None:
        matter = self._state.matter
        if matter is None:
            return
        listing = self.query_one("#list", FindingList)
        listing.border_title = Content(self._state.counts)
        entries = second_pass_lines.entries(matter)
        listing.show(entries, empty=EMPTY, stand_on=[stand_on])
        self.query_one("#note", Static).update(Content.assemble(CAUTION, "\n", (self._state.progress, "bold")))
        self._show_item()

    @property
    def _item(self) -> Item | None:
        ahead = self._ahead
        return self._state.item(self.query_one("#list", FindingList).key if ahead is None else ahead)

    def _show_item(self) -> None:
        """Show what is stood on, and the keys that it has."""
        offered = tuple(bool(self.check_action(action, ())) for action in _OFFERED)
        if offered != self._offered:
            self._offered = offered
            self.refresh_bindings()
        item, detail, text = self._item, self.query_one("#detail", Document), self.query_one("#text", FindingText)
        matter = self._state.matter
        if matter is None:
            return
        detail.border_title = "Judgement" if isinstance(item, StageItem) else "Claim"
        if item is None:
            detail.show("", key="")
            text.show_answer(matter.candidate, "", None)
            return
        detail.border_subtitle = Content(self._question(item))
        detail.show(item.about, key=item.key)
        if isinstance(item, ClaimItem) and not self._reply:
            text.show_answer(matter.candidate, "", item.place)
        else:
            text.show_reply(item.call_key, f"Reply  {clean_line(item.source)}")

    def _question(self, item: Item) -> str:
        yes, no, unsure = (key_shown(self, f"second_pass.{name}") for name in _MEANT)
        if isinstance(item, StageItem):
            return f"{yes} sound   {no} unsound   {unsure} unsure"
        return f"{yes} confirm   {no} refute   {unsure} unsure"

    # Deciding

    @work(group="decide", exit_on_error=False)
    async def action_decide(self, meant: str) -> None:
        await self._in_turn(lambda: self._decide(meant))

    async def _decide(self, meant: str) -> str:
        item = self._item
        if item is None:
            return ""
        on_claim, on_stage = _MEANT[meant]
        decision: Decision = on_claim if isinstance(item, ClaimItem) else on_stage
        return await self._state.decide(item.key, decision)

    @work(group="decide", exit_on_error=False)
    async def action_undo(self) -> None:
        await self._in_turn(self._state.undo)

    async def _in_turn(self, step: Callable[[], Awaitable[str]]) -> None:
        """Take a step, which tells the key of the item that is stood on then."""
        failures = self._failures
        self._waiting += 1
        try:
            async with self._one_by_one:
                if failures == self._failures:
                    self._ahead = await step() or self._ahead
        except UqError:
            self._failures += 1
            raise
        finally:
            self._waiting -= 1
            if not self._waiting and self.is_running:
                stand_on, self._ahead, self._reply = self._ahead, None, False
                self._draw(stand_on or "")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what there is something for."""
        match action:
            case "decide":
                return self.is_mounted and self._item is not None
            case "reply":
                return self.is_mounted and isinstance(self._item, ClaimItem)
            case "undo":
                return self._state.undoable
        return True

    # Moving

    @on(FindingList.Stood, "#list")
    def _stand(self) -> None:
        self._reply = False
        self._show_item()

    @on(OptionList.OptionSelected, "#list")
    def _selected(self) -> None:
        self._turn_to("text")

    def action_reply(self) -> None:
        self._reply = not self._reply
        self._show_item()

    def action_pane(self, by: int) -> None:
        focused = self.focused.id if self.focused is not None else None
        at = _ORDER.index(focused) if focused in _ORDER else 0
        self._turn_to(_ORDER[(at + by) % len(_ORDER)])

    def _turn_to(self, pane: str) -> None:
        self.set_class(pane == "text", "-reading")  # what is hidden can't take the focus
        self.query_one(f"#{pane}", Widget).focus()

    def action_leave(self) -> None:
        if self.has_class("-narrow") and self.has_class("-reading"):
            self._turn_to("list")
        else:
            self.app.pop_screen()
