"""The tables of what sources bring beside questions: posted answers, comments, users, answers that failed; saved views.

`store.tables` has the others, and says what holds for all.
"""

from sqlalchemy import Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from store.tables import ForeignText


class SiteUserTable(SQLModel, table=True):
    """Names that users of a site go by, for attribution. `user_id` is the site's own number."""

    __tablename__ = "site_user"
    site: str = Field(primary_key=True)
    user_id: str = Field(primary_key=True)
    name: str = Field(sa_type=ForeignText)


class PostedAnswerTable(SQLModel, table=True):
    """Candidates that were posted on a site, and what their licence asks to be said of them."""

    __tablename__ = "posted_answer"
    __table_args__ = (Index("posted_answer_post", "post_id"),)
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    post_id: str
    link: str = Field(sa_type=ForeignText)
    author: str = Field(sa_type=ForeignText)
    author_id: str
    licence: str = Field(sa_type=ForeignText)
    score: int | None
    accepted: bool
    posted_at: str | None
    edited_at: str | None
    extra: str
    """JSON object: what the source said beyond our columns."""


class CandidateExtraTable(SQLModel, table=True):
    """What files say of candidates beyond our columns: grades in parts, costs, what a judge wrote."""

    __tablename__ = "candidate_extra"
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    source: str = Field(primary_key=True, sa_type=ForeignText)
    """The file that says it, with the line where several rows of it speak of one candidate."""
    extra: str
    """JSON object."""


class PostCommentTable(SQLModel, table=True):
    """Comments that were posted on a question, or on an answer to it. `id` is `host:cNUMBER`, or a hash."""

    __tablename__ = "post_comment"
    __table_args__ = (UniqueConstraint("question_id", "number"),)
    id: str = Field(primary_key=True)
    question_id: str = Field(foreign_key="question.id")
    number: int
    """From 0 within the question, comments on its answers too, in order of arrival. It never changes."""
    candidate_id: str | None = Field(foreign_key="candidate.id")
    body: str = Field(sa_type=ForeignText)
    author: str = Field(sa_type=ForeignText)
    author_id: str
    licence: str = Field(sa_type=ForeignText)
    score: int | None
    posted_at: str | None


class FailedAnswerTable(SQLModel, table=True):
    """Answers that a file reports as failed: there is no text to judge, and asking again may bring one."""

    __tablename__ = "failed_answer"
    question_id: str = Field(primary_key=True, foreign_key="question.id")
    model: str = Field(primary_key=True, sa_type=ForeignText)
    error: str = Field(sa_type=ForeignText)
    source: str = Field(sa_type=ForeignText)
    """The file it came in."""
    created_at: str


class SavedViewTable(SQLModel, table=True):
    """Filters and orders of the question list, kept under a name. `wanted` is a JSON object."""

    __tablename__ = "saved_view"
    name: str = Field(primary_key=True, sa_type=ForeignText)
    wanted: str
    created_at: str
