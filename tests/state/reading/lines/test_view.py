"""A long text as lines: places on lines, and lines that stay where they are when heights become known."""

import pytest

from uq_tui.document.drawing.lines import Line
from uq_tui.document.markup.scan import Scan
from uq_tui.state.reading.lines.view import View

PARAGRAPHS = [f"Paragraph {number} says " + "rather " * (number % 40) + "little." for number in range(400)]
LONG = "\n\n".join(PARAGRAPHS)
SECTIONS = "\n\n".join(
    f"{'#' * level} {title}\n\nAbout {title}.\n\n" + f"More of {title}.\n\n" * 3
    for level, title in [(1, "Paper"), (2, "One"), (3, "Deep"), (2, "Two"), (2, "Three")]
)
CODE = "Before.\n\n```\n" + "\n".join(f"line {number}" for number in range(40)) + "\n```\n\nAfter."


def view_of(source: str, width: int = 60) -> View:
    view = View()
    view.resize(width)
    view.feed(source, Scan().feed(source))
    return view


def shown(view: View, first: int = 0, last: int | None = None) -> list[str]:
    rows = (view.row(y) for y in range(first, view.height if last is None else last))
    return [row.line.text.rstrip() for row in rows if row is not None]


def all_of(view: View) -> list[str]:
    view.last(1_000_000)
    return shown(view)


def test_nothing_is_no_lines() -> None:
    view = view_of("")
    assert view.height == 0
    assert view.row(0) is None
    assert view.prepare(0, 10) == 0
    assert view.last(10) == 0
    assert view.line_of(5) == 0
    assert view.unit_count == 0


def test_one_blank_line_stands_between_segments_and_none_at_the_end() -> None:
    view = view_of("# A\n\nb\n\n# C\n\nd\n")
    assert all_of(view) == ["# A", "", "b", "", "# C", "", "d"]
    assert len(view.segments) == 2


def test_only_what_is_looked_at_is_laid_out() -> None:
    view = view_of(LONG)
    estimated = view.height
    view.prepare(0, 20)
    near = view.height
    assert view.line_of(0) == 0
    assert len(all_of(view)) == view.height
    assert near != view.height or near == estimated


def test_what_stands_at_the_top_stays_there_when_heights_become_known() -> None:
    view = view_of(LONG)
    y = view.line_of(LONG.index("Paragraph 200 "))
    y = view.prepare(y, 20)
    assert shown(view, y, y + 1)[0].startswith("Paragraph 200 ")
    above = view.above(y, 30)
    page = shown(view, above, above + 31)
    assert page[-1].startswith("Paragraph 200 ")
    whole = all_of(view)
    at = whole.index(page[-1])
    assert whole[at - 30 : at + 1] == page


def test_going_up_line_by_line_passes_every_line() -> None:
    view = view_of(LONG)
    y = view.last(20)
    passed = shown(view, y, view.height)
    while y > 0:
        y = view.above(y, 1)
        passed.insert(0, shown(view, y, y + 1)[0])
    assert passed == all_of(view)


def test_going_down_page_by_page_passes_every_line() -> None:
    view = view_of(LONG)
    y, passed = view.prepare(0, 20), list[str]()
    while y < view.height:
        passed += shown(view, y, min(y + 20, view.height))
        y = view.prepare(y + 20, 20)
    assert passed == all_of(view)


def test_the_last_page_is_exact() -> None:
    view = view_of(LONG)
    y = view.last(10)
    assert y == view.height - 10
    assert shown(view, y)[-1].endswith("little.")


@pytest.mark.parametrize("width", [17, 40, 110])
def test_a_place_is_on_the_line_that_shows_it(width: int) -> None:
    view = view_of(LONG, width)
    for number in (0, 1, 57, 399):
        at = LONG.index(f"Paragraph {number} ")
        row = view.row(view.line_of(at))
        assert row is not None
        assert row.line.text.startswith(f"Paragraph {number}"[:width])
        assert row.base + row.line.start == at == view.offset_of(view.line_of(at))


def test_another_width_keeps_the_place() -> None:
    view = view_of(LONG, 100)
    at = LONG.index("Paragraph 300 ")
    view.resize(30)
    y = view.prepare(view.line_of(at), 10)
    assert shown(view, y, y + 1)[0].startswith("Paragraph 300")


def test_growing_keeps_what_was_and_gives_the_same_lines() -> None:
    view, scan = View(), Scan()
    view.resize(60)
    for end in range(700, len(LONG) + 700, 700):
        source = LONG[:end]
        view.feed(source, scan.feed(LONG[end - 700 : end]))
        view.prepare(view.last(20), 20)
    view.feed(LONG, scan.feed(""))
    assert all_of(view) == all_of(view_of(LONG))


def test_cells_and_places() -> None:
    view = view_of("one two\n\n日本語 four")
    assert [view.offset_at(0, column) for column in (0, 4, 6, 7, 40)] == [0, 4, 6, 7, 7]
    assert [view.offset_at(2, column) for column in (0, 1, 2, 5, 7)] == [9, 9, 10, 11, 13]
    assert view.offset_at(9, 0) == 17


def test_units_have_numbers_and_begin_on_lines() -> None:
    view = view_of("# A\n\nfirst " + "word " * 30 + "\n\nsecond\n\n# B\n\nthird")
    rows = [view.row(y) for y in range(len(all_of(view)))]
    begun = [(row.unit, row.line.text.split()[0]) for row in rows if row is not None and row.begins]
    assert begun == [(0, "first"), (1, "second"), (2, "third")]
    assert view.unit_count == 3 == len(view.units())
    source = view.source
    assert [source[unit.start : unit.end].split()[0] for unit in view.units()] == ["first", "second", "third"]
    assert [view.unit(index) for index in range(3)] == list(view.units())
    assert view.unit_at(source.index("second") + 2) == 1
    assert view.unit_at(0) is None
    assert view.unit_from(0) == 0
    assert view.unit_from(len(source)) is None
    with pytest.raises(IndexError):
        view.unit(3)


def test_headings_have_places_in_the_source() -> None:
    view = view_of(SECTIONS)
    assert [(heading.level, heading.text) for heading in view.headings()] == [
        (1, "Paper"), (2, "One"), (3, "Deep"), (2, "Two"), (2, "Three"),
    ]  # fmt: skip
    assert all(SECTIONS.startswith(heading.text, heading.start) for heading in view.headings())


def test_a_section_folds_to_its_heading() -> None:
    view = view_of(SECTIONS)
    before = all_of(view)
    begin = view.fold(SECTIONS.index("More of One"))
    assert begin == SECTIONS.index("## One")
    folded = all_of(view)
    at = folded.index("## One")
    assert folded[at + 1].startswith("▸ ")
    assert "lines folded" in folded[at + 1]
    assert folded[at + 3] == "## Two"
    assert view.line_of(SECTIONS.index("More of Deep")) == at + 1
    view.fold(SECTIONS.index("More of Deep"))
    assert all_of(view) == before


def test_what_is_gone_to_is_opened() -> None:
    view = view_of(SECTIONS)
    before = all_of(view)
    view.fold(SECTIONS.index("About Deep"))
    view.fold(SECTIONS.index("About One"))
    view.open(SECTIONS.index("More of Deep"))
    assert all_of(view) == before


def test_folding_all_and_opening_all() -> None:
    view = view_of(SECTIONS)
    before = all_of(view)
    view.fold_all()
    assert [line for line in all_of(view) if line.startswith("#")] == ["# Paper", "## One", "## Two", "## Three"]
    view.fold_all()
    assert all_of(view) == before


def test_long_code_folds_to_a_line() -> None:
    view = view_of(CODE)
    view.fold(CODE.index("line 7"))
    assert all_of(view) == ["Before.", "", "▸ 42 lines of code folded, z opens", "", "After."]
    view.open(CODE.index("line 7"))
    assert any("line 7" in line for line in all_of(view))


def test_spoilers_begin_folded() -> None:
    source = "Guess.\n\n>! The answer is 4.\n\nDone."
    view = view_of(source)
    assert all_of(view) == ["Guess.", "", "▸ spoiler, 1 line folded, z opens", "", "Done."]
    view.fold(source.index("answer"))
    assert any("The answer is 4." in line for line in all_of(view))


def test_folds_stay_while_a_text_grows() -> None:
    view, scan = View(), Scan()
    view.resize(60)
    view.feed(SECTIONS, scan.feed(SECTIONS))
    view.fold(SECTIONS.index("About Three"))
    more = "Still of Three.\n\n## Four\n\nSeen."
    view.feed(SECTIONS + more, scan.feed(more))
    lines = all_of(view)
    assert "Still of Three." not in lines
    assert lines[-3:] == ["## Four", "", "Seen."]


def test_the_source_itself() -> None:
    source = "# A\n\n*b* and\t$c$\n\n\n- d \x1b[2J"
    view = view_of(source)
    view.show_source(True)
    assert all_of(view) == ["# A", "", "*b* and $c$", "", "", "- d \u241b[2J"]
    assert view.offset_of(view.line_of(source.index("$c$"))) == source.index("*b*")
    assert view.offset_at(2, 8) == source.index("$c$")
    view.show_source(False)
    assert all_of(view)[0] == "# A"


def test_a_very_long_segment_is_waited_for_in_its_place() -> None:
    source = "Before.\n\n" + "word " * 20_000 + "\n\nAfter."
    view = view_of(source)
    view.prepare(0, 20)
    assert "being laid out" in shown(view, 2, 3)[0]
    task = view.next_task()
    assert task is not None
    assert view.next_task() is None
    view.prepare(0, 20)
    assert view.next_task() is None
    view.keep(task, task.work())
    view.prepare(0, 20)
    assert shown(view, 0, 3)[2].startswith("word word")
    assert all_of(view)[-1] == "After."


def test_ranges_are_widened_to_whole_formulas() -> None:
    source = "one $x_1$ two"
    view = view_of(source)
    assert view.whole(2, 6) == (2, 9)
    assert view.whole(6, 11) == (4, 11)
    assert view.whole(0, 3) == (0, 3)


def test_lines_are_plain_tuples_that_can_be_compared() -> None:
    view = view_of("one")
    row = view.row(0)
    assert row is not None
    assert isinstance(row.line, Line)
    assert view.row(0) == row


def test_looking_ahead_lays_out_the_pages_beside_and_moves_nothing() -> None:
    view = view_of(LONG)
    y = view.prepare(view.line_of(LONG.index("Paragraph 200 ")), 20)
    before, height = shown(view, y, y + 20), view.height
    steps = 0
    while view.look_ahead(y, 20):
        steps += 1
    assert 1 <= steps < len(view.segments) // 2
    assert shown(view, y, y + 20) == before
    assert view.height == height
