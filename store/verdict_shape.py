"""What a verdict row must look like: its keys in their order, their types, and what its ids are made of.

Text that is absent is "", a list that is empty is [], so a column never changes its type. Null stands only for a
number that is not known: `score_0_7`, `confidence`, the offsets of a quote that could not be placed, and figures of a
judge or a utility that are undefined or were not recorded. Offsets count code points of the raw answer whose hash is
`candidate_sha256`. `ledger` counts the answer's units (paragraphs, displayed formulas, blocks of code, tables), and
those that the reviewer had marked when the verdict was saved.
"""

import re
import reprlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from uq_tui.words import AuthorKind, ErrorCategory, Exposure, Interval, Label, NotJudged, Relation, VerdictStatus

SCHEMA_VERSION = 1
RECORD = "verdict"
HASH_KEY = "row_sha256"


@dataclass(frozen=True, slots=True)
class _Later:
    """A key that rows of uq-tui 0.1.0 lack. Later rows always have it."""

    shape: Any


_NUMBER = (float, None)
_WHOLE = (int, None)
_DRAWN = {
    "replies": _Later(_WHOLE),
    "distinct": _Later(_WHOLE),
    "cut_off": _Later(_WHOLE),
    "temperature": _Later(_NUMBER),
}
"""Rollouts that brought a reply, different ones among these, those cut off, and the temperature they were drawn at."""
_QUOTE = {"quote": str, "start": _WHOLE, "end": _WHOLE, "prefix": str, "suffix": str}
_OUTCOME = {
    "run_id": str,
    "strategy": str,
    "stage": str,
    "outcome": str,
    "reason": str,
    "judge": str,
    "call_key": str,
    "prompt_sha256": str,
    "constrained": bool,
}
_JUDGE = {
    "run_id": str,
    "judge": str,
    "model": str,
    "lowest": int,
    "highest": int,
    "planned": int,
    "scored": int,
    "unparsed": int,
    "failed": int,
    "mean": _NUMBER,
    "sd": _NUMBER,
    "prompt_sha256": str,
    "constrained": bool,
    "replies": int,
    "distinct": int,
    "cut_off": int,
    "temperature": _NUMBER,
}
"""The samples of one judge: those with a score, those whose reply held none, those whose call failed; mean and sample
standard deviation of the scores. The last four are of the replies, as for utilities. Rows of 0.1.0 have no judges."""
_CONTROL = {"mean": _NUMBER, "solved": int, "decided": int, **_DRAWN}
_UTILITY = {
    "run_id": str,
    "solver": str,
    "mean": _NUMBER,
    "low": _NUMBER,
    "high": _NUMBER,
    "t": int,
    "neighbours": [{"neighbour_id": str, "solved": int, "decided": int, "undecided": int, **_DRAWN}],
    "control": _CONTROL,
    "lift": _NUMBER,
    "lift_low": _NUMBER,
    "lift_high": _NUMBER,
    "interval": _Later(Interval),
    "stopped_early": _Later(bool),
    "placebo": _Later(_CONTROL),
}
_OUTSIDE_SCORE = {"scorer": str, "value": float, "source": str}
"""A number by a scorer outside uq-tui, on a scale that only the scorer knows, and the name of the file it came in."""
SHAPE: Mapping[str, Any] = {
    "schema_version": int,
    "record": str,
    "verdict_id": str,
    "revision": int,
    "supersedes": str,
    "status": VerdictStatus,
    "question_id": str,
    "question_title": str,
    "site": str,
    "source_url": str,
    "source_author": str,
    "licence": str,
    "dataset_version": str,
    "candidate_id": str,
    "candidate_sha256": str,
    "candidate_origin": {"kind": AuthorKind, "model": str, "system": str, "organisation": str, "base_model": str},
    "reviewer": {"id": str, "handle": str, "orcid": str, "relation": Relation, "expertise": [str]},
    "label": Label,
    "not_judged": NotJudged,
    "score_0_7": _WHOLE,
    "confidence": _WHOLE,
    "rationale": str,
    "errors": [{"category": ErrorCategory, "quotes": [_QUOTE], "claim": str, "problem": str, "fix": str}],
    "question_flags": [str],
    "claims": [{"claim_id": str, "source": str, "decision": str}],
    "trace_soundness": [{"strategy": str, "stage": str, "sound": str}],
    "ledger": {"units": int, "checked": int, "doubtful": int, "wrong": int, "skipped": int},
    "blind": bool,
    "exposures": [{"what": Exposure, "where": str, "at": str}],
    "revealed_at": str,
    "seconds_active": float,
    "seconds_total": float,
    "queue": str,
    "evidence": {
        "outcomes": [_OUTCOME],
        "judges": [_JUDGE],
        "utilities": [_UTILITY],
        "outside_scores": _Later([_OUTSIDE_SCORE]),
        "prompt_hashes": [str],
        "app_version": str,
    },
    "created_at": str,
    "extra": dict,
    HASH_KEY: str,
}
"""Keys in their order. A word list admits its words and ""; a pair with None admits null; [x] is a list of x."""

_SHA256 = re.compile(r"[0-9a-f]{64}")
_ID = re.compile("[^\x00-\x1f\x7f-\x9f\ud800-\udfff]{1,500}")
_MOST_REVISIONS = 1_000_000
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z")


def problems(record: Mapping[str, Any]) -> Iterator[str]:
    """What keeps a parsed row from being a version 1 verdict row, hash apart; nothing when it is one."""
    yield from _misfits(record, SHAPE, "")
    reviewer = record.get("reviewer")
    ids = {
        "verdict_id": record.get("verdict_id"),
        "question_id": record.get("question_id"),
        "reviewer.id": reviewer.get("id") if isinstance(reviewer, dict) else None,
    }
    for key, value in ids.items():
        if not _is_text(value, _ID):
            yield f"`{key}` is not an id: 1 to 500 characters, none of them a control character"
    for key in ("candidate_id", "candidate_sha256"):
        if not _is_text(record.get(key), _SHA256):
            yield f"`{key}` is not 64 hexadecimal digits"
    if not _is_text(record.get("created_at"), _TIME):
        yield "`created_at` is not a UTC time such as 2026-01-31T12:00:00Z"
    if record.get("status") == "":
        yield "`status` is empty"
    if isinstance(record.get("revision"), int) and not 1 <= record["revision"] <= _MOST_REVISIONS:
        yield f"`revision` counts from 1 to {_MOST_REVISIONS:,}"
    if bool(record.get("label")) == bool(record.get("not_judged")):
        yield "`label` and `not_judged`: exactly one of them says something"


def _is_text(value: object, pattern: re.Pattern[str]) -> bool:
    return isinstance(value, str) and pattern.fullmatch(value) is not None


def _misfits(value: Any, shape: Any, where: str) -> Iterator[str]:
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
                yield from _misfits(value[key], inner.shape if isinstance(inner, _Later) else inner, name)
            elif not isinstance(inner, _Later):
                yield f"`{name}` is missing"
    elif not _fits(value, shape):
        yield f"`{where}` is {reprlib.repr(value)}, which it can't be"


def _fits(value: Any, kind: type) -> bool:
    if kind is float:
        return type(value) in (int, float)
    if issubclass(kind, StrEnum):
        return value == "" or (isinstance(value, str) and value in set(kind))
    return type(value) is kind
