"""One text beside another on the utility screen: a rollout's reply, an answer, a neighbour."""

from textual import work
from textual.content import Content

from store.workspace import Workspace
from uq_tui.engine.client import EngineClient
from uq_tui.state.live_reply import LiveReply
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import TellsFailures


class RolloutText(TellsFailures, Document):
    """Shows what was asked for last. Replies are read from the store in a thread, one at a time.

    Titles are words of our own.
    """

    def __init__(self, workspace: Workspace, engine: EngineClient, *, id: str) -> None:
        super().__init__(id=id)
        self._reply = LiveReply(workspace, engine)
        self._shown = ""
        """What is shown or being read, by a key of ours."""

    def show_text(self, markdown: str, title: str, *, key: str) -> None:
        """Show a text that is at hand."""
        self.workers.cancel_group(self, "reply")
        self.border_title = Content(title)
        if self._shown != key or self.source != markdown:
            self._shown = key
            self.show(markdown, key=key)

    def show_reply(self, call_key: str, title: str) -> None:
        """Show the reply of a call that is over, its reasoning before it."""
        self.border_title = Content(title)
        if self._shown != f"reply {call_key}":
            self._shown = f"reply {call_key}"
            self._read(call_key)

    @work(group="reply", exclusive=True, exit_on_error=False)
    async def _read(self, call_key: str) -> None:
        await self._reply.follow(call_key, running=False)
        self.show(self._reply.markdown() or "*No reply was kept.*", key=f"reply {call_key}")
