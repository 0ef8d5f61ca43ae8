"""Formulas: what is refused, and that what is rewritten has one reading."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.formula import MAX_DEPTH, MAX_LENGTH, canonical, split_assignment


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("5", "5"),
        ("-5", "-5"),
        ("+5", "5"),
        ("007", "7"),
        ("1.50", r"(\frac{150}{100})"),
        ("2x", r"2\cdot x"),
        ("x2", r"x\cdot 2"),
        ("ab", r"a\cdot b"),
        (r"2\pi r", r"2\cdot \pi \cdot r"),
        ("(3)(4)", r"(3)\cdot (4)"),
        ("3(4)", r"3\cdot (4)"),
        ("n(n+1)/2", r"\frac{n\cdot (n+1)}{2}"),
        ("1/(2x)", r"\frac{1}{(2\cdot x)}"),
        (r"\frac12", r"(\frac{1}{2})"),
        (r"\frac{1}2", r"(\frac{1}{2})"),
        (r"\frac\pi2", r"(\frac{\pi }{2})"),
        (r"\sqrt2", r"(\sqrt{2})"),
        (r"\sqrt[3]{2}", r"(\sqrt[3]{2})"),
        ("x^2y", r"(x)^{2}\cdot y"),
        ("2^{10}", "(2)^{10}"),
        ("2^{-x}", "(2)^{-x}"),
        ("-3^2", "-(3)^{2}"),
        ("5!", "(5!)"),
        ("(n+1)!", "((n+1)!)"),
        ("x_1x_{12}", r"x_{1}\cdot x_{12}"),
        (r"\sin(2x)", r"(\sin(2\cdot x))"),
        (r"\sin x", r"(\sin(x))"),
        (r"\ln{2}", r"(\ln(2))"),
        (r"\log_2 8", r"(\log_{2}(8))"),
        (r"\binom{5}{2}", r"(\binom{5}{2})"),
        (r"3\times10^{5}", r"3\cdot (10)^{5}"),
        ("{a+b}c", r"(a+b)\cdot c"),
    ],
)
def test_written_out(text: str, written: str) -> None:
    assert canonical(text) == written


@pytest.mark.parametrize(
    "text",
    [
        "7 8",
        "1 000",
        r"2\frac{1}{2}",
        "1/2x",
        "1e5",
        "2e-1",
        "a/b/c",
        "2^3!",
        "2!!",
        "2!^2",
        "2^3^4",
        "2^10",
        "x^23",
        r"\sqrt12",
        r"\frac123",
        "A^T",
        "A^{T}",
        "x^*",
        "x'",
        "f(3)",
        "f(x)",
        "p(10)",
        "x_1(2)",
        r"\zeta(3)",
        r"\pi(x)",
        r"\log 2",
        r"\sin 2x",
        r"\sin x^2",
        r"\sin^2 x",
        r"\sin(x)^2",
        r"\frac{d}{dx}",
        r"\frac{dx}{dt}",
        "none",
        r"\text{no}",
        r"5\text{ cm}",
        r"\mathrm{e}",
        r"5\%",
        r"\$5",
        r"90^\circ",
        r"\pm2",
        "--3",
        "3--3",
        r"3\cdot-2",
        "3*",
        "*3",
        "9**9",
        "()",
        "",
        " ",
        "(1",
        "1)",
        "{1",
        "[1]",
        "1,2",
        "x=1",
        "x<1",
        "|x|",
        "I",
        r"\infty",
        r"\sum_{n=1}^{5} n",
        r"\int_0^1 x",
        r"\sqrt[1]{2}",
        r"\sqrt[x]{2}",
        "\u00e9",
        "\u00b2",
        "x\u00b2",
        "\u0665",
        "__import__('os')",
        "eval",
        "x.real",
        "\\",
    ],
)
def test_refused(text: str) -> None:
    assert canonical(text) is None


@given(st.text(max_size=40))
def test_any_text_is_read_or_refused(text: str) -> None:
    written = canonical(text)

    assert written is None or written.isascii()


@given(st.text(alphabet="0123456789xyn+-*/^_!(){} \\fracsqtdopi.", max_size=30))
def test_brackets_pair_in_what_is_written(text: str) -> None:
    written = canonical(text)
    if written is not None:
        assert written.count("(") == written.count(")")
        assert written.count("{") == written.count("}")


@pytest.mark.parametrize("unit", ["(", "{", r"\sqrt{", "a(", "-(", r"\frac{1}{", "2^{"])
def test_deep_and_long_formulas_are_refused_at_once(unit: str) -> None:
    assert canonical(unit * (MAX_DEPTH + 1)) is None
    assert canonical(unit * MAX_LENGTH) is None
    assert canonical(f"{unit * 200}1") is None


def test_nesting_within_the_limit_is_read() -> None:
    depth = MAX_DEPTH - 1

    assert canonical("(" * depth + "1" + ")" * depth) is not None


@pytest.mark.parametrize(
    ("text", "split"),
    [
        ("x=5", ("x", "5")),
        (" n = k+1 ", ("n", "k+1")),
        ("a_1=3", ("a_1", "3")),
        ("a_{12} = 3", ("a_{12}", "3")),
        ("5", ("", "5")),
        ("x==5", ("", "x==5")),
        ("x<=5", ("", "x<=5")),
        ("xy=5", ("", "xy=5")),
        ("2=x", ("", "2=x")),
    ],
)
def test_an_assignment_is_split(text: str, split: tuple[str, str]) -> None:
    assert split_assignment(text) == split
