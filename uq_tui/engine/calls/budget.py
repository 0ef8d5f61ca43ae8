"""What a run may use. The worst case of a call is reserved before it is sent and settled when its use is known."""

import asyncio
from dataclasses import dataclass

from uq_tui.engine.spec import Prepared, Reply
from uq_tui.errors import BudgetError
from uq_tui.paths import config_dir
from uq_tui.text import counted

_TOKENS_A_MESSAGE = 16
"""What chat templates put around a message, at most."""


@dataclass(frozen=True, slots=True)
class Use:
    """Money and tokens. `usd` of `None`: not known."""

    usd: float | None
    tokens: int


NOTHING = Use(0.0, 0)


def worst_case(prepared: Prepared) -> Use:
    """The most that one request can use.

    A token is at least one byte of text, so a prompt has no more tokens than bytes, apart from what the model's chat
    template adds. Without `max_tokens` the tokens are those of the prompt alone.
    """
    if prepared.recorded:
        return NOTHING
    sent, out, price = _prompt_tokens(prepared), prepared.parameters.get("max_tokens", 0), prepared.price
    usd = None if price is None else sent * price.usd_in + out * price.usd_out
    return Use(usd, sent + out)


def used_by(prepared: Prepared, reply: Reply, worst: Use) -> Use:
    """What a request has used, by what its server reported; the worst case for what is not known."""
    if reply.tokens_in is None or reply.tokens_out is None:
        return Use(worst.usd if reply.cost_usd is None else reply.cost_usd, worst.tokens)
    usd, price = reply.cost_usd, prepared.price
    if usd is None and price is not None:
        usd = reply.tokens_in * price.usd_in + reply.tokens_out * price.usd_out
    return Use(usd, reply.tokens_in + reply.tokens_out)


def _prompt_tokens(prepared: Prepared) -> int:
    messages = prepared.ask.messages
    return sum(len(message.content.encode(errors="replace")) + _TOKENS_A_MESSAGE for message in messages)


class Budget:
    """One run's. Lives on one event loop.

    Args:
        usd: US dollars the run may cost, `None` without limit.
        tokens: tokens in and out it may use, `None` without limit.
        used: what it has used before, the worst case where that is unknown.
    """

    def __init__(self, usd: float | None = None, tokens: int | None = None, used: Use = NOTHING) -> None:
        self._usd = usd
        self._tokens = tokens
        self._used_usd = used.usd or 0.0
        self._used_tokens = used.tokens
        self._reserved_usd = 0.0
        self._reserved_tokens = 0
        self._in_flight = 0
        self._waiting: list[asyncio.Future[None]] = []
        self._refused: list[Use] = []

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self._usd is not None or self._tokens is not None

    def require_known(self, prepared: Prepared) -> None:
        """See that the worst case of a call can be told at all.

        Raises:
            BudgetError: the model's price is not known, or its replies have no length limit.
        """
        if not self.limited or prepared.recorded:
            return
        table = f'[models."{prepared.ask.model.id}"] in {config_dir() / "config.toml"}'
        if self._usd is not None and prepared.price is None:
            raise BudgetError(
                f"A budget in money needs the price of {prepared.ask.model.id}, and it is not known.",
                hint=f"Give usd_per_million_in and usd_per_million_out under {table}, or a budget in tokens.",
            )
        if "max_tokens" not in prepared.parameters:
            raise BudgetError(
                f"A budget needs a length limit for the replies of {prepared.ask.model.id}.",
                hint=f"Give max_tokens under {table}.",
            )

    def has_room(self, worst: Use) -> bool:
        """Whether so much can be reserved now."""
        return self._fits(worst, self._reserved_usd, self._reserved_tokens)

    def may_have_room(self, worst: Use) -> bool:
        """Whether so much may be free later: calls in flight can use less than was set aside for them."""
        return self._in_flight > 0 and self._fits(worst, 0.0, 0)

    def reserve(self, worst: Use) -> None:
        """Set the worst case of a request aside, for which there is room."""
        self._in_flight += 1
        self._reserved_usd += worst.usd or 0.0
        self._reserved_tokens += worst.tokens

    def settle(self, worst: Use, used: Use) -> None:
        """Replace what was reserved for a request by what it used."""
        self._in_flight -= 1
        self._reserved_usd = self._reserved_usd - (worst.usd or 0.0) if self._in_flight else 0.0
        self._reserved_tokens -= worst.tokens
        self._used_usd += used.usd or 0.0
        self._used_tokens += used.tokens
        waiting, self._waiting = self._waiting, []
        for settled in waiting:
            if not settled.done():
                settled.set_result(None)

    def tell(self, settled: "asyncio.Future[None]") -> None:
        """Set the result of a future, unless it is done, when a request has been settled."""
        self._waiting.append(settled)

    def refuse(self, worst: Use) -> None:
        """Remember a request that is not sent for want of room."""
        self._refused.append(worst)

    def _fits(self, worst: Use, reserved_usd: float, reserved_tokens: int) -> bool:
        usd = self._used_usd + reserved_usd + (worst.usd or 0.0)
        tokens = self._used_tokens + reserved_tokens + worst.tokens
        return (self._usd is None or not worst.usd or usd <= self._usd) and (
            self._tokens is None or not worst.tokens or tokens <= self._tokens
        )

    def exhausted(self) -> BudgetError:
        """What to raise for a refused request."""
        return BudgetError(
            f"The run stopped before it could exceed its budget: {self._spent()} used.",
            hint="Resume it with a larger budget; what was answered is kept.",
        )

    def _spent(self) -> str:
        parts = []
        if self._usd is not None:
            parts.append(f"${self._used_usd:.4f} of ${self._usd:.4f}")
        if self._tokens is not None:
            parts.append(counted(self._used_tokens, "token", of=self._tokens))
        return " and ".join(parts)

    def unasked(self) -> str:
        """How many calls were not sent for want of budget, and what they need at most; "" when there was none."""
        if not self._refused:
            return ""
        n = len(self._refused)
        calls = counted(n, "call was", "calls were")
        needs = []
        if self._usd is not None:
            needs.append(f"${sum(worst.usd or 0.0 for worst in self._refused):.4f}")
        if self._tokens is not None:
            needs.append(counted(sum(worst.tokens for worst in self._refused), "token"))
        return f"{calls} not sent and may need up to {' and '.join(needs)} more; rounds after them come on top."
