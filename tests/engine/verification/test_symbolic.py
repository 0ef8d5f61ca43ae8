"""Answers that only algebra can compare, through the real child process."""

import asyncio

import pytest

from uq_tui.analysis.answers import read
from uq_tui.engine.verification.algebra import EndedError
from uq_tui.engine.verification.symbolic import MOST_PAIRS, SymbolicChecker
from uq_tui.engine.verification.verifier import Verifier
from uq_tui.words import DecidedBy

pytestmark = pytest.mark.asyncio(loop_scope="session")

EQUAL = [
    (r"\sqrt{8}", r"2\sqrt2"),
    ("x^2-1", "(x-1)(x+1)"),
    ("n(n+1)/2", r"\frac{n^2+n}{2}"),
    (r"\{\sqrt2, 1\}", r"\{1, 2^{1/2}\}"),
    (r"\{2,\sqrt4,3\}", r"\{3,2,\sqrt9\}"),
    (r"\{\sqrt4, 2\}", r"\{2\}"),
    (r"(\frac12, \sqrt4)", "(0.5, 2)"),
    (r"(-\infty, 3)", r"(-\infty, \sqrt{9})"),
    (r"\pm\sqrt8", r"\{2\sqrt2, -2\sqrt2\}"),
    (r"\begin{pmatrix} \sqrt4 & x+1 \end{pmatrix}", r"\begin{bmatrix}2&1+x\end{bmatrix}"),
    ("5", r"x=\sqrt{25}"),
    ("f(x)=x^2-1", "f(x)=(x-1)(x+1)"),
    ("-1", r"e^{i\pi}"),
    (r"1+\sqrt2", r"\sqrt{3+2\sqrt2}"),
    (r"\frac12", r"\sin(\pi/6)"),
    ("120", "5!"),
    ("120", r"\binom{10}{3}"),
    (r"\ln 6", r"\ln 2+\ln 3"),
    ("3", r"\log_2 8"),
    ("2^{2024}+1", "1+2^{2024}"),
]

DIFFERENT = [
    ("5", r"\sqrt{26}"),
    ("1/3", "0.333333+0"),
    (r"\pi", "3.14159265358979323846"),
    (r"\pi^{-40}", r"2\pi^{-40}"),
    (r"e^{\pi\sqrt{163}}", "262537412640768744"),
    ("x^2", "2x"),
    ("N", "n"),
    ("(-1)^n", "1"),
    (r"\{1, \sqrt2\}", r"\{1, \sqrt3\}"),
    (r"\{2, \sqrt4\}", r"\{2, \sqrt9\}"),
    ("(1, x)", "(x, 1)"),
    ("[0, x]", "[0, x)"),
    ("(1, x)", "(1, x, 2)"),
    (r"(-\infty, x)", r"(\infty, x)"),
    (r"\begin{pmatrix} x \\ 1 \end{pmatrix}", r"\begin{pmatrix} x \\ \sqrt2 \end{pmatrix}"),
]

UNDECIDED = [
    ("Newton", "Leibniz"),
    ("Paris, France", "Paris"),
    (r"\text{the cube}", "5"),
    ("5", r"\text{five}"),
    ("5", r"5\text{ cm}"),
    ("5", r"5\%"),
    ("5", "5cm"),
    ("5", "5 m"),
    ("5", r"5\,\mathrm{N}"),
    ("xy", r"x \\ y"),
    ("xy", r"x \quad y"),
    ("x=1, 2", "x=1, y=2"),
    ("5", "2 or 5"),
    ("2or", r"r\cdot 2o"),
    ("AB", "BA"),
    ("15", "7 8"),
    ("7", "(3)(4)!!"),
    (r"2\pi", "2pi"),
    ("0.6", "0.1(6)"),
    (r"\sqrt{x^2}", "x"),
    ("(-1)^n", r"\cos(\pi n)"),
    ("0", r"\sin(\pi n)"),
    ("5", "1/0"),
    ("x=5", "y=5"),
    ("(1, x)", "[1, x]"),
    (r"\{1, x\}", "(1, x)"),
    ("x, 1", "1, x"),
    ("1.5", "1,5"),
    ("1234567", "12,34,567"),
    ("(1, x)", r"\begin{pmatrix} 1 & x \end{pmatrix}"),
    (r"\begin{pmatrix} 1 & x \end{pmatrix}", r"\begin{pmatrix} 1 \\ x \end{pmatrix}"),
]


@pytest.mark.parametrize(("expected", "answer"), EQUAL)
async def test_equal(verifier: Verifier, expected: str, answer: str) -> None:
    found = await verifier.equal(expected, answer)

    assert (found.value, found.by) == (True, DecidedBy.SYMBOLIC)


@pytest.mark.parametrize(("expected", "answer"), DIFFERENT)
async def test_different(verifier: Verifier, expected: str, answer: str) -> None:
    found = await verifier.equal(expected, answer)

    assert (found.value, found.by) == (False, DecidedBy.SYMBOLIC)


@pytest.mark.parametrize(("expected", "answer"), UNDECIDED)
async def test_neither(verifier: Verifier, expected: str, answer: str) -> None:
    found = await verifier.equal(expected, answer)

    assert (found.value, found.by) == (None, DecidedBy.UNDECIDABLE)
    assert found.reason


async def test_exact_pairs_need_no_child() -> None:
    async with SymbolicChecker() as checker:
        assert await checker.equal(read("5"), read("5.0")) is True
        assert await checker.equal(read("5"), read("6")) is False
        assert await checker.equal(read("5"), read("none at all")) is None
        assert checker.algebra.child is None


async def test_sets_of_too_many_items_are_given_up_at_once() -> None:
    many = ", ".join(f"x+{number}" for number in range(MOST_PAIRS // 40))
    async with SymbolicChecker() as checker:
        with pytest.raises(EndedError):
            await checker.equal(read(rf"\{{{many}\}}"), read(rf"\{{{many}, y\}}"))
        assert checker.algebra.child is None


async def test_all_items_share_one_budget() -> None:
    hard = ", ".join(f"9^{{9^{{{number}}}}}" for number in range(9, 29))
    async with SymbolicChecker() as checker:
        await checker.equal(read("x+1"), read("1+x"), 30.0)
        with pytest.raises(EndedError, match="too long"):
            async with asyncio.timeout(20.0):
                await checker.equal(read(rf"\{{{hard}\}}"), read(rf"\{{{hard}, 1\}}"), 0.5)
