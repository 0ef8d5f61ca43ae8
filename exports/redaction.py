"""Copies of rows that leave something out: who the reviewer is, the words of the answer. Each says what it is made of.

Such a copy has a hash of its own, and names that of the whole row, so that whoever has both knows them for one.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from store.frozen_rows import sealed
from store.record_shape import HASH_KEY
from uq_tui.words import Redacted, Relation

_REDACTION = "redaction"
_NAMES_AN_AUTHOR = frozenset((Relation.ORIGINAL_POSTER, Relation.ANSWER_AUTHOR))
"""Relations that say who the reviewer is, since the row names the author of its question, and the answer has one."""
_ID_DIGITS, _HANDLE_DIGITS = 32, 8
_UNKNOWN_KEYS = "extra"


@dataclass(frozen=True, slots=True)
class Redactor:
    """Makes copies of sealed rows that leave some of it out."""

    shape: Mapping[str, Any]
    """Of the rows. Keys beyond it, and what is in `extra`, are left out of each copy: nobody knows what they say."""
    left_out: frozenset[Redacted]
    secret: bytes
    """The workspace's: without it nobody can tell which id became which."""

    def lines(self, lines: Iterable[str]) -> Iterator[str]:
        """The rows one by one; one that leaves it all out already, or has nothing of it, as it is."""
        for line in lines:
            yield self.line(line) if self.left_out else line

    def line(self, line: str) -> str:
        """One row."""
        record = json.loads(line)
        before = record.get(_REDACTION, {"of_sha256": "", "left_out": []})
        missing = {part for part in self.left_out - set(before["left_out"]) if _APPLIES[part](record)}
        if not missing:
            return line
        redaction = {
            "of_sha256": before["of_sha256"] or record[HASH_KEY],
            "left_out": sorted({*before["left_out"], *missing}),
        }
        whole = {**record, _REDACTION: redaction, _UNKNOWN_KEYS: {}}
        copy = {key: whole[key] for key in self.shape if key in whole}
        if Redacted.REVIEWER in missing:
            copy |= self._anonymous(copy)
        if Redacted.TEXT in missing:
            copy["errors"] = [{**error, "quotes": [*map(_wordless, error["quotes"])]} for error in copy["errors"]]
        return sealed(copy)

    def _anonymous(self, record: Mapping[str, Any]) -> dict[str, Any]:
        """The keys that name people, without their names. Words that people wrote stay as they are."""
        reviewer = record["reviewer"]
        key = anonymous_id(self.secret, reviewer["id"])
        empty = {name: type(value)() for name, value in reviewer.items()}
        relation = "" if reviewer["relation"] in _NAMES_AN_AUTHOR else reviewer["relation"]
        handle = f"reviewer {key[:_HANDLE_DIGITS]}"
        changed: dict[str, Any] = {"reviewer": {**empty, "id": key, "handle": handle, "relation": relation}}
        if "accepted_by" in record:
            changed["accepted_by"] = ""
        if "resolution" in record:
            changed["resolution"] = {**record["resolution"], "credit": ""}
        return changed


def anonymous_id(secret: bytes, reviewer_id: str) -> str:
    """What stands in place of a reviewer's id: 32 hexadecimal digits, the same for all their rows of a workspace."""
    keyed = hmac.digest(secret, b"anonymous reviewer\0" + reviewer_id.encode("utf-8", "surrogatepass"), hashlib.sha256)
    return keyed.hex()[:_ID_DIGITS]


def _wordless(quote: Mapping[str, Any]) -> dict[str, Any]:
    return {**quote, "quote": "", "prefix": "", "suffix": ""}


def _has_text(record: Mapping[str, Any]) -> bool:
    return any(quote[key] for error in record.get("errors", ()) for quote in error["quotes"] for key in _wordless({}))


_APPLIES: Mapping[Redacted, Callable[[Mapping[str, Any]], bool]] = {
    Redacted.REVIEWER: lambda record: True,
    Redacted.TEXT: _has_text,
}
