"""The line in which one types what to find."""

from textual import on
from textual.app import ComposeResult
from textual.events import Key
from textual.pilot import Pilot
from textual.screen import Screen
from textual.widgets import Input

from tests.screens.conftest import Host
from tests.screens.waiting import shown, wait_until
from uq_tui.screens.reading.find import FindPrompt
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.widgets.document import Document
from uq_tui.widgets.reading.messages import Tool, Wanted

SIZE = (80, 24)
SOURCE = "\n\n".join(
    f"Step {n}: {'the *lemma* is used' if n % 20 == 7 else 'we go on'}, and $x_{{{n}}} > 0$." for n in range(100)
)


class Reading(Screen[None]):
    """One document, and the prompt when it asks for it."""

    def compose(self) -> ComposeResult:
        yield Document()

    def on_mount(self) -> None:
        self.query_one(Document).show(SOURCE)

    @on(Wanted)
    def _wanted(self, event: Wanted) -> None:
        if event.tool is Tool.FIND:
            self.app.push_screen(FindPrompt(event.document))


def document(pilot: Pilot[None]) -> Document:
    return pilot.app.screen_stack[1].query_one(Document)


def in_sight(pilot: Pilot[None], word: str) -> bool:
    """Whether the paragraph with this word is near the top."""
    found = document(pilot)
    return word in found.source[found.top_offset : found.top_offset + 600]


async def prompt(pilot: Pilot[None]) -> None:
    await shown(pilot, "Step 0")
    await pilot.press("slash")
    await wait_until(pilot, lambda: isinstance(pilot.app.screen, FindPrompt))


async def test_it_searches_as_one_types_and_enter_keeps() -> None:
    async with Host(Reading()).run_test(size=SIZE) as pilot:
        await prompt(pilot)
        await pilot.press(*"lemma")
        await shown(pilot, "1 of 5", "Find in the source", "⏎ Keep", "↓↑ Next", "esc Back")
        await wait_until(pilot, lambda: in_sight(pilot, "Step 7:"))
        await pilot.press("down", "down")
        await shown(pilot, "3 of 5")
        await wait_until(pilot, lambda: in_sight(pilot, "Step 47:"))
        await pilot.press("up", "enter")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Reading))
        assert document(pilot).finding.counts == "2 of 5"
        assert len(document(pilot).highlights.ranges(Layer.FOUND)) == 5
        await pilot.press("n")
        await wait_until(pilot, lambda: in_sight(pilot, "Step 47:"))


async def test_what_is_drawn_otherwise_is_found_in_the_source() -> None:
    async with Host(Reading()).run_test(size=SIZE) as pilot:
        await prompt(pilot)
        await pilot.press("x", "underscore", "{", "5", "5", "}")
        await shown(pilot, "1 of 1")
        await wait_until(pilot, lambda: in_sight(pilot, "Step 55:"))


async def test_escape_goes_back_to_the_place() -> None:
    async with Host(Reading()).run_test(size=SIZE) as pilot:
        await shown(pilot, "Step 0")
        await pilot.press("space", "space")
        await wait_until(pilot, lambda: document(pilot).top_offset > 0)
        place = document(pilot).top_offset
        await pilot.press("slash")
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, FindPrompt))
        await pilot.press(*"step", "space", *"87")
        await wait_until(pilot, lambda: in_sight(pilot, "Step 87:"))
        await pilot.press("escape")
        await wait_until(pilot, lambda: document(pilot).top_offset == place)
        assert document(pilot).finding.counts == ""
        assert not document(pilot).highlights.ranges(Layer.FOUND)


async def test_what_is_typed_ahead_of_its_end_changes_no_search() -> None:
    async with Host(Reading()).run_test(size=SIZE) as pilot:
        await prompt(pilot)
        await pilot.press(*"lemma")
        await shown(pilot, "1 of 5")
        query = pilot.app.screen.query_one(Input)
        query.post_message(Key("enter", "\r"))
        query.post_message(Key("n", "n"))
        await wait_until(pilot, lambda: isinstance(pilot.app.screen, Reading) and not query.is_attached)
        assert document(pilot).finding.counts == "1 of 5"


async def test_what_is_not_there_is_said() -> None:
    async with Host(Reading()).run_test(size=SIZE) as pilot:
        await prompt(pilot)
        await pilot.press(*"zebra")
        await shown(pilot, "not found")
