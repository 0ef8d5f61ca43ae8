"""The statement row that others read: built when something is said, read back, verified."""

from collections.abc import Mapping
from typing import Any

from store.frozen_rows import Revision, question_keys, reviewer_of, verify_row
from store.review_rows import ClaimDecided, Resolved, Said, StageJudged
from store.rows import Candidate, Question, Reviewer
from store.statement_shape import RECORD, SCHEMA_VERSION, problems
from uq_tui.words import ClaimDecision, Relation, Resolution, Soundness, StatementKind


def build(
    kind: StatementKind,
    revision: Revision,
    question: Question,
    candidate: Candidate | None,
    reviewer: Reviewer,
    relation: Relation,
    said: Said,
) -> dict[str, Any]:
    """The unsealed row. `candidate` is `None` where the question itself is spoken of."""
    return {
        "schema_version": SCHEMA_VERSION,
        "record": RECORD,
        "kind": kind.value,
        "statement_id": revision.id,
        "revision": revision.number,
        "supersedes": revision.supersedes,
        "status": revision.status.value,
        **question_keys(question),
        "candidate_id": candidate.id if candidate else "",
        "candidate_sha256": candidate.answer.sha256 if candidate else "",
        "reviewer": reviewer_of(reviewer, relation),
        "text": said.text,
        "in_reply_to": said.in_reply_to,
        "claims": [
            {"claim_id": one.claim_id, "source": one.source, "decision": one.decision.value} for one in said.claims
        ],
        "trace_soundness": [
            {"strategy": one.strategy, "stage": one.stage, "sound": one.sound.value, "run_id": one.run_id}
            for one in said.soundness
        ],
        "accepted_by": said.accepted_by,
        "accepted_at": said.accepted_at,
        "evidence_url": said.evidence_url,
        "resolution": _resolution(said.resolved),
        "created_at": revision.created_at,
        "redaction": {"of_sha256": "", "left_out": []},
        "extra": {},
    }


def _resolution(said: Resolved | None) -> dict[str, str]:
    if said is None:
        return {"state": "", "credit": "", "verifier": ""}
    return {"state": said.state.value, "credit": said.credit, "verifier": said.verifier.value}


def resolved_in(record: Mapping[str, Any]) -> Resolved | None:
    """What a verified row says of its question's being solved; `None` where it is no resolution."""
    said = record.get("resolution", {})
    if not said.get("state"):
        return None
    return Resolved(Resolution(said["state"]), said["credit"], Relation(said["verifier"]))


def said_in(record: Mapping[str, Any]) -> Said:
    """What a verified row says. Keys that this version doesn't know are passed over."""
    return Said(
        text=record["text"],
        in_reply_to=record["in_reply_to"],
        claims=tuple(
            ClaimDecided(one["claim_id"], one["source"], ClaimDecision(one["decision"])) for one in record["claims"]
        ),
        soundness=tuple(
            StageJudged(one["strategy"], one["stage"], one["run_id"], Soundness(one["sound"]))
            for one in record["trace_soundness"]
        ),
        accepted_by=record["accepted_by"],
        accepted_at=record["accepted_at"],
        evidence_url=record["evidence_url"],
        resolved=resolved_in(record),
    )


def verify(record: Mapping[str, Any]) -> str:
    """Make sure that a row read from strict JSON is an intact statement row of a version we know; its sealed line.

    Raises:
        NewerRecordError: the row has a later schema version.
        BadRecordError: it isn't a statement row, a key is missing or has another type, or the hash doesn't fit.
    """
    return verify_row(record, RECORD, SCHEMA_VERSION, problems)
