"""What candidates are judged by: a strategy, its models, and how it is asked."""

from dataclasses import dataclass

from uq_tui.engine.requests import ModelChoice, ValidateRequest
from uq_tui.words import DecisionForm


@dataclass(frozen=True, slots=True)
class StrategyChoice:
    """A strategy as a run is started with it; at first the default one."""

    strategy: str = "3-iter"
    """Its name, or its one-line form."""
    title: str = "3-Iter by reflection"
    """What people read."""
    model: ModelChoice | None = None
    """Fills slot 1; `None` is the model that is chosen in the app when the run starts."""
    more_models: tuple[ModelChoice, ...] = ()
    """Fill the slots from 2 on."""
    exact: bool = False
    """Ask every planned vote."""
    form: DecisionForm = DecisionForm.TAGGED

    def request(self, candidate_id: str, model: ModelChoice, *, fresh: bool = False) -> ValidateRequest:
        """Judge one candidate by it; `model` is the app's."""
        return ValidateRequest(
            (candidate_id,),
            self.model or model,
            strategy=self.strategy,
            exact=self.exact,
            fresh=fresh,
            more_models=self.more_models,
            form=self.form,
        )
