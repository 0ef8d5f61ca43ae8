"""Taking some of many."""

import pytest

from uq_tui.analysis.thinning import evenly


@pytest.mark.parametrize(
    ("count", "most", "taken"),
    [
        (0, 3, []),
        (3, 3, [0, 1, 2]),
        (7, 3, [0, 2, 4]),
        (10, 1, [0]),
        (10, 4, [0, 2, 5, 7]),
    ],
)
def test_some_are_taken_evenly_and_in_order(count: int, most: int, taken: list[int]) -> None:
    assert list(evenly(range(count), most)) == taken
