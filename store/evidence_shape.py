"""What an evidence row must look like: what one run found of one candidate, apart from what verdicts freeze.

Its `evidence` is as in a verdict row, of the one run. `validator` says how a validation judged, so that runs of other
people can be told to be of the same one. `evidence_id` is the hash of all else, so that no two different rows have the
same.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from store.record_shape import HASH_KEY, QUESTION_KEYS, SHA256, complete, id_problems, is_text, misfits, time_problems
from store.verdict_shape import EVIDENCE, ORIGIN
from uq_tui.words import DecisionForm, RunKind

SCHEMA_VERSION = 1
RECORD = "evidence"
ID_KEY = "evidence_id"

VALIDATOR: Mapping[str, Any] = {
    "strategy": str,
    "notation": str,
    "models": [str],
    "form": DecisionForm,
    "prompts": str,
    "stages": [str],
}
"""How a run judged, without the addresses of its models. All is empty where it wasn't a validation."""
SHAPE: Mapping[str, Any] = {
    "schema_version": int,
    "record": str,
    ID_KEY: str,
    "run_id": str,
    "run_kind": RunKind,
    "validator": VALIDATOR,
    **complete(QUESTION_KEYS),
    "candidate_id": str,
    "candidate_sha256": str,
    "candidate_origin": ORIGIN,
    "evidence": complete(EVIDENCE),
    "created_at": str,
    "extra": dict,
    HASH_KEY: str,
}
"""Read as `store.record_shape` says."""


def problems(record: Mapping[str, Any]) -> Iterator[str]:
    """What keeps a parsed row from being a version 1 evidence row, hashes apart; nothing when it is one."""
    yield from misfits(record, SHAPE)
    yield from id_problems({key: record.get(key) for key in ("run_id", "question_id")})
    yield from time_problems(record)
    if record.get("run_kind") == "":
        yield "`run_kind` is empty"
    for key in (ID_KEY, "candidate_id", "candidate_sha256"):
        if not is_text(record.get(key), SHA256):
            yield f"`{key}` is not 64 hexadecimal digits"
