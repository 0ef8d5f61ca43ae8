"""Having models answer and rate what has passed the rules: which ones, how many questions, for how much."""

import math
from dataclasses import dataclass

from store.curation_rows import Curation
from uq_tui.curation.thresholds import parse
from uq_tui.engine.requests import MOST_QUESTIONS, ModelChoice
from uq_tui.state.strategy.editor import read_model
from uq_tui.state.typed import whole_number
from uq_tui.text import counted

MOST = 10**9


@dataclass(frozen=True, slots=True)
class Asked:
    """Who answers and rates, how many questions (`None`: all that wait), and what the run may use.

    A budget of `None` leaves it to the settings.
    """

    answerer: ModelChoice
    raters: tuple[ModelChoice, ...]
    questions: int | None = None
    usd: float | None = None
    tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Wrong:
    """What keeps a run from being started. `field` is empty where nothing that is entered is to blame."""

    words: str
    field: str = ""


class AskingEditor:
    """What is entered in the dialog, as it was typed. An empty model is the app's."""

    def __init__(self, curation: Curation, app_model: ModelChoice, *, waiting: int) -> None:
        """`waiting` is how many questions stand at the stage of models.

        Raises:
            UqError: the curation's rules can't be read.
        """
        self.app_model = app_model
        self.answerer = ""
        self.raters = ""
        self.limit = ""
        self.usd = ""
        self.tokens = ""
        self._waiting = waiting
        self._ratings = parse(curation.rules).model.ratings

    def enter(self, field: str, text: str) -> None:
        """A field now holds this."""
        setattr(self, field, text)

    @property
    def wrong(self) -> Wrong | None:
        """The first thing that keeps it from being started."""
        if not self._waiting:
            return Wrong("No question waits for models: the rules have let none through, or all are decided.")
        if self.limit.strip() and self._limit is None:
            return Wrong("The number of questions is a whole number from 1.", "limit")
        if self.usd.strip() and self._usd is None:
            return Wrong("Dollars are a number, 0 or more.", "usd")
        if self.tokens.strip() and self._tokens is None:
            return Wrong("Tokens are a whole number from 1.", "tokens")
        return None

    @property
    def planned(self) -> str:
        """`12 questions of 40 that wait: 48 calls, 1 answer and 3 ratings each`, and what may come on top."""
        n = min(self._waiting, self._limit or MOST_QUESTIONS, MOST_QUESTIONS)
        calls, each = counted(n * (1 + self._ratings), "call"), counted(self._ratings, "rating")
        return (
            f"{counted(n, 'question')} of {self._waiting:,} that wait: {calls}, 1 answer and {each} each, one more for"
            " each rating that can't be read. What is there already is not asked again."
        )

    def asked(self) -> Asked | None:
        """The run as it is entered; `None` while something is wrong."""
        if self.wrong is not None:
            return None
        return Asked(self._model(self.answerer), self._raters, self._limit, self._usd, self._tokens)

    def _model(self, text: str) -> ModelChoice:
        return read_model(text) if text.strip() else self.app_model

    @property
    def _raters(self) -> tuple[ModelChoice, ...]:
        named = [part for part in self.raters.split(",") if part.strip()]
        return tuple(self._model(part) for part in named) or (self.app_model,)

    @property
    def _limit(self) -> int | None:
        return whole_number(self.limit, MOST)

    @property
    def _usd(self) -> float | None:
        try:
            usd = float(self.usd)
        except ValueError:
            return None
        return usd if math.isfinite(usd) and usd >= 0 else None

    @property
    def _tokens(self) -> int | None:
        return whole_number(self.tokens, MOST)
