"""The conflicts of a workspace as one reviewer may see them."""

import asyncio
from dataclasses import dataclass

from store import conflicts
from store.conflicts import Conflict
from store.opinions import VerdictSubset
from store.rows import Reviewer
from store.withheld import withheld
from store.workspace import Workspace
from uq_tui.state.adjudicating.matter import WHERE, record_shown
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.blind import LeftOut
from uq_tui.words import ConflictBy, ConflictState


@dataclass(frozen=True, slots=True)
class Listed:
    """Conflicts in the order in which they are settled, and what is left out of them."""

    conflicts: tuple[Conflict, ...]
    left_out: LeftOut


def read(
    ws: Workspace,
    reviewer: Reviewer,
    by: ConflictBy,
    subset: VerdictSubset,
    where: str = WHERE,
    *,
    state: ConflictState | None = None,
) -> Listed:
    """The conflicts that a reviewer may see; recorded as shown.

    Args:
        ws: where to look.
        reviewer: who looks.
        by: what verdicts have to differ in.
        subset: on which questions, as `store.conflicts.conflicts` takes it.
        where: for the record.
        state: only those in this state.
    """
    hidden = withheld(ws, reviewer.id)
    every = conflicts.conflicts(ws, by, subset, hidden)
    found = tuple(one for one in every if state is None or one.state is state)
    record_shown(ws, reviewer, found, where)
    return Listed(found, LeftOut(len(hidden.questions)))


class ConflictListState:
    """What the list shows. A settled conflict goes to its end when it is read again."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.by = ConflictBy.VERDICT
        self.listed: Listed | None = None
        """`None` until they have been read."""

    async def load(self) -> None:
        """Read them. Raises StoreError."""
        desk, by = self._desk, self.by
        listed = await asyncio.to_thread(read, desk.workspace, desk.reviewer, by, VerdictSubset())
        if by is self.by:
            self.listed = listed

    def turn(self) -> None:
        """Have verdicts differ in the next thing from the next reading on."""
        order = list(ConflictBy)
        self.by = order[(order.index(self.by) + 1) % len(order)]

    @property
    def conflicts(self) -> tuple[Conflict, ...]:
        """Open ones first."""
        return self.listed.conflicts if self.listed is not None else ()
