import pytest

from uq_tui.commands import display
from uq_tui.commands.utilities import interval
from uq_tui.words import Outcome


@pytest.mark.parametrize(
    ("dollars", "unknown", "text"),
    [
        (None, 0, "no cost"),
        (None, 3, "cost unknown"),
        (0.0, 0, "$0.0000"),
        (0.01234, 0, "$0.0123"),
        (0.5, 2, "$0.5000 and 2 calls of unknown cost"),
        (0.5, 1, "$0.5000 and 1 call of unknown cost"),
    ],
)
def test_an_unknown_cost_is_never_nothing(dollars: float | None, unknown: int, text: str) -> None:
    assert display.cost(dollars, unknown) == text


@pytest.mark.parametrize("outcome", Outcome)
def test_an_outcome_is_glyph_and_word(outcome: Outcome) -> None:
    glyph, _, word = display.outcome_cell(outcome).plain.partition(" ")
    assert len(glyph) == 1
    assert word == outcome.value


def test_a_cell_is_one_harmless_line() -> None:
    assert display.cell("a\n[red]b\x1b[2J").plain == "a [red]b␛[2J"
    assert display.cell(None).plain == "–"


@pytest.mark.parametrize(
    ("value", "low", "high", "sign", "text"),
    [
        (None, None, None, "", None),
        (0.5, None, None, "", "0.50"),
        (0.5, 0.25, 1.0, "", "0.50 [0.25, 1.00]"),
        (0.125, -0.05, 0.31, "+", "+0.12 [-0.05, +0.31]"),
    ],
)
def test_an_undefined_figure_is_none(
    value: float | None, low: float | None, high: float | None, sign: str, text: str | None
) -> None:
    assert interval(value, low, high, sign=sign) == text
