"""One tab of Insights: what it is asked for, and the page that it shows then."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, Protocol, TypeVar

from store.opinions import VerdictSubset
from store.workspace import Workspace
from uq_tui.state.reports.page import Page
from uq_tui.state.reviewing import blind
from uq_tui.state.reviewing.blind import LeftOut

Wanted = TypeVar("Wanted")
Findings = TypeVar("Findings")


class Option(StrEnum):
    """What a key changes of what a tab is asked for."""

    LABELS = "labels"
    """Whose labels count."""
    BORDERLINE = "borderline"
    """What a borderline correct answer counts as."""
    UNIT = "unit"
    """What metrics are computed for."""
    REFERENCE = "reference"
    """Whether reference solutions are ranked."""
    METHOD = "method"
    """How verdicts are put together."""


class Report(Protocol):
    """A tab that is open on a workspace."""

    @property
    def options(self) -> frozenset[Option]:
        """What can be changed of it."""

    @property
    def on_verdicts(self) -> bool:
        """Whether it can be on a subset of verdicts."""

    def turn(self, option: Option) -> None:
        """Take the next value of one of its options from the next reading on."""

    def restrict(self, subset: VerdictSubset) -> None:
        """Be on these verdicts from the next reading on, where it is `on_verdicts`."""

    def read(self, where: str) -> Page:
        """Read the store, record what the page tells of single candidates as shown at `where`. Takes seconds."""

    async def load(self, where: str) -> Page:
        """`read` in threads; nothing of a reading that is cancelled is recorded."""


@dataclass(frozen=True, slots=True)
class Tab(Generic[Wanted, Findings]):
    """How one tab is read and told."""

    name: str
    """By which commands and files name it."""
    title: str
    first: Callable[[], Wanted]
    """What it is asked for when it is opened."""
    find: Callable[[Workspace, Wanted, str, LeftOut], Findings]
    """Reads and reckons for the reviewer of this id, without what they judge blind."""
    record: Callable[[Workspace, str, Findings, str], None]
    """Records what is told of single candidates as shown to a reviewer at a place."""
    page: Callable[[Findings], Page]
    turns: Mapping[Option, Callable[[Wanted, Findings | None], Wanted]] = field(default_factory=dict)
    """The next value of each of its options, given what was found last."""
    restricted: Callable[[Wanted, VerdictSubset], Wanted] | None = None
    """The same asked of other verdicts; `None` where they don't come from verdicts alone."""

    def open(self, workspace: Workspace, reviewer_id: str) -> Report:
        """The tab as one reviewer is shown it."""
        return _Open(self, workspace, reviewer_id)


class AnyTab(Protocol):
    """A tab, whatever it is asked for and finds."""

    @property
    def name(self) -> str:
        """By which commands and files name it."""

    @property
    def title(self) -> str:
        """What stands on it."""

    def open(self, workspace: Workspace, reviewer_id: str) -> Report:
        """The tab as one reviewer is shown it."""


class _Open(Generic[Wanted, Findings]):
    def __init__(self, tab: Tab[Wanted, Findings], workspace: Workspace, reviewer_id: str) -> None:
        self._tab = tab
        self._workspace = workspace
        self._reviewer_id = reviewer_id
        self._wanted = tab.first()
        self._found: Findings | None = None

    @property
    def options(self) -> frozenset[Option]:
        return frozenset(self._tab.turns)

    @property
    def on_verdicts(self) -> bool:
        return self._tab.restricted is not None

    def restrict(self, subset: VerdictSubset) -> None:
        if self._tab.restricted is not None:
            self._wanted = self._tab.restricted(self._wanted, subset)

    def turn(self, option: Option) -> None:
        self._wanted = self._tab.turns[option](self._wanted, self._found)

    def read(self, where: str) -> Page:
        return self._told(self._find(), where)

    async def load(self, where: str) -> Page:
        found = await asyncio.to_thread(self._find)
        return await asyncio.to_thread(self._told, found, where)

    def _find(self) -> Findings:
        left_out = blind.left_out(self._workspace, self._reviewer_id)
        return self._tab.find(self._workspace, self._wanted, self._reviewer_id, left_out)

    def _told(self, found: Findings, where: str) -> Page:
        self._tab.record(self._workspace, self._reviewer_id, found, where)
        self._found = found
        return self._tab.page(found)
