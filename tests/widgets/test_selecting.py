"""Selecting with the keyboard in a running app: what keys do, where the caret is seen, and what ends it."""

from textual import events, on
from textual.app import App, ComposeResult

from tests.widgets.test_document import LONG, settle
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.state.reading.readable import readable_words
from uq_tui.widgets.document import Document
from uq_tui.widgets.reading.messages import Tool, Wanted

TEXT = "One two three.\n\nFour $x^2$ five."


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.wanted: list[tuple[Tool, str | None]] = []

    def compose(self) -> ComposeResult:
        yield Document()

    @on(Wanted)
    def _wanted(self, event: Wanted) -> None:
        words = None if event.selected is None else event.document.source[slice(*event.selected)]
        self.wanted.append((event.tool, words))


async def test_words_are_selected_and_quoted_by_keys() -> None:
    app = Host()
    async with app.run_test(size=(40, 12)) as pilot:
        document = app.query_one(Document)
        document.read(readable_words(TEXT, "t"))
        await settle(pilot)
        document.focus()
        await pilot.press("q", "l")
        assert document.caret is not None
        assert document.highlights.ranges(Layer.CARET) == [(4, 7)]
        assert not document.highlights.ranges(Layer.SELECTED)
        await pilot.press("space")
        for key in "lll":  # one right after the other
            app.post_message(events.Key(key, key))
        await pilot.pause()
        await pilot.pause()
        assert document.selected == (4, TEXT.index(" five"))
        assert document.highlights.ranges(Layer.SELECTED) == [document.selected]
        await pilot.press("C", "M", "o", "b", "q")
        assert app.wanted == [
            (Tool.COPIED, "two three.\n\nFour $x^2$"),
            (Tool.REMARK, "two three.\n\nFour $x^2$"),
            (Tool.QUOTE, "One two three.\n\nFour $x^2$"),
        ]
        await pilot.press("escape")
        assert not any(document.highlights.ranges(layer) for layer in (Layer.CARET, Layer.SELECTED))
        await pilot.press("q", "enter")
        assert app.wanted[-1] == (Tool.QUOTE, "One")
        document.clear_selection()
        await pilot.press("q", "space")
        document.select(4, 13)  # as the mouse does
        await pilot.press("q")
        assert app.wanted[-1] == (Tool.QUOTE, "two three")


async def test_the_caret_stays_in_sight_and_on_its_words_while_text_streams_in() -> None:
    app = Host()
    async with app.run_test(size=(40, 12)) as pilot:
        document = app.query_one(Document)
        document.read(readable_words(LONG[:3000], "t"), follow=True)
        await settle(pilot)
        document.focus()
        await pilot.press("end")
        await settle(pilot)
        await pilot.press("q", "space", "home", "k")
        assert document.caret is not None
        before = document.caret, document.top_offset
        document.read(readable_words(LONG[:9000], "t"), follow=True)
        await settle(pilot)
        assert (document.caret, document.top_offset) == before
        assert document.selected == document.caret.range
        await pilot.press(*["pagedown"] * 3)
        top, (start, _) = document.scroll_offset.y, document.caret.here
        line = document.line_of(start)
        assert line is not None
        assert top <= line < top + document.size.height
        document.read(readable_words("another", "u"))
        assert document.caret is None
