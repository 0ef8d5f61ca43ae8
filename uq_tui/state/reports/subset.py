"""Which verdicts the reports on verdicts are on: what there is to choose from, and what is chosen."""

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from store import opinions, queues
from store.opinions import VerdictSubset
from store.row_choice import since_when
from store.withheld import withheld
from store.workspace import Workspace
from uq_tui.state.people import SHORT_ID, names_of


class By(StrEnum):
    """What verdicts can be chosen by."""

    SITE = "site"
    FIELD = "field"
    QUEUE = "queue"
    VERSION = "dataset version"
    PERSON = "reviewer"
    BLIND = "given"


@dataclass(frozen=True, slots=True)
class Value:
    """Something that some verdicts have in common."""

    by: By
    key: str
    """As `VerdictSubset` has it."""
    name: str = field(compare=False)
    """Foreign text."""
    n: int = field(compare=False)
    """Ordinary verdicts that stand and have it."""


BLIND = "blind"
MOST_NAMED = 4
"""People that are named in a line; of more than these, the last are counted."""


@dataclass(frozen=True, slots=True)
class Chosen:
    """What is chosen: one value of each kind, or several people; the verdicts that have all of it."""

    values: tuple[Value, ...] = ()
    since: str = ""
    """As `VerdictSubset` has it."""

    def turned(self, value: Value) -> "Chosen":
        """With this value, which takes the place of another one of its kind unless it is a person; or without it."""
        if value in self.values:
            return replace(self, values=tuple(one for one in self.values if one != value))
        kept = (one for one in self.values if one.by is not value.by or value.by is By.PERSON)
        return replace(self, values=(*kept, value))

    def blind_or_all(self) -> "Chosen":
        """Only verdicts that were given blind, or all."""
        return self.turned(Value(By.BLIND, BLIND, BLIND, 0))

    def dated(self, typed: str) -> "Chosen":
        """Only what was said on a day or at a time, or later; nothing typed restricts to none.

        Raises:
            ValueError: it is neither; the message says what is.
        """
        return replace(self, since=since_when(typed) if typed.strip() else "")

    @property
    def shown_since(self) -> str:
        """The day or time as `dated` reads it."""
        return f"{self.since}Z" if "T" in self.since else self.since

    @property
    def subset(self) -> VerdictSubset:
        """The same for the store."""
        return VerdictSubset(
            site=self._key(By.SITE),
            domain=self._key(By.FIELD),
            dataset_version=self._key(By.VERSION),
            queue_id=self._key(By.QUEUE),
            reviewer_ids=tuple(one.key for one in self.values if one.by is By.PERSON),
            since=self.since,
            blind_only=bool(self._key(By.BLIND)),
        )

    def _key(self, by: By) -> str:
        return next((one.key for one in self.values if one.by is by), "")

    @property
    def words(self) -> str:
        """What is chosen in one line, with foreign text in it; "" where nothing is."""
        return ", ".join(self._parts())

    def _parts(self) -> Iterator[str]:
        for by in By:
            names = [f"“{one.name}”" if by is By.QUEUE else one.name for one in self.values if one.by is by]
            if len(names) > MOST_NAMED:
                names[MOST_NAMED - 1 :] = [f"{len(names) - MOST_NAMED + 1:,} more"]
            if names:
                yield BLIND if by is By.BLIND else f"{by} {' or '.join(names)}"
        if self.since:
            yield f"since {self.shown_since}"

    def __bool__(self) -> bool:
        return bool(self.values or self.since)


async def load(ws: Workspace, reviewer_id: str) -> tuple[Value, ...]:
    """`offered`, in a thread."""
    return await asyncio.to_thread(offered, ws, reviewer_id)


def offered(ws: Workspace, reviewer_id: str) -> tuple[Value, ...]:
    """What verdicts can be chosen by, in order of kind, those with most verdicts first.

    Verdicts that the reviewer is not to see don't count. Reads all verdicts: not for an event loop.
    """
    every = opinions.standing(ws, without=withheld(ws, reviewer_id))
    given = [one for one in every if one.ordinary]
    places = opinions.places(ws)
    titles = {queue.id: queue.name for queue in queues.all_of(ws)}
    sites, fields = zip(*(places.get(one.question_id, ("", "")) for one in given), strict=True) if given else ((), ())
    return (
        *_counted(By.SITE, sites, {}),
        *_counted(By.FIELD, fields, {}),
        *_counted(By.QUEUE, (one.queue_id for one in given), titles),
        *_counted(By.VERSION, (one.dataset_version for one in given), {}),
        *_counted(By.PERSON, (one.person for one in given), names_of(every)),
        *_counted(By.BLIND, (BLIND * one.blind for one in given), {}),
    )


def _counted(by: By, keys: Iterable[str], names: Mapping[str, str]) -> list[Value]:
    """Each key with how often it is there. What has no name here goes by the end of its id."""
    found = Counter(key for key in keys if key)
    has_id = by in (By.QUEUE, By.PERSON)
    values = [Value(by, key, names.get(key, f"…{key[-SHORT_ID:]}" if has_id else key), n) for key, n in found.items()]
    return sorted(values, key=lambda one: (-one.n, one.name, one.key))


def listed(there: Sequence[Value], chosen: Chosen) -> tuple[Value, ...]:
    """What is offered together with what is chosen and not there, which can be let go of."""
    gone = [replace(one, n=0) for one in chosen.values if one not in there]
    order = list(By)
    return tuple(sorted((*there, *gone), key=lambda one: order.index(one.by)))
