"""A problem's answers as a reviewer of a queue sees them: one line each, by final answer, with what became of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from store.review_rows import QueueItem
from uq_tui.words import UNDECIDED, ItemRole, ItemState


class Mark(StrEnum):
    """What stands before an answer's state, so that it never rests on colour."""

    NOW = "▸"
    OPEN = "○"
    PUT_OFF = "…"
    DONE = "●"
    SAME = "="


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """One answer. `item_id` is the item that is gone to from here: of an identical answer, the one judged for both."""

    item_id: str
    called: str
    """`B`, `c2`: see `store.rows.Candidate.called`."""
    group: int
    """From 1; answers with the same final answer have the same."""
    mark: Mark
    words: str


def answer_lines(
    items: Sequence[QueueItem], names: Mapping[str, str], given: Mapping[str, str], now: str
) -> tuple[AnswerLine, ...]:
    """The answers of one problem in one share: those with the same final answer together, then by name.

    An answer that comes twice has one line. Until it is decided for the second time, nothing of what was decided the
    first time is told, nor which of the problem's answers it is: all that are decided say only that.

    Args:
        items: all items of the problem, linked ones too.
        names: what candidates are called, by id.
        given: what was decided, in words, by item.
        now: the item before the reviewer.
    """
    shown: dict[str, QueueItem] = {}
    for item in items:
        other = shown.get(item.candidate_id)
        if other is None or _weight(item, now) > _weight(other, now):
            shown[item.candidate_id] = item
    if any(item.role is ItemRole.REPEAT and item.state in UNDECIDED and item.id != now for item in items):
        given = {now: given.get(now, "")}
    calls = {item.id: names.get(item.candidate_id, "") for item in shown.values()}
    groups = {group: place for place, group in enumerate(sorted({one.answer_group for one in shown.values()}), start=1)}
    lines = [_line(item, calls, groups[item.answer_group], given, now) for item in shown.values()]
    return tuple(sorted(lines, key=lambda line: (line.group, len(line.called), line.called)))


def _weight(item: QueueItem, now: str) -> tuple[bool, bool, int]:
    """How much an item has to say of an answer against another one: a repeat has nothing before it has come."""
    to_come = item.role is ItemRole.REPEAT and item.state in UNDECIDED
    return item.id == now, not to_come, item.position


def _line(item: QueueItem, calls: Mapping[str, str], group: int, given: Mapping[str, str], now: str) -> AnswerLine:
    called = calls[item.id]
    if item.linked_to:
        with_whom = calls.get(item.linked_to, "")
        return AnswerLine(item.linked_to, called, group, Mark.SAME, f"identical to {with_whom}".rstrip())
    if item.id == now:
        before = given.get(item.id, "")
        return AnswerLine(item.id, called, group, Mark.NOW, f"now, was {before}" if before else "now")
    if item.state is ItemState.OPEN:
        return AnswerLine(item.id, called, group, Mark.OPEN, "open")
    if item.state is ItemState.PUT_OFF:
        return AnswerLine(item.id, called, group, Mark.PUT_OFF, "put off")
    said = given.get(item.id)
    return AnswerLine(item.id, called, group, Mark.DONE, f"yours: {said}" if said else "done")


def span(names: Sequence[str]) -> str:
    """`A-I` of names in order; one name by itself."""
    return names[0] if len(names) < 2 else f"{names[0]}-{names[-1]}"
