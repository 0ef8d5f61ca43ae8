"""Grouping by final answer, and answers that are identical but for white space."""

import pytest

from uq_tui.state.reviewing.final_answers import groups
from uq_tui.state.reviewing.identical import fingerprint


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ([], ()),
        (["5", "7", "5"], (0, 1, 0)),
        (["1/2", "0.5", "\\frac12"], (0, 0, 0)),
        (["x = 5", "6", "5"], (0, 1, 0)),
        (["", "", "5"], (0, 1, 2)),
        (["\\sin x", "\\cos x", "\\sin x"], (0, 1, 0)),
    ],
)
def test_equal_final_answers_have_one_number(stated: list[str], expected: tuple[int, ...]) -> None:
    assert groups(stated) == expected


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a  b\n\nc", " a b\tc\r\n", True),
        ("caf\u00e9", "cafe\u0301", True),
        ("a\u00a0b", "a b", True),
        ("ab", "a b", False),
        ("A", "a", False),
        ("\ud800", "\ud801", False),
    ],
)
def test_only_white_space_and_composition_make_no_difference(one: str, other: str, same: bool) -> None:
    assert (fingerprint(one) == fingerprint(other)) is same
