"""The algebra system, in a process of its own that can be killed.

The child has no environment, bounded memory and processor time, and lives on between pairs, since starting it takes
seconds. Only formulas that `analysis.formula` has rewritten reach it.
"""

import asyncio
import json
import math
import sys
import time
from asyncio.subprocess import DEVNULL, PIPE, Process
from dataclasses import dataclass

from uq_tui.errors import UqError

START_SECONDS = 60.0
"""How long the child may take until it is ready; importing the algebra system alone takes about 3 s."""

_CHILD = ("-P", "-m", "uq_tui.engine.verification.symbolic_child")


class EndedError(Exception):
    """A comparison came to its end without a result: by its limits, or because its process died. Says which."""


@dataclass(slots=True)
class Budget:
    """What is left of a comparison's time."""

    seconds: float

    def check(self) -> None:
        """Raises EndedError when nothing is left."""
        if self.seconds <= 0:
            raise EndedError("it took too long")


class Algebra:
    """One child, for one pair at a time. It starts with the first pair, and again after one that ended it."""

    def __init__(self) -> None:
        self._child: Process | None = None
        self._turn = asyncio.Lock()

    @property
    def child(self) -> Process | None:
        """The process, if one was started."""
        return self._child

    async def close(self) -> None:
        """End the child."""
        child, self._child = self._child, None
        if child is not None and child.returncode is None:
            child.kill()
            await child.wait()

    async def equal(self, left: str, right: str, budget: Budget) -> bool | None:
        """Whether two rewritten formulas are equal: proven, refuted at a point, or neither.

        Whatever ends the wait early ends the child too: its late answer would be the next pair's.

        Args:
            left, right: what `formula.canonical` has made.
            budget: is reduced by the time it takes, the start of a child not counted.

        Raises:
            EndedError: the budget or the child's memory was used up, or the child died.
            UqError: the child cannot be started.
        """
        async with self._turn:
            budget.check()
            child = await self._start()
            began = time.monotonic()
            assert child.stdin is not None
            assert child.stdout is not None
            line = b""
            try:
                child.stdin.write(json.dumps([left, right, math.ceil(budget.seconds)]).encode() + b"\n")
                line = await asyncio.wait_for(child.stdout.readline(), budget.seconds)
            except TimeoutError:
                raise EndedError("it took too long") from None
            except ConnectionError:
                line = b""
            finally:
                budget.seconds -= time.monotonic() - began
                if not line:
                    await self.close()
        if not line:
            raise EndedError("the process that compares answers died")
        decided = json.loads(line)
        if isinstance(decided, str):
            raise EndedError(decided)
        return decided if isinstance(decided, bool) else None

    async def _start(self) -> Process:
        """The running child, ready for a pair."""
        if self._child is not None and self._child.returncode is None:
            return self._child
        child = await asyncio.create_subprocess_exec(
            sys.executable, *_CHILD, stdin=PIPE, stdout=PIPE, stderr=DEVNULL, env={}, start_new_session=True
        )
        self._child = child
        assert child.stdout is not None
        line = b""
        try:
            line = await asyncio.wait_for(child.stdout.readline(), START_SECONDS)
        except TimeoutError:
            line = b""
        finally:
            if not line:
                await self.close()
        if not line:
            raise UqError(
                "The process that compares final answers did not start.",
                hint=f"Run `{' '.join((sys.executable, *_CHILD))}` to see why.",
            )
        return child
