"""The tables of what goes to others and comes back: rows in quarantine, later evidence, bundles.

`store.tables` has the others, and says what holds for all.
"""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from store.tables import ForeignText


class QuarantineTable(SQLModel, table=True):
    """Lines of files that do not count, with why. `line` is as it came; `file` is where it came from first."""

    __tablename__ = "quarantine"
    __table_args__ = (
        Index("quarantine_row", "kind", "row_id", "revision"),
        Index("quarantine_candidate", "candidate_id"),
    )
    line_sha256: str = Field(primary_key=True)
    kind: str
    """Of what row it is: `verdict`, `statement` or `evidence`; "" where that can't be read."""
    row_id: str
    """Id of the verdict, statement or evidence; "" likewise. So is `candidate_id`."""
    revision: int
    """0 where that can't be read, or there are none."""
    candidate_id: str
    reason: str
    """A `QuarantineReason`."""
    detail: str = Field(sa_type=ForeignText)
    file: str = Field(sa_type=ForeignText)
    line_number: int
    line: str = Field(sa_type=ForeignText)


class EvidenceRecordTable(SQLModel, table=True):
    """What machines found elsewhere, apart from what verdicts freeze. `record` is the row verbatim.

    Those of runs of this workspace are made when they are first exported; the others came in files.
    """

    __tablename__ = "evidence_record"
    __table_args__ = (
        Index("evidence_record_candidate", "candidate_id"),
        Index("evidence_record_order", "created_at", "evidence_id"),
    )
    evidence_id: str = Field(primary_key=True)
    run_id: str
    question_id: str = Field(foreign_key="question.id")
    candidate_id: str = Field(foreign_key="candidate.id")
    created_at: str
    row_sha256: str
    record: str


class BundleTable(SQLModel, table=True):
    """Bundles that were written for reviewers elsewhere, or opened here. `sha256` is of the whole file."""

    __tablename__ = "bundle"
    __table_args__ = (Index("bundle_queue", "queue_id", "reviewer_id"),)
    id: str = Field(primary_key=True)
    direction: str
    """A `BundleDirection`."""
    queue_id: str = Field(foreign_key="queue.id")
    reviewer_id: str = Field(foreign_key="reviewer.id")
    file: str = Field(sa_type=ForeignText)
    sha256: str
    items: int
    at: str
