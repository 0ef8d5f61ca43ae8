"""The shares of a queue as the screen of bundles shows them, and what is done with them there."""

import asyncio
from collections.abc import Callable

from exports.rows import Manner
from store import reviewers
from store.review_rows import Queue
from store.rows import Reviewer
from store.shares import HandedOn
from uq_tui.state.desk import Desk
from uq_tui.state.files import place
from uq_tui.state.reviewing import bundles
from uq_tui.state.reviewing.bundles import GivenBack, Sent, ShareLine
from uq_tui.words import NotJudged


class BundleListState:
    """How far each share is. Coroutines wait for the disk."""

    def __init__(self, desk: Desk, queue: Queue) -> None:
        self._desk = desk
        self.queue = queue
        self.lines: tuple[ShareLine, ...] = ()

    @property
    def waiting(self) -> tuple[str, ...]:
        """The ids of items that are out of somebody's depth and wait for somebody else; none elsewhere."""
        return () if self.elsewhere else bundles.waiting(self.lines)

    @property
    def out_of_depth(self) -> int:
        """Items that are out of somebody's depth, be others to judge them or not; none elsewhere."""
        return 0 if self.elsewhere else sum(line.status.count(NotJudged.OUT_OF_DEPTH) for line in self.lines)

    @property
    def hidden(self) -> int:
        """Returned items of which it isn't told whether they have a label."""
        return sum(line.status.hidden for line in self.lines)

    @property
    def elsewhere(self) -> bool:
        """Whether the queue came in a bundle: what is said in it goes back, and others see to the rest."""
        return any(line.status.opened_at for line in self.lines)

    @property
    def has_own(self) -> bool:
        """Whether who sits here has a share."""
        return any(line.reviewer.id == self._desk.reviewer.id for line in self.lines)

    @property
    def folder(self) -> str:
        """Where bundles are written by default."""
        return f"~/uq-bundles/{bundles.plain_name(self.queue.name)}"

    @property
    def returned(self) -> str:
        """Where what the reviewer has said is written by default."""
        return f"~/{bundles.returned_name(self.queue, self._desk.reviewer)}"

    async def load(self) -> None:
        """Read the shares."""
        self.lines = await asyncio.to_thread(
            bundles.status, self._desk.workspace, self.queue, by=self._desk.reviewer.id
        )

    async def send(
        self, folder: str, on_progress: Callable[[int], None], is_cancelled: Callable[[], bool]
    ) -> tuple[Sent, ...]:
        """Write a bundle for each share; those that were whole once it is cancelled. Raises as `bundles.send`.

        Args:
            folder: where to, as it was typed.
            on_progress: told of the rows written so far, from another thread.
            is_cancelled: asked from another thread.
        """
        ws, by = self._desk.workspace, self._desk.reviewer.id
        manner = Manner(on_progress=on_progress, is_cancelled=is_cancelled)
        sent = await asyncio.to_thread(bundles.send, ws, self.queue, place(folder.strip()), by=by, manner=manner)
        await self.load()
        return sent

    async def give_back(self, path: str) -> GivenBack:
        """Write what the reviewer has said of their share. Raises as `bundles.give_back`."""
        ws, me = self._desk.workspace, self._desk.reviewer
        return await asyncio.to_thread(bundles.give_back, ws, self.queue, me, place(path.strip()))

    async def hand_on(self, handle: str) -> tuple[Reviewer, HandedOn]:
        """Put all items that are out of somebody's depth, and that can go there, into a reviewer's share.

        Raises:
            NotFoundError: nobody is called so.
            UqError: as `bundles.hand_on_waiting`.
        """
        done = await asyncio.to_thread(self._hand_on, handle.strip())
        await self.load()
        return done

    def _hand_on(self, handle: str) -> tuple[Reviewer, HandedOn]:
        ws = self._desk.workspace
        reviewer = reviewers.by_handle(ws, handle)
        return reviewer, bundles.hand_on_waiting(ws, self.queue, reviewer, by=self._desk.reviewer.id)
