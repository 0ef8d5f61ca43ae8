"""Tokens, money and calls, summed up without taking what is unknown for nothing."""

import math
from collections.abc import Iterable
from dataclasses import dataclass

from uq_tui.text import counted


@dataclass(frozen=True, slots=True)
class CallTook:
    """What one call took, as far as it is known: `None` is unknown, also while the call is running."""

    tokens: int | None = None
    """In and out."""
    cost_usd: float | None = None
    retries: int = 0
    """Attempts that failed and were made again."""
    remembered: bool = False
    """The reply is one that an earlier run got."""
    running: bool = False
    model: str = ""
    template: str = ""
    """Name of the prompt's template, empty while it is not known."""
    alone: bool = False
    """Only this one of the calls behind a judgement was kept, as runs of 0.1.0 did."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What a number of calls took together."""

    calls: int = 0
    finished: int = 0
    """Calls that are over, also those that failed."""
    tokens: int = 0
    """Of the calls whose tokens are known."""
    unknown_tokens: int = 0
    """Finished calls whose tokens nobody reported."""
    cost_usd: float | None = None
    """Sum of the known costs; `None` when none is known."""
    unknown_costs: int = 0
    remembered: int = 0
    retries: int = 0
    partial: bool = False
    """There may have been more calls, of which nothing is known."""

    @classmethod
    def of(cls, calls: Iterable[CallTook]) -> "Usage":
        """The sum over `calls`. A running call counts as a call only."""
        every = tuple(calls)
        over = [call for call in every if not call.running]
        known = [call.cost_usd for call in over if call.cost_usd is not None]
        return cls(
            calls=len(every),
            finished=len(over),
            tokens=sum(call.tokens or 0 for call in over),
            unknown_tokens=sum(call.tokens is None for call in over),
            cost_usd=sum(known) if known else None,
            unknown_costs=len(over) - len(known),
            remembered=sum(call.remembered for call in every),
            retries=sum(call.retries for call in every),
            partial=any(call.alone for call in every),
        )

    @property
    def tokens_text(self) -> str:
        """`1,204`, `≥ 1,204` where some calls' tokens are unknown, `?` where all are; empty when none is over."""
        if self.unknown_tokens == self.finished:
            return "?" if self.finished else ""
        return _at_least(f"{self.tokens:,}", self.unknown_tokens or self.partial)

    @property
    def cost_text(self) -> str:
        """`$0.0031`, `≥ $0.0031` where some calls' costs are unknown, `$?` where all are; empty when none is over."""
        if self.cost_usd is None:
            return "$?" if self.unknown_costs else ""
        return _at_least(dollars(self.cost_usd), self.unknown_costs or self.partial)

    def text(self) -> str:
        """`7 calls (2 remembered), 12,204 tokens, ≥ $0.0312`."""
        apart = [f"{self.remembered:,} remembered"] if self.remembered else []
        if self.retries:
            apart.append(f"{counted(self.retries, 'attempt')} made again")
        calls = _at_least(counted(self.calls, "call"), self.partial)
        parts = [f"{calls} ({', '.join(apart)})" if apart else calls]
        if tokens := self.tokens_text:
            parts.append("tokens unknown" if tokens == "?" else f"{tokens} tokens")
        if cost := self.cost_text:
            parts.append("cost unknown" if cost == "$?" else cost)
        return ", ".join(parts)

    def brief(self) -> str:
        """`12.2k ≥ $.031`: tokens and money in little room, as far as any are known. Calls without cost name none."""
        known = self.finished > self.unknown_tokens
        tokens = _at_least(_short(self.tokens), self.unknown_tokens or self.partial) if known else ""
        cost = _at_least(_short_dollars(self.cost_usd), self.unknown_costs or self.partial) if self.cost_usd else ""
        return " ".join(filter(None, (tokens, cost)))


NOTHING = Usage()
"""What no call took."""


def dollars(amount: float) -> str:
    """`$0.00`, `$0.0031`, `$1.25`."""
    return f"${amount:.2f}" if amount == 0 or amount >= 0.1 else f"${amount:.4f}"


def _at_least(known: str, unknown: int) -> str:
    return f"≥ {known}" if unknown else known


def _short(count: int) -> str:
    return f"{count}" if count < 1_000 else f"{count / 1_000:.1f}k" if count < 1_000_000 else f"{count / 1e6:.1f}M"


def _short_dollars(amount: float) -> str:
    """Two digits that count, down to a millionth: `$.0031`."""
    digits = 2 if amount >= 1 else min(6, 1 - math.floor(math.log10(amount)))
    return f"${amount:.{digits}f}".replace("$0.", "$.")
