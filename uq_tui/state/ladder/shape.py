"""What a run pinned about its strategy, as the ladder needs it: places, names of models, switches."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from uq_tui.errors import StrategyError
from uq_tui.strategies import notation
from uq_tui.strategies.tree import Pipeline, Place, Strategy, label_of, places
from uq_tui.words import DecisionForm


@dataclass(frozen=True, slots=True)
class LadderShape:
    """The strategy of a run. Runs of 0.1.0 pinned no notation: their places are known by the stages' names only."""

    title: str = ""
    notation: str = ""
    places: tuple[Place, ...] = ()
    """In reading order, the whole strategy first; empty where no notation was pinned."""
    stages: tuple[str, ...] = ()
    """Names of the root's stages in order."""
    model: str = ""
    """The model in slot 1."""
    models: tuple[str, ...] = ()
    """All models that the strategy asks; empty where that was not pinned."""
    exact: bool = False
    form: DecisionForm = DecisionForm.TAGGED

    @classmethod
    def of(cls, spec: Mapping[str, Any]) -> "LadderShape":
        """What a validation pinned."""
        pinned = spec.get("strategy", {})
        title, text = pinned.get("title") or pinned.get("name", ""), pinned.get("notation", "")
        filled = {int(slot): _model_id(model) for slot, model in spec.get("slots", {}).items()}
        return cls(
            title=title,
            notation=text,
            places=_places(title, text, filled),
            stages=tuple(spec.get("stages", ())),
            model=_model_id(spec.get("model", "")),
            models=tuple(map(_model_id, spec.get("models", ()))),
            exact=bool(spec.get("exact", False)),
            form=DecisionForm(spec.get("form", DecisionForm.TAGGED)),
        )


def _model_id(pinned: str | Mapping[str, str]) -> str:
    return pinned if isinstance(pinned, str) else pinned["id"]


def _places(title: str, text: str, filled: Mapping[int, str]) -> tuple[Place, ...]:
    """The places of a strategy in its one-line form, slots named by the models that fill them."""
    if not text:
        return ()
    try:
        root: Pipeline = notation.parse(text)
    except StrategyError:  # pinned by another version of uq-tui: what came of it can still be shown
        return ()
    names = {label_of(slot): model for slot, model in filled.items()}
    every = places(Strategy("", title, "", root, text))
    # Only parts that are counted are models; a stage may have any name.
    return tuple(
        replace(p, label=names.get(p.label, p.label)) if p.path.rpartition("/")[2].isdigit() else p for p in every
    )
