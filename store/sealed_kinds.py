"""The kinds of sealed rows that come in files: where each is kept, and what all revisions of one must agree on."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from store import statement_rows, verdict_rows
from store.evidence_shape import ID_KEY as EVIDENCE_ID
from store.record_shape import HASH_KEY


@dataclass(frozen=True, slots=True)
class SealedKind:
    """One kind of rows."""

    name: str
    """What the key `record` says."""
    noun: str
    """In the plural, as reports name it."""
    table: str
    id_key: str
    has_revisions: bool
    """Others have ids that are hashes of all else, so that no two rows of one id differ."""
    subject: tuple[str, ...]
    """Columns that are the same in all revisions of one."""
    values: Callable[[Mapping[str, Any], str], dict[str, Any]]
    """What the columns say of a row that came in a file, and of its sealed line."""

    def row_id(self, record: Mapping[str, Any]) -> str:
        """The id of the verdict, statement or evidence that a row is of."""
        return str(record[self.id_key])

    def revision(self, record: Mapping[str, Any]) -> int:
        """Which revision of it; 0 where there are none."""
        return int(record["revision"]) if self.has_revisions else 0


def _verdict(record: Mapping[str, Any], line: str) -> dict[str, Any]:
    return verdict_rows.values_of(record, line, imported=True)


def _statement(record: Mapping[str, Any], line: str) -> dict[str, Any]:
    return statement_rows.values_of(record, line, imported=True)


def _evidence(record: Mapping[str, Any], line: str) -> dict[str, Any]:
    named = (EVIDENCE_ID, "run_id", "question_id", "candidate_id", "created_at", HASH_KEY)
    return {**{key: record[key] for key in named}, "record": line}


VERDICT = SealedKind(
    "verdict",
    "verdicts",
    "verdict",
    "verdict_id",
    has_revisions=True,
    subject=("candidate_id", "reviewer_id", "repeat", "settles"),
    values=_verdict,
)
STATEMENT = SealedKind(
    "statement",
    "statements",
    "statement",
    "statement_id",
    has_revisions=True,
    subject=("kind", "question_id", "candidate_id", "reviewer_id"),
    values=_statement,
)
EVIDENCE = SealedKind(
    "evidence",
    "evidence rows",
    "evidence_record",
    EVIDENCE_ID,
    has_revisions=False,
    subject=("candidate_id",),
    values=_evidence,
)
KINDS: Mapping[str, SealedKind] = {kind.name: kind for kind in (VERDICT, STATEMENT, EVIDENCE)}
"""By what the key `record` of their rows says."""
