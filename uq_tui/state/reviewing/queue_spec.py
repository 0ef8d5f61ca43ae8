"""What a queue is built from, as it is kept beside the queue and read again by whoever works on it."""

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, TypeVar

from store.queue_pool import CandidateFilter
from uq_tui.errors import QueueSpecError
from uq_tui.state.reviewing.completeness import Rules
from uq_tui.words import Outcome, QuestionStatus, QueueMode, QueueOrder, ScoreBand, Unjudged

MOST_GOLD = 0.5
MOST_PRACTICE = 100
LARGEST_SEED = 2**53
"""Readers of JSON can hold it."""

_Word = TypeVar("_Word", bound=StrEnum)


@dataclass(frozen=True, slots=True)
class QueueSpec:
    """How a queue is built, and how it is worked on. All answers to a question stand together in it."""

    mode: QueueMode = QueueMode.BLIND
    order: QueueOrder = QueueOrder.ARRIVAL
    """Of the problems."""
    seed: int = 0
    """Decides, with the workspace's secret, whatever is left to chance."""
    candidates: CandidateFilter = field(default_factory=CandidateFilter)
    grouped: bool = True
    """Answers to a question that have the same final answer stand together."""
    overlap: float = 0.0
    """The share of problems that two reviewers judge, 0 to 1; everyone else's go to one."""
    everyone: bool = False
    """These problems go to all reviewers, not to two."""
    gold: float = 0.0
    """The share of gold items among what is judged, 0 to `MOST_GOLD`."""
    repeats: float = 0.0
    """Repeats as a share of what is judged, 0 to 1."""
    repeat_after: int = 20
    """A repeat comes at least so many items later."""
    practice: int = 0
    """Practice items: none, or two and more."""
    two_steps: bool = False
    """Final answer first, then the derivation."""
    rules: Rules = field(default_factory=Rules)
    """What a verdict must have."""

    def __post_init__(self) -> None:
        problems = tuple(_problems(self))
        if problems:
            raise QueueSpecError(problems)

    def as_json(self) -> dict[str, Any]:
        """All of it, as `of` reads it."""
        return dataclasses.asdict(self)

    @classmethod
    def of(cls, kept: Mapping[str, Any]) -> "QueueSpec":
        """The spec that was kept as `as_json` made it. Fields that are missing have their defaults.

        Raises:
            QueueSpecError: a newer uq-tui has built the queue, or it isn't a spec.
        """
        known = _known(cls, kept, "a queue")
        readers: dict[str, Callable[[Any], Any]] = {
            "mode": lambda given: _word(QueueMode, given),
            "order": lambda given: _word(QueueOrder, given),
            "candidates": _filter,
            "rules": lambda given: Rules(**_typed(Rules, _known(Rules, given, "the rules of a queue"))),
        }
        read = {name: readers[name](given) for name, given in known.items() if name in readers}
        return cls(**_typed(cls, {**known, **read}))


def _problems(spec: QueueSpec) -> list[str]:
    """What is wrong with it, as sentences."""
    found = []
    for name, share, most in (
        ("overlap", spec.overlap, 1.0),
        ("share of gold items", spec.gold, MOST_GOLD),
        ("share of repeats", spec.repeats, 1.0),
    ):
        if not 0.0 <= share <= most:  # NaN too
            found.append(f"The {name} is a number from 0 to {most:g}, not {share:g}.")
    if not 1 <= spec.repeat_after <= 10_000:
        found.append(f"A repeat comes 1 to 10,000 items later, not {spec.repeat_after:,}.")
    if spec.practice == 1 or not 0 <= spec.practice <= MOST_PRACTICE:
        found.append(f"There are 2 to {MOST_PRACTICE} practice items, or none, not {spec.practice:,}.")
    if not 0 <= spec.seed <= LARGEST_SEED:
        found.append(f"The seed is a whole number from 0 to {LARGEST_SEED:,}.")
    if spec.candidates.strategy and spec.candidates.outcome is None:
        found.append("A strategy is named, and no outcome of it.")
    return found


def _filter(given: Any) -> CandidateFilter:
    known = _known(CandidateFilter, given, "what a queue is built of")
    words: dict[str, type[StrEnum]] = {
        "status": QuestionStatus,
        "score_band": ScoreBand,
        "unjudged": Unjudged,
        "outcome": Outcome,
    }
    read: dict[str, Any] = {}
    for name, value in known.items():
        if name in words:
            read[name] = None if value is None else _word(words[name], value)
        else:
            read[name] = tuple(value) if isinstance(value, list) else value
    if read.get("labelled") not in (None, True, False):
        raise QueueSpecError((f"What was kept of a queue has labelled as {read['labelled']!a}.",))
    return CandidateFilter(**_typed(CandidateFilter, read))


def _known(kind: Any, given: Any, what: str) -> dict[str, Any]:
    """The keys of a JSON object, all of which `kind` has."""
    if not isinstance(given, Mapping):
        raise QueueSpecError((f"What was kept of {what} is no object.",))
    unknown = sorted(set(given) - {one.name for one in dataclasses.fields(kind)})
    if unknown:
        raise QueueSpecError(
            (f"A newer uq-tui has built this queue: it says {', '.join(unknown)} of {what}.",),
            hint="Work on it with that version.",
        )
    return dict(given)


def _typed(kind: Any, given: dict[str, Any]) -> dict[str, Any]:
    """The same, whole numbers made fractions where those belong.

    Raises:
        QueueSpecError: a value is of another type than the default.
    """
    for one in dataclasses.fields(kind):
        if one.name not in given:
            continue
        value = given[one.name]
        default = one.default if one.default is not dataclasses.MISSING else None
        if isinstance(default, float) and type(value) is int:
            given[one.name] = float(value)
        elif default is not None and not isinstance(default, StrEnum) and type(value) is not type(default):
            raise QueueSpecError((f"What was kept of a queue has {one.name} as {value!a}.",))
        elif isinstance(value, tuple) and not all(isinstance(each, str) for each in value):
            raise QueueSpecError((f"What was kept of a queue has {one.name} as {list(value)!a}.",))
    return given


def _word(kind: type[_Word], given: Any) -> _Word:
    try:
        return kind(given)
    except ValueError:
        raise QueueSpecError(
            (f"{given!a} is none of {', '.join(kind)}.",), hint="A newer uq-tui may have built this queue."
        ) from None
