import pytest

from uq_tui.state.curating.figures import UNDEFINED, count_words, per_cent, share_words


@pytest.mark.parametrize(
    ("n", "of", "told"),
    [
        (0, 0, UNDEFINED),
        (0, 7, "0.0 %"),
        (7, 7, "100 %"),
        (1, 3, "33.3 %"),
        (500, 3_000_000, "0.02 %"),
        (None, 7, UNDEFINED),
        (3, None, UNDEFINED),
    ],
)
def test_a_share_of_nothing_is_undefined(n: int | None, of: int | None, told: str) -> None:
    assert per_cent(n, of) == told


def test_a_share_stands_with_what_it_is_a_share_of() -> None:
    assert share_words(1, 1_234) == "0.08 % of 1,234"
    assert share_words(0, 0) == f"{UNDEFINED} of 0"
    assert share_words(3, None) == ""


def test_counts_that_are_not_known_are_no_zero() -> None:
    assert (count_words(0), count_words(12_345), count_words(None)) == ("0", "12,345", UNDEFINED)
