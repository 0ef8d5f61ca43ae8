"""Equality of final answers part by part, with algebra for the formulas in them."""

import asyncio
import re
from collections.abc import Sequence
from fractions import Fraction
from types import TracebackType
from typing import Self

from uq_tui.analysis.answers import Bracketed, Matrix, Named, Value, compare_values, without_names
from uq_tui.analysis.formula import canonical, split_assignment
from uq_tui.engine.verification.algebra import Algebra, Budget, EndedError

MOST_PAIRS = 2_500
"""Pairs of items of two sets that are compared with each other."""
_UNIT = re.compile(r"[0-9})] [a-zA-Z]{1,2}$")
"""A number, a space and letters that may be a unit."""


class SymbolicChecker:
    """Compares values that were read from final answers. Use as an async context manager: its child ends with it."""

    def __init__(self) -> None:
        self.algebra = Algebra()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.algebra.close()

    async def equal(self, expected: Value, answer: Value, timeout_s: float = 5.0) -> bool | None:
        """Whether two final answers are equal as mathematics.

        Args:
            expected: the answer known to be right.
            answer: the one to check.
            timeout_s: seconds for the whole comparison, the start of a child not counted.

        Returns:
            True when proven equal, False when certainly different, `None` when neither could be shown; always `None`
            where something that can't be read as mathematics would decide.

        Raises:
            EndedError: the comparison ended at its limits, or its process died.
            UqError: the child cannot be started.
        """
        return await self._compare(expected, answer, Budget(timeout_s))

    async def _compare(self, expected: Value, answer: Value, budget: Budget) -> bool | None:
        exact = compare_values(expected, answer)
        if exact is not None:
            return exact
        if isinstance(expected, Named) or isinstance(answer, Named):
            inner = without_names(expected, answer)
            return None if inner is None else await self._compare(*inner, budget)
        if isinstance(expected, Matrix) and isinstance(answer, Matrix):
            if expected.shape != answer.shape:
                return None
            return await self._each(expected.cells, answer.cells, budget)
        if isinstance(expected, Bracketed) and isinstance(answer, Bracketed):
            return await self._compare_collections(expected, answer, budget)
        if isinstance(expected, Matrix) or isinstance(answer, Matrix):
            return None
        if isinstance(expected, Bracketed) or isinstance(answer, Bracketed):
            return None
        return await self._compare_formulas(expected, answer, budget)

    async def _compare_collections(self, expected: Bracketed, answer: Bracketed, budget: Budget) -> bool | None:
        if expected.opening + expected.closing != answer.opening + answer.closing:
            ordered = not (expected.is_set or answer.is_set) and expected.opening and answer.opening
            return False if ordered and (expected.is_half_open or answer.is_half_open) else None
        if expected.is_set:
            return await self._compare_sets(expected.items, answer.items, budget)
        same = None
        if len(expected.items) == len(answer.items):
            same = await self._each(expected.items, answer.items, budget)
        elif expected.opening:
            return False
        if same or expected.opening:
            return same
        # A list without brackets may be meant as a set: different only when that is different as well.
        as_sets = await self._compare_sets(expected.items, answer.items, budget)
        return False if as_sets is False and len(expected.items) > 2 else None

    async def _each(self, expected: Sequence[Value], answers: Sequence[Value], budget: Budget) -> bool | None:
        """Whether all are equal in their order."""
        undecided = False
        for left, right in zip(expected, answers, strict=True):
            await asyncio.sleep(0)
            same = await self._compare(left, right, budget)
            if same is False:
                return False
            undecided = undecided or same is None
        return None if undecided else True

    async def _compare_sets(self, expected: Sequence[Value], answers: Sequence[Value], budget: Budget) -> bool | None:
        """Whether each item of one has an equal one in the other, and the other way round."""
        known, given = set(expected), set(answers)
        if len(known) * len(given) > MOST_PAIRS:
            raise EndedError("sets of too many items")
        covered = known & given
        undecided = False
        for item in (one for one in expected if one not in given):
            same, partner = await self._find(item, answers, budget)
            if same is False:
                return False
            undecided = undecided or same is None
            covered.add(partner)
        for item in (one for one in answers if one not in covered):
            same, _ = await self._find(item, expected, budget)
            if same is False:
                return False
            undecided = undecided or same is None
        return None if undecided else True

    async def _find(self, item: Value, among: Sequence[Value], budget: Budget) -> tuple[bool | None, Value]:
        """Whether a value equals the item, and which: False when all differ from it, `None` when that isn't known."""
        undecided = False
        for candidate in among:
            await asyncio.sleep(0)
            budget.check()
            same = await self._compare(item, candidate, budget)
            if same:
                return True, candidate
            undecided = undecided or same is None
        return None if undecided else False, item

    async def _compare_formulas(self, expected: Value, answer: Value, budget: Budget) -> bool | None:
        expected_name, right_side = split_assignment(str(expected))
        answer_name, answer_side = split_assignment(str(answer))
        if expected_name != answer_name:
            return None
        if isinstance(expected, Fraction) and _UNIT.search(answer_side):
            return None
        left, right = canonical(right_side), canonical(answer_side)
        if left is None or right is None:
            return None
        return await self.algebra.equal(left, right, budget)
