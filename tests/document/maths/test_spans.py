"""Where formulas begin and end, and that money is not mathematics."""

from typing import Any

import pytest
from hypothesis import given

from tests.document.sources import hostile_text
from tests.document.work import calls
from uq_tui.document.maths.spans import Formulas, math_spans


def found(text: str) -> list[str]:
    return [text[span.start : span.end] for span in math_spans(text)]


@pytest.mark.parametrize(
    ("text", "formulas"),
    [
        ("$a_1$ and $b_1$", ["$a_1$", "$b_1$"]),
        ("$$x$$ and \\(y\\) and \\[ z \\]", ["$$x$$", "\\(y\\)", "\\[ z \\]"]),
        ("$ a $", ["$ a $"]),
        ("$n$th, $5$ and $2n$", ["$n$", "$5$", "$2n$"]),
        ("$100 = 4 \\cdot 25$", ["$100 = 4 \\cdot 25$"]),
        ("$a$$b$", ["$a$", "$b$"]),
        ("$a \\text{ if $x$ } b$ c", ["$a \\text{ if $x$ } b$"]),
        ("$a \\$ b$", ["$a \\$ b$"]),
        ("$a<b$ and $c>d$", ["$a<b$", "$c>d$"]),
        ("\\begin{align*}a&=b\\end{align*}!", ["\\begin{align*}a&=b\\end{align*}"]),
        (
            "\\begin{array}{c}\\begin{array}{c}a\\end{array}\\end{array}",
            ["\\begin{array}{c}\\begin{array}{c}a\\end{array}\\end{array}"],
        ),
        ("$|0\\rangle$ and $100", ["$|0\\rangle$"]),
    ],
)
def test_formulas(text: str, formulas: list[str]) -> None:
    assert found(text) == formulas


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 to $2000.",
        "costs \\$5 to \\$2000",
        "$10k-$20k, US$5 and A$6",
        "$1.5 million and $2 million",
        "from $5_ to $6",
        "$HOME and $PATH",
        "$$ never closed",
        "$$$$",
        "$$ $$",
        "$ $",
        "as shown in \\[12\\]",
        "$a\n\nb$ \\[ a\n \nb \\]",
        "\\begin{document}x\\end{document} \\begin{align} open",
        "an escaped \\\\(x\\\\)",
    ],
)
def test_no_formulas(text: str) -> None:
    assert found(text) == []


def test_a_price_before_a_formula() -> None:
    assert found("It is $5. Then $x_1$ is") == ["$x_1$"]
    assert found("pay $5 (a lot) for $x$ of it") == ["$x$"]


def test_the_latex_inside() -> None:
    text = "so \\[ a = b \\]."
    span = Formulas(text).match(3)
    assert span is not None
    assert text[span.inner_start : span.inner_end] == " a = b "
    assert span.display


def test_inline_and_display() -> None:
    assert [span.display for span in math_spans("$a$ $$b$$ \\(c\\) \\[ d \\]")] == [False, True, False, True]


@given(hostile_text)
def test_spans_are_in_order_and_hold_no_blank_line(text: str) -> None:
    end = 0
    for span in math_spans(text):
        assert end <= span.start <= span.inner_start <= span.inner_end <= span.end <= len(text)
        inner = text[span.inner_start : span.inner_end]
        assert inner.strip()
        assert all(line.strip(" \t") for line in inner.split("\n")[1:-1])
        end = span.end


@pytest.mark.parametrize(
    "unit",
    [
        "$ {",
        "\\(",
        "\\[ ",
        "$$ a",
        "\\begin{align}",
        "$5 ",
        "\\[ \\\\] ",
        "$$ \\$$ ",
        "\\begin{align}\\begin{CD}\\end{align*}",
    ],
)
def test_unclosed_formulas_cost_little(unit: str) -> None:
    text = unit * (20_000 // len(unit))

    assert calls(lambda: list(math_spans(text))) <= 20 * len(text)


class Searched(str):
    """A text that counts how much of it is searched by `find`."""

    __slots__ = ("characters",)

    def __init__(self, _: str) -> None:
        self.characters = 0

    def find(self, sub: str, start: Any = 0, end: Any = None, /) -> int:
        found = super().find(sub, start, end)
        self.characters += (found if found >= 0 else len(self) if end is None else min(end, len(self))) - start
        return found


@pytest.mark.parametrize("unit", ["\\(", "\\[", "\\[ \\(", "\\[ \\\\] ", "$$ \\$$ "])
def test_unclosed_formulas_are_not_searched_for_from_each_opener(unit: str) -> None:
    text = Searched(unit * 5_000)

    list(math_spans(text))

    assert 0 < text.characters <= 4 * len(text)
