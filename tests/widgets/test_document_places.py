"""Pointing, finding, units, headings, folds, the source and the margin of a document."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.events import MouseScrollUp
from textual.pilot import Pilot
from textual.scrollbar import ScrollDown, ScrollTo, ScrollUp

from tests.screens.waiting import wait_until
from uq_tui.document.drawing.layout import lay_out_segment
from uq_tui.document.drawing.lines import Line
from uq_tui.document.markup.context import Context
from uq_tui.document.markup.scan import Segment
from uq_tui.state.reading.lines import shelf
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.state.reading.readable import joined, own_words, readable_words
from uq_tui.widgets.document import SIDEWAYS, Document
from uq_tui.widgets.failures import WorkFailed
from uq_tui.widgets.reading.messages import Tool
from uq_tui.widgets.reading.pane import NUMBERED_FROM

SOURCE = "\n\n".join(f"Paragraph {number} says **much** of $x_{{{number}}}$." for number in range(60))
WANTED = "says **much** of $x_{40}$"
SECTIONS = "\n\n".join(f"## Part {part}\n\n" + "\n\n".join([f"Words of part {part}."] * 30) for part in range(5))
WIDE = "Text.\n\n" + "\n".join("|" + f" {cell} |" * 40 for cell in ("head", "----", "body"))


class Host(App[None]):
    CSS = "Document { height: 1fr; }"
    BINDINGS = [Binding("n", "own('n')"), Binding("1", "own('1')"), Binding("escape", "own('escape')")]

    def __init__(self, *, hidden: bool = False) -> None:
        super().__init__()
        self.view = Document(id="text")
        self.view.display = not hidden
        self.keys: list[str] = []
        """Keys that the document has left to the app."""
        self.told: list[str] = []
        self.copied = ""
        self.failures: list[BaseException] = []

    def compose(self) -> ComposeResult:
        yield self.view

    def action_own(self, key: str) -> None:
        self.keys.append(key)

    @on(Document.Moved)
    def _moved(self) -> None:
        self.told.append("moved")

    @on(Document.Shown)
    def _shown(self) -> None:
        self.told.append("shown")

    @on(WorkFailed)
    def _failed(self, failure: WorkFailed) -> None:
        self.failures.append(failure.error)

    @on(Document.Clicked)
    def _clicked(self, event: Document.Clicked) -> None:
        self.told.append(f"clicked {event.offset}")

    @on(Document.Wanted)
    def _wanted(self, event: Document.Wanted) -> None:
        self.told.append(f"wanted {event.tool}")
        self.copied = event.argument


@asynccontextmanager
async def reading(
    source: str = SOURCE, *, width: int = 70, hidden: bool = False, stored: bool = False
) -> AsyncIterator[tuple[Pilot[None], Host, Document]]:
    app = Host(hidden=hidden)
    async with app.run_test(size=(width, 20)) as pilot:
        if stored:
            app.view.read(readable_words(source, "a"))
        else:
            app.view.show(source, key="a")
        app.view.focus()
        await pilot.pause()
        yield pilot, app, app.view


def rows(view: Document) -> list[str]:
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


def marked(view: Document, layer: Layer) -> str:
    """The text on the screen in the style of a layer."""
    style = view.get_component_styles(f"document--{layer}").text_style
    lines = (
        "".join(text for text, own, _ in view.render_line(y) if own is not None and own + style == own)
        for y in range(view.size.height)
    )
    return " ".join(filter(None, lines))


def point(view: Document) -> None:
    start = SOURCE.index(WANTED)
    view.point_at(start, start + len(WANTED))


async def test_what_is_pointed_at_is_marked_and_scrolled_into_sight() -> None:
    async with reading() as (_, _, view):
        point(view)
        assert marked(view, Layer.POINTED) == "says much of x₄₀"
        assert rows(view)[3] == "Paragraph 40 says much of x₄₀."


async def test_it_stays_marked_when_the_lines_change() -> None:
    async with reading() as (pilot, _, view):
        point(view)
        await pilot.resize_terminal(22, 20)
        await wait_until(pilot, lambda: marked(view, Layer.POINTED).split() == ["says", "much", "of", "x₄₀"])


async def test_it_is_marked_once_a_hidden_document_is_shown() -> None:
    async with reading(hidden=True) as (pilot, _, view):
        point(view)
        await pilot.pause()
        view.display = True
        await wait_until(pilot, lambda: marked(view, Layer.POINTED) == "says much of x₄₀")


async def test_another_text_has_nothing_marked() -> None:
    async with reading() as (_, _, view):
        point(view)
        view.show("Another text.", key="b")
        assert view.text == "Another text."
        assert not marked(view, Layer.POINTED)


async def test_what_is_pointed_at_late_in_a_long_text_is_reached_once_it_is_scanned() -> None:
    long = SOURCE * 60 + "\n\nThe end."
    async with reading("") as (pilot, _, view):
        view.show(long, key="b")
        view.point_at(long.index("The end."), len(long))
        assert view.busy
        await wait_until(pilot, lambda: not view.busy)
        assert marked(view, Layer.POINTED) == "The end."


@pytest.mark.parametrize("layer", [layer for layer in Layer if layer is not Layer.SELECTED])
async def test_every_layer_shows_without_colour_and_can_be_read(layer: Layer) -> None:
    async with reading("Some *words* here.") as (_, _, view):
        view.highlight(layer, [(5, 12)])
        (word,) = (style for text, style, _ in view.render_line(0) if text == "words")
        assert word is not None
        assert word.italic
        assert word.color != word.bgcolor
        assert word.underline or word.reverse or word.strike
        view.highlight(layer, [])
        assert not marked(view, layer)


@pytest.mark.parametrize("layer", [Layer.REMOVED, Layer.ADDED, Layer.FOUND])
async def test_no_line_goes_through_or_under_a_formula_of_several_rows(layer: Layer) -> None:
    async with reading(r"$$\frac{ab}{cd}$$") as (_, _, view):
        before = [style for text, style, _ in view.render_line(0) if "ab" in text]
        view.highlight(layer, [(0, len(view.source))])
        after = [style for text, style, _ in view.render_line(0) if "ab" in text]
        assert [style.bgcolor for style in after if style] != [style.bgcolor for style in before if style]
        assert not any(style.underline or style.strike for style in after if style)


async def test_searching_goes_from_match_to_match() -> None:
    async with reading() as (pilot, app, view):
        await pilot.press("n")
        assert app.keys == ["n"]  # nothing is searched: the key is left to the screen
        assert view.find("x_{3").counts == "1 of 11"
        assert marked(view, Layer.FOUND_HERE) == "x₃"
        await pilot.press("n", "n")
        assert view.finding.counts == "3 of 11"
        assert marked(view, Layer.FOUND_HERE) == "x₃₁"
        await pilot.press("N", "N", "N")
        assert view.finding.counts == "11 of 11"
        await pilot.press("escape")
        assert view.finding.query == ""
        assert not marked(view, Layer.FOUND_HERE)
        assert app.keys == ["n"]
        await pilot.press("escape")
        assert app.keys == ["n", "escape"]


async def test_a_search_takes_in_what_is_appended() -> None:
    async with reading("one") as (pilot, _, view):
        view.find("one")
        view.append(" and one more")
        await wait_until(pilot, lambda: view.finding.counts == "1 of 2")


async def test_the_cursor_goes_from_unit_to_unit() -> None:
    async with reading(stored=True) as (pilot, app, view):
        assert rows(view)[0].split()[:2] == ["1", "Paragraph"]
        await pilot.press("J")
        assert view.unit_at == 0
        assert rows(view)[0].startswith("▸ 1")
        await pilot.press("J", "J", "K")
        assert view.unit_at == 1
        app.told.clear()
        await pilot.press(*["J"] * 20)
        assert view.unit_at == 21
        assert any(row.startswith("▸22") for row in rows(view))
        await pilot.pause()
        assert "moved" in app.told
        await pilot.press("home", "K")
        assert view.unit_at == 0  # the cursor was out of sight
        await pilot.press("K")
        assert view.unit_at == 0


async def test_units_are_numbered_where_a_stored_text_has_room() -> None:
    async with reading(stored=True) as (pilot, _, view):
        view.set_margin({1: "✓"})
        assert [row for row in rows(view) if row][1].startswith("  2 ✓ Paragraph 1 says")
        assert view.text.startswith("Paragraph 0 says")
        view.numbers = False
        await pilot.pause()
        assert [row for row in rows(view) if row][1].startswith(" ✓ Paragraph 1 says")
        await pilot.resize_terminal(NUMBERED_FROM, 12)
        view.numbers = None
        await pilot.pause()
        assert rows(view)[0].startswith("  1   Paragraph 0")
    async with reading() as (_, _, view):
        assert rows(view)[0].startswith("Paragraph 0")


async def test_a_stored_text_does_not_move_when_its_marks_come() -> None:
    async with reading(stored=True) as (pilot, _, view):
        await pilot.resize_terminal(NUMBERED_FROM - 1, 12)
        await pilot.pause()
        before = rows(view)
        assert before[0].startswith("   Paragraph 0")
        view.set_margin({0: "✓"})
        view.unit_at = 0
        await pilot.pause()
        assert rows(view) == ["▸✓" + before[0][2:], *before[1:]]


async def test_headings_are_gone_to() -> None:
    async with reading(SECTIONS) as (pilot, _, view):
        assert [heading.text for heading in view.headings] == [f"Part {part}" for part in range(5)]
        await pilot.press("right_curly_bracket", "right_curly_bracket")
        assert rows(view)[0] == "## Part 2"
        await pilot.press("down", "left_curly_bracket")
        assert rows(view)[0] == "## Part 2"
        await pilot.press("left_curly_bracket")
        assert rows(view)[0] == "## Part 1"


async def test_sections_fold_and_open() -> None:
    async with reading(SECTIONS) as (pilot, _, view):
        await pilot.press("z")
        assert rows(view)[:5] == ["## Part 0", "▸ 59 lines folded, z opens", "", "## Part 1", ""]
        await pilot.press("z")
        assert rows(view)[2] == "Words of part 0."
        await pilot.press("Z")
        assert [row for row in rows(view) if row.startswith("##")] == [f"## Part {part}" for part in range(5)]
        view.go_to(SECTIONS.index("Words of part 3"))
        assert rows(view)[3] == "Words of part 3."
        await pilot.press("Z")
        assert "folded" not in view.text


async def test_the_cursor_passes_over_what_is_folded() -> None:
    async with reading(SECTIONS + "\n\n>! A secret.\n\nDone.") as (pilot, _, view):
        await pilot.press("z", "home", "J")
        assert view.source[slice(*view.units[view.unit_at or 0][:2])] == "Words of part 1."
        view.unit_at = len(view.units) - 1
        await pilot.press("end", "K")
        assert view.unit_at == len(view.units) - 2
        assert [row for row in rows(view) if "spoiler" in row] == ["▸  ▸ spoiler, 1 line folded, z opens"]
        await pilot.press("z")
        assert any("A secret." in row for row in rows(view))


async def test_a_click_opens_a_fold() -> None:
    async with reading(SECTIONS) as (pilot, _, view):
        await pilot.press("z")
        assert rows(view)[1] == "▸ 59 lines folded, z opens"
        await pilot.click(view, offset=(3, 1))
        assert rows(view)[2] == "Words of part 0."


async def test_the_source_is_shown_at_the_same_place() -> None:
    async with reading() as (pilot, _, view):
        view.go_to(SOURCE.index(WANTED), above=0)
        await pilot.press("s")
        assert rows(view)[0] == "Paragraph 40 says **much** of $x_{40}$."
        await pilot.press("s")
        assert rows(view)[0] == "Paragraph 40 says much of x₄₀."


async def test_wide_tables_scroll_sideways() -> None:
    async with reading(WIDE) as (pilot, _, view):
        assert any(row.endswith("›") for row in rows(view))
        await pilot.press("greater_than_sign")
        assert view.sideways == SIDEWAYS
        view.action_sideways(39)
        await pilot.pause()
        assert any("body" in row and row.startswith("‹") for row in rows(view))
        assert rows(view)[0] == "Text."
        assert not any(row.endswith("›") for row in rows(view))
        far = view.sideways
        await pilot.press("less_than_sign")
        assert view.sideways == far - SIDEWAYS
        view.action_sideways(-59)
        assert view.sideways == 0


async def test_copying_gives_the_source_of_the_selection_or_the_unit() -> None:
    async with reading() as (pilot, app, view):
        await pilot.press("J", "J", "C")
        await pilot.pause()
        assert app.clipboard == app.copied == "Paragraph 1 says **much** of $x_{1}$."
        view.select(0, 9)
        await pilot.press("C")
        await pilot.pause()
        assert app.clipboard == app.copied == "Paragraph"
        await pilot.press("escape")
        assert view.selected is None


async def test_a_lone_surrogate_can_be_copied() -> None:
    async with reading("a \ud800 b") as (pilot, app, _):
        await pilot.press("C")
        await pilot.pause()
        assert app.clipboard == "a ? b"
        assert app.copied == "a \ud800 b"


async def test_tools_are_asked_of_the_app() -> None:
    async with reading(stored=True) as (pilot, app, view):
        app.told.clear()
        await pilot.press("slash", "O", "o", "2")
        await pilot.pause()
        wanted = [one for one in app.told if one.startswith("wanted")]
        assert wanted == [f"wanted {tool}" for tool in (Tool.FIND, Tool.OUTLINE, Tool.PAGE, Tool.DOUBTFUL)]
        assert view.unit_at == 1
        assert app.keys == []


async def test_what_keeps_nothing_leaves_the_keys_of_the_ledger_to_the_screen() -> None:
    async with reading() as (pilot, app, _):
        await pilot.press("1")
        assert app.keys == ["1"]


async def test_a_click_tells_its_place() -> None:
    async with reading("one $x_1$ two", stored=True) as (pilot, app, view):
        await pilot.click(view, offset=(4 + 6, 0))
        await pilot.pause()
        assert "clicked 4" in app.told
        assert view.unit_at == 0


async def test_the_wheel_and_the_scroll_bar_move_by_lines() -> None:
    async with reading() as (pilot, _, view):
        view.action_bottom()
        end = view.scroll_offset.y
        last = rows(view)
        await pilot._post_mouse_events([MouseScrollUp], view, offset=(3, 3))
        await pilot.pause()
        moved = end - view.scroll_offset.y
        assert moved > 0
        assert rows(view)[moved:] == last[:-moved]


async def test_the_scroll_bar_is_followed_at_once() -> None:
    async with reading() as (pilot, _, view):
        view.post_message(ScrollTo(y=40))
        await pilot.pause()
        assert view.scroll_offset.y == 40
        view.post_message(ScrollDown())
        await pilot.pause()
        below = rows(view)[:2]
        view.post_message(ScrollUp())
        await pilot.pause()
        assert view.scroll_offset.y == 40
        assert rows(view)[-2:] == below


async def test_a_reader_at_the_end_stays_there_when_numbers_come() -> None:
    async with reading("") as (pilot, _, view):
        view.append(SOURCE)
        await wait_until(pilot, lambda: not view.busy)
        assert rows(view)[-1].startswith("Paragraph 59")
        view.read(readable_words(SOURCE + "\n\nThe end.", "a"), follow=True)
        await wait_until(pilot, lambda: not view.busy)
        assert rows(view)[-1].split() == ["61", "The", "end."]


async def test_a_long_block_is_laid_out_beside_the_keys() -> None:
    source = "Before.\n\n" + "word " * 10_000 + "\n\nAfter."
    async with reading() as (pilot, _, view):
        view.show(source)
        assert view.busy
        await wait_until(pilot, lambda: not view.busy)
        assert rows(view)[2].startswith("word word")
        await pilot.press("end")
        await pilot.pause()
        assert rows(view)[-1] == "After."


async def test_the_same_text_again_is_told_only_where_more_of_it_is_stored() -> None:
    source = "word " * 10_000
    async with reading("") as (pilot, host, view):
        view.read(own_words(source, "a"))
        await wait_until(pilot, lambda: not view.busy)
        await pilot.pause()
        host.told.clear()
        view.read(own_words(source, "a"))
        assert not view.busy
        view.read(readable_words(source, "a"))
        await wait_until(pilot, lambda: not view.busy and "shown" in host.told)
        assert host.told.count("shown") == 1


async def test_what_fails_in_a_thread_is_told_and_keeps_nothing_else_back(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(text: str, segment: Segment, width: int, context: Context) -> tuple[Line, ...]:
        if text.startswith("bad"):
            raise RuntimeError("no lines")
        return lay_out_segment(text, segment, width, context)

    monkeypatch.setattr(shelf, "lay_out_segment", broken)
    async with reading("") as (pilot, host, view):
        view.show("bad " * 10_000 + "\n\n" + "good " * 10_000)
        await wait_until(pilot, lambda: bool(host.failures) and not view.busy)
        assert {str(failure) for failure in host.failures} == {"no lines"}
        await pilot.press("end")
        await wait_until(pilot, lambda: not view.busy and rows(view)[-1].startswith("good good"))


async def test_words_of_ours_before_a_stored_text_bear_no_numbers() -> None:
    async with reading() as (pilot, _, view):
        view.read(joined([own_words("# Title\n\nFacts of ours."), readable_words("First.\n\nSecond.")]))
        await wait_until(pilot, lambda: not view.busy)
        assert [view.source[unit.start : unit.end] for unit in view.units] == ["First.", "Second."]
