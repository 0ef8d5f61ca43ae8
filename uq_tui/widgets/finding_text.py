"""The text that findings are about: the answer, pointed at a place in it, or a machine's reply."""

from textual import work
from textual.content import Content

from store.rows import Candidate
from store.workspace import Workspace
from uq_tui.engine.client import EngineClient
from uq_tui.state.live_reply import LiveReply
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.state.reading.readable import readable_text
from uq_tui.text import clean_line
from uq_tui.widgets.document import Document

Place = tuple[int, int]
"""Code points of an answer as it came."""


class FindingText(Document):
    """Shows what was asked for last; replies are read from the store in a thread."""

    def __init__(self, workspace: Workspace, engine: EngineClient, *, id: str) -> None:
        super().__init__(id=id)
        self._reply = LiveReply(workspace, engine)
        self.reply_key = ""
        """The call whose reply is shown, or will be; empty while the answer is."""
        self._answer: tuple[str, Place | None] | None = None
        """Candidate and place shown now."""

    def show_answer(self, candidate: Candidate, authors: str, place: Place | None) -> None:
        """Show the answer. The reader stays where they are as long as nothing else is pointed at."""
        self.workers.cancel_group(self, "reply")
        self.reply_key = ""
        answer = readable_text(candidate.answer, candidate.id, name=f"{candidate.called}-answer")
        shown = answer.to_source(candidate.answer.sha256, *place) if place else None
        lost = "  (the place can't be shown)" if place and shown is None else ""
        self.border_title = Content(f"Answer  {candidate.called}  {clean_line(authors)}{lost}")
        if self._answer == (candidate.id, place):
            return
        self._answer = (candidate.id, place)
        self.read(answer)
        if shown is not None:
            self.point_at(*shown)
        else:
            self.highlight(Layer.POINTED, ())

    def show_reply(self, call_key: str, title: str) -> None:
        """Show the reply of a call, its reasoning before it."""
        if call_key != self.reply_key:
            self.reply_key = call_key
            self._answer = None
            self._read(call_key, title)

    @work(group="reply", exclusive=True, exit_on_error=False)
    async def _read(self, call_key: str, title: str) -> None:
        await self._reply.follow(call_key, running=False)
        self.border_title = Content(title)
        reply = self._reply.readable(f"reply {call_key}")
        if reply.source:
            self.read(reply)
        else:
            self.show("*No reply was kept.*", key=reply.key)
