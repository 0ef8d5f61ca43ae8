"""Text that remembers where its signs come from."""

import re

from store.traced import Traced, as_it_stands, trace
from uq_tui.document.source_map import Run

RAW = "so it  is &lt; 7"


def test_what_is_put_in_comes_from_nowhere() -> None:
    made = trace("**", as_it_stands(RAW, 3, 5), "**")

    assert made.text == "**it**"
    assert made.map().runs == (Run(2, 4, 3, 5),)


def test_what_is_taken_apart_keeps_its_places() -> None:
    text = as_it_stands(RAW, 2, 7)

    assert (text.text, text.strip().text, text.rstrip().text) == (" it  ", "it", " it")
    assert text.strip().map().runs == (Run(0, 2, 3, 5),)
    assert text.part(2, 4).map().runs == (Run(0, 2, 4, 6),)


def test_several_signs_can_stand_as_one() -> None:
    made = trace(as_it_stands(RAW, 0, 10), as_it_stands(RAW, 10, 14).as_one("<"), as_it_stands(RAW, 14, 16))

    assert made.text == "so it  is < 7"
    assert made.map().runs == (Run(0, 10, 0, 10), Run(10, 11, 10, 14), Run(11, 13, 14, 16))


def test_one_sign_can_be_several() -> None:
    made = trace(as_it_stands(RAW, 0, 1), as_it_stands(RAW, 1, 2).as_one("&#91;"), as_it_stands(RAW, 2, 4))

    assert made.map().runs == (Run(0, 1, 0, 1), Run(1, 6, 1, 2), Run(6, 8, 2, 4))


def test_signs_with_a_gap_between_them_stand_for_the_first() -> None:
    gap = trace(as_it_stands(RAW, 5, 6), as_it_stands(RAW, 9, 10))

    assert gap.as_one(" ").map().runs == (Run(0, 1, 5, 6),)
    assert as_it_stands(RAW, 5, 7).as_one(" ").map().runs == (Run(0, 1, 5, 7),)
    assert trace("-").as_one(" ") == Traced(" ", [None])


def test_matches_are_replaced_with_their_places_at_hand() -> None:
    made = as_it_stands(RAW, 0, 9).sub(re.compile("s|  "), lambda found: trace("_", found))

    assert made.text == "_so it_  i_s"
    assert "".join(RAW[run.raw_start : run.raw_end] for run in made.map().runs) == RAW[:9]


def test_what_comes_again_is_mapped_once() -> None:
    again = as_it_stands(RAW, 0, 2)

    assert trace(again, " ", again).map().runs == (Run(0, 2, 0, 2),)
