"""The questions that one line of the funnel counts, read by pages."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass, replace

from store import blindness, curation_lists
from store.curation_rows import Placed, PlacedPage
from store.workspace import Workspace
from uq_tui.state.curating.funnel_lines import FunnelLine, Spot
from uq_tui.words import CurationStage

PAGE = 100
"""Questions that are read at once."""


@dataclass(frozen=True, slots=True)
class _From:
    """Where reading goes on: the place in the line's spots, and the key of the next page there."""

    at: int = 0
    after: int | None = None


class Standing:
    """Filled page by page. What tells of an answer that is judged blind is left out, and counted."""

    def __init__(self, ws: Workspace, reviewer_id: str, curation_id: str, line: FunnelLine) -> None:
        self._ws = ws
        self._reviewer_id = reviewer_id
        self._curation_id = curation_id
        self.line = line
        self.rows: tuple[Placed, ...] = ()
        self.left_out = 0
        """Questions that fell by what models said of answers which this reviewer judges blind."""
        self._next: _From | None = _From()

    @property
    def complete(self) -> bool:
        """There are no more."""
        return self._next is None

    async def more(self) -> tuple[Placed, ...]:
        """Read the next page; nothing once it is complete. Raises StoreError."""
        if self._next is None:
            return ()
        rows, left_out, self._next = await asyncio.to_thread(self._read, self._next)
        self.rows += rows
        self.left_out += left_out
        return rows

    def _read(self, start: _From) -> tuple[tuple[Placed, ...], int, _From | None]:
        masked = blindness.masked_questions(self._ws, self._reviewer_id)
        found: list[Placed] = []
        hidden = 0
        for rows, then in self._pages(start):
            shown = [as_seen(row, row.question_id in masked) for row in rows]
            hidden += shown.count(None)
            found += [row for row in shown if row is not None]
            if len(found) >= PAGE or then is None:
                return tuple(found), hidden, then
        return tuple(found), hidden, None

    def _pages(self, start: _From) -> Iterator[tuple[list[Placed], _From | None]]:
        """What there is at one spot after the other, each page with where the next one begins."""
        spots, after = self.line.spots, start.after
        for at in range(start.at, len(spots)):
            while True:
                page, spot = self._page(spots[at], after), spots[at]
                rows = [row for row in page.rows if (row.place.unknown, row.site) == (spot.unknown, spot.site)]
                after = page.next_after
                if after is None:
                    yield rows, _From(at + 1) if at + 1 < len(spots) else None
                    break
                yield rows, _From(at, after)

    def _page(self, spot: Spot, after: int | None) -> PlacedPage:
        return curation_lists.page(
            self._ws, self._curation_id, spot.stage, spot.fell, site=spot.site, after=after, limit=PAGE
        )


def as_seen(row: Placed, masked: bool) -> Placed | None:
    """A question as it may be listed: `None` where being there tells what models said of answers that are masked."""
    if not masked or row.place.stage is CurationStage.RULES:
        return row
    if row.place.stage is CurationStage.MODEL and row.place.fell:
        return None
    return replace(row, place=replace(row.place, detail="", unknown=False))
