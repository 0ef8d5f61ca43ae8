"""The child process of algebra: that it is replaced, limited, and never answers for another pair."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from uq_tui.engine.verification import symbolic_child
from uq_tui.engine.verification.algebra import Algebra, Budget, EndedError

pytestmark = pytest.mark.asyncio(loop_scope="module")
ENDLESS = "(9)^{(9)^{9}}"


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def algebra() -> AsyncIterator[Algebra]:
    opened = Algebra()
    yield opened
    await opened.close()


async def equal(algebra: Algebra, left: str = "x+1", right: str = "1+x", seconds: float = 30.0) -> bool | None:
    return await algebra.equal(left, right, Budget(seconds))


async def test_one_child_serves_many_pairs_and_ends_when_closed() -> None:
    algebra = Algebra()
    assert await equal(algebra) is True
    child = algebra.child
    assert child is not None
    assert await equal(algebra, "x+1", "x+2") is False
    assert algebra.child is child

    await algebra.close()

    assert child.returncode is not None


async def test_pairs_asked_at_once_get_their_own_answers(algebra: Algebra) -> None:
    pairs = [("x+1", "1+x"), ("x+1", "x+2"), (r"(\sqrt{4})", "2"), (r"(\sqrt{4})", "3")]

    assert await asyncio.gather(*(equal(algebra, *pair) for pair in pairs)) == [True, False, True, False]


async def test_a_pair_that_takes_too_long_ends_the_child_and_the_next_one_works(algebra: Algebra) -> None:
    await equal(algebra)
    child = algebra.child
    assert child is not None
    budget = Budget(0.3)
    with pytest.raises(EndedError, match="too long"):
        await algebra.equal("5", ENDLESS, budget)

    assert child.returncode is not None
    assert budget.seconds <= 0
    assert await equal(algebra) is True


async def test_a_cancelled_pair_leaves_no_answer_behind(algebra: Algebra) -> None:
    await equal(algebra)
    waiting = asyncio.create_task(equal(algebra, "5", ENDLESS))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    assert await equal(algebra) is True


async def test_a_child_that_dies_with_a_pair_is_told_and_replaced(algebra: Algebra) -> None:
    await equal(algebra)
    child = algebra.child
    assert child is not None
    waiting = asyncio.create_task(equal(algebra, "5", ENDLESS))
    await asyncio.sleep(0)
    child.kill()
    with pytest.raises(EndedError, match="died"):
        await waiting

    assert await equal(algebra) is True


async def test_a_child_that_died_before_is_replaced(algebra: Algebra) -> None:
    await equal(algebra)
    child = algebra.child
    assert child is not None
    child.kill()
    await child.wait()

    assert await equal(algebra) is True


async def test_the_child_is_limited_and_has_no_environment(algebra: Algebra) -> None:
    await equal(algebra)
    assert algebra.child is not None
    proc = Path(f"/proc/{algebra.child.pid}")
    if not proc.exists():
        pytest.skip("no /proc here")

    lines = (proc / "limits").read_text(encoding="ascii").splitlines()
    soft = {line[:26].strip(): line[26:].split()[0] for line in lines}
    assert (proc / "environ").read_bytes() == b""
    assert soft["Max address space"] == str(symbolic_child.MEMORY_BYTES)
    assert soft["Max core file size"] == "0"
    assert int(soft["Max cpu time"]) < 120
