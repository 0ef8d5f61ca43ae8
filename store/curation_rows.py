"""Frozen rows of curation: passes of the funnel, where questions stand in them, ratings and reviews.

Times are UTC ISO 8601 strings ending in `Z`. As importable as `store.rows`.
"""

from dataclasses import dataclass

from uq_tui.words import CurationStage, QuestionDecision, QuestionStatus, Reading, TextFormat


@dataclass(frozen=True, slots=True)
class Curation:
    """A pass of the funnel. `rules` is the TOML text it was begun with; ages are counted at `created_at`."""

    id: str
    name: str
    rules: str
    up_to: int | None
    """The `seq` of the last question that was there when the rules were first applied; `None` before that."""
    passed: int
    """The `seq` up to which the rules have been applied."""
    created_at: str
    sites: tuple[str, ...] = ()
    """It is over questions of these sites alone, in their canonical spelling; none for all."""

    @property
    def ruled(self) -> bool:
        """Whether the rules have been applied to all questions of the pass."""
        return self.up_to is not None and self.passed >= self.up_to


@dataclass(frozen=True, slots=True)
class Facts:
    """What the rules look at, but for the body. `None` is not known; `asked_at` is as the store has times."""

    site: str
    title: str
    tags: tuple[str, ...]
    status: QuestionStatus
    score: int | None
    views: int | None
    answers: int | None
    asked_at: str | None


@dataclass(frozen=True, slots=True)
class Known:
    """A question as the rules see it. Its body is read apart, of those that stand on their facts."""

    seq: int
    question_id: str
    facts: Facts
    body_sha256: str | None
    body_format: TextFormat


@dataclass(frozen=True, slots=True)
class Cutoff:
    """A site's top share: of its `n` open questions, the first `kept` by votes, with all that tie with the last.

    `votes` are those of that last one; `None` where no question's votes are known.
    """

    site: str
    n: int
    kept: int
    votes: int | None


@dataclass(frozen=True, slots=True)
class Place:
    """How far a question has come: `fell` is "" while it stands at the stage, `detail` says in words why it fell.

    `unknown`: it fell because a figure that the rule looks at is not known, or it stands undecided: models were asked,
    and too little came of it.
    """

    seq: int
    stage: CurationStage
    fell: str = ""
    detail: str = ""
    unknown: bool = False


@dataclass(frozen=True, slots=True)
class StageCount:
    """How many questions of a site stand (`fell` is "") or fell at a stage. Each question counts at one place."""

    stage: CurationStage
    fell: str
    unknown: bool
    site: str
    domain: str
    n: int


@dataclass(frozen=True, slots=True)
class CurationAnswer:
    """The answer that the model filter asked for. Only a `READ` one has a candidate; `reason` says why not."""

    curation_id: str
    question_id: str
    run_id: str
    state: Reading
    reason: str
    candidate_id: str | None
    call_key: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Rating:
    """One rating of a question with its answer. Figures are percentages; `None` where the rating did not come."""

    curation_id: str
    question_id: str
    sample: int
    run_id: str
    state: Reading
    reason: str
    answer_correctness: float | None
    expert_solvability: float | None
    well_defined: bool | None
    approachable: bool | None
    objective: bool | None
    explanation: str
    call_key: str
    created_at: str


@dataclass(frozen=True, slots=True)
class QuestionReview:
    """What a person decided on a question. `decision` of `None` takes the one before it back.

    A paraphrase has a title and a body of its own.
    """

    id: str
    curation_id: str
    question_id: str
    reviewer_id: str
    decision: QuestionDecision | None
    reason: str
    title: str
    body: str
    created_at: str


@dataclass(frozen=True, slots=True)
class Path:
    """All that a pass holds of a question. `reviews` are in order, the newest last: that one stands."""

    curation_id: str
    question_id: str
    place: Place
    answer: CurationAnswer | None
    ratings: tuple[Rating, ...]
    reviews: tuple[QuestionReview, ...]

    @property
    def decision(self) -> QuestionReview | None:
        """The review that stands, if one does."""
        newest = self.reviews[-1] if self.reviews else None
        return newest if newest is not None and newest.decision is not None else None


@dataclass(frozen=True, slots=True)
class Placed:
    """A question in a list of those that stand or fell at a stage."""

    place: Place
    question_id: str
    title: str
    site: str
    domain: str
    status: QuestionStatus
    score: int | None
    views: int | None
    answers: int | None
    tags: tuple[str, ...]
    asked_at: str | None


@dataclass(frozen=True, slots=True)
class PlacedPage:
    """One page of such a list, in order of arrival. `next_after` is the key of the next page, `None` at the end."""

    rows: tuple[Placed, ...]
    next_after: int | None


@dataclass(frozen=True, slots=True)
class Kept:
    """A question that has come through: its title and body as they are to be used. `edited` marks a paraphrase."""

    question_id: str
    title: str
    body_sha256: str
    body_format: TextFormat
    edited: bool
