"""Requests: what a run is to do, as the app and the commands ask for it."""

from dataclasses import dataclass

from uq_tui.analysis.allocation import DELTA, EPSILON
from uq_tui.words import DecisionForm


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """A model as the user named it. `api_base` empty means the provider's own."""

    id: str
    api_base: str = ""


MOST_ANSWERS = 10_000
"""Candidates that may be asked for to one question at once."""


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """Ask for `samples` candidates to each question."""

    question_ids: tuple[str, ...]
    model: ModelChoice
    samples: int = 1


@dataclass(frozen=True, slots=True)
class ValidateRequest:
    """Judge candidates by a strategy. `exact` asks every planned vote; otherwise a decided vote stops.

    `strategy` is a name or a strategy in its one-line notation; `model` fills its slot 1, `more_models` its slots from
    2 on. `form` is how decisions are asked for.
    """

    candidate_ids: tuple[str, ...]
    model: ModelChoice
    strategy: str = "3-iter"
    exact: bool = False
    fresh: bool = False
    more_models: tuple[ModelChoice, ...] = ()
    form: DecisionForm = DecisionForm.TAGGED


@dataclass(frozen=True, slots=True)
class JudgeRequest:
    """Have candidates scored `samples` times each by a judge template (see `engine/judging/judges.py`)."""

    candidate_ids: tuple[str, ...]
    model: ModelChoice
    judge: str = "scale_10"
    samples: int = 8
    fresh: bool = False
    form: DecisionForm = DecisionForm.TAGGED


@dataclass(frozen=True, slots=True)
class AuditRequest:
    """Have a model look for flaws in candidates and quote them."""

    candidate_ids: tuple[str, ...]
    model: ModelChoice
    fresh: bool = False


MOST_ROLLOUTS = 1_000
"""Rollouts of an arm on a neighbour that may be asked for."""


@dataclass(frozen=True, slots=True)
class CbuRequest:
    """Measure the utility of candidates of one question; no candidate ids means all of them.

    `rollouts` is how many each arm makes on each neighbour, and the most where `adaptive` lets an arm stop early: as
    soon as a candidate is known, with an error of at most `delta`, to be within `epsilon` of the best.
    """

    question_id: str
    model: ModelChoice
    candidate_ids: tuple[str, ...] = ()
    rollouts: int = 8
    control: bool = True
    fresh: bool = False
    adaptive: bool = False
    epsilon: float = EPSILON
    delta: float = DELTA
    placebo_id: str = ""
    """A candidate of another question, used as the example in a second control arm."""
    fenced: bool = False
    """Fence the candidate, against answers that give orders; the paper's layout has no fence."""
    equivalence: ModelChoice | None = None
    """A model that is asked whether two answers are equal, where neither reading nor algebra can tell."""


@dataclass(frozen=True, slots=True)
class NeighboursRequest:
    """Have a model propose neighbours of a question, and keep those on whose answers all solvers agree.

    `solvers` are at least two models, each asked `samples` times.
    """

    question_id: str
    model: ModelChoice
    solvers: tuple[ModelChoice, ...]
    samples: int = 4
    fresh: bool = False


MOST_QUESTIONS = 2_000
"""Questions in one run of a pass's model filter, whose texts it pins; the next run takes the next ones."""


@dataclass(frozen=True, slots=True)
class CurateRequest:
    """Have questions of a pass of the funnel answered by a model, and rated with that answer by raters.

    The pass says how often each is rated; the raters take turns at that, the first sample by the first. Questions that
    no longer wait for it are left out.
    """

    curation_id: str
    question_ids: tuple[str, ...]
    model: ModelChoice
    raters: tuple[ModelChoice, ...]
    fresh: bool = False


Request = (
    GenerateRequest | ValidateRequest | JudgeRequest | AuditRequest | CbuRequest | NeighboursRequest | CurateRequest
)
