"""What a statement row must look like: a person's words beside verdicts, in the same frame as a verdict row.

Text that is absent is "", a list that is empty is []. A statement on a question has neither `candidate_id` nor
`candidate_sha256`; the latter is "" too where the answer's text was not known. `redaction` says which row a changed
copy is made of, and what it leaves out.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from store.record_shape import HASH_KEY, ID, QUESTION_KEYS, SHA256, Later, is_text, misfits, revision_problems
from uq_tui.words import ClaimDecision, Redacted, Relation, Resolution, Soundness, StatementKind, VerdictStatus

SCHEMA_VERSION = 1
RECORD = "statement"

SHAPE: Mapping[str, Any] = {
    "schema_version": int,
    "record": str,
    "kind": StatementKind,
    "statement_id": str,
    "revision": int,
    "supersedes": str,
    "status": VerdictStatus,
    **QUESTION_KEYS,
    "candidate_id": str,
    "candidate_sha256": str,
    "reviewer": {
        "id": str,
        "handle": str,
        "orcid": str,
        "relation": Relation,
        "expertise": [str],
        "affiliation": str,
        "linked_ids": [str],
    },
    "text": str,
    "in_reply_to": str,
    "claims": [{"claim_id": str, "source": str, "decision": ClaimDecision}],
    "trace_soundness": [{"strategy": str, "stage": str, "sound": Soundness, "run_id": str}],
    "accepted_by": str,
    "accepted_at": str,
    "evidence_url": str,
    "resolution": Later({"state": Resolution, "credit": str, "verifier": Relation}),
    "created_at": str,
    "redaction": Later({"of_sha256": str, "left_out": [Redacted]}),
    "extra": dict,
    HASH_KEY: str,
}
"""Read as `store.record_shape` says."""

ON_CANDIDATES = frozenset((StatementKind.SECOND_PASS, StatementKind.ACCEPTANCE))
"""Kinds that are always about a candidate."""
NEEDS_CANDIDATE = frozenset((Resolution.CANDIDATE_ACCEPTED, Resolution.RESOLVED_BY_MODEL))
"""States of a resolution that an answer brings about which is a candidate here."""


def problems(record: Mapping[str, Any]) -> Iterator[str]:
    """What keeps a parsed row from being a version 1 statement row, hash apart; nothing when it is one."""
    yield from misfits(record, SHAPE)
    yield from revision_problems(record, "statement_id")
    if record.get("kind") == "":
        yield "`kind` is empty"
    candidate, sha256 = record.get("candidate_id"), record.get("candidate_sha256")
    if candidate != "" and not is_text(candidate, SHA256):
        yield "`candidate_id` is neither empty nor 64 hexadecimal digits"
    if sha256 != "" and not is_text(sha256, SHA256):
        yield "`candidate_sha256` is neither empty nor 64 hexadecimal digits"
    if candidate == "" and (sha256 or record.get("kind") in ON_CANDIDATES):
        yield "`candidate_id` is empty"
    if record.get("in_reply_to") != "" and not is_text(record.get("in_reply_to"), ID):
        yield "`in_reply_to` is neither empty nor an id"
    yield from _unresolved(record)
    yield from _undecided(record, "claims", "decision")
    yield from _undecided(record, "trace_soundness", "sound")


def _unresolved(record: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with what a row of kind `resolution` says; in others the key says nothing."""
    said = record.get("resolution")
    state = said.get("state") if isinstance(said, Mapping) else None
    if record.get("kind") != StatementKind.RESOLUTION:
        if state:
            yield "`resolution.state` is not empty, and the row is no resolution"
    elif not state:
        yield "`resolution.state` is empty"
    elif not isinstance(said, Mapping) or not said.get("verifier"):
        yield "`resolution.verifier` is empty"
    elif state in NEEDS_CANDIDATE and record.get("candidate_id") == "":
        yield "`candidate_id` is empty"


def _undecided(record: Mapping[str, Any], listed: str, key: str) -> Iterator[str]:
    found = record.get(listed)
    for index, one in enumerate(found if isinstance(found, list) else []):
        if isinstance(one, Mapping) and one.get(key) == "":
            yield f"`{listed}[{index}].{key}` is empty"
