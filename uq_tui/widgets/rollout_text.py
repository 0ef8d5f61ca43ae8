"""One text beside another on the utility screen: a rollout's reply, an answer, a neighbour."""

from textual import work
from textual.content import Content

from store.workspace import Workspace
from uq_tui.engine.client import EngineClient
from uq_tui.state.live_reply import LiveReply
from uq_tui.state.reading.readable import Readable
from uq_tui.widgets.document import Document


class RolloutText(Document):
    """Shows what was asked for last. Replies are read from the store in a thread, one at a time.

    Titles are words of our own.
    """

    def __init__(self, workspace: Workspace, engine: EngineClient, *, id: str) -> None:
        super().__init__(id=id)
        self._reply = LiveReply(workspace, engine)
        self._shown = ""
        """What is shown or being read, by a key of ours."""

    def show_text(self, text: Readable, title: str) -> None:
        """Show a text that is at hand."""
        self.workers.cancel_group(self, "reply")
        self.border_title = Content(title)
        if self._shown != text.key or self.source != text.source:
            self._shown = text.key
            self.read(text)

    def show_reply(self, call_key: str, title: str) -> None:
        """Show the reply of a call that is over, its reasoning before it."""
        self.border_title = Content(title)
        if self._shown != f"reply {call_key}":
            self._shown = f"reply {call_key}"
            self._read(call_key)

    @work(group="reply", exclusive=True, exit_on_error=False)
    async def _read(self, call_key: str) -> None:
        await self._reply.follow(call_key, running=False)
        reply = self._reply.readable(f"reply {call_key}")
        if reply.source:
            self.read(reply)
        else:
            self.show("*No reply was kept.*", key=reply.key)
