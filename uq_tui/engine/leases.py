"""The claims of this process on its runs, renewed for as long as they last."""

import asyncio
import logging
from collections.abc import Callable

from store import runs
from store.workspace import Workspace
from uq_tui.errors import StoreError

log = logging.getLogger(__name__)

RENEW_SECONDS = 5.0


class Leases:
    """Claims runs for `owner` and renews every claim until it is released. Lives on one event loop.

    `lost` is called with the id of a run that another process has taken, which happens when this one could not
    renew in time: the machine slept, or the file was locked for long.
    """

    def __init__(
        self, ws: Workspace, owner: str, lost: Callable[[str], None], *, renew_seconds: float = RENEW_SECONDS
    ) -> None:
        self._ws = ws
        self.owner = owner
        self._lost = lost
        self._renew_seconds = renew_seconds
        self._held: set[str] = set()
        self._renewing: asyncio.Task[None] | None = None

    async def claim(self, run_id: str) -> bool:
        """Take the run; False while another process holds it."""
        if not await asyncio.to_thread(runs.claim, self._ws, run_id, self.owner):
            return False
        self._held.add(run_id)
        if self._renewing is None:
            self._renewing = asyncio.create_task(self._renew())
        return True

    async def release(self, run_id: str) -> None:
        """Give the run back, if it is still held. Raises StoreError."""
        if run_id in self._held:
            self._held.discard(run_id)
            await asyncio.to_thread(runs.release, self._ws, run_id, self.owner)

    def forget(self, run_id: str) -> None:
        """Renew a claim no more; it runs out by itself."""
        self._held.discard(run_id)

    async def close(self) -> None:
        """Renew no more."""
        if self._renewing is not None:
            self._renewing.cancel()
            await asyncio.wait({self._renewing})
            self._renewing = None

    async def _renew(self) -> None:
        while True:
            await asyncio.sleep(self._renew_seconds)
            for run_id in sorted(self._held):
                try:
                    still_ours = await asyncio.to_thread(runs.renew, self._ws, run_id, self.owner)
                except StoreError:
                    log.warning("could not renew the claim on run %s; trying again", run_id, exc_info=True)
                    continue
                if not still_ours and run_id in self._held:
                    self._held.discard(run_id)
                    self._lost(run_id)
