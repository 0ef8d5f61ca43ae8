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
_OUTAGES = frozenset({CallErrorKind.SERVER, CallErrorKind.RATE_LIMITED, CallErrorKind.CONNECTION})
"""Failures that say more of the server than of the call, and that cost nothing."""


@dataclass(slots=True)
class Health:
    """When a model answered last, and since when it answers nobody. Times of one monotonic clock."""

    answered_at: float = float("-inf")
    failing_since: float | None = None

    def answered(self, now: float) -> None:
        """A call has got its reply."""
        self.answered_at, self.failing_since = now, None

    def failed(self, now: float) -> None:
        """An attempt has failed."""
        if self.failing_since is None:
            self.failing_since = now


class Patience:
    """How much more one call is tried.

    A failed attempt counts against the call when the model has answered another call since the attempt before it, or
    when the failure is of a kind that may have cost something. So an outage loses no call unless it lasts longer than
    `PATIENCE_S`, and a request that the server cannot stomach is given up after `MAX_FAILURES` attempts.
    """

    def __init__(self, health: Health) -> None:
        self._health = health
        self._attempts = 0
        self._counted = 0
        self._failed_at: float | None = None

    def goes_on(self, error: CallFailedError, *, began: float, now: float) -> bool:
        """Whether another attempt is made after this failure of the attempt that began at `began`."""
        self._attempts += 1
        if not error.retryable:
            return False
        self._health.failed(now)
        before = began if self._failed_at is None else self._failed_at
        if error.kind not in _OUTAGES or self._health.answered_at >= before:
            self._counted += 1
        self._failed_at = now
        since = self._health.failing_since
        gone = since is not None and now - since > PATIENCE_S
        return self._counted < MAX_FAILURES and not (gone and self._attempts >= MAX_FAILURES)


def delay_s(attempts: int, retry_after_s: float | None, uniform: Callable[[float, float], float]) -> float:
    """Seconds to wait after so many failed attempts.

    Exponential backoff with full jitter. A server's Retry-After is waited for, up to an hour, plus a little jitter so
    that calls that failed together don't return together.
    """
    if retry_after_s is not None:
        return min(max(retry_after_s, 0.0), LONGEST_RETRY_AFTER_S) + uniform(0.0, _BACKOFF_BASE_S)
    return uniform(0.0, min(_BACKOFF_CAP_S, _BACKOFF_BASE_S * 2.0 ** min(attempts - 1, 30)))
