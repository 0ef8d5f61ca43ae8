"""What a frame of the reading view costs, and that it shows what Textual would."""

from collections.abc import Iterator

import pytest
from textual.app import App, ComposeResult
from textual.geometry import Offset, Region
from textual.strip import Strip
from textual.widget import Widget

from tests.document.work import calls
from uq_tui.widgets.document import Document

TEXT = "\n\n".join(f"Paragraph {number} with $x_{number}$ and *more* words." for number in range(100))


class Framed(App[None]):
    CSS = "Document { border-top: solid red; padding: 0 1; } .-boxed { border: solid red; }"

    def compose(self) -> ComposeResult:
        yield Document()


def cells_of(strips: list[Strip]) -> Iterator[list[tuple[str, object]]]:
    """Each row as its signs and their backgrounds."""
    for strip in strips:
        yield [(sign, style and style.bgcolor) for text, style, _ in strip for sign in text]


def cells(strip: Strip) -> list[tuple[str, object, object, object]]:
    """The signs of a row with what they look like and do."""
    return [
        (text, style and style.color, style and style.bgcolor, style and (style.reverse, style.meta))
        for text, style, _ in strip
    ]


@pytest.mark.parametrize("boxed", [False, True])
async def test_a_frame_is_what_textual_draws(boxed: bool) -> None:
    app = Framed()
    async with app.run_test(size=(50, 12)) as pilot:
        document = app.query_one(Document)
        document.set_class(boxed, "-boxed")
        document.show(TEXT)
        await pilot.pause()
        whole = document.region.reset_offset
        for crop in (whole, Region(0, 0, whole.width, 1), Region(3, 2, 20, 5), Region(0, whole.height - 2, 9, 2)):
            drawn, expected = document.render_lines(crop), Widget.render_lines(document, crop)
            assert list(cells_of(drawn)) == list(cells_of(expected))


async def test_rows_are_not_drawn_anew_for_every_frame() -> None:
    app = Framed()
    async with app.run_test(size=(50, 30)) as pilot:
        document = app.query_one(Document)
        document.show(TEXT)
        await pilot.pause()
        whole = document.region.reset_offset
        once = document.render_lines(whole)
        document.refresh()
        again: list[Strip] = []
        assert calls(lambda: again.extend(document.render_lines(whole))) < 100 * whole.height
        assert all(one is other for one, other in zip(once[1:], again[1:], strict=True))


async def test_the_scroll_bar_is_what_textual_draws() -> None:
    app = Framed()
    async with app.run_test(size=(50, 60)) as pilot:
        document = app.query_one(Document)
        document.show(TEXT)
        await pilot.pause()
        bar = document.vertical_scrollbar
        for key, grabbed in (("down", None), ("space", Offset(0, 3)), ("end", None)):
            await pilot.press(key)
            bar.grabbed = grabbed
            await pilot.pause()
            whole = bar.region.reset_offset
            assert whole.height > 10
            for crop in (whole, Region(0, 2, 1, 3)):
                drawn, expected = (
                    list(map(cells, lines)) for lines in (bar.render_lines(crop), Widget.render_lines(bar, crop))
                )
                assert drawn == expected
        bar.refresh()
        theirs = calls(lambda: Widget.render_lines(bar, whole))
        bar.refresh()
        assert calls(lambda: bar.render_lines(whole)) < theirs / 10


async def test_no_frame_has_lines_of_another_width() -> None:
    drawn: list[tuple[int, str]] = []

    class Watched(Document):
        def render_lines(self, crop: Region) -> list[Strip]:
            strips = super().render_lines(crop)
            drawn.extend((self.size.width, strip.text.strip()) for strip in strips)
            return strips

    class Narrowed(App[None]):
        CSS = "Document { width: 41; }"

        def compose(self) -> ComposeResult:
            yield Watched()

    words = "word " * 100
    app = Narrowed()
    async with app.run_test(size=(110, 20)) as pilot:
        document = app.query_one(Watched)
        document.show(words)
        await pilot.pause()
        drawn.clear()
        document.styles.width = 101
        await pilot.pause()
        lines = [text for width, text in drawn if width == 101 and text.startswith("word")]
        assert lines
        assert all(len(text) > 90 for text in lines if text != lines[-1])
