"""The verdict row that others read: built at save time, sealed with its hash, written as one line, verified."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from store.frozen_rows import Revision, origin_of, question_keys, reviewer_of, verify_row
from store.reading_rows import LedgerCount
from store.rows import Candidate, ExposureRow, MarkedError, Question, Reviewer, VerdictForm
from store.verdict_shape import RECORD, SCHEMA_VERSION, SHAPE, problems
from uq_tui.words import Exposure

UNBLINDING = frozenset(Exposure) - {Exposure.REASONING}
"""What a blind verdict must not have seen. The reasoning is part of what is judged."""


@dataclass(frozen=True, slots=True)
class Assignment:
    """How a verdict came to be given: in which queue, as what."""

    queue: str = ""
    """The queue's name; like all others "" outside queues."""
    queue_id: str = ""
    assisted: bool = False
    """What machines claim was shown before the verdict was given, as the queue is meant to."""
    repeat_of: str = ""
    """Id of the same reviewer's first verdict on the candidate, which they weren't shown."""
    linked_to: str = ""
    """`verdict_id#revision` of the verdict on an identical answer that counts for this one too."""


NO_ASSIGNMENT = Assignment()


def build(
    revision: Revision,
    question: Question,
    candidate: Candidate,
    reviewer: Reviewer,
    form: VerdictForm,
    exposures: Sequence[ExposureRow],
    ledger: LedgerCount,
    evidence: Mapping[str, Any],
    assignment: Assignment = NO_ASSIGNMENT,
    second_pass: Mapping[str, Any] | None = None,
    settles: Sequence[str] = (),
) -> dict[str, Any]:
    """The unsealed row.

    `form` is checked and anchored; `exposures` and `ledger` are this reviewer's of this candidate and its answer;
    `second_pass` is the record of what they made of machines' claims and reasoning, if they did; `settles` names the
    revisions that an adjudicator decides between.
    """
    shown = sorted(exposures, key=lambda row: (row.at, row.what))
    revealing = [row.at for row in shown if row.what in UNBLINDING]
    return {
        "schema_version": SCHEMA_VERSION,
        "record": RECORD,
        "verdict_id": revision.id,
        "revision": revision.number,
        "supersedes": revision.supersedes,
        "status": revision.status.value,
        **question_keys(question),
        "candidate_id": candidate.id,
        "candidate_sha256": candidate.answer.sha256,
        "candidate_origin": origin_of(candidate),
        "reviewer": reviewer_of(reviewer, form.relation),
        "label": form.label.value if form.label else "",
        "not_judged": form.not_judged.value if form.not_judged else "",
        "score_0_7": form.score_0_7,
        "confidence": form.confidence,
        "rationale": form.rationale,
        "errors": [_error(error) for error in form.errors],
        "question_flags": list(form.question_flags),
        "claims": _known("claims", second_pass),
        "trace_soundness": _known("trace_soundness", second_pass),
        "ledger": asdict(ledger),
        "blind": not revealing,
        "exposures": [{"what": row.what.value, "where": row.where, "at": row.at} for row in shown],
        "revealed_at": revealing[0] if revealing else "",
        "seconds_active": round(float(form.seconds_active), 3),
        "seconds_total": round(float(form.seconds_total), 3),
        "queue": assignment.queue,
        "assignment": {
            "queue_id": assignment.queue_id,
            "assisted": assignment.assisted,
            "repeat_of": assignment.repeat_of,
            "linked_to": assignment.linked_to,
            "final_answer": form.final_answer.value if form.final_answer else "",
            "derivation": form.derivation.value if form.derivation else "",
        },
        "settles": list(settles),
        "evidence": dict(evidence),
        "created_at": revision.created_at,
        "redaction": {"of_sha256": "", "left_out": []},
        "extra": {},
    }


def _known(name: str, second_pass: Mapping[str, Any] | None) -> list[dict[str, Any]]:
    """A list of the second pass, each item with the keys that it has in a verdict row."""
    return [{key: item[key] for key in SHAPE[name][0]} for item in (second_pass or {}).get(name, [])]


def _error(error: MarkedError) -> dict[str, Any]:
    return {
        "category": str(error.category),
        "quotes": [asdict(quote) for quote in error.quotes],
        "claim": error.claim,
        "problem": error.problem,
        "fix": error.fix,
    }


def verify(record: Mapping[str, Any]) -> str:
    """Make sure that a row read from strict JSON is an intact verdict row of a version we know; its sealed line.

    Keys this version doesn't know are allowed: they are covered by the hash.

    Raises:
        NewerRecordError: the row has a later schema version.
        BadRecordError: it isn't a verdict row, a key is missing or has another type, or the hash doesn't fit.
    """
    return verify_row(record, RECORD, SCHEMA_VERSION, problems)
