"""Having neighbours proposed: by which model, and which solvers have to agree on their answers."""

from collections.abc import Sequence

from uq_tui.engine.requests import ModelChoice, NeighboursRequest
from uq_tui.state.strategy.editor import read_model
from uq_tui.state.typed import whole_number

PROPOSALS = 5
"""Neighbours that are asked for at once."""
SAMPLES = 4
"""Times each solver is asked unless another number is given."""
MOST_SAMPLES = 64
FEWEST_SOLVERS = 2
MOST_SOLVERS = 6


class ProposingEditor:
    """What is entered in the dialog. An empty proposer or first solver is the app's model."""

    def __init__(self, question_id: str, app_model: ModelChoice, solvers: Sequence[str] = ()) -> None:
        """Begin with the solvers that were entered last, if any were."""
        self.question_id = question_id
        self.app_model = app_model
        self.proposer = ""
        """As entered: an id, or an id, a blank and an address; each solver likewise."""
        self.solvers = [*solvers, *[""] * (FEWEST_SOLVERS - len(solvers))]
        self.samples = str(SAMPLES)
        """As entered."""

    def enter(self, solver: int, text: str) -> None:
        """Solver number `solver`, from 1, is now `text`."""
        self.solvers += [""] * (solver - len(self.solvers))
        self.solvers[solver - 1] = text

    @property
    def fields(self) -> int:
        """How many solvers there are fields for: one more than the last entered, at least two."""
        last = max((number for number, text in enumerate(self.solvers, 1) if text.strip()), default=0)
        return min(MOST_SOLVERS, max(FEWEST_SOLVERS, last + 1))

    @property
    def models(self) -> tuple[tuple[int, ModelChoice], ...]:
        """The solvers that are named, each with the number of its field."""
        entered = ((number, text.strip()) for number, text in enumerate(self.solvers, 1))
        return tuple(
            (number, read_model(text) if text else self.app_model) for number, text in entered if text or number == 1
        )

    @property
    def count(self) -> int | None:
        """Samples of each solver, `None` when what is entered is no number from 1 to `MOST_SAMPLES`."""
        return whole_number(self.samples, MOST_SAMPLES)

    @property
    def wrong_solver(self) -> int | None:
        """The field of the solver that keeps it from being started: one that is missing, or there twice."""
        seen: set[str] = set()
        for number, model in self.models:
            if model.id in seen:
                return number
            seen.add(model.id)
        if len(seen) < FEWEST_SOLVERS:
            return next(number for number in range(2, FEWEST_SOLVERS + 1) if not self.solvers[number - 1].strip())
        return None

    @property
    def problem(self) -> str:
        """What keeps it from being started; empty when nothing does."""
        wrong = self.wrong_solver
        if wrong is not None and self.solvers[wrong - 1].strip():
            return f"Solver {wrong} is there twice. Only different models can agree."
        if wrong is not None:
            return f"Solver {wrong} needs a model. Only different models can agree."
        if self.count is None:
            return f"Samples are a number from 1 to {MOST_SAMPLES}."
        return ""

    @property
    def planned(self) -> str:
        """What the run will ask for; empty while something is wrong with what is entered."""
        if self.problem or self.count is None:
            return ""
        each, solvers = PROPOSALS * self.count, len(self.models)
        most = 2 + each * solvers
        return (
            f"{most - 1:,}–{most:,} calls: one that proposes, one more if it can't be read, and {each:,} to each of"
            f" {solvers} solvers. What is remembered is not asked again."
        )

    def request(self) -> NeighboursRequest | None:
        """The run; `None` while something is wrong with what is entered."""
        if self.problem or self.count is None:
            return None
        proposer = self.proposer.strip()
        return NeighboursRequest(
            question_id=self.question_id,
            model=read_model(proposer) if proposer else self.app_model,
            solvers=tuple(model for _, model in self.models),
            samples=self.count,
        )
