"""Sealed rows that collide: of few ids, with other contents, other questions and texts, and something left out."""

from functools import cache

from exports.redaction import Redactor
from store import evidence_records, statement_record
from store.frozen_rows import Revision, sealed
from store.review_rows import Said
from store.verdict_shape import SHAPE
from tests.store.records.samples import AT, REVIEWER, candidate, question, record
from uq_tui.words import Label, Redacted, Relation, RunKind, StatementKind, VerdictStatus

OTHER_QUESTION = "math.stackexchange.com:9"
PLACES: dict[str, dict[str, str]] = {
    "as it is": {},
    "another text": {"candidate_sha256": "1" * 64},
    "another question": {"question_id": OTHER_QUESTION},
    "another candidate": {"candidate_id": "2" * 64},
}


@cache
def verdict(
    key: str = "v",
    number: int = 1,
    label: Label = Label.CORRECT,
    reviewer: str = "r",
    place: str = "as it is",
    retracted: bool = False,
    settles: bool = False,
    queue_id: str = "",
    repeat_of: str = "",
) -> str:
    """The line of a verdict row."""
    status = VerdictStatus.RETRACTED if retracted else VerdictStatus.SUBMITTED
    revision = Revision(key, number, f"{key}#{number - 1}" if number > 1 else "", status, AT)
    row = record(revision=revision, label=label)
    changes = {
        "reviewer": {**row["reviewer"], "id": reviewer},
        "settles": ["x#1", "y#1"] if settles else [],
        "assignment": {**row["assignment"], "queue_id": queue_id, "repeat_of": repeat_of},
    }
    return sealed({**row, **changes, **PLACES[place]})


@cache
def statement(key: str = "s", number: int = 1, text: str = "Yes.", place: str = "as it is") -> str:
    """The line of a comment on the candidate."""
    revision = Revision(key, number, "", VerdictStatus.SUBMITTED, AT)
    made = statement_record.build(
        StatementKind.COMMENT, revision, question(), candidate(), REVIEWER, Relation.OTHER, Said(text)
    )
    return sealed({**made, **PLACES[place]})


@cache
def evidence(run_id: str = "run", place: str = "as it is") -> str:
    """The line of a row on what a run found of the candidate."""
    found = {
        "outcomes": [],
        "judges": [],
        "utilities": [],
        "outside_scores": [],
        "prompt_hashes": [],
        "app_version": "",
    }
    made = evidence_records.build(run_id, RunKind.VALIDATE, AT, question(), candidate(), found)
    moved = {**made, **PLACES[place]}
    return sealed({**moved, "evidence_id": evidence_records.evidence_id(moved)})


@cache
def copy_of(line: str, left_out: frozenset[Redacted], secret: bytes = b"one") -> str:
    """A copy of a verdict row that leaves something out."""
    return Redactor(SHAPE, left_out, secret).line(line)
