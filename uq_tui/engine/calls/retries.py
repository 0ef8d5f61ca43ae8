"""Whether a failed attempt is made again, and after how long."""

from collections.abc import Callable
from dataclasses import dataclass

from uq_tui.engine.spec import CallFailedError
from uq_tui.words import CallErrorKind

MAX_FAILURES = 4
"""Failed attempts after which a call is given up while the model answers others."""
PATIENCE_S = 600.0
"""How long a model may answer nobody before its calls are given up."""
LONGEST_RETRY_AFTER_S = 3600.0
_BACKOFF_BASE_S = 1.0
_BACKOFF_CAP_S = 10.0
_OUTAGES = frozenset({CallErrorKind.SERVER, CallErrorKind.CONNECTION})
"""Failures that say more of the server than of the call."""
_COSTLESS = frozenset(
    {
        CallErrorKind.RATE_LIMITED,
        CallErrorKind.CONNECTION,
        CallErrorKind.SERVER,
        CallErrorKind.AUTH,
        CallErrorKind.BAD_REQUEST,
        CallErrorKind.CONTEXT_TOO_LONG,
        CallErrorKind.UNAVAILABLE,
    }
)
"""Failures for which nobody is paid unless some text had come."""


def is_costless(error: CallFailedError) -> bool:
    """Whether nobody is paid for a failed attempt."""
    partial = error.partial
    return error.kind in _COSTLESS and (partial is None or not (partial.reply or partial.reasoning))


@dataclass(slots=True)
class Health:
    """When a model answered last, and since when it answers nobody. Times of one monotonic clock."""

    answered_at: float = float("-inf")
    failing_since: float = float("inf")
    failed_at: float = float("-inf")

    def answered(self, now: float) -> None:
        """A call has got its reply."""
        self.answered_at, self.failing_since = now, float("inf")

    def failed(self, began: float, now: float) -> None:
        """An attempt has failed. One that comes long after the one before it says nothing of the time between."""
        if began - self.failed_at > PATIENCE_S:
            self.failing_since = now
        self.failing_since = min(self.failing_since, now)
        self.failed_at = now


class Patience:
    """How much more one call is tried.

    A failed attempt counts against the call when the model has answered another call since the attempt before it, or
    when the failure may have cost something. So an outage loses no call unless it lasts longer than `PATIENCE_S`, and
    a request that the server cannot stomach is given up after `MAX_FAILURES` attempts. One that is turned away because
    there are too many says nothing of itself, even while others are answered: it is tried for `PATIENCE_S`.
    """

    def __init__(self, health: Health) -> None:
        self._health = health
        self._attempts = 0
        self._counted = 0
        self._failed_at: float | None = None
        self._since = float("inf")
        """When the failures began that don't count."""

    def goes_on(self, error: CallFailedError, *, began: float, now: float) -> bool:
        """Whether another attempt is made after this failure of the attempt that began at `began`."""
        self._attempts += 1
        if not error.retryable:
            return False
        self._health.failed(began, now)
        if self._counts(error, began if self._failed_at is None else self._failed_at):
            self._counted += 1
            self._since = float("inf")
        self._failed_at = now
        self._since = min(self._since, now)
        gone = now - min(self._since, self._health.failing_since) > PATIENCE_S
        return self._counted < MAX_FAILURES and not (gone and self._attempts >= MAX_FAILURES)

    def _counts(self, error: CallFailedError, before: float) -> bool:
        if not is_costless(error):
            return True
        if error.kind is CallErrorKind.RATE_LIMITED:
            return False
        return error.kind not in _OUTAGES or self._health.answered_at >= before


def delay_s(attempts: int, retry_after_s: float | None, uniform: Callable[[float, float], float]) -> float:
    """Seconds to wait after so many failed attempts.

    Exponential backoff with full jitter. A server's Retry-After is waited for, up to an hour, plus a little jitter so
    that calls that failed together don't return together.
    """
    if retry_after_s is not None:
        return min(max(retry_after_s, 0.0), LONGEST_RETRY_AFTER_S) + uniform(0.0, _BACKOFF_BASE_S)
    return uniform(0.0, min(_BACKOFF_CAP_S, _BACKOFF_BASE_S * 2.0 ** min(attempts - 1, 30)))
