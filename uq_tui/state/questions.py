"""The question list: what is shown, which filters hold, in which order, and one page after another by key."""

import asyncio
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from store import blindness, questions, resolutions, reviewers, saved_views
from store.live_reader import LiveReader, OvertakenError
from store.ranking import RANKED
from store.rows import Count, Facet, Page, PageKey, Question, QuestionFilter, QuestionRow
from store.saved_views import SavedView
from store.snippets import Snippet, snippets
from store.workspace import Workspace
from uq_tui.state.browsing import held, held_words, in_order, order_words, toggled
from uq_tui.state.resolving import told_of
from uq_tui.text import counted
from uq_tui.words import Direction, FacetKind, Order, Resolution

PAGE = 100
"""Rows fetched at a time."""
TOP = 6
"""Values of a facet that are shown before one types for more."""
_WHOLE = (FacetKind.STATUS, FacetKind.RESOLUTION, FacetKind.DOMAIN, FacetKind.SCORE, FacetKind.YEAR)
"""Facets of few values: all are shown."""
_MOST = 40
"""Values that are shown of any."""


@dataclass(frozen=True, slots=True)
class _Listed:
    """A page with what stands beside its rows."""

    page: Page
    snippets: dict[int, Snippet]
    resolutions: dict[str, Resolution]


class QuestionsState:
    """Rows so far under the current filter. An earlier filter that is still being looked up is interrupted."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._reader = LiveReader(workspace)
        self.filter = QuestionFilter()
        self.order = Order.ARRIVAL
        self.direction = Direction.UP
        self.rows: list[QuestionRow] = []
        self.snippets: dict[int, Snippet] = {}
        """Where the search hits, by `seq` of the row."""
        self.resolutions: dict[str, Resolution] = {}
        """Where those questions stand that are not open, by id, as far as it may be known."""
        self.count = Count(0, capped=False)
        self.facets: tuple[Facet, ...] = ()
        self.facet_text = ""
        """What facets are narrowed to: values that hold it."""
        self.views: tuple[SavedView, ...] = ()
        self.stood_on = ""
        """The question the reader was on, by id."""
        self._masked: frozenset[str] = frozenset()
        self._next: PageKey | None = None
        self._asked = 0

    @property
    def complete(self) -> bool:
        """Whether the last page has been fetched."""
        return self._next is None

    async def load(self) -> bool:
        """Fetch count and first page. False when a newer request overtook this one."""
        self._asked += 1
        asked = self._asked
        try:
            count, listed = await asyncio.to_thread(self._first_page)
        except OvertakenError:
            return False
        if asked != self._asked:
            return False
        self.count, self.rows, self.snippets, self.resolutions = count, [], {}, {}
        self._take(listed)
        return True

    def _take(self, listed: _Listed) -> None:
        self.rows.extend(listed.page.rows)
        self.snippets |= listed.snippets
        self.resolutions |= listed.resolutions
        self._next = listed.page.next_after

    def _first_page(self) -> tuple[Count, _Listed]:
        self._masked = self._read_masked()
        return self._reader.run(
            lambda db: (questions.read_count(db, self.filter, masked=self._masked), self._page(db, None))
        )

    def _page(self, db: Connection, after: PageKey | None) -> _Listed:
        wanted, masked = self.filter, self._masked
        page = questions.read_page(db, wanted, self.order, self.direction, after=after, limit=PAGE, masked=masked)
        ids = [row.id for row in page.rows]
        found = snippets(db, wanted.text, [row.seq for row in page.rows], masked)
        return _Listed(page, found, resolutions.read_shown(db, ids, masked))

    async def load_more(self) -> tuple[QuestionRow, ...]:
        """The next page's rows, also appended to `rows`; empty at the end or when overtaken."""
        if self._next is None:
            return ()
        asked, after = self._asked, self._next
        try:
            listed = await asyncio.to_thread(self._reader.run, lambda db: self._page(db, after))
        except OvertakenError:
            return ()
        if asked != self._asked or after != self._next:
            return ()
        self._take(listed)
        return listed.page.rows

    async def load_facets(self) -> bool:
        """Fetch the most frequent values of each facet. False when the text was changed meanwhile."""
        text = self.facet_text
        facets = await asyncio.to_thread(self._facets, text)
        if text != self.facet_text:
            return False
        self.facets = facets
        return True

    def _facets(self, text: str) -> tuple[Facet, ...]:
        ws, masked, long = self._workspace, self._read_masked(), (FacetKind.SITE, FacetKind.TAG)
        whole = questions.facets(ws, _WHOLE, limit=_MOST, containing=text, masked=masked)
        return in_order(whole) + questions.facets(ws, long, limit=_MOST if text else TOP, containing=text)

    def _read_masked(self) -> frozenset[str]:
        return blindness.masked_questions(self._workspace, reviewers.current(self._workspace).id)

    @property
    def place(self) -> int:
        """Where the question stood on is among the rows; 0 when it isn't there."""
        return next((at for at, row in enumerate(self.rows) if row.id == self.stood_on), 0)

    def search(self, text: str) -> None:
        """Restrict to questions that hold these words. A blank at the end says that the last word is whole."""
        self.filter = replace(self.filter, text=text if text.strip() else "")
        if not self.filter.text and self.order is Order.RELEVANCE:
            self.order, self.direction = Order.ARRIVAL, Direction.UP

    def toggle(self, facet: Facet) -> None:
        """Restrict to a facet's value, or lift that restriction when it holds already."""
        self.filter = toggled(self.filter, facet.kind, facet.value)

    def holds(self, facet: Facet) -> bool:
        """Whether the list is restricted to this facet's value."""
        return (facet.kind, facet.value) in held(self.filter)

    def lift(self) -> None:
        """Lift all filters and the search; the order stays."""
        self.filter = QuestionFilter()
        self.search("")

    def next_order(self) -> None:
        """Sort by the next order there is, the end first that one looks for."""
        orders = [order for order in Order if order is not Order.RELEVANCE or self.filter.text]
        self.order = orders[(orders.index(self.order) + 1) % len(orders)]
        self.direction = Direction.UP if self.order is Order.ARRIVAL else Direction.DOWN

    def reverse(self) -> None:
        """Turn the order round; relevance has no other end."""
        if self.order is not Order.RELEVANCE:
            self.direction = Direction.DOWN if self.direction is Direction.UP else Direction.UP

    async def read_views(self) -> None:
        """Read the saved views."""
        self.views = await asyncio.to_thread(saved_views.all_of, self._workspace)

    async def save_view(self, name: str) -> None:
        """Keep what is shown now under a name. Raises ValueError when the name is blank."""
        view = SavedView(name, self.filter, self.order, self.direction)
        await asyncio.to_thread(saved_views.save, self._workspace, view)
        await self.read_views()

    async def drop_view(self, name: str) -> None:
        """Forget a view."""
        await asyncio.to_thread(saved_views.drop, self._workspace, name)
        await self.read_views()

    def choose(self, view: SavedView) -> None:
        """Show what a view shows."""
        self.filter, self.order, self.direction = view.filter, view.order, view.direction

    async def preview(self, question_id: str) -> Question:
        """The whole question, for reading."""
        return await asyncio.to_thread(questions.get, self._workspace, question_id)

    async def stands(self, question_id: str) -> str:
        """Whether a question is solved, in words, for its head; "" where it is open, or that is hidden."""
        return await asyncio.to_thread(self._stands, question_id)

    def _stands(self, question_id: str) -> str:
        return told_of(self._workspace, reviewers.current(self._workspace), question_id)

    def count_text(self) -> str:
        """`612 questions`, `10,000+ questions`, and the order where it isn't that of arrival."""
        count = f"{self.count.n:,}+ questions" if self.count.capped else counted(self.count.n, "question")
        if self.order is Order.RELEVANCE and self.filter.text:
            best = f"best of the first {RANKED:,} hits" if self.count.n > RANKED else "best first"
            return f"{count}, {best}"
        words = order_words(self.order, self.direction)
        return f"{count}, {words}" if words else count

    def held_text(self) -> str:
        """Which filters hold, on one line; empty when none does."""
        return held_words(self.filter)
