"""The tables of curation: passes of the funnel, ratings, what people decided, and versions of a dataset.

`store.tables` has the others, and says what holds for all.
"""

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from store.tables import ForeignText


class CurationTable(SQLModel, table=True):
    """A pass of the funnel over the workspace's questions. `rules` is the TOML text it was begun with, `sites` a JSON
    array of those it is restricted to; empty for all.

    `up_to` is the `seq` of the last question that was there when its rules were first applied (null before that),
    `passed` that of the last one they have been applied to.
    """

    __tablename__ = "curation"
    id: str = Field(primary_key=True)
    name: str = Field(sa_type=ForeignText, unique=True)
    rules: str = Field(sa_type=ForeignText)
    sites: str
    up_to: int | None
    passed: int
    created_at: str


class CurationCutoffTable(SQLModel, table=True):
    """Down to how many votes a site's questions are among its top share, of `n` open ones: `kept` are.

    There is one for each subset that asks for a share.

    `votes` is null where the site has none whose votes are known.
    """

    __tablename__ = "curation_cutoff"
    curation_id: str = Field(primary_key=True, foreign_key="curation.id")
    site: str = Field(primary_key=True)
    subset: str = Field(primary_key=True)
    n: int
    kept: int
    votes: int | None


class CurationPathTable(SQLModel, table=True):
    """How far each question has come, and why it fell: `fell` is "" while it stands, `detail` says it in words.

    `seq` is that of the question, `site` the one it is counted under. `unknown` says that it fell because the figure in
    question is not known, or stands because too little has come of asking models.
    """

    __tablename__ = "curation_path"
    __table_args__ = (Index("curation_path_stage", "curation_id", "stage", "fell", "seq"),)
    curation_id: str = Field(primary_key=True, foreign_key="curation.id")
    seq: int = Field(primary_key=True, foreign_key="question.seq")
    site: str
    stage: str
    fell: str
    unknown: bool
    detail: str = Field(sa_type=ForeignText)


class CurationCountTable(SQLModel, table=True):
    """How many questions of a site stand or fell where. Kept in step with `curation_path`."""

    __tablename__ = "curation_count"
    curation_id: str = Field(primary_key=True, foreign_key="curation.id")
    stage: str = Field(primary_key=True)
    fell: str = Field(primary_key=True)
    unknown: bool = Field(primary_key=True)
    site: str = Field(primary_key=True)
    n: int


class CurationAnswerTable(SQLModel, table=True):
    """The answer that the model filter asked for. `state` is that of reading its reply; a failed one is asked again."""

    __tablename__ = "curation_answer"
    curation_id: str = Field(primary_key=True, foreign_key="curation.id")
    question_id: str = Field(primary_key=True, foreign_key="question.id")
    run_id: str
    state: str
    reason: str = Field(sa_type=ForeignText)
    candidate_id: str | None = Field(foreign_key="candidate.id")
    call_key: str
    created_at: str


class RatingTable(SQLModel, table=True):
    """Ratings of the model filter, `sample` from 0. Figures are percentages; null where the rating did not come."""

    __tablename__ = "rating"
    curation_id: str = Field(primary_key=True, foreign_key="curation.id")
    question_id: str = Field(primary_key=True, foreign_key="question.id")
    sample: int = Field(primary_key=True)
    run_id: str
    state: str
    reason: str = Field(sa_type=ForeignText)
    answer_correctness: float | None
    expert_solvability: float | None
    well_defined: bool | None
    approachable: bool | None
    objective: bool | None
    explanation: str = Field(sa_type=ForeignText)
    call_key: str
    created_at: str


class QuestionReviewTable(SQLModel, table=True):
    """What people decided on questions, append-only; the newest stands. A paraphrase has a title and a text.

    A decision of "" takes the one before it back.
    """

    __tablename__ = "question_review"
    __table_args__ = (Index("question_review_question", "curation_id", "question_id", "created_at"),)
    id: str = Field(primary_key=True)
    curation_id: str = Field(foreign_key="curation.id")
    question_id: str = Field(foreign_key="question.id")
    reviewer_id: str = Field(foreign_key="reviewer.id")
    decision: str
    reason: str = Field(sa_type=ForeignText)
    title: str = Field(sa_type=ForeignText)
    body_sha256: str | None = Field(foreign_key="text.sha256")
    created_at: str


class ParaphraseDraftTable(SQLModel, table=True):
    """What a reviewer has written at the stage of review and not recorded: other words for a question, a reason."""

    __tablename__ = "paraphrase_draft"
    reviewer_id: str = Field(primary_key=True, foreign_key="reviewer.id")
    curation_id: str = Field(primary_key=True, foreign_key="curation.id")
    question_id: str = Field(primary_key=True, foreign_key="question.id")
    title: str = Field(sa_type=ForeignText)
    body: str = Field(sa_type=ForeignText)
    reason: str = Field(sa_type=ForeignText)
    updated_at: str


class DatasetVersionTable(SQLModel, table=True):
    """Versions of a dataset. `verifiers` is a JSON array: whose word resolves a question in it (`Relation`)."""

    __tablename__ = "dataset_version"
    name: str = Field(primary_key=True, sa_type=ForeignText)
    parent: str = Field(sa_type=ForeignText)
    curation_id: str
    verifiers: str
    note: str = Field(sa_type=ForeignText)
    created_at: str


class DatasetEntryTable(SQLModel, table=True):
    """The questions that a version pins, each with the text it has there; `edited` marks paraphrases."""

    __tablename__ = "dataset_entry"
    __table_args__ = (Index("dataset_entry_question", "question_id"),)
    version: str = Field(sa_type=ForeignText, primary_key=True, foreign_key="dataset_version.name")
    question_id: str = Field(primary_key=True, foreign_key="question.id")
    position: int
    subset: str
    title: str = Field(sa_type=ForeignText)
    body_sha256: str = Field(foreign_key="text.sha256")
    body_format: str
    edited: bool


class DatasetChangeTable(SQLModel, table=True):
    """How a version differs from the one before it, and what has happened to its questions since; append-only."""

    __tablename__ = "dataset_change"
    version: str = Field(sa_type=ForeignText, primary_key=True, foreign_key="dataset_version.name")
    number: int = Field(primary_key=True)
    question_id: str = Field(foreign_key="question.id")
    change: str
    reason: str = Field(sa_type=ForeignText)
    created_at: str
