"""Verdict rows in which every key says something, and how one key of them is changed."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from enum import StrEnum
from typing import Any

from store.frozen_rows import sealed
from store.record_shape import Later
from store.rows import Quote
from store.verdict_shape import SHAPE
from tests.store.records.samples import ANSWER, candidate, record
from uq_tui.document.anchors import cut
from uq_tui.words import Label, NotJudged

_QUOTE = "uniform"


def full_row(**changes: Any) -> dict[str, Any]:
    """A row of the sample question and candidate, unlike what any reader would make up."""
    made = _filled(SHAPE)
    start = ANSWER.index(_QUOTE)
    error = record()["errors"][0]
    quote = asdict(Quote(*cut(ANSWER, start, start + len(_QUOTE))))
    known = {
        **{key: record()[key] for key in ("schema_version", "record", "label", "question_flags", "reviewer")},
        **{key: record()[key] for key in ("question_id", "question_title", "site", "source_url")},
        "created_at": "2026-01-31T12:00:00.591483Z",
        "revision": 2,
        "status": "submitted",
        "candidate_id": candidate().id,
        "candidate_sha256": candidate().answer.sha256,
        "candidate_origin": record()["candidate_origin"],
        "reviewer": {**record()["reviewer"], "affiliation": "a university", "linked_ids": ["another"]},
        "not_judged": "",
        "score_0_7": 3,
        "confidence": 4,
        "errors": [{**error, "quotes": [quote]}],
        "blind": True,
        "assignment": {**made["assignment"], "repeat_of": ""},
        "settles": [],
    }
    return {**made, **known, **changes}


def not_judged_row() -> dict[str, Any]:
    """Another one, of somebody who didn't judge."""
    return full_row(label="", not_judged=NotJudged.OUT_OF_DEPTH.value, verdict_id="another")


def line_of(row: Mapping[str, Any]) -> str:
    """The row, sealed."""
    return sealed(row)


def _filled(shape: Any) -> Any:
    inner = shape.shape if isinstance(shape, Later) else shape
    inner = inner[0] if isinstance(inner, tuple) else inner
    if isinstance(inner, Mapping):
        return {key: _filled(part) for key, part in inner.items()}
    if isinstance(inner, list):
        return [_filled(inner[0])]
    if issubclass(inner, StrEnum):
        return next(iter(inner)).value
    return {str: "said", int: 7, float: 2.5, bool: True, dict: {"own": 1}}[inner]


def leaves(shape: Any = SHAPE, above: str = "") -> Iterator[str]:
    """The keys of a row that hold a value each, or a list of them."""
    inner = shape.shape if isinstance(shape, Later) else shape
    inner = inner[0] if isinstance(inner, list) else inner
    if not isinstance(inner, Mapping):
        yield above
        return
    for key, part in inner.items():
        yield from leaves(part, f"{above}.{key}" if above else key)


def changed(row: Any, path: str) -> Any:
    """A copy of a row in which the value at a leaf is another one."""
    if isinstance(row, list):
        return [changed(row[0], path), *row[1:]]
    key, _, rest = path.partition(".")
    return {**row, key: changed(row[key], rest) if rest else _another(row[key])}


def _another(value: Any) -> Any:
    match value:
        case bool():
            return not value
        case int() | float():
            return value + 1
        case list():
            return [*value, "more"]
        case dict():
            return {**value, "more": 1}
        case Label.INCORRECT:
            return Label.CORRECT.value
        case _:
            return f"{value} otherwise"


def values_at(row: Any, path: str) -> Any:
    """What stands at a leaf, for each object of a list on the way."""
    if isinstance(row, list):
        return [values_at(one, path) for one in row]
    key, _, rest = path.partition(".")
    found = row.get(key) if isinstance(row, Mapping) else None
    return values_at(found, rest) if rest else found
