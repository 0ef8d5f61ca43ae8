"""Choosing a strategy: the ones there are by name, and one line that is read again at every keystroke."""

from collections.abc import Iterable
from dataclasses import dataclass

from uq_tui.engine.judging.seats import fill
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import StrategyError, UqError
from uq_tui.state.strategy.choice import StrategyChoice
from uq_tui.strategies import catalogue
from uq_tui.strategies.catalogue import Preset, Source
from uq_tui.strategies.planning import PlannedCalls, planned_calls
from uq_tui.strategies.tree import models_in
from uq_tui.text import clean

KEPT_OWN = 10
"""One-line forms of a sitting that are offered again."""
EXCERPT = 28
"""Characters shown at most on either side of where a line cannot be read."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A strategy that can be chosen."""

    title: str
    notation: str
    purpose: str
    calls: PlannedCalls
    models: tuple[str, ...] = ()
    """What its slots are filled with, from slot 1 on."""
    name: str = ""
    """What a run is started by; empty when that is the one-line form."""


@dataclass(frozen=True, slots=True)
class Misread:
    """Why a line is no strategy, and where that shows."""

    message: str
    hint: str
    excerpt: str = ""
    """The line around that place, "" where there is no place to show."""
    caret: int = 0
    """Characters of the excerpt before the place."""


def entries(own: Iterable[str]) -> tuple[Entry, ...]:
    """Everything that can be chosen: one-line forms of this sitting, then all that have names. Reads the user's files.

    A file of the user's that is no strategy is left out; `uq-tui strategies` tells what is wrong with it.
    """
    named = (_entry_of(text) for text in (*own, *catalogue.names()))
    return tuple(entry for entry in named if entry is not None)


def _entry_of(text: str) -> Entry | None:
    try:
        found = catalogue.find(text)
    except StrategyError:
        return None
    strategy = found.strategy
    return Entry(
        title="own line" if found.source is Source.NOTATION else strategy.title,
        notation=strategy.notation,
        purpose=strategy.purpose,
        calls=planned_calls(strategy),
        models=found.models,
        name=strategy.name if found.source is Source.OWN else "",
    )


class StrategyEditor:
    """What is entered in the dialog. Reading a line takes well under a millisecond, so it is done at once."""

    def __init__(self, present: StrategyChoice, app_model: ModelChoice) -> None:
        """Begin with the strategy that is chosen now; `app_model` fills slot 1 unless another is entered."""
        self.app_model = app_model
        self.exact = present.exact
        self.form = present.form
        self.models: dict[int, str] = {
            slot: model_text(model) for slot, model in enumerate((present.model, *present.more_models), 1) if model
        }
        """What is entered for each slot: an id, or an id, a blank and an address."""
        self._filled: dict[int, tuple[str, str]] = {}
        """Models that the entry taken last has put into slots, each with what it put away."""
        self._entry: Entry | None = None
        self.text = ""
        self.found: Preset | None
        self.misread: Misread | None
        self.edit(present.strategy)
        if self.found is not None:
            self._entry = _entry_of(present.strategy)
            self.edit(self.found.strategy.notation)

    def edit(self, text: str) -> None:
        """The line is now `text`."""
        self.text = text
        try:
            self.found, self.misread = catalogue.find(text), None
        except StrategyError as error:
            self.found, self.misread = None, _misread(text, error)

    def take(self, entry: Entry) -> None:
        """Put a strategy of the list into the line, and its models into the slots.

        Those of the entry taken before leave again: going through the list must not choose who is asked.
        """
        for slot, (filled, before) in self._filled.items():
            if self.models.get(slot) == filled:
                self.models[slot] = before
        self._filled = {slot: (model, self.models.get(slot, "")) for slot, model in enumerate(entry.models, 1)}
        self.models |= {slot: model for slot, (model, _) in self._filled.items()}
        self._entry = entry
        self.edit(entry.notation)

    def holds(self, entry: Entry) -> bool:
        """Whether the line is that of this entry."""
        return self.found is not None and self.found.strategy.notation == entry.notation

    @property
    def slots(self) -> tuple[int, ...]:
        """The slots of the strategy in the line, from 1; none while it cannot be read."""
        if self.found is None:
            return ()
        named = models_in(self.found.strategy.root)
        highest = max((slot for slot in named if isinstance(slot, int)), default=1)
        return tuple(range(1, highest + 1))

    @property
    def calls(self) -> PlannedCalls | None:
        """Calls for one candidate, `None` while the line cannot be read."""
        return planned_calls(self.found.strategy, exact=self.exact) if self.found is not None else None

    @property
    def model_problem(self) -> str:
        """What is wrong with the models entered, "" when nothing is."""
        if self.found is None:
            return ""
        empty = [slot for slot in self.slots if slot > 1 and not self.models.get(slot, "").strip()]
        if empty:
            return f"Slot {empty[0]} needs a model."
        try:
            fill(self.found.strategy.root, self._models())
        except UqError as error:
            return f"{error.message} {error.hint}".strip()
        return ""

    def choice(self) -> StrategyChoice | None:
        """What is entered, `None` while something is wrong with it."""
        if self.found is None or self.model_problem:
            return None
        strategy, first = self.found.strategy, self.models.get(1, "").strip()
        entry = self._entry
        named = entry is not None and entry.name and entry.notation == strategy.notation
        return StrategyChoice(
            strategy=entry.name if entry is not None and named else strategy.name,
            title=entry.title if entry is not None and named else strategy.title,
            model=read_model(first) if first else None,
            more_models=self._models()[1:],
            exact=self.exact,
            form=self.form,
        )

    def is_own(self) -> bool:
        """Whether the line is one that no strategy with a name has."""
        return self.found is not None and self.found.source is Source.NOTATION

    def _models(self) -> tuple[ModelChoice, ...]:
        texts = (self.models.get(slot, "").strip() for slot in self.slots)
        return tuple(read_model(text) if text else self.app_model for text in texts)


def model_text(model: ModelChoice) -> str:
    """A model as it is entered: `openai/o3`, or `openai/mine http://127.0.0.1:8000/v1`."""
    return f"{model.id} {model.api_base}".strip()


def read_model(text: str) -> ModelChoice:
    """The model that was entered."""
    model_id, _, address = text.strip().partition(" ")
    return ModelChoice(model_id, address.strip())


def remembered(own: tuple[str, ...], notation: str) -> tuple[str, ...]:
    """The one-line forms of a sitting after one more has been used, the newest first, each once."""
    return (notation, *(text for text in own if text != notation))[:KEPT_OWN]


def _misread(text: str, error: StrategyError) -> Misread:
    at = error.position
    if at is None:
        return Misread(error.message, error.hint)
    begin, end = max(0, at - EXCERPT), at + EXCERPT
    before = ("…" if begin else "") + _flat(text[begin:at])
    after = _flat(text[at:end]) + ("…" if end < len(text) else "")
    return Misread(error.message, error.hint, before + after, len(before))


def _flat(text: str) -> str:
    """Without line breaks and tabs, and harmless."""
    return clean(text.replace("\n", " ").replace("\t", " "))
