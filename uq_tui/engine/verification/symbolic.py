"""Symbolic equality of final answers, in a process of its own that can be killed.

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
from types import TracebackType
from typing import Self

from uq_tui.analysis.answers import MAX_LENGTH, Bracketed, Value, compare_values, read
from uq_tui.analysis.formula import canonical, split_assignment
from uq_tui.errors import UqError

START_SECONDS = 60.0
"""How long the child may take until it is ready; importing the algebra system alone takes about 3 s."""

_CHILD = ("-P", "-m", "uq_tui.engine.verification.symbolic_child")
_INFINITE = ("\\infty", "-\\infty")


@dataclass(slots=True)
class _Budget:
    """What is left of a comparison's time."""

    seconds: float


class SymbolicChecker:
    """Decides pairs one at a time. Use as an async context manager, so that the child ends with it."""

    def __init__(self) -> None:
        self._child: Process | None = None
        self._turn = asyncio.Lock()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """End the child. Another pair starts a new one."""
        child, self._child = self._child, None
        if child is not None and child.returncode is None:
            child.kill()
            await child.wait()

    async def equal(self, expected: str, answer: str, timeout_s: float = 5.0) -> bool | None:
        """Whether two final answers are equal as mathematics.

        Collections are compared item by item, formulas by sympy: proven equal, or different at a point.

        Args:
            expected: the answer known to be right.
            answer: the one to check.
            timeout_s: seconds for the whole comparison, the start of a child not counted.

        Returns:
            True when proven equal, or the same text. False when different; an answer that can't be read as mathematics
            differs from one that can. `None` when neither could be shown in time, or `expected` can't be read.

        Raises:
            UqError: the child cannot be started.
        """
        if len(expected) > MAX_LENGTH or len(answer) > MAX_LENGTH:
            return None
        known, given = read(expected), read(answer)
        if not _is_readable(known):
            return compare_values(known, given)
        async with self._turn:
            return await self._compare(known, given, _Budget(timeout_s))

    async def _compare(self, expected: Value, answer: Value, budget: _Budget) -> bool | None:
        exact = compare_values(expected, answer)
        if exact is not None:
            return exact
        if isinstance(expected, Bracketed) and isinstance(answer, Bracketed):
            return await self._compare_collections(expected, answer, budget)
        if isinstance(expected, Bracketed) or isinstance(answer, Bracketed):
            return False
        return await self._compare_formulas(str(expected), str(answer), budget)

    async def _compare_collections(self, expected: Bracketed, answer: Bracketed, budget: _Budget) -> bool | None:
        if (expected.opening, expected.closing) != (answer.opening, answer.closing):
            return False
        if len(expected.items) != len(answer.items):
            return None if expected.is_set else False
        if expected.is_set:
            return await self._match(list(expected.items), list(answer.items), budget)
        undecided = False
        for left, right in zip(expected.items, answer.items, strict=True):
            same = await self._compare(left, right, budget)
            if same is False:
                return False
            undecided = undecided or same is None
        return None if undecided else True

    async def _match(self, expected: list[Value], answers: list[Value], budget: _Budget) -> bool | None:
        """Pair each expected item with an equal one. Equality is transitive, so the first partner found will do."""
        for item in expected:
            undecided = False
            for number, candidate in enumerate(answers):
                same = await self._compare(item, candidate, budget)
                if same:
                    del answers[number]
                    break
                undecided = undecided or same is None
            else:
                return None if undecided else False
        return True

    async def _compare_formulas(self, expected: str, answer: str, budget: _Budget) -> bool | None:
        expected_name, right_side = split_assignment(expected)
        answer_name, answer_side = split_assignment(answer)
        if expected_name and answer_name and expected_name != answer_name:
            return False
        left, right = canonical(right_side), canonical(answer_side)
        if left is None or right is None:
            return False
        return await self._ask(left, right, budget)

    async def _ask(self, left: str, right: str, budget: _Budget) -> bool | None:
        """Send one pair. Whatever ends the wait early ends the child too: its late answer would be the next pair's."""
        if budget.seconds <= 0:
            return None
        child = await self._start()
        began = time.monotonic()
        assert child.stdin is not None
        assert child.stdout is not None
        line = b""
        try:
            child.stdin.write(json.dumps([left, right, math.ceil(budget.seconds)]).encode() + b"\n")
            line = await asyncio.wait_for(child.stdout.readline(), budget.seconds)
        except (TimeoutError, ConnectionError):
            return None
        finally:
            budget.seconds -= time.monotonic() - began
            if not line:
                await self.close()
        if not line:
            return None
        decided = json.loads(line)
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


def _is_readable(value: Value) -> bool:
    if isinstance(value, Bracketed):
        return all(_is_readable(item) for item in value.items)
    if isinstance(value, str):
        return value in _INFINITE or canonical(split_assignment(value)[1]) is not None
    return True
