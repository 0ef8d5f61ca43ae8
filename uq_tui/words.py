"""The fixed vocabulary: every enumerated word used in code, store, screens and exported files."""

from enum import StrEnum


class TextFormat(StrEnum):
    """How a stored raw text is to be read."""

    MARKDOWN = "markdown"
    HTML = "html"
    PLAIN = "plain"


class QuestionStatus(StrEnum):
    """Where a question stands. `ANSWERED` counts posted answers; `ACCEPTED` has one its poster accepted."""

    UNANSWERED = "unanswered"
    ANSWERED = "answered"
    ACCEPTED = "accepted"
    CLOSED = "closed"


class Resolution(StrEnum):
    """Whether an unsolved question is still one, by what people have found out about its answers."""

    OPEN = "open"
    CANDIDATE_ACCEPTED = "candidate_accepted"
    """Somebody accepts one of its candidates; those whose word resolves it have not spoken."""
    RESOLVED_BY_MODEL = "resolved_by_model"
    RESOLVED_BY_PERSON = "resolved_by_person"
    WITHDRAWN = "withdrawn"
    """It turned out to be no good question: faulty, a duplicate, or solved long ago."""


RESOLVED = (Resolution.RESOLVED_BY_MODEL, Resolution.RESOLVED_BY_PERSON)


class FacetKind(StrEnum):
    """What questions are counted by, and the list can be restricted to."""

    STATUS = "status"
    RESOLUTION = "resolution"
    DOMAIN = "domain"
    SITE = "site"
    TAG = "tag"
    SCORE = "score"
    """By `ScoreBand`."""
    YEAR = "year"
    """In which it was asked: four digits, or `unknown`."""


class ScoreBand(StrEnum):
    """Net votes of a question, in bands."""

    UNKNOWN = "unknown"
    NEGATIVE = "below 0"
    NONE = "0"
    FEW = "1 to 4"
    SOME = "5 to 9"
    MANY = "10 to 24"
    MORE = "25 to 99"
    MOST = "100 and more"


class Order(StrEnum):
    """How a question list is sorted. What isn't known of a question comes last, in either direction."""

    ARRIVAL = "arrival"
    SCORE = "score"
    ASKED = "asked"
    """By the date it was asked."""
    RELEVANCE = "relevance"
    """Of the first hits of a search. Without one, this is the order of arrival."""


class Direction(StrEnum):
    """Which end of an order comes first."""

    UP = "up"
    """The first imported, the lowest, the oldest first."""
    DOWN = "down"


class CurationStage(StrEnum):
    """Stages of the curation funnel (UQ section 2.1): where a question stands, or fell."""

    RULES = "rules"
    MODEL = "model"
    """A model answers it, and others rate it."""
    REVIEW = "review"
    """A person looks at it."""
    KEPT = "kept"


class Rule(StrEnum):
    """What makes a question fall at the stage of rules (UQ section 2.1); the first in this order is named."""

    ANSWERED = "answered"
    CLOSED = "closed"
    AGE = "age"
    VIEWS = "views"
    VOTES = "votes"
    VIEWS_PER_VOTE = "views_per_vote"
    WHY = "why"
    TAGS = "tags"
    IMAGES = "images"
    TOP_SHARE = "top_share"


class Criterion(StrEnum):
    """What makes a question fall at the stage of models (UQ section 2.1)."""

    WELL_DEFINED = "well_defined"
    APPROACHABLE = "approachable"
    OBJECTIVE = "objective"
    ANSWER_CORRECTNESS = "answer_correctness"
    """A model answers it well enough already."""
    EXPERT_SOLVABILITY = "expert_solvability"
    """An expert would solve it easily."""


class QuestionDecision(StrEnum):
    """What a person decides on a question at the stage of review."""

    KEEP = "keep"
    REJECT = "reject"
    PARAPHRASE = "paraphrase"
    """Keep it in other words."""


class Subset(StrEnum):
    """Which part of a dataset a question belongs to."""

    MAIN = "main"
    DIAMOND = "diamond"
    """Asked for most: few, of the strictest thresholds."""
    DEVELOPMENT = "development"
    """With known answers, to try things out on; not counted among the unsolved."""


class DatasetChange(StrEnum):
    """What became of a question in a version of a dataset."""

    ADDED = "added"
    REMOVED = "removed"
    RESOLVED = "resolved"
    MOVED = "moved"
    """To another subset."""
    EDITED = "edited"


class PostingRule(StrEnum):
    """What a site says to answers that a machine wrote."""

    FORBIDDEN = "forbidden"
    MAY_BE_DELETED = "may_be_deleted"
    WITH_REFERENCE = "with_reference"
    UNKNOWN = "unknown"


class AuthorKind(StrEnum):
    """Who wrote a candidate."""

    MODEL = "model"
    SYSTEM = "system"
    PERSON = "person"


class Outcome(StrEnum):
    """The result of a check, a stage or a whole strategy. Only `ACCEPT` and `REJECT` are decisions."""

    ACCEPT = "accept"
    REJECT = "reject"
    UNPARSED = "unparsed"
    FAILED = "failed"
    SKIPPED = "skipped"


class DecisionForm(StrEnum):
    """How judges are asked for a decision or a score, and where it is read."""

    TAGGED = "tagged"
    """A last line that begins with a code which the author of an answer can't know."""
    EXACT = "exact"
    """The papers' bare marks, `[[Y]]`, `[[N]]` and `Score: k`. An answer can contain them too."""


class Reading(StrEnum):
    """What became of a reply that should hold a score or an audit. Only `READ` brought something."""

    READ = "read"
    UNPARSED = "unparsed"
    FAILED = "failed"


class RunKind(StrEnum):
    """What a run does."""

    GENERATE = "generate"
    VALIDATE = "validate"
    JUDGE = "judge"
    AUDIT = "audit"
    CBU = "cbu"
    NEIGHBOURS = "neighbours"
    CURATE = "curate"


class RunState(StrEnum):
    """Where a run stands. `INTERRUPTED` runs are resumed by running them again."""

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"


class CallState(StrEnum):
    """Whether a call's reply can be reused. A failed call is asked again by the next run."""

    DONE = "done"
    FAILED = "failed"


class CallErrorKind(StrEnum):
    """Why a call failed."""

    RATE_LIMITED = "rate_limited"
    TIMEOUT = "timeout"
    CONNECTION = "connection"
    SERVER = "server"
    AUTH = "auth"
    BAD_REQUEST = "bad_request"
    CONTEXT_TOO_LONG = "context_too_long"
    CONTENT_FILTERED = "content_filtered"
    CUT_OFF = "cut_off"
    """The connection ended in the middle of the reply."""
    MALFORMED = "malformed"
    CANCELLED = "cancelled"
    UNAVAILABLE = "unavailable"


class DecidedBy(StrEnum):
    """How a rollout's value came about. The first three decide that answers are equal, and that they differ."""

    EXACT = "exact"
    """By reading both answers as exact mathematics."""
    SYMBOLIC = "symbolic"
    """By computer algebra."""
    MODEL = "model"
    """By asking a model, where the two above could not tell."""
    DIFFERENT = "different"
    """Answers differ, exactly or symbolically: uq-tui 0.1.0 did not say which."""
    NO_ANSWER = "no_answer"
    """A complete reply without a boxed answer: value 0."""
    CUT_OFF = "cut_off"
    """Cut at the length limit, be it after a boxed answer: no value."""
    CALL_FAILED = "call_failed"
    """No value."""
    UNDECIDABLE = "undecidable"
    """Neither equal nor different could be shown, or the reply ends with different boxes: no value."""
    FAILED = "failed"
    """Ended at a limit of time, memory, length or depth, or program text, which is never read: no value."""


class NeighbourUse(StrEnum):
    """Whether utilities of a question are measured on a neighbour."""

    IN_USE = "in_use"
    SET_ASIDE = "set_aside"


class ProposalState(StrEnum):
    """What became of a neighbour that a model proposed."""

    ASKED = "asked"
    """The solvers are being asked."""
    AGREED = "agreed"
    """All solvers gave the same answer, and a neighbour was made of it."""
    DISAGREED = "disagreed"
    UNANSWERED = "unanswered"
    """A solver gave no answer that could be read, or its calls failed."""


class Interval(StrEnum):
    """What kind of 95 % interval a utility has."""

    SCORE = "score"
    """Of a fixed number of rollouts: right once, when all are done."""
    ANYTIME = "anytime"
    """A confidence sequence: right at every look at once, so that one may stop when one likes."""


class Label(StrEnum):
    """A reviewer's verdict on a candidate."""

    CORRECT = "correct"
    CORRECT_BORDERLINE = "correct_borderline"
    INCORRECT = "incorrect"
    UNSURE = "unsure"


class NotJudged(StrEnum):
    """Why a reviewer gave no label."""

    OUT_OF_DEPTH = "out_of_depth"
    TOO_TEDIOUS = "too_tedious"
    FAULTY_QUESTION = "faulty_question"


class VerdictStatus(StrEnum):
    """Whether a verdict revision stands."""

    SUBMITTED = "submitted"
    RETRACTED = "retracted"
    DRAFT = "draft"
    """Not given yet. Only exported files say so, where drafts were asked for; no workspace holds such a verdict."""


class VerdictRole(StrEnum):
    """Which of a reviewer's verdicts on a candidate one is: they may have one of each."""

    ORDINARY = "ordinary"
    REPEAT = "repeat"
    """Given once more, in a queue that measures whether the reviewer agrees with themselves."""
    ADJUDICATION = "adjudication"
    """Decides between the verdicts of others, and maybe the reviewer's own."""


class Redacted(StrEnum):
    """What a copy of a row leaves out."""

    REVIEWER = "reviewer"
    """Who the reviewer is: another id stands in its place, the same for all rows of a reviewer."""
    TEXT = "text"
    """The answer's words in quotes; their places stay."""


class ConflictBy(StrEnum):
    """What two verdicts have to differ in to be a conflict. Only labels that say whether an answer is correct count."""

    VERDICT = "verdict"
    """Correct, be it borderline, against incorrect."""
    LABEL = "label"
    """Any two of correct, borderline and incorrect."""
    SCORE = "score"
    """Scores that are 2 or more apart."""


class ConflictState(StrEnum):
    """How far a conflict is settled. In the order in which conflicts are listed."""

    OPEN = "open"
    STALE = "stale"
    """It was settled, and one of the verdicts was revised or another one given since."""
    SETTLED = "settled"


class ErrorCategory(StrEnum):
    """Kinds of error a reviewer can mark: the four of Consequence-Based Utility section 6, then ours."""

    INCORRECT_REASONING = "incorrect_reasoning"
    UNJUSTIFIED_COMPRESSION = "unjustified_compression"
    UNJUSTIFIED_INTERPRETATION = "unjustified_interpretation"
    EXTERNAL_REFERENCES = "external_references"
    WRONG_FINAL_ANSWER = "wrong_final_answer"
    FABRICATED_REFERENCE = "fabricated_reference"
    MISREAD_QUESTION = "misread_question"
    OTHER = "other"


class Relation(StrEnum):
    """The reviewer's relation to the question."""

    ORIGINAL_POSTER = "original_poster"
    ANSWER_AUTHOR = "answer_author"
    DOMAIN_EXPERT = "domain_expert"
    OTHER = "other"


class Exposure(StrEnum):
    """What a reviewer has been shown about a candidate, beyond question and answer."""

    MODEL = "model"
    REASONING = "reasoning"
    OUTCOMES = "outcomes"
    UTILITY = "utility"
    SCORES = "scores"
    CLAIMS = "claims"
    KNOWN_LABEL = "known_label"
    OTHER_VERDICTS = "other_verdicts"


GLYPHS: dict[Outcome, str] = {
    Outcome.ACCEPT: "✓",
    Outcome.REJECT: "✗",
    Outcome.UNPARSED: "?",
    Outcome.FAILED: "!",
    Outcome.SKIPPED: "·",
}
"""An outcome is always shown as glyph and word, so that it never rests on colour."""


class LedgerState(StrEnum):
    """What a reader has made of one unit of a text: a paragraph, a displayed formula, a block of code, a table."""

    CHECKED = "checked"
    DOUBTFUL = "doubtful"
    WRONG = "wrong"
    SKIPPED = "skipped"


class QuestionFlag(StrEnum):
    """What is wrong with a question, as a reviewer sees it."""

    ILL_POSED = "ill_posed"
    ALREADY_SOLVED = "already_solved"
    DUPLICATE = "duplicate"
    NEEDS_IMAGE = "needs_image"


class FinalAnswer(StrEnum):
    """First step of labelling in two: how the final answer stands to the reference's."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNCLEAR = "unclear"


class Derivation(StrEnum):
    """Second step of labelling in two: what the derivation is worth."""

    VALID = "valid"
    BORDERLINE = "borderline"
    INVALID = "invalid"
    UNCLEAR = "unclear"


class QueueMode(StrEnum):
    """What reviewers of a queue see of a problem before they have decided all its items."""

    BLIND = "blind"
    """Question, reference and answers alone."""
    ASSISTED = "assisted"
    """Claims of audits too, and nothing else is masked either."""
    OPEN = "open"
    """Everything."""


class QueueOrder(StrEnum):
    """In which order a queue's problems come."""

    ARRIVAL = "arrival"
    UNREVIEWED = "unreviewed"
    """Those that fewest people have judged first."""
    RANDOM = "random"
    DISAGREEMENT = "disagreement"
    """Those first on which validators and utility disagree most."""
    UNCERTAINTY = "uncertainty"
    """Those first of which validators and utility say least."""


class Unjudged(StrEnum):
    """Whose verdict a candidate must not have to be in a queue."""

    BY_REVIEWERS = "mine"
    """Any of the people that the queue is for."""
    BY_ANYONE = "anyone"


class ItemRole(StrEnum):
    """Why a candidate stands in a queue. Reviewers can't tell gold items and repeats from plain ones."""

    PLAIN = "plain"
    PRACTICE = "practice"
    """With feedback from its known label, and without a verdict."""
    GOLD = "gold"
    """Its label is known, and measures the reviewer."""
    REPEAT = "repeat"
    """Judged by the same reviewer once more, as a verdict of its own."""


class ItemState(StrEnum):
    """Where an item of a queue stands for its reviewer. The first two are undecided."""

    OPEN = "open"
    PUT_OFF = "put_off"
    """Comes again after the open ones."""
    DECIDED = "decided"
    SKIPPED = "skipped"
    """A verdict says why it was not judged."""


UNDECIDED = (ItemState.OPEN, ItemState.PUT_OFF)
"""States of items that keep their problem masked in a blind queue."""


class StepState(StrEnum):
    """Where a recorded revision stands for undoing and redoing."""

    STANDING = "standing"
    UNDONE = "undone"
    DROPPED = "dropped"
    """Undone, and then something else was recorded: it can't be redone any more."""


class RevealReason(StrEnum):
    """Why a problem of a blind queue is masked no more."""

    DECIDED = "decided"
    """Its last item was decided."""
    REQUESTED = "requested"


class StatementKind(StrEnum):
    """What else a person says, beside verdicts."""

    SECOND_PASS = "second_pass"
    """What became of a candidate's claims, and whether the stages' reasoning is sound, after the reveal."""
    COMMENT = "comment"
    NOTE = "note"
    """A reviewer's scratch note on a question."""
    ACCEPTANCE = "acceptance"
    """The question's poster has accepted the answer."""
    RESOLUTION = "resolution"
    """Whether the question is solved, by whom, and on whose word."""


class ClaimDecision(StrEnum):
    """What a reviewer makes of a machine's claim."""

    CONFIRM = "confirm"
    REFUTE = "refute"
    UNSURE = "unsure"


class Soundness(StrEnum):
    """What a reviewer makes of the reasoning of a stage, whatever its outcome."""

    SOUND = "sound"
    UNSOUND = "unsound"
    UNSURE = "unsure"


class QuarantineReason(StrEnum):
    """Why a row of a file is kept apart from those that count."""

    DAMAGED = "damaged"
    """It is no row of its kind, or its hash doesn't fit."""
    CONFLICT = "conflict"
    """The same revision is known with other content, or another revision says that it is of something else."""
    CONTRADICTION = "contradiction"
    """It says of its candidate what isn't so: another question, or another text."""


class BundleDirection(StrEnum):
    """Which way a bundle went."""

    SENT = "sent"
    """It was written here for a reviewer elsewhere."""
    OPENED = "opened"
    """It was opened here, to be worked on."""
    RETURNED = "returned"
    """It came back, with what its reviewer said."""
