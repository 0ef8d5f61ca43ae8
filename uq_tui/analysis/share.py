"""Laying out a reviewer's share of a queue: practice first, problems in order, gold items among them, repeats behind.

All on ids; nothing is read or stored here. What is left to chance is decided by a keyed hash: nobody without the key
can tell where gold items and repeats stand, and the same key gives the same share.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from uq_tui.analysis.keyed import index, nearest, shuffled
from uq_tui.words import ItemRole


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer to a problem, as far as laying out needs to know it."""

    id: str
    group: int = 0
    """Answers with the same final answer have the same number."""
    twin: str = ""
    """Answers that are identical have the same; empty where it is like no other."""
    correct: bool | None = None
    """By its known label; `None` where it has none, or one that says neither."""
    wanted: bool = True
    """To be judged. Others are there to be gold items or practice."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A question and its answers, in the order in which they are to be judged."""

    id: str
    answers: tuple[Answer, ...]

    @property
    def judged(self) -> tuple[Answer, ...]:
        """Those wanted, of identical ones the first."""
        return tuple(_first_of_twins(one for one in self.answers if one.wanted))


@dataclass(frozen=True, slots=True)
class Amounts:
    """How much of what is mixed into a share."""

    gold: float = 0.0
    """The share of gold items among all that is judged, repeats and practice left out: 0 to below 1."""
    repeats: float = 0.0
    """Repeats as a share of what is judged, 0 to 1."""
    repeat_after: int = 20
    """A repeat stands at least so many items behind the first time."""
    grouped: bool = True
    """Answers of a problem with the same final answer stand together."""


@dataclass(frozen=True, slots=True)
class Place:
    """One item of a share."""

    problem: str
    answer: str
    role: ItemRole = ItemRole.PLAIN
    group: int = 0
    linked_to: int | None = None
    """Where in the share the identical answer stands that is judged for this one."""


@dataclass(frozen=True, slots=True)
class Share:
    """A reviewer's items in their order, and what was wanted of the mixed-in ones."""

    places: tuple[Place, ...]
    gold_wanted: int
    repeats_wanted: int

    def count(self, role: ItemRole) -> int:
        """Items of a role that are judged themselves."""
        return sum(one.role is role and one.linked_to is None for one in self.places)

    @property
    def linked(self) -> int:
        """Items that another one's verdict counts for."""
        return sum(one.linked_to is not None for one in self.places)


@dataclass(frozen=True, slots=True)
class _Item:
    """An answer that is judged, with the identical ones behind it."""

    place: Place
    twins: tuple[str, ...] = ()


def practice_block(pool: Iterable[Problem], wanted: int, *, grouped: bool = True, key: bytes) -> tuple[Place, ...]:
    """Up to `wanted` answers with known labels to practise on, correct and wrong ones in equal parts if possible.

    Empty unless there are some of both. The caller leaves out the problems that are judged later.
    """
    problems = {one.id: one for one in pool}
    homes = {answer.id: problem for problem in problems.values() for answer in problem.answers}
    sides = defaultdict[bool, list[str]](list)
    for problem in problems.values():
        for answer in _first_of_twins(problem.answers):
            if answer.correct is not None:
                sides[answer.correct].append(answer.id)
    right, wrong = (shuffled(key, "practice", sides[side]) for side in (True, False))
    if wanted < 2 or not right or not wrong:
        return ()
    from_wrong = max(min(len(wrong), wanted // 2), wanted - len(right))
    chosen = {*wrong[:from_wrong], *right[: wanted - from_wrong]}
    order = shuffled(key, "practice problems", {homes[one].id for one in chosen})
    items = [item for one in order for item in _block(problems[one], chosen, chosen, grouped)]
    return tuple(replace(one.place, role=ItemRole.PRACTICE) for one in items)


def lay_out(
    own: Sequence[Problem],
    pool: Sequence[Problem],
    practice: Sequence[Place],
    amounts: Amounts,
    *,
    barred: Collection[str] = (),
    key: bytes,
) -> Share:
    """One reviewer's share.

    Args:
        own: the reviewer's problems in the order in which they come.
        pool: other problems, from which gold items may be taken.
        practice: what is practised on first; its problems are in neither of the above.
        amounts: what is mixed in.
        barred: answers that this reviewer can't be measured by: already judged, or the label has been seen.
        key: what decides by chance, another one for each reviewer.
    """
    gold, wanted = _choose_gold(own, pool, amounts.gold, barred, key)
    blocks = [_block(one, gold, _taken(one, gold), amounts.grouped) for one in own]
    others = {one.id: one for one in pool if any(answer.id in gold for answer in one.answers)}
    for name in shuffled(key, "gold problems", others):
        block = _block(others[name], gold, gold, amounts.grouped)
        blocks.insert(index(key, "gold place", name, len(blocks) + 1), block)
    repeats = nearest(amounts.repeats * sum(map(len, blocks)))
    items = _with_repeats(blocks, repeats, amounts.repeat_after, key)
    return Share(_flat([*map(_Item, practice), *items]), wanted, repeats)


def _choose_gold(
    own: Sequence[Problem], pool: Sequence[Problem], share: float, barred: Collection[str], key: bytes
) -> tuple[frozenset[str], int]:
    """Ids of the gold items, and how many there should be.

    Answers that are judged anyway come first, then others of the same problems, which stand out least, then those of
    other problems, as many of one as it has.
    """
    judged = [answer for problem in own for answer in problem.judged]
    known = [one.id for one in judged if one.correct is not None and one.id not in barred]
    wanted = nearest(share * len(judged))
    if len(known) >= wanted:
        return frozenset(shuffled(key, "gold", known)[:wanted]), wanted
    # So many more that they are this share of all that is then judged.
    more = nearest((share * len(judged) - len(known)) / (1.0 - share))
    near = {one.id for problem in own for one in _extra(problem, barred)}
    found = shuffled(key, "gold", near)
    by_id = {problem.id: problem for problem in pool}
    for name in shuffled(key, "gold problems", by_id):
        if len(found) >= more:
            break
        found += shuffled(key, "gold", (one.id for one in _extra(by_id[name], barred)))
    return frozenset((*known, *found[:more])), len(known) + more


def _extra(problem: Problem, barred: Collection[str]) -> list[Answer]:
    """Answers with a known label that aren't judged, nor identical to one that is."""
    judged = {one.twin for one in problem.judged if one.twin}
    free = (one for one in problem.answers if not one.wanted and one.correct is not None and one.id not in barred)
    return [one for one in _first_of_twins(free) if one.twin not in judged]


def _taken(problem: Problem, gold: Collection[str]) -> frozenset[str]:
    return frozenset(one.id for one in problem.answers if one.wanted or one.id in gold)


def _block(problem: Problem, gold: Collection[str], taken: Collection[str], grouped: bool) -> list[_Item]:
    """The items of one problem: those with the same final answer together, in the order in which their first comes."""
    answers = [one for one in problem.answers if one.id in taken]
    numbers: dict[int, int] = {}
    for one in answers:
        numbers.setdefault(one.group, len(numbers))
    items = []
    for one in _first_of_twins(answers):
        twins = tuple(each.id for each in answers if each.twin and each.twin == one.twin and each is not one)
        role = ItemRole.GOLD if one.id in gold else ItemRole.PLAIN
        items.append(_Item(Place(problem.id, one.id, role, numbers[one.group]), twins))
    return sorted(items, key=lambda item: item.place.group) if grouped else items


def _with_repeats(blocks: Sequence[Sequence[_Item]], wanted: int, after: int, key: bytes) -> list[_Item]:
    """All items, some plain ones of them again further behind, between two problems or at the end."""
    items = [one for block in blocks for one in block]
    bounds = _bounds(blocks)
    first_bound = {
        item.place.answer: bisect_left(bounds, at + after)
        for at, item in enumerate(items)
        if item.place.role is ItemRole.PLAIN and len(items) >= at + after
    }
    at_bound = defaultdict[int, list[str]](list)
    for one in shuffled(key, "repeats", first_bound)[:wanted]:
        first = first_bound[one]
        at_bound[bounds[first + index(key, "repeat place", one, len(bounds) - first)]].append(one)
    by_id = {item.place.answer: item.place for item in items}
    laid: list[_Item] = []
    for at in range(len(items) + 1):
        laid += [_Item(replace(by_id[one], role=ItemRole.REPEAT)) for one in at_bound[at]]
        laid += items[at : at + 1]
    return laid


def _bounds(blocks: Sequence[Sequence[_Item]]) -> list[int]:
    """How many items stand before each problem behind the first, and before the end."""
    bounds, total = [], 0
    for block in blocks:
        total += len(block)
        bounds.append(total)
    return bounds


def _flat(items: Iterable[_Item]) -> tuple[Place, ...]:
    """The items with the answers that are linked to them behind each."""
    places: list[Place] = []
    for item in items:
        judged = len(places)
        places.append(item.place)
        linked = replace(item.place, role=ItemRole.PLAIN, linked_to=judged)
        places += [replace(linked, answer=twin) for twin in item.twins]
    return tuple(places)


def _first_of_twins(answers: Iterable[Answer]) -> list[Answer]:
    seen: set[str] = set()
    found = []
    for one in answers:
        if one.twin and one.twin in seen:
            continue
        seen.add(one.twin)
        found.append(one)
    return found
