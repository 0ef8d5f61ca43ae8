"""How a rollout comes by its value: its final answer is found, and compared with the known one.

Exact reading comes first, algebra second, and what neither decides has no value. Comparing lets the loop turn: long
texts are read in a thread, algebra is done in children, and the rest pauses after some work.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self, TypeVar

from store.run_rows import Call
from uq_tui.analysis.answers import MAX_LENGTH, Value, compare_values, is_readable, read
from uq_tui.analysis.boxes import final_boxes
from uq_tui.analysis.formula import beyond_limits
from uq_tui.engine.runs.replies import CUT, failure
from uq_tui.engine.verification.algebra import EndedError
from uq_tui.engine.verification.symbolic import SymbolicChecker
from uq_tui.words import CallState, DecidedBy

CHILDREN = 2
"""Processes for algebra at most; the second starts when the first has a pair and another one waits."""
IN_THREAD_FROM = 5_000
"""Steps, about a microsecond each, from which on work is done in a thread."""
PAUSE_AFTER = 2_000
"""Steps after which the loop may turn."""
MOST_BOXES = 8
"""Boxes at a reply's end that are compared with each other."""
REMEMBERED = 2_048
"""Pairs whose comparison took algebra that are kept: in a run the same ones come again and again."""

_FEWEST, _SCANNED_IN_A_STEP, _STEPS_TO_READ = 20, 50, 5
"""Steps that any work counts as; characters that are searched for boxes in one; steps that it takes to read one."""
_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True)
class Compared:
    """What comparing two final answers came to. `reason` is empty where `by` says it all."""

    value: bool | None
    by: DecidedBy
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Verified:
    """The value of a rollout, 1 or 0, `None` where there is no evidence either way; and how it came about.

    `answer` is what stood in the box, "" without one.
    """

    value: int | None
    decided_by: DecidedBy
    answer: str = ""
    reason: str = ""

    @property
    def open(self) -> bool:
        """Whether there is an answer that couldn't be compared, short enough that a model may be asked about it."""
        return self.decided_by in (DecidedBy.UNDECIDABLE, DecidedBy.FAILED) and len(self.answer) <= MAX_LENGTH


class Verifier:
    """Verifies rollouts, any number at once. Use as an async context manager, so that its children end with it.

    Args:
        timeout_s: seconds for the algebra of one pair.
    """

    def __init__(self, timeout_s: float = 5.0) -> None:
        self._timeout_s = timeout_s
        self._idle = [SymbolicChecker() for _ in range(CHILDREN)]
        self._checkers = tuple(self._idle)
        self._turns = asyncio.Semaphore(CHILDREN)
        self._known: OrderedDict[tuple[str, str], Compared] = OrderedDict()
        self._reading = asyncio.Lock()
        self._steps = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for checker in self._checkers:
            await checker.algebra.close()

    async def verify(self, expected: str, call: Call) -> Verified:
        """The value of a rollout.

        1 when the boxed answer equals the known one, 0 when it differs; a complete reply without a boxed answer is 0
        too, as v of Consequence-Based Utility has it (arXiv 2602.06291v1, Section 3). A reply that was cut has no
        value, even after a box: what it would have ended with isn't known. Nor has one that ends with different boxes.

        Args:
            expected: the neighbour's known answer.
            call: the solver's call.

        Raises:
            UqError: the process for algebra cannot be started.
        """
        if call.state is CallState.FAILED:
            return Verified(None, DecidedBy.CALL_FAILED, "", failure(call))
        boxes = await self._apart(len(call.reply) // _SCANNED_IN_A_STEP, lambda: final_boxes(call.reply))
        answer = " ; ".join(boxes[:MOST_BOXES])
        if call.cut_off:
            return Verified(None, DecidedBy.CUT_OFF, answer, f"{CUT}, after a box" if boxes else CUT)
        if not boxes:
            return Verified(0, DecidedBy.NO_ANSWER, "", "no boxed answer")
        if not await self._agree(boxes):
            return Verified(None, DecidedBy.UNDECIDABLE, answer, "several answers")
        compared = await self.equal(expected, boxes[-1])
        value = None if compared.value is None else int(compared.value)
        return Verified(value, compared.by, boxes[-1], compared.reason)

    async def _agree(self, boxes: Sequence[str]) -> bool:
        """Whether all boxes certainly hold the same answer."""
        if len(boxes) > MOST_BOXES:
            return False
        for other in boxes[1:]:
            if (await self.equal(boxes[0], other)).value is not True:
                return False
        return True

    async def equal(self, expected: str, answer: str) -> Compared:
        """Whether two final answers are equal. An answer that can't be read never is, nor is it different.

        Raises:
            UqError: the process for algebra cannot be started.
        """
        pair = (expected, answer)
        if pair in self._known:
            return self._known[pair]
        if max(len(expected), len(answer)) > MAX_LENGTH:
            return await self._apart(
                (len(expected) + len(answer)) // _SCANNED_IN_A_STEP, lambda: _compare_texts(expected, answer)
            )
        steps = (len(expected) + len(answer)) * _STEPS_TO_READ
        known, given, exact = await self._apart(steps, lambda: _compare_exactly(expected, answer))
        if exact is not None:
            return Compared(exact, DecidedBy.EXACT)
        beyond = beyond_limits(expected) or beyond_limits(answer)
        if beyond:
            return Compared(None, DecidedBy.FAILED, beyond)
        async with self._turns:
            if pair in self._known:
                return self._known[pair]
            return self._remember(pair, await self._by_algebra(known, given, steps))

    async def _by_algebra(self, expected: Value, answer: Value, steps: int) -> Compared:
        checker = self._idle.pop()
        try:
            same = await checker.equal(expected, answer, self._timeout_s)
        except EndedError as ended:
            return Compared(None, DecidedBy.FAILED, str(ended))
        finally:
            self._idle.append(checker)
        if same is not None:
            return Compared(same, DecidedBy.SYMBOLIC)
        return Compared(None, DecidedBy.UNDECIDABLE, await self._apart(steps, lambda: _why_not(expected, answer)))

    def _remember(self, pair: tuple[str, str], compared: Compared) -> Compared:
        self._known[pair] = compared
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return compared

    async def _apart(self, steps: int, work: Callable[[], _Result]) -> _Result:
        """Do so many steps of work without holding the loop up.

        Of many that are ready in the same turn of the loop one works; the turn would else last as long as all of them.
        """
        async with self._reading:
            if steps > IN_THREAD_FROM:
                return await asyncio.to_thread(work)
            self._steps += max(steps, _FEWEST)
            if self._steps > PAUSE_AFTER:
                self._steps = 0
                await asyncio.sleep(0)
            return work()


def _compare_exactly(expected: str, answer: str) -> tuple[Value, Value, bool | None]:
    known, given = read(expected), read(answer)
    return known, given, compare_values(known, given)


def _why_not(expected: Value, answer: Value) -> str:
    """Why algebra decided nothing."""
    if not is_readable(answer):
        return "the answer is not read as mathematics"
    if not is_readable(expected):
        return "the known answer is not read as mathematics"
    return "neither equal nor different could be shown"


def _compare_texts(expected: str, answer: str) -> Compared:
    if expected.strip() == answer.strip():
        return Compared(True, DecidedBy.EXACT)
    return Compared(None, DecidedBy.FAILED, f"longer than {MAX_LENGTH:,} characters")
