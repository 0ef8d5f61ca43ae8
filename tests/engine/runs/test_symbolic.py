"""Symbolic equality, through the real child process."""

import asyncio
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from uq_tui.engine.verification import symbolic_child
from uq_tui.engine.verification.symbolic import SymbolicChecker

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def checker() -> AsyncIterator[SymbolicChecker]:
    async with SymbolicChecker() as opened:
        yield opened


EQUAL = [
    ("5", "5"),
    ("1024", "2^{10}"),
    (r"\sqrt{8}", r"2\sqrt2"),
    ("x^2-1", "(x-1)(x+1)"),
    ("n(n+1)/2", r"\frac{n^2+n}{2}"),
    (r"\{\sqrt2, 1\}", r"\{1, 2^{1/2}\}"),
    (r"(\frac12, \sqrt4)", "(0.5, 2)"),
    (r"(-\infty, 3)", r"(-\infty, \sqrt{9})"),
    ("5", "x=5"),
    ("x=5", "5"),
    ("-1", r"e^{i\pi}"),
    (r"1+\sqrt2", r"\sqrt{3+2\sqrt2}"),
    (r"\frac12", r"\sin(\pi/6)"),
    ("120", "5!"),
    ("120", r"\binom{10}{3}"),
    (r"\ln 6", r"\ln 2+\ln 3"),
    ("3", r"\log_2 8"),
    ("0.25", r"2^{-2}"),
]

DIFFERENT = [
    ("5", "6"),
    ("5", r"\sqrt{26}"),
    ("1/3", "0.333333+0"),
    (r"\pi", "3.14159265358979323846"),
    (r"\pi^{-40}", r"2\pi^{-40}"),
    (r"e^{\pi\sqrt{163}}", "262537412640768744"),
    ("x^2", "2x"),
    ("x=5", "y=5"),
    ("N", "n"),
    (r"\{1, \sqrt2\}", r"\{1, \sqrt3\}"),
    (r"\{2, \sqrt4\}", r"\{2, 3\}"),
    ("(1, x)", "(x, 1)"),
    ("[0, x]", "[0, x)"),
    ("(1, x)", "(1, x, 2)"),
    (r"(-\infty, 3)", "(-3, 3)"),
    (r"(-\infty, x)", r"(\infty, x)"),
    ("15", "7 8"),
    ("7", "(3)(4)"),
    ("5", r"\text{none}"),
    ("5", r"5\text{ cm}"),
    ("5", r"5\%"),
    ("5", "__import__('os').system('true')"),
    ("5", "eval"),
    (r"\{5, x\}", "5"),
]

UNDECIDED = [
    ("Newton", "Leibniz"),
    ("Paris, France", "Paris"),
    (r"\text{the cube}", "5"),
    ("eval", "exec"),
    (r"\sqrt{x^2}", "x"),
    ("5", "1/0"),
    ("no such thing", "5"),
]


async def test_equal_and_different_and_undecided(checker: SymbolicChecker) -> None:
    cases = [(EQUAL, True), (DIFFERENT, False), (UNDECIDED, None)]

    for pairs, wanted in cases:
        for expected, answer in pairs:
            assert await checker.equal(expected, answer, 30.0) is wanted, (expected, answer)


@pytest.mark.parametrize(
    "hostile",
    [
        "9**9**9",
        "9^{9^9}",
        "9^{9^{9^9}}",
        "(9^{9^9})!",
        "9999999!",
        "7" * 1_000_000,
        "\\sqrt{" * 5_000 + "5" + "}" * 5_000,
        "(" * 5_000,
        "(x+y+z+a+b+c)^{300}-(a+b+c+x+y+z)^{299}",
        "().__class__.__bases__[0].__subclasses__()",
        "\x00\u202e5",
    ],
    ids=lambda text: text[:20].encode("unicode_escape").decode(),
)
async def test_hostile_answers_never_count_and_end_by_the_limit(checker: SymbolicChecker, hostile: str) -> None:
    await checker.equal("5", "x=6-1", 30.0)  # starts the child
    start = time.monotonic()

    assert await checker.equal("5", hostile, 0.5) is not True
    assert await checker.equal(hostile, "5", 0.5) is not True
    assert time.monotonic() - start < 30.0

    assert await checker.equal("5", r"\sqrt{25}", 30.0) is True


async def test_one_child_serves_many_pairs_and_ends_with_the_checker() -> None:
    async with SymbolicChecker() as checker:
        assert await checker.equal("x+1", "1+x", 30.0) is True
        child = checker._child
        assert child is not None
        assert await checker.equal("x+2", "2+x", 30.0) is True
        assert checker._child is child

    assert child.returncode is not None


async def test_exact_pairs_need_no_child() -> None:
    async with SymbolicChecker() as checker:
        assert await checker.equal("5", "5.0") is True
        assert await checker.equal("5", "6") is False
        assert await checker.equal("5", "none at all") is False
        assert checker._child is None


async def test_pairs_asked_at_once_get_their_own_answers(checker: SymbolicChecker) -> None:
    pairs = [("x+1", "1+x"), ("x+1", "x+2"), (r"\sqrt4", "2"), (r"\sqrt4", "3")]
    asked = [checker.equal(expected, answer, 30.0) for expected, answer in pairs]

    assert await asyncio.gather(*asked) == [True, False, True, False]


async def test_a_cancelled_pair_leaves_no_answer_behind(checker: SymbolicChecker) -> None:
    await checker.equal("x+1", "1+x", 30.0)
    waiting = asyncio.create_task(checker.equal("5", "9^{9^9}", 30.0))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting

    assert await checker.equal("x+1", "1+x", 30.0) is True


async def test_a_killed_child_is_replaced(checker: SymbolicChecker) -> None:
    await checker.equal("x+1", "1+x", 30.0)
    child = checker._child
    assert child is not None
    child.kill()
    await child.wait()

    assert await checker.equal("x+1", "1+x", 30.0) is True


async def test_the_child_is_limited_and_has_no_environment(checker: SymbolicChecker) -> None:
    await checker.equal("x+1", "1+x", 30.0)
    assert checker._child is not None
    proc = Path(f"/proc/{checker._child.pid}")
    if not proc.exists():
        pytest.skip("no /proc here")

    lines = (proc / "limits").read_text(encoding="ascii").splitlines()
    soft = {line[:26].strip(): line[26:].split()[0] for line in lines}
    assert (proc / "environ").read_bytes() == b""
    assert soft["Max address space"] == str(symbolic_child.MEMORY_BYTES)
    assert soft["Max core file size"] == "0"
    assert int(soft["Max cpu time"]) < 120
