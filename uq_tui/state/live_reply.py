"""The text of one call while it streams, and from the store once it is finished."""

import asyncio

from store import calls
from store.run_rows import Message
from store.workspace import Workspace
from uq_tui.engine.client import EngineClient
from uq_tui.engine.protocol import CallFinished, CallRetrying, CallStarted, TextDelta
from uq_tui.state.reading.readable import Readable, fenced_readable, joined, own_words, readable_words
from uq_tui.text import counted
from uq_tui.words import CallState

_COMES_WHOLE = "Nobody was watching when this was asked: its text is shown when the reply is complete."


class LiveReply:
    """Follows one call at a time. Text is shown from here, never kept in a widget only."""

    def __init__(self, workspace: Workspace, engine: EngineClient) -> None:
        self._workspace = workspace
        self._engine = engine
        self.call_key = ""
        self.reasoning = ""
        self.reply = ""
        self.note = ""
        """What is odd about the text: failed, cut off, nothing kept."""
        self.finished = True
        self.messages: tuple[Message, ...] = ()
        """What was sent, once the call is kept."""

    async def follow(self, call_key: str, *, running: bool) -> None:
        """Show this call: its stored text, or its live text when it is still running."""
        if self.call_key and not self.finished:
            self._engine.unwatch(self.call_key)
        self.call_key, self.reasoning, self.reply, self.note = call_key, "", "", ""
        self.messages = ()
        self.finished = not running
        if not call_key:
            return
        if running:
            self._engine.watch(call_key)
        await self._read_stored(finished=not running)

    async def _read_stored(self, *, finished: bool) -> None:
        key = self.call_key
        call = await asyncio.to_thread(calls.get, self._workspace, key)
        if call is None or key != self.call_key:
            return
        if not finished and call.state is CallState.FAILED:
            return  # of an earlier attempt; this one is still running
        self.reasoning, self.reply, self.finished = call.reasoning, call.reply, True
        self.messages = call.messages
        if call.state is CallState.FAILED:
            self.note = f"This call failed after {counted(call.attempts, 'attempt')}: {call.error}"
        elif call.cut_off:
            self.note = "The reply was cut off at its length limit."

    async def apply(self, event: CallStarted | CallRetrying | TextDelta | CallFinished) -> bool:
        """Take one event; True when the text shown has changed."""
        if event.call_key != self.call_key:
            return False
        if isinstance(event, CallRetrying):
            kind = event.error_kind.value.replace("_", " ")
            self.note = f"Attempt {event.attempts} failed ({kind}); the next follows in {event.delay_s:.0f} s."
            return True
        if isinstance(event, CallStarted):  # anew, by a worker that doesn't know of our watching
            self._engine.watch(self.call_key)
            self.finished = False
            return False
        if isinstance(event, CallFinished):
            self._engine.unwatch(self.call_key)
            await self._read_stored(finished=True)
            return True
        if self.finished:
            return False
        if event.reasoning_offset > len(self.reasoning) or event.reply_offset > len(self.reply):
            self._engine.watch(self.call_key)
            return False
        self.note = _COMES_WHOLE if event.whole else ""
        self.reasoning = self.reasoning[: event.reasoning_offset] + event.reasoning
        self.reply = self.reply[: event.reply_offset] + event.reply
        return True

    def markdown(self) -> str:
        """The reply, its reasoning before it under a heading of its own."""
        return self.readable().source

    def readable(self, key: str = "") -> Readable:
        """The same as a text to be read. The words are stored texts once the call is finished, not before."""
        parts = [own_words(f"*{self.note}*")] if self.note else []
        if self.reasoning:
            parts += [own_words("### Reasoning"), self._words(self.reasoning), own_words("### Reply")]
        if self.reply:
            parts.append(self._words(self.reply))
        return joined(parts, key, name="reply")

    def _words(self, words: str) -> Readable:
        if self.finished:
            return readable_words(words)
        # Whether a CR at the end is half of a line end, only the next words tell.
        return own_words(words.removesuffix("\r").replace("\r\n", "\n"))

    def prompt_readable(self, key: str = "") -> Readable:
        """What the judge was shown: every message as it was sent, none of it read as markup. Each is a stored text."""
        if not self.messages:
            return own_words("*What was sent is kept together with the reply, once that is whole.*", key)
        parts = []
        for message in self.messages:
            parts += [own_words(f"### {message.role.capitalize()}"), fenced_readable(readable_words(message.content))]
        return joined(parts, key, name="prompt")
