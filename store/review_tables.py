"""The tables of reviewing: queues, what was decided and undone, what people said beside verdicts.

`store.tables` has the others, and says what holds for all.
"""

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.tables import LINKED, ForeignText


class DraftCopyTable(SQLModel, table=True):
    """Drafts that another window's draft has taken the place of, kept so that neither text is lost."""

    __tablename__ = "draft_copy"
    __table_args__ = (Index("draft_copy_candidate", "reviewer_id", "candidate_id"),)
    id: str = Field(primary_key=True)
    reviewer_id: str = Field(foreign_key="reviewer.id")
    candidate_id: str = Field(foreign_key="candidate.id")
    role: str
    """A `VerdictRole`."""
    form: str
    """JSON object."""
    kept_at: str


class QueueTable(SQLModel, table=True):
    """Work laid out for reviewers. `spec` is the JSON object it was built from."""

    __tablename__ = "queue"
    id: str = Field(primary_key=True)
    name: str = Field(sa_type=ForeignText, unique=True)
    mode: str
    spec: str
    guideline: str = Field(sa_type=ForeignText)
    created_at: str
    closed_at: str | None
    ready: bool
    """All its items are written. Others are what a process left that was killed meanwhile; they don't count."""


class QueueItemTable(SQLModel, table=True):
    """One candidate in one reviewer's share of a queue.

    `linked_to` is the item whose verdict counts for this one too, their answers being identical; such an item is never
    shown. `given` is the label that a practice item was given; it has no verdict.
    """

    __tablename__ = "queue_item"
    __table_args__ = (
        UniqueConstraint("queue_id", "reviewer_id", "position"),
        Index("queue_item_next", "queue_id", "reviewer_id", "linked_to", "state", "position"),
        Index("queue_item_problem", "reviewer_id", "question_id", "state", "queue_id"),
        Index("queue_item_linked", "linked_to"),
    )
    id: str = Field(primary_key=True)
    queue_id: str = Field(foreign_key="queue.id")
    reviewer_id: str = Field(foreign_key="reviewer.id")
    position: int
    question_id: str = Field(foreign_key="question.id")
    candidate_id: str = Field(foreign_key="candidate.id")
    answer_group: int
    """From 0; items of a problem with the same final answer have the same number."""
    role: str
    linked_to: str
    state: str
    given: str
    verdict_id: str
    decided_at: str | None


class RevealTable(SQLModel, table=True):
    """Problems of a blind queue that are masked no more for a reviewer."""

    __tablename__ = "reveal"
    queue_id: str = Field(primary_key=True, foreign_key="queue.id")
    reviewer_id: str = Field(primary_key=True, foreign_key="reviewer.id")
    question_id: str = Field(primary_key=True, foreign_key="question.id")
    reason: str
    at: str


class StepTable(SQLModel, table=True):
    """Verdict revisions in the order in which this workspace recorded them, for undoing and redoing.

    `undone_by` is the revision that took it back last, as `verdict_id#revision`; "" when none did.
    """

    __tablename__ = "step"
    __table_args__ = (
        Index("step_reviewer", "reviewer_id", "state", "seq"),
        Index("step_queue", "reviewer_id", "queue_id", "state", "seq"),
        Index("step_verdict", "verdict_id", "seq"),
        Index("step_beside", "beside"),
        {"sqlite_autoincrement": True},
    )
    seq: int = Field(primary_key=True)
    reviewer_id: str = Field(foreign_key="reviewer.id")
    queue_id: str
    item_id: str
    """Both empty for a verdict that was given outside any queue."""
    verdict_id: str
    revision: int
    """The one that stands for the step: the first, or what redoing it has recorded last."""
    at: str
    state: str
    undone_by: str
    beside: int | None
    """The step that this one was taken with and goes along with, on an identical answer."""


class StatementTable(SQLModel, table=True):
    """What people said beside verdicts, append-only. `record` is the exported row verbatim."""

    __tablename__ = "statement"
    __table_args__ = (
        Index("statement_question", "question_id", "kind"),
        Index("statement_candidate", "candidate_id", "kind"),
        Index("statement_order", "created_at", "statement_id", "revision"),
        Index("statement_linked", "reviewer_id", sqlite_where=LINKED),
    )
    statement_id: str = Field(primary_key=True)
    revision: int = Field(primary_key=True)
    kind: str
    status: str
    question_id: str = Field(foreign_key="question.id")
    candidate_id: str | None = Field(foreign_key="candidate.id")
    reviewer_id: str
    reviewer: str = Field(sa_type=ForeignText)
    created_at: str
    row_sha256: str
    record: str
    imported: bool = False
    """As of a verdict."""


class RelationTable(SQLModel, table=True):
    """What a reviewer is to a question."""

    __tablename__ = "relation"
    reviewer_id: str = Field(primary_key=True, foreign_key="reviewer.id")
    question_id: str = Field(primary_key=True, foreign_key="question.id")
    relation: str
    at: str


class ScratchTable(SQLModel, table=True):
    """A reviewer's scratch note on a question as it is being written; a finished one is a statement too."""

    __tablename__ = "scratch"
    reviewer_id: str = Field(primary_key=True, foreign_key="reviewer.id")
    question_id: str = Field(primary_key=True, foreign_key="question.id")
    body: str = Field(sa_type=ForeignText)
    updated_at: str
