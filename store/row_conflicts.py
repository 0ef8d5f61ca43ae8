"""Which of the rows that were seen of one verdict or statement can count together. Nothing here reads the store.

Rows of the same content may differ in what their exporter left out: one copy stands for all. Rows that can't all be
true are all in conflict, whichever came first. What was recorded here stands, and is in conflict with nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from store.record_shape import HASH_KEY
from store.sealed_kinds import SealedKind

_REVIEWER = "reviewer_id"
_NEVER_LEFT_OUT = (
    "status",
    "kind",
    "question_id",
    "candidate_id",
    "candidate_sha256",
    "label",
    "not_judged",
    "score_0_7",
    "confidence",
    "blind",
    "created_at",
)
"""What copies of one row have in common, whatever else is left out: so none says something else in its name."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A row that was seen, and where it is."""

    kind: SealedKind
    record: Mapping[str, Any]
    line: str
    """Sealed."""
    counts: bool
    """It is among the rows that count."""
    here: bool = False
    """It was recorded in this workspace."""

    @property
    def revision(self) -> int:
        """Its number, 0 for kinds that have none."""
        return self.kind.revision(self.record)

    @property
    def content(self) -> tuple[object, ...]:
        """What is the same of all copies of one row."""
        whole = _redaction(self.record)["of_sha256"] if self.left_out else self.record[HASH_KEY]
        return self.revision, whole, *(self.record.get(key) for key in _NEVER_LEFT_OUT)

    @property
    def left_out(self) -> tuple[str, ...]:
        """What its exporter left out of it."""
        said = _redaction(self.record)
        return tuple(said["left_out"]) if said["of_sha256"] else ()

    @property
    def subject(self) -> tuple[object, ...]:
        """What all revisions agree on, the reviewer apart."""
        values = self.kind.values(self.record, self.line)
        return tuple(values[name] for name in self.kind.subject if name != _REVIEWER)

    @property
    def reviewer_id(self) -> str | None:
        """Whose it is; `None` where that was left out."""
        reviewer = self.record.get("reviewer")
        return None if reviewer is None or "reviewer" in self.left_out else str(reviewer["id"])


_NOTHING_LEFT_OUT: Mapping[str, Any] = {"of_sha256": "", "left_out": ()}


def _redaction(record: Mapping[str, Any]) -> Mapping[str, Any]:
    said: Mapping[str, Any] = record.get("redaction", _NOTHING_LEFT_OUT)
    return said


def is_redacted(record: Mapping[str, Any]) -> bool:
    """Whether a row is a copy that leaves something out."""
    said = _redaction(record)
    return bool(said["of_sha256"] and said["left_out"])


def best_copies(seen: Iterable[Seen]) -> list[Seen]:
    """Of each content the copy that leaves out least, and of several such the one with the smallest hash."""
    best: dict[tuple[object, ...], Seen] = {}
    for one in sorted(seen, key=lambda one: (not one.here, len(one.left_out), one.record[HASH_KEY])):
        best.setdefault(one.content, one)
    return list(best.values())


def conflicts(copies: Sequence[Seen]) -> list[str]:
    """Of each row of one verdict or statement why it is in conflict; "" for one that counts.

    `copies` are of different contents, and agree with what is known of their candidates.
    """
    apart = _disagreeing(copies)
    by_revision: defaultdict[int, list[Seen]] = defaultdict(list)
    for one, is_apart in zip(copies, apart, strict=True):
        if not is_apart:
            by_revision[one.revision].append(one)
    return [
        f"revisions of {_id(one)} differ in who gave it, on what, or as what"
        if is_apart
        else _contested(one, by_revision[one.revision])
        for one, is_apart in zip(copies, apart, strict=True)
    ]


def _disagreeing(copies: Sequence[Seen]) -> list[bool]:
    """Of each row whether it is said to be of something else than another revision of it."""
    here = [one for one in copies if one.here]
    if here:
        known = here[0].subject, here[0].reviewer_id
        return [(one.subject, one.reviewer_id or known[1]) != known for one in copies]
    reviewers = {one.reviewer_id for one in copies} - {None}
    agree = len({one.subject for one in copies}) == 1 and len(reviewers) <= 1
    return [not agree] * len(copies)


def _contested(one: Seen, same_revision: Sequence[Seen]) -> str:
    if one.here or len(same_revision) == 1:
        return ""
    return f"{_id(one)}#{one.revision} is known with other content"


def _id(one: Seen) -> str:
    return one.kind.row_id(one.record)
