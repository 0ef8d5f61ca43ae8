"""A utility run being put together: how many rollouts, which arms, and how many calls that takes."""

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass

from store import blindness, placebos
from store.placebos import Placebo
from store.rows import Candidate
from store.workspace import Workspace
from uq_tui.analysis.allocation import EPSILON
from uq_tui.engine.requests import MOST_ROLLOUTS, CbuRequest, ModelChoice
from uq_tui.errors import UqError
from uq_tui.state.typed import whole_number
from uq_tui.text import counted

ROLLOUTS = 8
"""Rollouts of each arm on each neighbour unless another number is given; the paper has 64."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What is entered that may hold for the next question too; at first a plain run with a control arm."""

    rollouts: str = str(ROLLOUTS)
    adaptive: bool = False
    epsilon: str = f"{EPSILON:g}"
    control: bool = True
    fenced: bool = False
    equivalence: str = ""


class MeasureEditor:
    """What is entered. It starts with all candidates, without a placebo arm, and otherwise as it is told."""

    def __init__(
        self,
        question_id: str,
        model: ModelChoice,
        candidates: Sequence[Candidate],
        chosen: Candidate | None,
        *,
        neighbours: int,
        settings: Settings | None = None,
    ) -> None:
        """Begin.

        Args:
            question_id: whose candidates are measured.
            model: the solver.
            candidates: all of the question's.
            chosen: the one being read.
            neighbours: how many are in use.
            settings: what to begin with. Stopping early is left out of it where there is nothing to compare.

        Raises:
            UqError: no candidate has a text here.
        """
        self.question_id = question_id
        self.model = model
        self.candidates = tuple(one for one in candidates if one.answer.sha256)
        self.chosen = chosen if chosen in self.candidates else None
        self.neighbours = neighbours
        self.found_placebo: Placebo | None = None
        """The candidate for the placebo arm, once one is found."""
        begin = settings or Settings()
        self.rollouts = begin.rollouts
        """As entered; the most where `adaptive`."""
        self.adaptive = begin.adaptive and len(self.candidates) > 1
        self.epsilon = begin.epsilon
        """As entered."""
        self.control = begin.control
        self.placebo = False
        self.fenced = begin.fenced
        self.only_chosen = False
        self.equivalence = begin.equivalence
        """A model id, and after a blank its address where it needs one."""
        if not self.candidates:
            raise UqError(
                "There is no candidate to measure whose text is here.", hint="g generates one, a adds one by hand."
            )

    @property
    def settings(self) -> Settings:
        """What to begin with the next time."""
        return Settings(self.rollouts, self.adaptive, self.epsilon, self.control, self.fenced, self.equivalence)

    async def find_placebo(self, workspace: Workspace, reviewer_id: str) -> None:
        """Look for a candidate of another question, which this reviewer doesn't judge blind. Raises StoreError."""
        self.found_placebo = await asyncio.to_thread(self._find_placebo, workspace, reviewer_id)

    def _find_placebo(self, workspace: Workspace, reviewer_id: str) -> Placebo | None:
        masked = blindness.masked_questions(workspace, reviewer_id)
        return placebos.find(workspace, self.question_id, without=masked)

    @property
    def count(self) -> int | None:
        """T, or `None` when what is entered is no number from 1 to `MOST_ROLLOUTS`."""
        return whole_number(self.rollouts, MOST_ROLLOUTS)

    @property
    def margin(self) -> float | None:
        """Epsilon, or `None` when what is entered is no number between 0 and 1."""
        try:
            number = float(self.epsilon)
        except ValueError:
            return None
        return number if math.isfinite(number) and 0 < number < 1 else None

    @property
    def measured(self) -> int:
        """How many candidates are measured."""
        return 1 if self.only_chosen and self.chosen is not None else len(self.candidates)

    @property
    def arms(self) -> int:
        """The candidates and the arms without them."""
        return self.measured + self.control + (self.placebo and self.found_placebo is not None)

    @property
    def problem(self) -> str:
        """What is wrong with what is entered; empty when it can be started."""
        if self.count is None:
            return f"Rollouts are a number from 1 to {MOST_ROLLOUTS:,}."
        if self.adaptive and self.margin is None:
            return "Epsilon is a number between 0 and 1."
        if self.adaptive and self.measured < 2:
            return "Stopping early compares candidates, and only one is measured."
        if self.placebo and self.found_placebo is None:
            return "No other question has a candidate that could be the placebo."
        if len(self.equivalence.split()) > 2:
            return "A model is one id, and after a blank its address if it needs one."
        return ""

    @property
    def planned(self) -> str:
        """The calls this takes, lowest and highest; a model that compares may be asked about every rollout."""
        if self.count is None:
            return ""
        judge = self.equivalence.split()[:1]
        round_ = self.arms * self.neighbours
        fewest, most = round_ * (1 if self.adaptive else self.count), round_ * self.count * (2 if judge else 1)
        lowest = f"{fewest:,} to " if fewest < most else ""
        parts = f"{counted(self.arms, 'arm')}, {counted(self.neighbours, 'neighbour')}"
        return f"{lowest}{counted(most, 'call')} to {' and '.join([self.model.id, *judge])} ({parts})."

    def request(self) -> CbuRequest | None:
        """The run; `None` while something is wrong with what is entered."""
        count, margin = self.count, self.margin if self.adaptive else EPSILON
        if self.problem or count is None or margin is None:
            return None
        model, _, address = self.equivalence.strip().partition(" ")
        return CbuRequest(
            self.question_id,
            self.model,
            candidate_ids=(self.chosen.id,) if self.only_chosen and self.chosen is not None else (),
            rollouts=count,
            control=self.control,
            adaptive=self.adaptive,
            epsilon=margin,
            placebo_id=self.found_placebo.candidate_id if self.placebo and self.found_placebo is not None else "",
            fenced=self.fenced,
            equivalence=ModelChoice(model, address.strip()) if model else None,
        )
