"""How the rows that leave a workspace are described: by their keys, the types of these, and what ids are made of.

A shape is a mapping of keys in their order. In it a word list admits its words and "", a pair with None admits null,
and [x] is a list of x. Keys that a shape doesn't have are allowed.
"""

import re
import reprlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

HASH_KEY = "row_sha256"
"""The last key of every row: the hash of all others."""

SHA256 = re.compile(r"[0-9a-f]{64}")
ID = re.compile("[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,500}")
TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,9})?Z")
MOST_REVISIONS = 1_000_000


@dataclass(frozen=True, slots=True)
class Later:
    """A key that the first rows of a schema version lack. Later rows always have it."""

    shape: Any


QUESTION_KEYS: Mapping[str, Any] = {
    "question_id": str,
    "question_title": str,
    "site": str,
    "source_url": str,
    "source_author": str,
    "source_author_url": Later(str),
    "source_edited": Later(str),
    "licence": str,
    "dataset_version": str,
}
"""What every row says of its question: enough for a stub where that isn't here, and for its attribution.

`source_edited` is when the post was last edited on its site, "" where it wasn't or nobody says so.
"""


def misfits(value: Any, shape: Any) -> Iterator[str]:
    """What keeps a parsed value from having a shape."""
    kept = _ACCEPTORS.get(id(shape))
    if kept is None:
        kept = _ACCEPTORS[id(shape)] = shape, _acceptor(shape)
    return iter(()) if kept[1](value) else _misfits(value, shape, "")


_Accepts = Callable[[Any], bool]
_ACCEPTORS: dict[int, tuple[Any, _Accepts]] = {}
"""What tells quickly whether a value has a shape, by the id of that, which is kept from being another's."""


def _acceptor(shape: Any) -> _Accepts:
    """Whether a value has a shape, put together once: nearly all rows have theirs."""
    if isinstance(shape, tuple):
        inner = _acceptor(shape[0])
        return lambda value: value is None or inner(value)
    if isinstance(shape, list):
        inner = _acceptor(shape[0])
        return lambda value: isinstance(value, list) and all(map(inner, value))
    if isinstance(shape, Mapping):
        return _accepts_object(shape)
    if shape is float:
        return lambda value: type(value) in (int, float)
    if issubclass(shape, StrEnum):
        words = frozenset(("", *map(str, shape)))
        return lambda value: type(value) is str and value in words
    return lambda value: type(value) is shape


def _accepts_object(shape: Mapping[str, Any]) -> _Accepts:
    of_type = {key: inner for key, inner in shape.items() if inner in (str, int, bool, dict)}
    keys, kinds = [*of_type], [*of_type.values()]
    others = [
        (key, _acceptor(inner.shape), True) if isinstance(inner, Later) else (key, _acceptor(inner), False)
        for key, inner in shape.items()
        if key not in of_type
    ]

    def accepts(value: Any) -> bool:
        if type(value) is not dict or [*map(type, map(value.get, keys))] != kinds:
            return False
        return all(inner(value[key]) if key in value else may_lack for key, inner, may_lack in others)

    return accepts


def _misfits(value: Any, shape: Any, where: str) -> Iterator[str]:
    """What keeps a value, whose place in the row is `where`, from having a shape."""
    if isinstance(shape, tuple):
        if value is not None:
            yield from _misfits(value, shape[0], where)
    elif isinstance(shape, list):
        if not isinstance(value, list):
            yield f"`{where}` is not a list"
            return
        for index, item in enumerate(value):
            yield from _misfits(item, shape[0], f"{where}[{index}]")
    elif isinstance(shape, Mapping):
        if not isinstance(value, Mapping):
            yield f"`{where}` is not an object"
            return
        for key, inner in shape.items():
            name = f"{where}.{key}" if where else key
            if key in value:
                yield from _misfits(value[key], inner.shape if isinstance(inner, Later) else inner, name)
            elif not isinstance(inner, Later):
                yield f"`{name}` is missing"
    elif not _fits(value, shape):
        yield f"`{where}` is {reprlib.repr(value)}, which it can't be"


def _fits(value: Any, kind: type) -> bool:
    if kind is float:
        return type(value) in (int, float)
    if issubclass(kind, StrEnum):
        return value == "" or (isinstance(value, str) and value in set(kind))
    return type(value) is kind


def complete(shape: Any) -> Any:
    """The shape of rows that lack nothing: no key of it, at any depth, is a `Later` one."""
    if isinstance(shape, Later):
        return complete(shape.shape)
    if isinstance(shape, Mapping):
        return {key: complete(inner) for key, inner in shape.items()}
    return [complete(shape[0])] if isinstance(shape, list) else shape


def is_text(value: object, pattern: re.Pattern[str]) -> bool:
    """Whether a value is a string that all of the pattern fits."""
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def revision_problems(record: Mapping[str, Any], id_key: str) -> Iterator[str]:
    """What is wrong with the keys that name a row, its question, its reviewer and its revision.

    Args:
        record: the parsed row, of any shape.
        id_key: the key of the row's own id.
    """
    reviewer = record.get("reviewer")
    yield from id_problems(
        {
            id_key: record.get(id_key),
            "question_id": record.get("question_id"),
            "reviewer.id": reviewer.get("id") if isinstance(reviewer, dict) else None,
        }
    )
    yield from time_problems(record)
    if record.get("status") == "":
        yield "`status` is empty"
    if isinstance(record.get("revision"), int) and not 1 <= record["revision"] <= MOST_REVISIONS:
        yield f"`revision` counts from 1 to {MOST_REVISIONS:,}"


def id_problems(ids: Mapping[str, object]) -> Iterator[str]:
    """What is wrong with ids, by the key that each stands under."""
    for key, value in ids.items():
        if not is_text(value, ID):
            yield f"`{key}` is not an id: 1 to 500 characters, none of them a control character"


def time_problems(record: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the time at which a row was made."""
    if not is_text(record.get("created_at"), TIME):
        yield "`created_at` is not a UTC time such as 2026-01-31T12:00:00Z"
