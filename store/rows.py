"""Frozen rows: what leaves the store. No SQLAlchemy here, so any layer may import it cheaply.

`store.run_rows` has those of runs, `store.judge_rows` those of judges and audits.

Times are UTC ISO 8601 strings ending in `Z`. Costs are US dollars; `None` is unknown, never 0.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from uq_tui.words import (
    AuthorKind,
    Derivation,
    Exposure,
    FacetKind,
    FinalAnswer,
    Label,
    NeighbourUse,
    NotJudged,
    QuestionStatus,
    Relation,
    Resolution,
    ScoreBand,
    TextFormat,
    VerdictStatus,
)


@dataclass(frozen=True, slots=True)
class Text:
    """A foreign text: `raw` exactly as it came, `markdown` as it is read: HTML converted, CRLF made LF."""

    sha256: str
    format: TextFormat
    raw: str
    markdown: str


@dataclass(frozen=True, slots=True)
class QuestionRow:
    """A question in a list. Never carries a body."""

    seq: int
    id: str
    title: str
    site: str
    status: QuestionStatus
    score: int | None
    tags: tuple[str, ...]
    asked_at: str | None
    candidates: int
    verdicts: int
    """Those that stand; repeats, which measure the reviewer, are not among them."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its body."""

    row: QuestionRow
    body: Text
    link: str
    author: str
    """As the post names them, else as the site's users are listed."""
    licence: str
    category: str
    dataset_version: str
    """The newest version that pins it here, else what its source says."""
    views: int | None
    answers: int | None
    extra: Mapping[str, Any]
    author_id: str = ""
    """The site's own number of its author."""
    edited_at: str | None = None
    """When somebody last edited it on its site."""
    domain: str = ""
    """One of the five that sites are sorted into; "" where that is not known."""


@dataclass(frozen=True, slots=True)
class QuestionFilter:
    """What a question list shows. Empty fields don't restrict; `text` is free text (`store.search`)."""

    site: str = ""
    status: QuestionStatus | None = None
    text: str = ""
    tags: tuple[str, ...] = ()
    """Questions that have all of them."""
    domain: str = ""
    resolution: Resolution | None = None
    score_band: ScoreBand | None = None
    year: str = ""
    """Four digits, or `unknown`."""


@dataclass(frozen=True, slots=True)
class PageKey:
    """Where a page ends: the sort value of its last question, `None` where that isn't known, and its `seq`."""

    seq: int
    value: int | str | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """One page of a question list. `next_after` is the key of the following page, `None` at the end."""

    rows: tuple[QuestionRow, ...]
    next_after: PageKey | None


@dataclass(frozen=True, slots=True)
class Count:
    """A count that stops at a cap: `10,000+` instead of a slow exact figure."""

    n: int
    capped: bool


@dataclass(frozen=True, slots=True)
class Facet:
    """How many questions have one value of a facet; `kind` is a `FacetKind`."""

    kind: FacetKind
    value: str
    n: int


@dataclass(frozen=True, slots=True)
class Origin:
    """One place a candidate came from. A candidate can have several."""

    kind: AuthorKind
    model: str = ""
    system: str = ""
    organisation: str = ""
    base_model: str = ""
    person: str = ""
    prompt: str = ""
    source: str = ""
    """File or run the candidate came from."""
    call_key: str = ""

    @property
    def name(self) -> str:
        """The most specific name of the author, for display where the reviewer may see it."""
        return self.system or self.model or self.person or self.kind.value


@dataclass(frozen=True, slots=True)
class KnownLabel:
    """A label that came with a candidate, for practice and for measuring validators."""

    label: Label
    flaw: str
    source: str
    marks: float | None = None
    """Points that a person gave, from 0 to `full_marks`. Full marks go with correct, anything less with incorrect."""
    full_marks: float | None = None

    @property
    def marks_text(self) -> str:
        """`5 of 7`; empty where no marks were given."""
        return "" if self.marks is None or self.full_marks is None else f"{self.marks:g} of {self.full_marks:g}"


@dataclass(frozen=True, slots=True)
class Candidate:
    """An answer to be judged."""

    id: str
    question_id: str
    number: int
    """1, 2, 3... in the order in which the question's candidates arrived; shown as c1, c2, c3."""
    answer: Text
    reasoning: str
    """The model's reasoning text, empty when none was kept."""
    cut_off: bool
    """The reply ended at the length limit."""
    origins: tuple[Origin, ...]
    created_at: str
    reference: bool = False
    """The expert's own solution: scored like the others, never to be labelled."""
    letter: str = ""
    """What it is called instead of by its number, which tells its author, while its problem is judged blind."""

    @property
    def called(self) -> str:
        """What it is called: `c3`; `B` to a reviewer who judges its problem blind."""
        return self.letter or f"c{self.number}"


@dataclass(frozen=True, slots=True)
class NewCandidate:
    """A candidate on its way into the store."""

    question_id: str
    answer: str
    format: TextFormat
    origin: Origin | None
    """`None` where that is withheld, as a blind bundle does."""
    reasoning: str = ""
    cut_off: bool = False
    known_label: KnownLabel | None = None
    reference: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)
    """What its source says of it beyond these fields; JSON values."""


@dataclass(frozen=True, slots=True)
class Neighbour:
    """A related question whose answer can be checked."""

    id: str
    statement: str
    answer: str
    source: str
    """Where it is from: a file, a person, or the run that made it."""
    use: NeighbourUse = NeighbourUse.IN_USE
    note: str = ""
    """Why it is set aside."""
    number: int = 0
    """1, 2, 3... in the order in which the question's neighbours arrived; shown as N1, N2, N3. Given by the store."""


@dataclass(frozen=True, slots=True)
class ControlCount:
    """How often a solver solved a neighbour without any candidate, of its decided attempts."""

    solver: str
    solved: int
    decided: int


@dataclass(frozen=True, slots=True)
class Reviewer:
    """A person who gives verdicts."""

    id: str
    handle: str
    """The public name: what exports carry."""
    orcid: str
    expertise: tuple[str, ...]
    name: str = ""
    """Their own name. It stays in the workspace."""
    affiliation: str = ""
    linked: tuple[str, ...] = ()
    """Ids that the same person has elsewhere."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A span of a stored text: code-point offsets in the raw text, plus what surrounds it."""

    quote: str
    start: int | None
    end: int | None
    prefix: str
    suffix: str


@dataclass(frozen=True, slots=True)
class MarkedError:
    """An error a reviewer found."""

    category: str
    quotes: tuple[Quote, ...] = ()
    claim: str = ""
    problem: str = ""
    fix: str = ""


@dataclass(frozen=True, slots=True)
class VerdictForm:
    """What a reviewer has entered so far; also what a draft keeps."""

    label: Label | None = None
    not_judged: NotJudged | None = None
    score_0_7: int | None = None
    confidence: int | None = None
    rationale: str = ""
    errors: tuple[MarkedError, ...] = ()
    question_flags: tuple[str, ...] = ()
    relation: Relation = Relation.OTHER
    seconds_active: float = 0.0
    seconds_total: float = 0.0
    final_answer: FinalAnswer | None = None
    """First step of labelling in two steps; `None` where the label was given at once."""
    derivation: Derivation | None = None
    """Second step."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One stored revision. `record` is the exported row, frozen when it was saved."""

    verdict_id: str
    revision: int
    status: VerdictStatus
    candidate_id: str
    question_id: str
    reviewer_id: str
    reviewer: str
    label: Label | None
    not_judged: NotJudged | None
    blind: bool
    created_at: str
    record: Mapping[str, Any] = field(repr=False)


@dataclass(frozen=True, slots=True)
class ExposureRow:
    """One thing a reviewer was shown, when, and where."""

    reviewer_id: str
    question_id: str
    candidate_id: str
    what: Exposure
    where: str
    at: str


@dataclass(frozen=True, slots=True)
class RejectedRow:
    """A row an import could not use."""

    file: str
    line: int
    reason: str


class Merging(StrEnum):
    """What reports of merged rows count besides."""

    SUPERSEDED = "superseded"
    """Rows of which a later revision is here, and was not, or came later than them."""
    STUBS = "stubs"
    """Answers that are known by their ids only, until their texts arrive."""
    WITHDRAWN = "withdrawn"
    """Rows that counted before, and are in quarantine."""
    RELEASED = "released"
    """Rows that were in quarantine before, and count."""
    DRAFTS = "drafts"
    """Rows that were passed over since nobody has given them yet."""
    DAMAGED = "damaged"
    CONFLICT = "conflict"
    CONTRADICTION = "contradiction"
    """Rows that went into quarantine, or are there already, by reason."""
    INCOMPLETE = "incomplete"
    """Files that are shorter than their manifest says."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import did. `read` counts rows of the kinds the file is meant to hold."""

    file: str
    format: str
    read: int
    new: int
    changed: int
    same: int
    passed_over: int
    """Rows that are fine but not wanted: answers and tag wikis of a dump."""
    rejected: tuple[RejectedRow, ...]
    rejected_total: int
    """May exceed `len(rejected)`, which is capped."""
    counts: Mapping[str, int]
    """What came in, by kind: questions, candidates, neighbours, verdicts, answered, unanswered..."""
    notes: tuple[str, ...]
    merged: Mapping[Merging, int] = field(default_factory=dict)
    """Of sealed rows what else there was; what there was none of is left out."""
