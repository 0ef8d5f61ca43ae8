"""What screens share whose state goes with the engine's events, and is read again where the store holds more."""

from collections.abc import Callable
from typing import Protocol

from textual import work
from textual.screen import Screen

from uq_tui.engine.protocol import Event
from uq_tui.state.desk import Desk
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.title_bar import TitleBar


class Followed(Protocol):
    """The state of such a screen. `stale`: the store holds what it doesn't."""

    stale: bool

    async def load(self) -> None:
        """Read the store."""
        ...


class FollowingScreen(TellsFailures, Screen[None]):
    """Reads its state one reading at a time, and neither reads nor draws while another screen stands in front.

    Args:
        desk: whose events it goes with.
        followed: what is read.
        header: that of the screen before; this one goes on with what it tells.
    """

    def __init__(self, desk: Desk, followed: Followed, header: TitleBar) -> None:
        super().__init__()
        self._desk = desk
        self._header = header
        self._dirty = False
        """What is drawn is no longer what the state holds."""
        self._followed = followed
        self._loading = False
        self._unsubscribe: Callable[[], None] = lambda: None

    def _begin(self, place: str, subject: str, look_s: float) -> None:
        """Head the screen, and begin: to be called when it is mounted. `look_s`: seconds between looks at the state."""
        bar = self.query_one(TitleBar)
        bar.place, bar.subject, bar.status, bar.busy = place, subject, self._header.status, self._header.busy
        self._unsubscribe = self._desk.subscribe(self._receive)
        self.set_interval(look_s, self._tick)
        self._load()

    def on_unmount(self) -> None:
        self._unsubscribe()

    def _receive(self, event: Event) -> None:
        """Take one event of the engine."""
        raise NotImplementedError

    def _draw(self) -> object:
        """Show the state as it is."""
        raise NotImplementedError

    def _tick(self) -> None:
        if not self.is_current:
            return  # what changes behind another screen repaints all of that one
        if self._followed.stale and not self._loading:
            self._load()
        elif self._dirty:
            self._draw()

    @work(group="load", exit_on_error=False)
    async def _load(self) -> None:
        self._loading = True
        try:
            await self._followed.load()
        finally:
            self._loading = False
        self._draw()
