"""Whether samples are as many as they look. Byte-equal ones are one draw counted more than once.

Intervals and votes take samples as independent draws. A cache on the way, a server that ignores the seed, or
temperature 0 gives the same reply again and again; an interval over such samples is too narrow.
"""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

REPEATED = "≈"
"""Stands beside a figure over samples of which some are equal."""
NOT_INDEPENDENT = "not independent"


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample. Samples with equal fingerprints are equal byte for byte; an unknown temperature is `None`."""

    fingerprint: Hashable
    temperature: float | None
    cut_off: bool = False
    """It ended at the length limit."""


class Drawn(Protocol):
    """Counts of samples drawn in the same way; `None` is not recorded, for a temperature also the provider's own."""

    @property
    def replies(self) -> int | None: ...
    @property
    def distinct(self) -> int | None: ...
    @property
    def cut_off(self) -> int | None: ...
    @property
    def temperature(self) -> float | None: ...


@dataclass(frozen=True, slots=True)
class Draws:
    """n samples, n' different ones among them, and how many were cut off. See `Drawn`."""

    replies: int | None
    distinct: int | None
    cut_off: int | None
    temperature: float | None


def count(samples: Sequence[Sample]) -> Draws:
    """Counts of samples of one prompt."""
    return Draws(
        replies=len(samples),
        distinct=len({sample.fingerprint for sample in samples}),
        cut_off=sum(sample.cut_off for sample in samples),
        temperature=_common([sample.temperature for sample in samples]),
    )


def total(parts: Sequence[Drawn]) -> Draws:
    """Counts over several prompts: samples of different prompts are never equal."""
    return Draws(
        replies=_sum([part.replies for part in parts]),
        distinct=_sum([part.distinct for part in parts]),
        cut_off=_sum([part.cut_off for part in parts]),
        temperature=_common([part.temperature for part in parts]),
    )


def repeats(part: Drawn) -> bool:
    """Whether some samples are known to be equal."""
    return part.replies is not None and part.distinct is not None and part.distinct < part.replies


def mark(parts: Iterable[Drawn]) -> str:
    """What to call a figure over these samples: "" unless some are equal, which temperature 0 explains."""
    repeated = [part for part in parts if repeats(part)]
    if not repeated:
        return ""
    if any(part.temperature != 0 for part in repeated):
        return NOT_INDEPENDENT
    return f"temperature 0: {'one sample' if all(part.distinct == 1 for part in repeated) else 'few samples'}, repeated"


def counted(part: Drawn) -> str:
    """`8 replies, 5 distinct`; "" when it was not recorded."""
    if part.replies is None or part.distinct is None:
        return ""
    return f"{part.replies:,} {'reply' if part.replies == 1 else 'replies'}, {part.distinct:,} distinct"


def _sum(counts: Sequence[int | None]) -> int | None:
    known = [number for number in counts if number is not None]
    return sum(known) if len(known) == len(counts) else None


def _common(temperatures: Sequence[float | None]) -> float | None:
    return temperatures[0] if len(set(temperatures)) == 1 else None
