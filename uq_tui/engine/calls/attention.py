"""Whether anybody watches a run. Streaming costs ten times the processor time, so unwatched replies come whole."""

import time
from collections.abc import Callable

LINGERS_S = 15.0
"""A run counts as watched for so long after it began and after somebody last looked at one of its calls."""


class Attention:
    """What is being watched. Lives on one event loop.

    Args:
        audience: somebody may be watching at all; a command has nobody.
        clock: seconds, monotonic.
    """

    def __init__(self, *, audience: bool, clock: Callable[[], float] = time.monotonic) -> None:
        self._audience = audience
        self._clock = clock
        self._seen: dict[str, float] = {}
        """When somebody last looked at a run."""
        self._watched: dict[str, tuple[str, ...]] = {}
        """The runs that wait for a watched call."""

    def began(self, run_id: str) -> None:
        """A run begins: somebody has asked for it just now."""
        self._seen[run_id] = self._clock()

    def watch(self, call_key: str, run_ids: tuple[str, ...]) -> None:
        """Somebody looks at a call that these runs wait for."""
        self._watched[call_key] = run_ids
        self._touch(run_ids)

    def unwatch(self, call_key: str) -> None:
        """Nobody looks at a call any more, or it has ended."""
        self._touch(self._watched.pop(call_key, ()))

    def ended(self, run_id: str) -> None:
        """A run has ended."""
        self._seen.pop(run_id, None)

    def streams(self, run_id: str) -> bool:
        """Whether a call of this run is to be sent as a stream."""
        if not self._audience:
            return False
        recent = self._clock() - self._seen.get(run_id, float("-inf")) < LINGERS_S
        return recent or any(run_id in run_ids for run_ids in self._watched.values())

    def _touch(self, run_ids: tuple[str, ...]) -> None:
        for run_id in run_ids:
            if run_id in self._seen:
                self._seen[run_id] = self._clock()
