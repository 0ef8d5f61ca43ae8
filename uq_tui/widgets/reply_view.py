"""What stands behind a rung: the calls one after the other, as they stream or as they are kept, and their prompts."""

from textual import work
from textual.binding import Binding
from textual.content import Content

from store.workspace import Workspace
from uq_tui.engine.client import EngineClient
from uq_tui.engine.protocol import CallFinished, CallRetrying, CallStarted, Event, EventsLost, TextDelta
from uq_tui.state.ladder.ladder import Ladder
from uq_tui.state.ladder.rung_reader import RungReader
from uq_tui.state.live_reply import LiveReply
from uq_tui.widgets.document import Document


def reading_keys(place: str) -> tuple[Binding, ...]:
    """Keys of a screen that shows a `ReplyView`; the screen has the actions `call` and `prompt`."""
    return (
        Binding(
            "left_square_bracket",
            "call(-1)",
            "Call before",
            id=f"{place}.call_before",
            key_display="[",
            tooltip="Of several calls behind a rung, the one before",
            show=False,
        ),
        Binding(
            "right_square_bracket",
            "call(1)",
            "Call after",
            id=f"{place}.call_after",
            key_display="]",
            tooltip="Of several calls behind a rung, the one after",
            show=False,
        ),
        Binding("p", "prompt", "Prompt", id=f"{place}.prompt", tooltip="What the judge was shown, or its reply"),
    )


class ReplyView(Document):
    """Give it the ladder whenever that changes, and every engine event."""

    BORDER_TITLE = "Reply"

    def __init__(self, workspace: Workspace, engine: EngineClient, *, id: str) -> None:
        super().__init__(id=id)
        self._live = LiveReply(workspace, engine)
        self._reader = RungReader()
        self._ladder: Ladder | None = None
        self._whose = ""

    def turn_to(self, path: str) -> None:
        """Read another rung."""
        self._reader.turn_to(path)
        self.read_ladder(self._ladder, whose=self._whose)

    def read_ladder(self, ladder: Ladder | None, *, whose: str = "") -> None:
        """Follow the rung in this ladder, which may have grown or be another one. `whose` begins the title."""
        self._ladder, self._whose = ladder, whose
        key = self._reader.call_key(ladder)
        if key != self._live.call_key:
            self._turn_to_call(key, running=ladder is not None and ladder.call(key).running)
        elif not key:
            self._present()
        self._tell_title()

    def step(self, by: int) -> None:
        """Read the call before or after this one."""
        self._reader.step(by, self._ladder)
        self.read_ladder(self._ladder, whose=self._whose)

    def toggle_prompt(self) -> None:
        """Turn between what was sent and what came back."""
        if self._live.call_key:
            self._reader.prompt = not self._reader.prompt
            self._present()
            self._tell_title()

    def receive(self, event: Event) -> None:
        """Take one engine event."""
        if isinstance(event, EventsLost):
            self.catch_up()
        if isinstance(event, CallStarted | CallRetrying | TextDelta | CallFinished) and self._reads(event.call_key):
            self._hear(event)

    def catch_up(self) -> None:
        """Show what is known now: after lost events, or when the screen comes to the front again."""
        if self._live.finished:
            self._present()
        else:
            self._turn_to_call(self._live.call_key, running=True)

    def _reads(self, call_key: str) -> bool:
        return call_key == self._live.call_key

    @work(group="follow", exclusive=True, exit_on_error=False)
    async def _turn_to_call(self, key: str, *, running: bool) -> None:
        await self._live.follow(key, running=running)
        self._present()

    @work(group="live", exit_on_error=False)
    async def _hear(self, event: CallStarted | CallRetrying | TextDelta | CallFinished) -> None:
        if await self._live.apply(event):
            self._present()

    def _present(self) -> None:
        if not self.screen.is_current:
            return  # a change behind another screen repaints all of that one
        if not self._live.call_key:
            self.show(self._reader.summary(self._ladder), key=f"rung {self._reader.path}")
        elif self._reader.prompt:
            self.read(self._live.prompt_readable(f"prompt {self._live.call_key}"))
        else:
            self.read(self._live.readable(self._live.call_key), follow=True)

    def _tell_title(self) -> None:
        self.border_title = Content(f"{self._whose}{self._reader.title(self._ladder)}")
