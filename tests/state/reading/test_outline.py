"""The headings of a text with their shares."""

import pytest

from uq_tui.document.markup.units import Heading
from uq_tui.state.reading.outline import current, matching, outline

HEADINGS = (Heading(1, "Lemma A", 10), Heading(2, "Proof", 20), Heading(3, "Case one", 40), Heading(2, "Remark", 60))
ENTRIES = outline((*HEADINGS, Heading(1, "Lemma B", 90)), 100)


def test_a_share_counts_what_stands_below_sub_headings_too() -> None:
    assert [entry.share for entry in ENTRIES] == pytest.approx([0.8, 0.4, 0.2, 0.3, 0.1])
    assert [entry.start for entry in ENTRIES] == [10, 20, 40, 60, 90]


def test_a_heading_that_skips_levels_ends_at_the_next_one_no_deeper() -> None:
    assert [entry.share for entry in outline((Heading(4, "a", 0), Heading(2, "b", 50)), 100)] == [0.5, 0.5]
    assert outline((), 0) == ()


def test_typing_keeps_what_holds_all_words() -> None:
    assert [entry.text for entry in matching(ENTRIES, "LEM b")] == ["Lemma B"]
    assert matching(ENTRIES, "  ") == ENTRIES
    assert matching(ENTRIES, "nowhere") == ()


def test_where_one_stands() -> None:
    assert [current(ENTRIES, offset) for offset in (0, 10, 59, 60, 99)] == [None, 0, 2, 3, 4]
