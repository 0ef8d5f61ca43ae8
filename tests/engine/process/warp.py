"""An event loop on which waiting takes no time: whenever nothing can run, its clock jumps to the next timer."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _Jumping(selectors.DefaultSelector):
    """A selector that waits by moving the loop's clock. For loops without threads and connections."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("everything waits, and no timer is set")
        self.now += max(0.0, timeout)
        return super().select(0)


class WarpLoop(asyncio.SelectorEventLoop):
    """Its `time()` starts at 0."""

    def __init__(self) -> None:
        self._jumping = _Jumping()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now


def warped(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine on such a loop."""
    with asyncio.Runner(loop_factory=WarpLoop) as runner:
        return runner.run(work)
