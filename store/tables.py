"""The tables of a workspace, as SQLModel classes. They describe; `store.migrations` creates.

`store.run_tables` has those of runs.

Foreign keys have no ON DELETE action: nothing is deleted. Foreign text is kept in `ForeignText` columns (short) or in
`text.body` (bodies), so that lone surrogates and NUL characters survive. Columns called `..._json` or documented as
JSON hold ASCII JSON text. Times are UTC strings of `store.identity.now`.
"""

from typing import Any

from sqlalchemy import Index, Text, TypeDecorator, UniqueConstraint, text
from sqlalchemy.engine import Dialect
from sqlmodel import Field, SQLModel

from uq_tui.words import NeighbourUse, Resolution


class ForeignText(TypeDecorator[str]):
    """Text from elsewhere. SQLite's TEXT holds no lone surrogates, so a string that has some is stored as a blob."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> Any:
        """The string itself, or its bytes when it has lone surrogates."""
        if value is None:
            return None
        try:
            value.encode("utf-8")
        except UnicodeEncodeError:
            return value.encode("utf-8", "surrogatepass")
        return value

    def process_result_value(self, value: Any, dialect: Dialect) -> Any:
        """The string as it was bound."""
        return value.decode("utf-8", "surrogatepass") if isinstance(value, bytes) else value


LINKED = text('instr(record, \'"linked_ids":["\')')
"""Rows whose reviewer has linked ids. Those of the first version have no such key."""


class WorkspaceTable(SQLModel, table=True):
    """Facts about the workspace itself: `id`, `secret` (hex), and what other modules keep once a workspace."""

    __tablename__ = "workspace"
    key: str = Field(primary_key=True)
    value: str = Field(sa_type=ForeignText)


class TextTable(SQLModel, table=True):
    """Bodies, each stored once and whole: UTF-8 with lone surrogates passed through. `chars` counts code points."""

    __tablename__ = "text"
    sha256: str = Field(primary_key=True)
    body: bytes
    chars: int


class ConversionTable(SQLModel, table=True):
    """HTML bodies as Markdown, by converter version. A cache: rows can be made again."""

    __tablename__ = "conversion"
    sha256: str = Field(primary_key=True, foreign_key="text.sha256")
    converter: str = Field(primary_key=True)
    markdown: str = Field(sa_type=ForeignText)


class QuestionTable(SQLModel, table=True):
    """Questions. `seq` is the order of arrival; `body_sha256` is null while only the id is known (a stub)."""

    __tablename__ = "question"
    __table_args__ = (
        Index("question_site", "site", "seq"),
        Index("question_status", "status", "seq"),
        Index("question_domain", "domain", "seq"),
        Index("question_resolution", "resolution", "seq"),
        Index("question_score", "score", "seq"),
        Index("question_asked", "asked_at", "seq"),
        {"sqlite_autoincrement": True},
    )
    seq: int = Field(primary_key=True)
    id: str = Field(unique=True)
    title: str = Field(sa_type=ForeignText)
    site: str
    status: str
    score: int | None
    tags: str
    """JSON array of strings."""
    asked_at: str | None
    body_sha256: str | None = Field(foreign_key="text.sha256")
    body_format: str
    link: str = Field(sa_type=ForeignText)
    author: str = Field(sa_type=ForeignText)
    licence: str = Field(sa_type=ForeignText)
    category: str = Field(sa_type=ForeignText)
    dataset_version: str = Field(sa_type=ForeignText)
    views: int | None
    answers: int | None
    created_at: str
    extra: str
    """JSON object: what the source said beyond our columns."""
    domain: str = ""
    resolution: str = Resolution.OPEN
    author_id: str = ""
    """The site's own number of its author."""
    edited_at: str | None = None
    """When its author or somebody else last edited it on its site."""


class QuestionTextTable(SQLModel, table=True):
    """Every body a question has had, from version 1. The newest is the question's `body_sha256`."""

    __tablename__ = "question_text"
    question_id: str = Field(primary_key=True, foreign_key="question.id")
    version: int = Field(primary_key=True)
    body_sha256: str = Field(foreign_key="text.sha256")
    body_format: str
    source: str = Field(sa_type=ForeignText)
    created_at: str


class SourceIdTable(SQLModel, table=True):
    """Ids that sources give to questions and that files of answers refer to. Several sources may use one id."""

    __tablename__ = "source_id"
    source_id: str = Field(sa_type=ForeignText, primary_key=True)
    question_id: str = Field(primary_key=True, foreign_key="question.id")


class QuestionTagTable(SQLModel, table=True):
    """The tags of questions, one a row. Kept by triggers on `question`; their counts are facets."""

    __tablename__ = "question_tag"
    tag: str = Field(primary_key=True)
    seq: int = Field(primary_key=True)


class FacetTable(SQLModel, table=True):
    """How many questions have a value of a facet (`FacetKind`). Kept by triggers on `question`."""

    __tablename__ = "facet"
    kind: str = Field(primary_key=True)
    value: str = Field(primary_key=True)
    n: int


class CandidateTable(SQLModel, table=True):
    """Answers to be judged. `answer_sha256` is null while only the id is known (a stub)."""

    __tablename__ = "candidate"
    __table_args__ = (UniqueConstraint("question_id", "number"),)
    id: str = Field(primary_key=True)
    question_id: str = Field(foreign_key="question.id")
    number: int
    answer_sha256: str | None = Field(foreign_key="text.sha256")
    answer_format: str
    reasoning: str = Field(sa_type=ForeignText)
    cut_off: bool
    created_at: str
    reference: bool = False
    """The expert's own solution. It is scored like the others, and nobody is asked to label it."""


class CandidateOriginTable(SQLModel, table=True):
    """Where a candidate came from; `origin_sha256` is a hash of the other columns, so that none comes twice."""

    __tablename__ = "candidate_origin"
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    origin_sha256: str = Field(primary_key=True)
    kind: str
    model: str = Field(sa_type=ForeignText)
    system: str = Field(sa_type=ForeignText)
    organisation: str = Field(sa_type=ForeignText)
    base_model: str = Field(sa_type=ForeignText)
    person: str = Field(sa_type=ForeignText)
    prompt: str = Field(sa_type=ForeignText)
    source: str = Field(sa_type=ForeignText)
    call_key: str
    created_at: str


class KnownLabelTable(SQLModel, table=True):
    """Labels that came with candidates."""

    __tablename__ = "known_label"
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    label: str
    flaw: str = Field(sa_type=ForeignText)
    source: str = Field(sa_type=ForeignText)
    marks: float | None = None
    """Points that a person gave it, of `full_marks`."""
    full_marks: float | None = None


class NeighbourTable(SQLModel, table=True):
    """Related questions with checkable answers."""

    __tablename__ = "neighbour"
    id: str = Field(primary_key=True)
    statement_sha256: str = Field(foreign_key="text.sha256")
    answer: str = Field(sa_type=ForeignText)
    source: str = Field(sa_type=ForeignText)


class NeighbourLinkTable(SQLModel, table=True):
    """Which question a neighbour belongs to; `position` from 1 in order of arrival; `note` says why it is set aside."""

    __tablename__ = "neighbour_link"
    question_id: str = Field(primary_key=True, foreign_key="question.id")
    neighbour_id: str = Field(primary_key=True, foreign_key="neighbour.id")
    position: int
    use: str = NeighbourUse.IN_USE
    note: str = Field(default="", sa_type=ForeignText)


class ExternalScoreTable(SQLModel, table=True):
    """Scores that scorers outside uq-tui gave to candidates: reward models, GenRMs. The newest of each stands."""

    __tablename__ = "external_score"
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    scorer: str = Field(primary_key=True, sa_type=ForeignText)
    value: float
    source: str = Field(sa_type=ForeignText)
    """The file it came in."""
    created_at: str


class ReviewerTable(SQLModel, table=True):
    """People who give verdicts in this workspace."""

    __tablename__ = "reviewer"
    id: str = Field(primary_key=True)
    handle: str = Field(sa_type=ForeignText)
    """The public name: what exports carry."""
    orcid: str = Field(sa_type=ForeignText)
    expertise: str
    """JSON array of strings."""
    created_at: str
    name: str = Field(default="", sa_type=ForeignText)
    """The person's own name. It stays in the workspace."""
    affiliation: str = Field(default="", sa_type=ForeignText)
    linked: str = "[]"
    """JSON array of the ids that the same person has elsewhere."""


class VerdictTable(SQLModel, table=True):
    """Verdict revisions, append-only. `record` is the exported row verbatim; the columns repeat what queries need.

    `reviewer` is the handle at the time; `reviewer_id` may name someone who never used this workspace.
    """

    __tablename__ = "verdict"
    __table_args__ = (
        Index("verdict_candidate", "candidate_id", "reviewer_id"),
        Index("verdict_question", "question_id"),
        Index("verdict_order", "created_at", "verdict_id", "revision"),
        Index("verdict_linked", "reviewer_id", sqlite_where=LINKED),
    )
    verdict_id: str = Field(primary_key=True)
    revision: int = Field(primary_key=True)
    status: str
    candidate_id: str = Field(foreign_key="candidate.id")
    question_id: str = Field(foreign_key="question.id")
    reviewer_id: str
    reviewer: str = Field(sa_type=ForeignText)
    label: str | None
    not_judged: str | None
    blind: bool
    created_at: str
    row_sha256: str
    record: str
    repeat: bool = False
    """Given on a candidate that the same reviewer had judged before, without seeing that verdict."""
    settles: bool = False
    """Given by an adjudicator on sight of other verdicts, between which it decides."""
    imported: bool = False
    """It came in a file; others were recorded here, so that nothing from elsewhere takes their place."""


class DraftTable(SQLModel, table=True):
    """Verdict forms not yet submitted, one a reviewer, candidate and `VerdictRole`.

    `version` is another one each time it is kept, so that a window can tell that another one has written since.
    """

    __tablename__ = "draft"
    reviewer_id: str = Field(primary_key=True, foreign_key="reviewer.id")
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    role: str = Field(primary_key=True)
    form: str
    """JSON object."""
    updated_at: str
    version: int


class ExposureTable(SQLModel, table=True):
    """What a reviewer was shown about a candidate, first time only; `place` is where."""

    __tablename__ = "exposure"
    reviewer_id: str = Field(primary_key=True, foreign_key="reviewer.id")
    candidate_id: str = Field(primary_key=True, foreign_key="candidate.id")
    what: str = Field(primary_key=True)
    question_id: str = Field(foreign_key="question.id")
    place: str
    at: str


class LedgerMarkTable(SQLModel, table=True):
    """What a reviewer has made of one unit of a text: code points `start` to `end` of its raw body.

    `state` is null where there is only a note. A mark that is taken back leaves no row.
    """

    __tablename__ = "ledger_mark"
    reviewer_id: str = Field(primary_key=True, foreign_key="reviewer.id")
    text_sha256: str = Field(primary_key=True, foreign_key="text.sha256")
    start: int = Field(primary_key=True)
    end: int = Field(primary_key=True)
    state: str | None
    note: str = Field(sa_type=ForeignText)
    marked_at: str


class RemarkTable(SQLModel, table=True):
    """Remarks of reviewers on spans of texts. One that is removed keeps its row, and says since when."""

    __tablename__ = "remark"
    __table_args__ = (Index("remark_text", "text_sha256", "reviewer_id"),)
    id: str = Field(primary_key=True)
    reviewer_id: str = Field(foreign_key="reviewer.id")
    text_sha256: str = Field(foreign_key="text.sha256")
    start: int
    end: int
    quote: str = Field(sa_type=ForeignText)
    prefix: str = Field(sa_type=ForeignText)
    suffix: str = Field(sa_type=ForeignText)
    note: str = Field(sa_type=ForeignText)
    made_at: str
    removed_at: str | None
