"""A text that comes whole or in pieces, and is cut into segments as it comes.

Short texts are scanned at once, long ones in a thread, in pieces, so that the first screen stands at once and keys are
answered meanwhile.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from textual import on, work
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.timer import Timer
from textual.worker import get_current_worker

from uq_tui.document.markup.scan import Change, Scan
from uq_tui.state.reading.readable import Readable, own_words
from uq_tui.widgets.failures import TellsFailures

AT_ONCE = 16_000
"""Characters scanned without leaving the event loop, which takes some 3 ms."""
PIECE = 32_000
"""Characters scanned in a thread between two reports."""
APPEND_EVERY = 0.05
"""Seconds for which appended text is gathered before it is scanned."""
REST = 0.4
"""Seconds without more text after which a stream is taken to rest."""


class Intake(TellsFailures, ScrollView, inherit_bindings=False):
    """Takes a text: `read` or `show` it whole, or `append` to it as it comes."""

    @dataclass
    class Scanned(Message, bubble=False):
        """The thread has scanned one more piece."""

        generation: int
        change: Change
        done: bool

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._readable = Readable("")
        self._source: list[str] = []
        self._pending: list[str] = []
        self._scan = Scan()
        self._generation = 0
        """Tells what a thread has made of a text that is not shown any more."""
        self._scanning = False
        self._gathering: Timer | None = None
        self._resting: Timer | None = None
        self._follow = False
        """The text is growing, and a reader at its end wants to see more of it."""

    @property
    def source(self) -> str:
        """All text shown or appended so far, as it was given."""
        if len(self._source) != 1:
            self._source = ["".join(self._source)]
        return self._source[0]

    @property
    def readable(self) -> Readable:
        """What is shown. What was appended to it is only in `source`."""
        return self._readable

    @property
    def busy(self) -> bool:
        """Whether there is text that is not scanned yet."""
        return self._scanning or self._resting is not None or bool(self._pending)

    def show(self, source: str, *, key: str = "") -> None:
        """Show words of ours, or of which nothing is stored, in place of what is there; see `read`."""
        self.read(own_words(source, key))

    def read(self, readable: Readable, *, follow: bool = False) -> None:
        """Show a text in place of what is there.

        With the same key as before the reader stays where they are, else the text begins at its top. Highlights stay
        where the text has only grown, and a reader at its end is taken along where they `follow`.
        """
        shown, same = self.source, bool(readable.key) and readable.key == self._readable.key
        self._follow = follow
        if same and readable == self._readable and readable.source == shown:
            return
        self._readable = readable
        if same and readable.source.startswith(shown):
            self._add(readable.source[len(shown) :])
            if follow:
                self._gather()
            else:
                self._take_in()
            return
        self.workers.cancel_group(self, "scan")
        self._generation += 1
        self._scanning = False
        self._source, self._pending = [readable.source], [readable.source]
        self._scan = Scan(readable.counted_from)
        self.begin(same=same)
        self._take_in()

    def append(self, text: str) -> None:
        """Add `text` to the end; the view follows if its end was in sight."""
        self._follow = True
        self._add(text)
        self._gather()

    def clear(self) -> None:
        """Show nothing."""
        self.read(Readable(""))

    def begin(self, *, same: bool) -> None:
        """Another text is about to be scanned, or another state of the same one."""

    def take(self, change: Change) -> None:
        """Some more has been scanned."""

    def settled(self) -> None:
        """The text has been scanned to its end, for now."""

    def on_mount(self) -> None:
        """Take in what was appended before there was a clock to wait by."""
        if self._pending and not self._scanning:
            self._take_in()

    def _add(self, text: str) -> None:
        self._source.append(text)
        self._pending.append(text)

    def _gather(self) -> None:
        """Wait a little for more text. Before the first frame there is no clock: `on_mount` takes it in."""
        if self._gathering is None and self.is_attached:
            self._gathering = self.set_timer(APPEND_EVERY, self._take_in)

    def _take_in(self) -> None:
        if self._gathering is not None:
            self._gathering.stop()
            self._gathering = None
        if self._scanning:
            return
        text = "".join(self._pending)
        self._pending = []
        if len(text) + self._scan.unsettled <= AT_ONCE:
            self._scanned(self._scan.feed(text))
            return
        self._scanning = True
        first = 0 if self._scan.unsettled else text.rfind("\n", 0, AT_ONCE) + 1
        if first:
            self._scanned(self._scan.feed(text[:first]))
        self._scan_in_thread(self._scan, text[first:], self._generation)

    @work(thread=True, exclusive=True, group="scan", exit_on_error=False)
    def _scan_in_thread(self, scan: Scan, text: str, generation: int) -> None:
        worker = get_current_worker()
        for piece, last in _pieces(scan, text):
            change = scan.feed(piece)
            if worker.is_cancelled:
                return
            self.post_message(self.Scanned(generation, change, last))

    @on(Scanned)
    def _take_scanned(self, event: Scanned) -> None:
        if event.generation != self._generation:
            return
        self._scanning = not event.done
        self._scanned(event.change)
        if event.done and self._pending:
            self._take_in()

    def _scanned(self, change: Change) -> None:
        self.take(change)
        if self._scanning:
            return
        if self._resting is not None:
            self._resting.stop()
            self._resting = None
        if self._follow and self.is_attached:
            self._resting = self.set_timer(REST, self._rest)
        else:
            self._rest()

    def _rest(self) -> None:
        """No more text comes for now: read what the scan has put off."""
        self._resting = None
        if not self._scanning:
            if self._scan.behind:
                self.take(self._scan.feed(""))
            self.settled()


def _pieces(scan: Scan, text: str) -> Iterator[tuple[str, bool]]:
    """`text` cut after ends of lines, with whether a piece is the last.

    A piece is three times as long as what is read again with it, so that one endless block is hardly read twice.
    """
    at, end = 0, -1
    while end < len(text):
        aim = at + max(PIECE, 3 * scan.unsettled)
        end = text.find("\n", aim) + 1 or len(text)
        yield text[at:end], end >= len(text)
        at = end
