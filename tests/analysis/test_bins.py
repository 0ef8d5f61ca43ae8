"""Equal bins over 0 to 1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.bins import limits, place


def test_limits() -> None:
    assert limits(4) == ((0, 0.25), (0.25, 0.5), (0.5, 0.75), (0.75, 1))


@pytest.mark.parametrize(
    ("value", "count", "expected"),
    [
        (0.0, 5, 0),
        (0.19, 5, 0),
        (0.2, 5, 1),
        (1 - 0.8, 5, 1),
        (0.58, 100, 58),
        (0.3, 10, 3),
        (0.999, 5, 4),
        (1.0, 5, 4),
    ],
)
def test_a_limit_belongs_to_the_bin_above_and_1_to_the_last(value: float, count: int, expected: int) -> None:
    assert place(value, count) == expected


@given(st.floats(0, 1), st.integers(1, 30))
def test_a_value_lies_between_its_limits(value: float, count: int) -> None:
    low, high = limits(count)[place(value, count)]

    assert low - 1e-12 <= value <= high


@given(st.integers(1, 40), st.data())
def test_every_limit_begins_its_bin(count: int, data: st.DataObject) -> None:
    number = data.draw(st.integers(0, count - 1))

    assert place(number / count, count) == number
