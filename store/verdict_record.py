"""The verdict row that others read: built at save time, sealed with its hash, written as one line, verified."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from store.reading_rows import LedgerCount
from store.rows import Candidate, ExposureRow, MarkedError, Question, Reviewer, VerdictForm
from store.verdict_shape import HASH_KEY, RECORD, SCHEMA_VERSION, problems
from uq_tui.errors import UqError
from uq_tui.words import Exposure, VerdictStatus

UNBLINDING = frozenset(Exposure) - {Exposure.REASONING}
"""What a blind verdict must not have seen. The reasoning is part of what is judged."""

_SURROGATE = re.compile("[\ud800-\udfff]")


class BadRecordError(UqError):
    """A line that is not an intact verdict row; the message says why."""

    title = "Verdict row"


class NewerRecordError(BadRecordError):
    """A verdict row of a later schema version."""


@dataclass(frozen=True, slots=True)
class Revision:
    """Which revision of which verdict a row is."""

    verdict_id: str
    number: int
    supersedes: str
    """`verdict_id#number` of the revision before, "" for the first."""
    status: VerdictStatus
    created_at: str


def build(
    revision: Revision,
    question: Question,
    candidate: Candidate,
    reviewer: Reviewer,
    form: VerdictForm,
    exposures: Sequence[ExposureRow],
    ledger: LedgerCount,
    evidence: Mapping[str, Any],
    queue: str,
) -> dict[str, Any]:
    """The unsealed row.

    `form` is checked and anchored; `exposures` and `ledger` are this reviewer's of this candidate and its answer.
    """
    origin = candidate.origins[0] if candidate.origins else None
    shown = sorted(exposures, key=lambda row: (row.at, row.what))
    revealing = [row.at for row in shown if row.what in UNBLINDING]
    return {
        "schema_version": SCHEMA_VERSION,
        "record": RECORD,
        "verdict_id": revision.verdict_id,
        "revision": revision.number,
        "supersedes": revision.supersedes,
        "status": revision.status.value,
        "question_id": question.row.id,
        "question_title": question.row.title,
        "site": question.row.site,
        "source_url": question.link,
        "source_author": question.author,
        "licence": question.licence,
        "dataset_version": question.dataset_version,
        "candidate_id": candidate.id,
        "candidate_sha256": candidate.answer.sha256,
        "candidate_origin": {
            "kind": origin.kind.value if origin else "",
            "model": origin.model if origin else "",
            "system": origin.system if origin else "",
            "organisation": origin.organisation if origin else "",
            "base_model": origin.base_model if origin else "",
        },
        "reviewer": {
            "id": reviewer.id,
            "handle": reviewer.handle,
            "orcid": reviewer.orcid,
            "relation": form.relation.value,
            "expertise": list(reviewer.expertise),
        },
        "label": form.label.value if form.label else "",
        "not_judged": form.not_judged.value if form.not_judged else "",
        "score_0_7": form.score_0_7,
        "confidence": form.confidence,
        "rationale": form.rationale,
        "errors": [_error(error) for error in form.errors],
        "question_flags": list(form.question_flags),
        "claims": [],
        "trace_soundness": [],
        "ledger": asdict(ledger),
        "blind": not revealing,
        "exposures": [{"what": row.what.value, "where": row.where, "at": row.at} for row in shown],
        "revealed_at": revealing[0] if revealing else "",
        "seconds_active": round(float(form.seconds_active), 3),
        "seconds_total": round(float(form.seconds_total), 3),
        "queue": queue,
        "evidence": dict(evidence),
        "created_at": revision.created_at,
        "extra": {},
    }


def _error(error: MarkedError) -> dict[str, Any]:
    return {
        "category": str(error.category),
        "quotes": [asdict(quote) for quote in error.quotes],
        "claim": error.claim,
        "problem": error.problem,
        "fix": error.fix,
    }


def retracted(record: Mapping[str, Any], revision: Revision) -> dict[str, Any]:
    """The unsealed row that takes `record` back: what was said, seen and known then, under a new revision."""
    changed = {
        "revision": revision.number,
        "supersedes": revision.supersedes,
        "status": revision.status.value,
        "created_at": revision.created_at,
    }
    return {key: changed.get(key, value) for key, value in record.items() if key != HASH_KEY}


def canonical_json(value: Any) -> str:
    """`value` as one line of JSON that is valid Unicode: keys in their own order, no spaces, no NaN.

    A surrogate without its partner is written as an escape; two that form a pair are the character they mean,
    as every JSON reader takes them. U+2028, U+2029 and U+0085 stand as they are: lines end at a line feed only.

    Raises:
        ValueError: a number that JSON has no word for.
    """
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    if _SURROGATE.search(text) is None:
        return text
    paired = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return _SURROGATE.sub(lambda found: f"\\u{ord(found.group()):04x}", paired)


def row_sha256(record: Mapping[str, Any]) -> str:
    """sha256 of the canonical JSON, as UTF-8, of the row without its own hash."""
    rest = {key: value for key, value in record.items() if key != HASH_KEY}
    return hashlib.sha256(canonical_json(rest).encode()).hexdigest()


def sealed(record: Mapping[str, Any]) -> str:
    """The finished line, without line feed: the row with its hash as its last key."""
    rest = {key: value for key, value in record.items() if key != HASH_KEY}
    return canonical_json({**rest, HASH_KEY: row_sha256(rest)})


def verify(record: Mapping[str, Any]) -> None:
    """Make sure that a row read from strict JSON is an intact verdict row of a version we know.

    Keys this version doesn't know are allowed: they are covered by the hash.

    Raises:
        NewerRecordError: the row has a later schema version.
        BadRecordError: it isn't a verdict row, a key is missing or has another type, or the hash doesn't fit.
    """
    version = record.get("schema_version")
    if type(version) is int and version > SCHEMA_VERSION:
        raise NewerRecordError(f"it has schema version {version}; this uq-tui reads up to {SCHEMA_VERSION}")
    if version != SCHEMA_VERSION or record.get("record") != RECORD:
        raise BadRecordError("it is not a verdict row")
    problem = next(problems(record), None)
    if problem is not None:
        raise BadRecordError(problem)
    if record[HASH_KEY] != row_sha256(record):
        raise BadRecordError(f"its {HASH_KEY} doesn't fit its content: the row was damaged or edited")
