"""The tools of a document, with real small programs in the place of browser, editor and pager."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual import work
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from tests.screens.waiting import screen_text, wait_until
from uq_tui import paths
from uq_tui.errors import UqError
from uq_tui.screens.reading.tools import OPENERS, open_tool
from uq_tui.state.reading.handed_out import Kind
from uq_tui.state.reading.readable import own_words
from uq_tui.widgets.document import Document
from uq_tui.widgets.failures import TellsFailures, WorkFailed
from uq_tui.widgets.reading.messages import ON_STORED_TEXTS, Tool, Wanted

LONG = "\n\n".join(
    f"Paragraph {number} of many.\n\n## Heading {number}\n\n$$x_{{{number}}}$$" for number in range(1, 101)
)
LINKED = "[one](https://a.example/one?x=1) and [two](mailto:b@c) and ![three](http://a.example/3.png)"


class Reader(TellsFailures, App[None]):
    """A document, and the app's part of its tools."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self._source = source
        self.told: list[str] = []

    def compose(self) -> ComposeResult:
        yield Document()
        yield Static()

    def on_mount(self) -> None:
        document = self.query_one(Document)
        document.show(self._source)
        document.focus()

    @work(exit_on_error=False)
    async def on_document_wanted(self, wanted: Wanted) -> None:
        await open_tool(self, wanted)

    def on_work_failed(self, failure: WorkFailed) -> None:
        assert isinstance(failure.error, UqError), failure.error
        self.told.append(str(failure.error))

    @property
    def document(self) -> Document:
        return self.screen_stack[0].query_one(Document)

    @property
    def said(self) -> str:
        return "\n".join([*self.told, *(notice.message for notice in self._notifications)])


@asynccontextmanager
async def reading(source: str) -> AsyncIterator[tuple[Reader, Pilot[None]]]:
    app = Reader(source)
    async with app.run_test(size=(100, 30), notifications=True) as pilot:
        await wait_until(pilot, lambda: not app.document.busy)
        yield app, pilot


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No programs but our own, and all files in a temporary folder."""
    monkeypatch.setenv(paths.HOME_VARIABLE, str(tmp_path / "home"))
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY", "VISUAL", "EDITOR", "PAGER"):
        monkeypatch.delenv(name, raising=False)
    return tmp_path


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A browser that notes the address it gets."""
    program, noted = tmp_path / "browser", tmp_path / "noted"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {noted}.draft; mv {noted}.draft {noted}\n', encoding="utf-8")
    program.chmod(0o700)
    monkeypatch.setenv("BROWSER", str(program))
    return noted


def kept(kind: str) -> list[Path]:
    folder = paths.cache_dir() / kind
    return list(folder.iterdir()) if folder.exists() else []


async def test_every_tool_that_needs_no_stored_text_is_here() -> None:
    assert set(OPENERS) == set(Tool) - ON_STORED_TEXTS - {Tool.QUOTE}  # which is of verdicts


async def test_a_search_is_typed_at_the_bottom() -> None:
    async with reading(LONG) as (app, pilot):
        await pilot.press("slash", *"many", "enter")
        await wait_until(pilot, lambda: app.document.finding.counts == "1 of 100")


async def test_a_number_goes_to_its_unit() -> None:
    async with reading(LONG) as (app, pilot):
        await pilot.press("number_sign", *"101", "enter")
        await wait_until(pilot, lambda: "Paragraph 51 of many" in screen_text(pilot))
        assert app.document.unit_at == 100


async def test_a_share_and_a_line_are_gone_to() -> None:
    async with reading(LONG) as (_, pilot):
        await pilot.press("number_sign", *"100%", "enter")
        await wait_until(pilot, lambda: "Heading 100" in screen_text(pilot))
        await pilot.press("number_sign", "colon", "1", "enter")
        await wait_until(pilot, lambda: "Paragraph 1 of many" in screen_text(pilot))


async def test_what_is_no_place_is_said_and_escape_stays() -> None:
    async with reading(LONG) as (app, pilot):
        await pilot.press("number_sign", *"999", "enter")
        await wait_until(pilot, lambda: "There is no 999: the text has 200 units." in screen_text(pilot))
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is app.screen_stack[0])
        assert app.document.top_offset == 0


async def test_the_outline_gets_shorter_as_one_types_and_goes_to_a_heading() -> None:
    async with reading(LONG) as (app, pilot):
        await pilot.press("O")
        await wait_until(pilot, lambda: "100 headings" in screen_text(pilot))
        await pilot.press(*"heading 7")
        await wait_until(pilot, lambda: "19 of 100 headings" in screen_text(pilot))
        await pilot.press("down", "enter")
        await wait_until(pilot, lambda: app.screen is app.screen_stack[0])
        assert "Heading 17" in LONG[app.document.top_offset :].split("\n")[0]


async def test_the_outline_begins_where_one_reads() -> None:
    async with reading(LONG) as (app, pilot):
        app.document.go_to(LONG.index("Heading 60"), above=0)
        await pilot.press("O")
        await wait_until(pilot, lambda: "100 headings" in screen_text(pilot))
        await pilot.press("down", "enter")
        await wait_until(pilot, lambda: app.screen is app.screen_stack[0])
        assert "Heading 61" in LONG[app.document.top_offset :].split("\n")[0]


async def test_a_text_without_headings_or_links_says_so() -> None:
    async with reading("Nothing here.") as (app, pilot):
        await pilot.press("O")
        await wait_until(pilot, lambda: "no headings" in app.said)
        await pilot.press("L")
        await wait_until(pilot, lambda: "no links" in app.said)


async def test_an_address_is_opened_only_after_it_was_shown_in_full(browser: Path) -> None:
    async with reading(LINKED) as (app, pilot):
        await pilot.press("L")
        await wait_until(pilot, lambda: "3 links" in screen_text(pilot))
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Open this address?" in screen_text(pilot))
        assert "https://a.example/one?x=1" in screen_text(pilot)
        assert "It is at a.example" in screen_text(pilot)
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is app.screen_stack[0])
        assert not browser.exists()
        await pilot.press("L")
        await wait_until(pilot, lambda: "3 links" in screen_text(pilot))
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Open this address?" in screen_text(pilot))
        await pilot.press("enter")
        await wait_until(pilot, browser.exists)
        assert browser.read_text(encoding="utf-8") == "https://a.example/one?x=1\n"


async def test_other_addresses_are_shown_but_not_opened(browser: Path) -> None:
    async with reading(LINKED) as (app, pilot):
        await pilot.press("L")
        await wait_until(pilot, lambda: "(not opened from here)" in screen_text(pilot))
        await pilot.press(*"mailto", "enter")
        await wait_until(pilot, lambda: "Only http and https" in app.said)
        assert not browser.exists()


async def test_the_page_goes_to_the_browser(browser: Path) -> None:
    async with reading("So $x^2$.") as (app, pilot):
        await pilot.press("o")
        await wait_until(pilot, browser.exists)
        (page,) = kept("pages")
        assert browser.read_text(encoding="utf-8").strip() == page.as_uri()
        assert "<msup>" in page.read_text(encoding="utf-8")
        await wait_until(pilot, lambda: page.name in app.said)


async def test_without_a_browser_it_is_said_where_the_page_is() -> None:
    async with reading("So $x^2$.") as (app, pilot):
        await pilot.press("o")
        await wait_until(pilot, lambda: "no screen for a browser" in app.said)
        (page,) = kept("pages")
        assert str(page) in app.said


async def test_files_are_called_what_the_text_is_called(browser: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "cat")
    async with reading("") as (app, pilot):
        app.document.read(own_words("Said by <b>Eve</b>.", name="c2-answer"))
        await pilot.press("o", "J", "C", "e")
        await wait_until(pilot, lambda: bool(browser.exists() and kept("copies") and kept("reading")))
        assert {one.name.rpartition("-")[0] for kind in Kind for one in kept(kind)} == {"c2-answer"}
        (page,) = kept("pages")
        assert "<title>c2 answer</title>" in page.read_text(encoding="utf-8")


async def test_a_copy_is_in_a_file_too() -> None:
    async with reading("First *one*.\n\nSecond.") as (app, pilot):
        await pilot.press("J", "C")
        await wait_until(pilot, lambda: "12 characters" in app.said)
        (copy,) = kept("copies")
        assert copy.read_text(encoding="utf-8") == "First *one*." == app.clipboard
        assert copy.stat().st_mode & 0o777 == 0o600
        assert str(copy) in app.said


async def test_where_the_terminal_can_not_be_handed_over_the_copy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PAGER", "cat")
    async with reading("A \x1b[2J text.") as (app, pilot):
        await pilot.press("e")
        await wait_until(pilot, lambda: "can't be handed over" in app.said)
        (copy,) = kept("reading")
        assert str(copy) in app.said
        assert copy.read_text(encoding="utf-8") == "A ␛[2J text."
