"""The reading view in a running app."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.app import App, ComposeResult
from textual.events import MouseMove
from textual.pilot import Pilot

from tests.document.drawn import lay_out
from uq_tui.widgets.document import Document
from uq_tui.widgets.reading import looks
from uq_tui.widgets.reading.intake import AT_ONCE

LONG = "\n\n".join(f"Paragraph {number} with $x_{number}$ and *more* words." for number in range(400))
HUGE = LONG * 20


class Host(App[None]):
    def compose(self) -> ComposeResult:
        yield Document(id="document")


@asynccontextmanager
async def running(width: int = 60, height: int = 20) -> AsyncIterator[tuple[Pilot[None], Document]]:
    app = Host()
    async with app.run_test(size=(width, height)) as pilot:
        yield pilot, app.query_one(Document)


async def settle(pilot: Pilot[None]) -> None:
    """Wait until everything given to the view is laid out and drawn."""
    document = pilot.app.query_one(Document)
    await pilot.pause()
    while document.busy:
        await pilot.app.workers.wait_for_complete()
        await pilot.pause()
    await pilot.pause()


def screen(document: Document) -> list[str]:
    """The rows of the view as text."""
    return [document.render_line(y).text.rstrip() for y in range(document.size.height)]


async def test_a_text_is_shown() -> None:
    async with running() as (pilot, document):
        document.show("# Title\n\n$a_1$ and *b*")
        await settle(pilot)
        assert screen(document)[:4] == ["# Title", "", "a₁ and b", ""]
        assert document.source == "# Title\n\n$a_1$ and *b*"
        assert [heading.text for heading in document.headings] == ["Title"]


async def test_a_text_given_before_the_first_frame() -> None:
    class Early(Host):
        def compose(self) -> ComposeResult:
            document = Document()
            document.show("given early")
            document.append(", with more")
            yield document

    app = Early()
    async with app.run_test() as pilot:
        await settle(pilot)
        assert screen(app.query_one(Document))[0] == "given early, with more"


async def test_hostile_text_reaches_no_terminal() -> None:
    async with running() as (pilot, document):
        document.show("a\x1b[2J\x9b\u202e `\x07` $\x1b$ [/bold] [red]x")
        await settle(pilot)
        shown = "".join(screen(document))
        assert shown == "a\u241b[2J‹U+009B›‹U+202E› \u2407 \u241b [/bold] [red]x"


async def test_a_long_text_is_laid_out_to_its_end() -> None:
    assert len(HUGE) > 10 * AT_ONCE
    async with running() as (pilot, document):
        document.show(HUGE)
        assert screen(document)[0] == "Paragraph 0 with x₀ and more words."
        await settle(pilot)
        assert document.units[-1].end == len(HUGE)
        document.action_bottom()
        assert screen(document)[-1] == "Paragraph 399 with x₃99 and more words."


async def test_keys_work_while_a_long_text_is_laid_out() -> None:
    async with running() as (pilot, document):
        document.show(HUGE)
        document.action_page(1)
        assert document.busy
        assert document.scroll_offset.y > 0
        await settle(pilot)


async def test_a_newer_text_wins() -> None:
    async with running() as (pilot, document):
        document.show(HUGE)
        document.show("short")
        await settle(pilot)
        assert screen(document)[:2] == ["short", ""]
        assert document.virtual_size.height == 1


async def test_keys_move_the_view() -> None:
    async with running(height=20) as (pilot, document):
        document.show(LONG)
        document.focus()
        await settle(pilot)
        for keys, line in [
            (["down", "j"], 2), (["up"], 1), (["k", "k"], 0), (["pagedown"], 18), (["space"], 36), (["pageup"], 18),
            (["ctrl+f"], 36), (["ctrl+b"], 18), (["ctrl+d"], 28), (["ctrl+u"], 18), (["home"], 0),
        ]:  # fmt: skip
            await pilot.press(*keys)
            await pilot.pause()
            assert document.scroll_offset.y == line
        await pilot.press("end")
        await pilot.pause()
        assert document.scroll_offset.y == document.max_scroll_y
        assert screen(document)[-1] == "Paragraph 399 with x₃99 and more words."


async def test_appended_text_gives_the_same_lines() -> None:
    async with running() as (pilot, document):
        for start in range(0, len(LONG), 700):
            document.append(LONG[start : start + 700])
            await pilot.pause()
        await settle(pilot)
        assert document.source == LONG
        assert document.text == "\n".join(line.text.rstrip() for line in lay_out(LONG, document.size.width).lines)


async def test_the_view_follows_at_the_end() -> None:
    async with running() as (pilot, document):
        document.append(LONG)
        await settle(pilot)
        assert document.scroll_offset.y == document.max_scroll_y > 0
        document.append("\n\nthe very last words")
        await settle(pilot)
        assert screen(document)[-1] == "the very last words"


async def test_the_view_stays_where_the_reader_is() -> None:
    async with running() as (pilot, document):
        document.show(LONG)
        await settle(pilot)
        document.action_move(5)
        document.append("\n\nmore" * 100)
        await settle(pilot)
        assert document.scroll_offset.y == 5


async def test_the_same_key_keeps_the_place() -> None:
    async with running() as (pilot, document):
        document.show(LONG, key="c1")
        await settle(pilot)
        document.action_move(40)
        document.show(LONG + "\n\nThe end.", key="c1")
        await settle(pilot)
        assert document.scroll_offset.y == 40
        document.show("# New first line\n\n" + LONG, key="c1")
        await settle(pilot)
        assert document.scroll_offset.y == 40


async def test_another_key_begins_at_the_top() -> None:
    async with running() as (pilot, document):
        document.show(LONG, key="c1")
        await settle(pilot)
        document.action_move(40)
        document.show(LONG, key="c2")
        await settle(pilot)
        assert document.scroll_offset.y == 0


async def test_clearing() -> None:
    async with running() as (pilot, document):
        document.show(LONG, key="c1")
        await settle(pilot)
        document.clear()
        await settle(pilot)
        assert document.source == ""
        assert set(screen(document)) == {""}


async def test_a_new_width_means_new_lines_at_the_same_place() -> None:
    async with running(width=100) as (pilot, document):
        document.show(LONG)
        await settle(pilot)
        document.action_move(200)
        top = screen(document)[0]
        assert top.startswith("Paragraph 100 ")
        await pilot.resize_terminal(24, 20)
        await settle(pilot)
        assert top.startswith(screen(document)[0])
        await pilot.resize_terminal(100, 20)
        await settle(pilot)
        assert screen(document)[0] == top


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "ansi-dark"])
async def test_styles_follow_the_theme(theme: str) -> None:
    async with running() as (pilot, document):
        document.show("# A\n\n**b** `c`")
        await settle(pilot)
        screen(document)
        pilot.app.theme = theme
        await pilot.pause()
        heading = next(iter(document.render_line(0))).style
        assert heading is not None
        assert heading.bold
        assert heading.color == document.get_visual_style("document--heading").rich_style.color


class Styled(Document):
    """A view whose looks Textual itself finds."""

    COMPONENT_CLASSES = looks.CLASSES


@pytest.mark.parametrize("theme", ["textual-dark", "textual-light", "ansi-dark"])
async def test_looks_found_when_drawn_are_those_that_textual_finds(theme: str) -> None:
    class Both(App[None]):
        def compose(self) -> ComposeResult:
            yield Document()
            yield Styled()

    app = Both()
    async with app.run_test() as pilot:
        own, styled = app.query(Document)
        own.get_component_styles(*looks.CLASSES)  # those of the first theme must not stay
        app.theme = theme
        await pilot.pause()
        for name in looks.CLASSES:
            assert own.get_component_styles(name).get_rules() == styled.get_component_styles(name).get_rules(), name
            assert own.get_visual_style(name, partial=True) == styled.get_visual_style(name, partial=True), name


async def test_structure_shows_without_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running() as (pilot, document):
        document.show("# A\n\n> b\n\n```\nc\n```\n\n- d\n\n---")
        await settle(pilot)
        assert [line for line in screen(document) if line][:4] == ["# A", "▌ b", "│ c", "• d"]
        assert next(segment.style.bold for segment in document.render_line(0) if segment.style)


async def test_what_is_selected_is_copied_as_its_source() -> None:
    source = "one $x_1$ two\n\n- three\n\n日本語 four"
    async with running() as (pilot, document):
        document.show(source)
        await settle(pilot)
        document.select(source.index("x_1"), source.index("ree"))
        await pilot.pause()
        assert document.selected == (source.index("$x"), source.index("ree"))
        assert pilot.app.screen.get_selected_text() == "$x_1$ two\n\n- th"
        plain = document.get_visual_style("document--dim").rich_style.bgcolor
        selected = [
            segment.text for segment in document.render_line(0) if segment.style and segment.style.bgcolor != plain
        ]
        assert "".join(selected) == "x₁ two"
        document.show("another text")
        assert not pilot.app.screen.selections
        assert document.selected is None


async def drag(pilot: Pilot[None], document: Document, start: tuple[int, int], end: tuple[int, int]) -> None:
    await pilot.mouse_down(document, offset=start)
    await pilot._post_mouse_events([MouseMove], document, offset=end, button=1)
    await pilot.mouse_up(document, offset=end)
    await pilot.pause()


async def test_the_mouse_selects() -> None:
    async with running() as (pilot, document):
        document.show("one two three\n\nfour $f_5$ six\n\n- seven")
        await settle(pilot)
        await drag(pilot, document, (4, 0), (2, 2))
        assert pilot.app.screen.get_selected_text() == "two three\n\nfou"
        await drag(pilot, document, (6, 2), (30, 2))
        assert pilot.app.screen.get_selected_text() == "$f_5$ six"
        await drag(pilot, document, (0, 4), (30, 4))
        assert pilot.app.screen.get_selected_text() == "seven"


async def test_a_selection_stays_when_the_width_changes() -> None:
    async with running() as (pilot, document):
        document.show(LONG)
        await settle(pilot)
        await drag(pilot, document, (0, 2), (20, 4))
        before = document.selected
        assert before is not None
        await pilot.resize_terminal(24, 20)
        await settle(pilot)
        assert document.selected == before


async def test_clicks_put_the_cursor_and_select_units() -> None:
    async with running() as (pilot, document):
        document.show("one\n\ntwo words\n\nthree")
        await settle(pilot)
        await pilot.click(document, offset=(4, 2))
        assert document.unit_at == 1
        await pilot.click(document, offset=(7, 2), times=2)
        await pilot.pause()
        assert document.selected == (5, 14)


def test_bindings_can_be_remapped_and_explained() -> None:
    for binding in Document.BINDINGS:
        assert not isinstance(binding, tuple)
        assert binding.id
        assert binding.id.startswith("document.")
        assert binding.tooltip
