"""The question list: what is shown, which filter holds, and one page after another by key."""

import asyncio
from dataclasses import replace

from store import questions
from store.rows import Count, Facet, Page, PageKey, Question, QuestionFilter, QuestionRow
from store.workspace import Workspace
from uq_tui.text import counted
from uq_tui.words import QuestionStatus

PAGE = 100
"""Rows fetched at a time."""


class QuestionsState:
    """Rows so far under the current filter. A slow answer to an earlier filter is dropped."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self.filter = QuestionFilter()
        self.rows: list[QuestionRow] = []
        self.count = Count(0, capped=False)
        self.facets: tuple[Facet, ...] = ()
        self.stood_on = ""
        """The question the reader was on, by id."""
        self._next: PageKey | None = None
        self._asked = 0

    @property
    def complete(self) -> bool:
        """Whether the last page has been fetched."""
        return self._next is None

    async def load(self) -> bool:
        """Fetch facets, count and first page. False when a newer request overtook this one."""
        self._asked += 1
        asked = self._asked
        facets, count, page = await asyncio.to_thread(self._first_page, self.filter)
        if asked != self._asked:
            return False
        self.facets, self.count, self.rows = facets, count, list(page.rows)
        self._next = page.next_after
        return True

    def _first_page(self, wanted: QuestionFilter) -> tuple[tuple[Facet, ...], Count, Page]:
        return (
            questions.facets(self._workspace),
            questions.count(self._workspace, wanted),
            questions.page(self._workspace, wanted, limit=PAGE),
        )

    async def load_more(self) -> tuple[QuestionRow, ...]:
        """The next page's rows, also appended to `rows`; empty at the end or when overtaken."""
        if self._next is None:
            return ()
        asked, after = self._asked, self._next
        page = await asyncio.to_thread(questions.page, self._workspace, self.filter, after=after, limit=PAGE)
        if asked != self._asked or after != self._next:
            return ()
        self.rows.extend(page.rows)
        self._next = page.next_after
        return page.rows

    @property
    def place(self) -> int:
        """Where the question stood on is among the rows; 0 when it isn't there."""
        return next((at for at, row in enumerate(self.rows) if row.id == self.stood_on), 0)

    def search(self, text: str) -> None:
        """Restrict to questions that hold these words."""
        self.filter = replace(self.filter, text=text.strip())

    def toggle(self, facet: Facet) -> None:
        """Restrict to a facet's value, or lift that restriction when it holds already."""
        if facet.kind == "site":
            self.filter = replace(self.filter, site="" if self.filter.site == facet.value else facet.value)
        else:
            status = QuestionStatus(facet.value)
            self.filter = replace(self.filter, status=None if self.filter.status is status else status)

    def holds(self, facet: Facet) -> bool:
        """Whether the list is restricted to this facet's value."""
        return facet.value == (self.filter.site if facet.kind == "site" else self.filter.status)

    async def preview(self, question_id: str) -> Question:
        """The whole question, for reading."""
        return await asyncio.to_thread(questions.get, self._workspace, question_id)

    def count_text(self) -> str:
        """`612 questions`, `10,000+ questions`."""
        return f"{self.count.n:,}+ questions" if self.count.capped else counted(self.count.n, "question")
