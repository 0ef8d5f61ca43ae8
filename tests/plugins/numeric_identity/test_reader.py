"""What formulas are read as, by their values."""

from fractions import Fraction

import pytest

from uq_tui.plugins.numeric_identity.computing import UndefinedError, value
from uq_tui.plugins.numeric_identity.reader import MAX_LENGTH, RefusedError, read

POINT = {"x": Fraction(3), "y": Fraction(1, 2), "n": Fraction(5), "x_1": Fraction(7), "\\alpha": Fraction(0)}
NAMES = frozenset(POINT)


def at_point(latex: str) -> float:
    return float(value(read(latex, NAMES), POINT, 30))


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        ("2+3x", 11),
        ("-x^2", -9),
        ("x-y-1", 1.5),
        ("2xy", 3),
        ("x/2", 1.5),
        ("(x+1)(x-1)", 8),
        (r"\frac12 x", 1.5),
        (r"\dfrac{x+1}{2}", 2),
        (r"\left( x + 1 \right)^2", 16),
        (r"x^{-1}", 1 / 3),
        (r"\sqrt{x+1}", 2),
        (r"\sqrt[3]{9x}", 3),
        (r"|y-x|", 2.5),
        (r"n!", 120),
        (r"\binom{n}{2}", 10),
        (r"\binom{2}{n}", 0),
        (r"x_1 + x_{1}", 14),
        (r"\cos 2\alpha", 1),
        (r"\sin^2 \alpha + \cos^2\alpha", 1),
        (r"\cos n\pi", -1),
        (r"\cos\frac{\pi}{x}", 0.5),
        (r"\sin 2\pi n", 0),
        (r"(\sin \alpha)^2", 0),
        (r"2\sin\alpha\cos\alpha", 0),
        (r"e^{\alpha}", 1),
        (r"\ln(e^x)", 3),
        (r"\log_2(8)", 3),
        (r"\sum_{k=1}^{n} k", 15),
        (r"\sum_{k=1}^n (k + 1)", 20),
        (r"1 + \sum_{k=0}^{n} \binom{n}{k}", 33),
        (r"\sum_{i=1}^{3} \sum_{j=1}^{i} j", 10),
        (r"\prod\limits_{k=1}^{n} k", 120),
        (r"(\sum_{k=1}^{n} k)^2 + 1", 226),
    ],
)
def test_value(latex: str, expected: float) -> None:
    assert at_point(latex) == pytest.approx(expected, abs=1e-25)


@pytest.mark.parametrize(
    "latex",
    [
        "",
        "z",
        "f(x)",
        "x'",
        "e",
        "i x",
        "1/2x",
        "1/2/x",
        "7 8",
        r"2\frac{1}{2}",
        "x^10",
        "x^{(2)}",
        "x^2^3",
        "x^2!",
        "n!!",
        "(x)_2",
        "[x]",
        "x * y",
        r"x \circ y",
        r"\{x\}",
        r"\lfloor x \rfloor",
        r"\sin(x)^2",
        r"\sin^{-1} x",
        r"\sin x^2",
        r"\cos\frac{\pi}{x} x",
        r"\sin x y",
        r"\sin x (y+1)",
        r"\sin x / 2",
        r"\log x",
        r"\pi(x)",
        r"\int x",
        r"\sum_{k=1}^{n} k + 1",
        r"\sum_{k=1}^{\infty} k",
        r"\sum_{k} k",
        r"\sum_{k | n} k",
        r"\sum_{n=1}^{3} n",
        r"1 + 2 + \cdots + n",
        "x < y",
        r"x \bmod 2",
        r"x, y",
        r"\text{even } x",
        r"\alphax",
        "x\x00",
        "ｘ",
        "²x",
        "x" * (MAX_LENGTH + 1),
        "(" * 400 + "x" + ")" * 400,
        "{" * 400,
        r"\sqrt" * 200,
        "9" * 500,
    ],
)
def test_refused(latex: str) -> None:
    with pytest.raises(RefusedError):
        read(latex, NAMES)


@pytest.mark.parametrize(
    "latex",
    [
        r"\frac{1}{\alpha}",
        r"\alpha^\alpha",
        r"\sqrt{-x}",
        r"(-x)^{y}",
        r"\ln(\alpha)",
        r"(-x)!",
        r"y!",
        r"\binom{y}{2}",
        r"\arcsin x",
        r"\sum_{k=1}^{\alpha} k",
        r"\sum_{k=1}^{99999} k",
        r"(x^{999})^{999}",
        r"9^{9^{9^{9}}}",
        r"e^{e^{e^{e^{x}}}}",
        r"(((n!)!)!)!",
        r"\sum_{k=1}^{900} \sum_{j=1}^{900} \sum_{i=1}^{900} i",
    ],
)
def test_what_has_no_value_or_takes_too_long_is_undefined(latex: str) -> None:
    with pytest.raises(UndefinedError):
        at_point(latex)


def test_a_long_product_is_no_deep_one() -> None:
    assert at_point("x" * 500) == pytest.approx(3.0**500)
