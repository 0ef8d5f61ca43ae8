import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.widgets import marks
from uq_tui.words import Outcome


@pytest.mark.parametrize(
    ("value", "text"), [(None, "–"), (0.0, ".00"), (0.194, ".19"), (0.996, "1.0"), (1.0, "1.0"), (0.5, ".50")]
)
def test_a_share_is_short_and_unknown_is_not_zero(value: float | None, text: str) -> None:
    assert marks.share(value) == text


@pytest.mark.parametrize(("value", "text"), [(None, "–"), (0.13, "+.13"), (-0.05, "-.05"), (0.0, "+.00")])
def test_a_difference_has_its_sign(value: float | None, text: str) -> None:
    assert marks.signed(value) == text


@given(st.floats(0, 1), st.integers(1, 40))
def test_a_bar_fills_its_width_and_grows_with_the_value(value: float, width: int) -> None:
    drawn = marks.bar(value, width)
    assert len(drawn) == width
    assert drawn.count("█") <= value * width + 1 / 8


def test_every_outcome_shows_a_glyph_and_its_word() -> None:
    for outcome in Outcome:
        glyph, word = marks.outcome(outcome).plain.split(" ")
        assert word == outcome.value
        assert len(glyph) == 1
