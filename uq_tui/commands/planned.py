"""How many calls a request will take, said before it starts."""

from dataclasses import dataclass

from uq_tui.engine.requests import (
    AuditRequest,
    CbuRequest,
    CurateRequest,
    GenerateRequest,
    JudgeRequest,
    NeighboursRequest,
    ValidateRequest,
)
from uq_tui.engine.runs.neighbours_reading import WANTED
from uq_tui.strategies import catalogue
from uq_tui.strategies.planning import planned_calls
from uq_tui.text import counted


@dataclass(frozen=True, slots=True)
class Planned:
    """Calls at least and at most. Remembered ones are among them; they are not sent."""

    fewest: int
    most: int
    retries: bool = False
    """A reply that cannot be read brings one more call."""
    wanted: str = "decision"
    """What such a reply lacks."""

    def text(self) -> str:
        """The line a person reads before the run starts."""
        fewest = "" if self.fewest == self.most else f"{self.fewest:,} to "
        more = f", and one more for each unreadable {self.wanted}" if self.retries else ""
        return f"Planned: {fewest}{counted(self.most, 'call')}{more}; what is remembered is not asked again."


def of_generation(request: GenerateRequest) -> Planned:
    """One call for each sample of each question."""
    calls = len(request.question_ids) * request.samples
    return Planned(calls, calls)


def of_validation(request: ValidateRequest) -> Planned:
    """The strategy's calls for each candidate. Raises StrategyError for what is no strategy."""
    calls = planned_calls(catalogue.find(request.strategy).strategy, exact=request.exact)
    candidates = len(request.candidate_ids)
    return Planned(calls.fewest * candidates, calls.most * candidates, retries=True)


def of_judging(request: JudgeRequest) -> Planned:
    """Every sample of each candidate."""
    calls = len(request.candidate_ids) * request.samples
    return Planned(calls, calls, retries=True, wanted="score")


def of_audit(request: AuditRequest) -> Planned:
    """One call for each candidate, and one more where its reply can't be read."""
    return Planned(len(request.candidate_ids), 2 * len(request.candidate_ids))


def of_cbu(request: CbuRequest, *, candidates: int, neighbours: int) -> Planned:
    """Every rollout of every arm: one arm for each candidate, and the controls; at least one round of an adaptive run.

    Where a model is asked about answers that can't be compared, each rollout may bring one more call.
    """
    arms = candidates + request.control + bool(request.placebo_id)
    most = arms * neighbours * request.rollouts
    fewest = arms * neighbours if request.adaptive else most
    return Planned(fewest, most * (2 if request.equivalence else 1))


def of_neighbours(request: NeighboursRequest) -> Planned:
    """One call that proposes, another where its reply can't be read, and each solver's samples of every proposal."""
    solving = WANTED * len(request.solvers) * request.samples
    return Planned(1 + solving, 2 + solving)


def of_curation(request: CurateRequest, ratings: int) -> Planned:
    """One answer to each question, and so many ratings of it."""
    answers = len(request.question_ids)
    return Planned(answers, answers * (1 + ratings), retries=True, wanted="rating")
