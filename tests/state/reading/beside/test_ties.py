"""Places of two texts that go together."""

from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document.compare.word_diff import diff
from uq_tui.document.ranges import Range
from uq_tui.state.reading.beside.ties import Tie

PIECES = st.lists(st.sampled_from(("one two three", "four five", "six", "\n\n")), max_size=20).map("\n\n".join)


def test_without_pairs_shares_of_the_texts_go_together() -> None:
    tie = Tie(100, 1000)
    assert [tie.across(at) for at in (0, 25, 50, 100)] == [0, 250, 500, 1000]


def test_paragraphs_that_belong_together_begin_together() -> None:
    tie = Tie(100, 200, [(Range(10, 20), Range(110, 130)), (Range(60, 70), Range(140, 180))])
    assert [tie.across(at) for at in (0, 5, 10, 35, 60, 80, 100)] == [0, 55, 110, 125, 140, 170, 200]


def test_what_stands_before_all_that_is_shared_is_read_at_the_beginning() -> None:
    tie = Tie(100, 200, [(Range(0, 20), Range(110, 130))])
    assert [tie.across(at) for at in (0, 1)] == [0, 110]


def test_places_beyond_a_text_are_its_ends() -> None:
    tie = Tie(10, 20)
    assert (tie.across(-5), tie.across(50)) == (0, 20)
    assert (Tie(0, 20).across(3), Tie(10, 0).across(3), Tie(0, 0).across(0)) == (0, 0, 0)


@given(PIECES, PIECES)
def test_places_rise_on_both_sides(left: str, right: str) -> None:
    tie = Tie(len(left), len(right), diff(left, right).pairs)
    places = [tie.across(at) for at in range(len(left) + 1)]
    assert places == sorted(places)
    assert all(0 <= place <= len(right) for place in places)
