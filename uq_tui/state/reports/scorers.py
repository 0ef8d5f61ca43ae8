"""Who scores candidates: solvers, judges, validators, outside scorers; who was asked otherwise is another one."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from uq_tui.analysis.scale import Scale
from uq_tui.words import Exposure


class Kind(StrEnum):
    """What scores."""

    UTILITY = "utility"
    """A solver, by Consequence-Based Utility."""
    JUDGE = "judge"
    VALIDATOR = "validator"
    """A strategy: 1 for accepted, 0 for rejected, nothing where it did not decide."""
    EXTERNAL = "external"


EXPOSURES = {
    Kind.UTILITY: Exposure.UTILITY,
    Kind.JUDGE: Exposure.SCORES,
    Kind.VALIDATOR: Exposure.OUTCOMES,
    Kind.EXTERNAL: Exposure.SCORES,
}
"""What a reviewer has seen who saw a score of this kind."""


@dataclass(frozen=True, slots=True)
class Scorer:
    """Who scored and how. Scorers that differ in anything are different ones."""

    kind: Kind
    name: str
    """`CBU`, a judge template, a strategy's name, or what an outside scorer is called."""
    models: tuple[str, ...] = ()
    endpoints: tuple[str, ...] = ()
    """The `api_base` of each model; empty for the provider's own."""
    form: str = ""
    """How judges and validators were to end their replies."""
    version: str = ""
    """Eight hexadecimal characters that differ when a prompt does, or how replies are drawn."""
    notation: str = ""
    """A validator's one-line form."""
    scale: Scale | None = None
    """Lowest and highest score; `None` where nobody knows, as of outside scorers."""


def in_order(scorer: Scorer) -> tuple[int, str, tuple[str, ...], str, str, str, tuple[str, ...]]:
    """Sorts scorers by kind, as kinds are listed, then by name, models and the rest."""
    kind = tuple(Kind).index(scorer.kind)
    return kind, scorer.name, scorer.models, scorer.notation, scorer.form, scorer.version, scorer.endpoints


def names(scorers: Sequence[Scorer]) -> dict[Scorer, str]:
    """A name for each: `CBU openai/o3`, with form, prompts, one-line form and address where others share all before."""
    found = {one: _short(one) for one in scorers}
    for part in _PARTS:
        alike: dict[str, list[Scorer]] = {}
        for one, name in found.items():
            alike.setdefault(name, []).append(one)
        for name, own in alike.items():
            if len({part(one) for one in own}) > 1:
                found |= {one: f"{name} {part(one)}".rstrip() for one in own}
    return found


def _short(one: Scorer) -> str:
    return " ".join((one.name, "+".join(one.models))).strip()


_PARTS: tuple[Callable[[Scorer], str], ...] = (
    lambda one: one.form,
    lambda one: one.notation,
    lambda one: one.version,
    lambda one: "at " + ", ".join(endpoint or "its provider" for endpoint in one.endpoints),
    lambda one: one.kind.value,
)
