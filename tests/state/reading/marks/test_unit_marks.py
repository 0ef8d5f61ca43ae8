"""Units with the marks on them: what is kept up to date mark by mark is what a fresh look would give."""

from hypothesis import given
from hypothesis import strategies as st

from store.reading_rows import LedgerCount, LedgerMark
from uq_tui.document.markup.scan import all_units
from uq_tui.state.reading.marks.unit_marks import NOTED, Spot, UnitMarks, orphans_text
from uq_tui.state.reading.readable import joined, own_words, readable_words
from uq_tui.words import LedgerState

WORDS = "One.\r\n\r\n$$x$$\r\n\r\nTwo."
TEXT = joined([readable_words(WORDS), own_words("Ours."), readable_words(WORDS), readable_words("Other.")], "k")
UNITS = all_units(TEXT.source)

changes = st.lists(
    st.tuples(st.integers(0, len(UNITS) - 1), st.none() | st.sampled_from(LedgerState), st.sampled_from(["", "why?"])),
    max_size=12,
)


def test_a_text_that_is_shown_twice_is_marked_in_both_places() -> None:
    marks = UnitMarks(TEXT, UNITS, {})
    assert [spot is None for spot in marks.spots] == [False, False, False, True, False, False, False, False]
    assert marks.spots[:3] == marks.spots[4:7]
    assert marks.spots[1] is not None
    marks.put(marks.spots[1], LedgerMark(*marks.spots[1][1:], LedgerState.WRONG, ""))
    assert marks.glyphs == {1: "✗", 5: "✗"}
    assert marks.count == LedgerCount(units=7, wrong=2)


@given(changes)
def test_mark_by_mark_gives_what_a_fresh_look_gives(steps: list[tuple[int, LedgerState | None, str]]) -> None:
    marks = UnitMarks(TEXT, UNITS, {})
    last: dict[Spot, LedgerMark] = {}
    for index, state, note in steps:
        if (spot := marks.spots[index]) is not None:
            mark = last[spot] = LedgerMark(spot.start, spot.end, state, note)
            marks.put(spot, mark)
    kept = {spot: mark for spot, mark in last.items() if mark.state or mark.note}
    fresh = UnitMarks(TEXT, UNITS, kept)
    assert (marks.glyphs, marks.count) == (fresh.glyphs, fresh.count)
    assert [marks.line(index) for index in range(len(UNITS))] == [fresh.line(index) for index in range(len(UNITS))]
    assert marks.first_unmarked == fresh.first_unmarked
    assert marks.count.marked == sum(glyph != NOTED for glyph in marks.glyphs.values())


@given(st.sets(st.tuples(st.integers(0, 22), st.integers(0, 22))))
def test_every_mark_is_on_a_unit_or_told_as_an_orphan(spans: set[tuple[int, int]]) -> None:
    sha256 = TEXT.texts[0].sha256
    stored = {Spot(sha256, *span): LedgerMark(*span, LedgerState.CHECKED, "") for span in spans}
    marks = UnitMarks(TEXT, UNITS, stored)
    on_units = {spot for spot in stored if spot in marks.spots}
    assert {Spot(sha256, mark.start, mark.end) for mark in marks.orphans} == stored.keys() - on_units
    assert marks.count.checked == 2 * len(on_units)


def test_orphans_are_told_by_their_number() -> None:
    assert [orphans_text(n) for n in (0, 1, 2)] == [
        "",
        "1 mark belongs to no paragraph of today",
        "2 marks belong to no paragraph of today",
    ]
