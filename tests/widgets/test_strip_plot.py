"""Shares on an axis of characters."""

import pytest

from uq_tui.widgets.strip_plot import axis, shaded, strip


@pytest.mark.parametrize(
    ("value", "low", "high", "dots", "drawn"),
    [
        (0.5, 0.2, 0.8, [], "··├──●──┤··"),
        (0.5, 0.2, 0.8, [0.3, 0.7], "··├○─●─○┤··"),
        (0.0, 0.0, 0.3, [0.0], "●──┤·······"),
        (1.0, 1.0, 1.0, [], "··········●"),
        (None, None, None, [None, 0.1], "·○·········"),
        (0.5, None, None, [], "·····●·····"),
    ],
)
def test_a_strip_shows_value_interval_and_dots(
    value: float | None, low: float | None, high: float | None, dots: list[float | None], drawn: str
) -> None:
    assert strip(value, low, high, dots, 11).plain == drawn


@pytest.mark.parametrize("width", [11, 24, 60])
def test_the_axis_names_its_ends_over_the_cells_they_are_drawn_in(width: int) -> None:
    drawn = axis(width)
    ends = strip(None, None, None, [0.0, 0.5, 1.0], width).plain
    assert len(drawn) == width
    assert [at for at, cell in enumerate(ends) if cell == "○"] == [0, drawn.index(".5"), width - 1]
    assert (drawn[0], drawn[-1]) == ("0", "1")


@pytest.mark.parametrize(
    ("value", "low", "high", "drawn"),
    [
        (0.6, 0.3, 0.9, "███▓▓▓░░░·"),
        (0.0, 0.0, 0.3, "░░░·······"),
        (1.0, 0.7, 1.0, "███████▓▓▓"),
        (0.5, 0.5, 0.5, "█████·····"),
    ],
)
def test_a_bar_is_dark_where_it_is_sure(value: float, low: float, high: float, drawn: str) -> None:
    assert shaded(value, low, high, 10) == drawn
