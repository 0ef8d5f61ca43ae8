"""The keys of a screen and those of the texts that are read on it live together."""

import pytest
from textual.binding import Binding
from textual.pilot import Pilot
from textual.screen import Screen

from tests.screens.conftest import bench, engine_of, opened
from tests.screens.waiting import screen_text, shown, wait_until
from uq_tui.engine.protocol import RunStarted
from uq_tui.screens.findings import FindingsScreen
from uq_tui.screens.keys import KeysModal, key_lines
from uq_tui.screens.ladders import LaddersScreen
from uq_tui.screens.neighbours import NeighboursScreen
from uq_tui.screens.questions import QuestionsScreen
from uq_tui.screens.reading.side_by_side import SideBySideScreen
from uq_tui.screens.utility import UtilityScreen
from uq_tui.screens.workbench import WorkbenchScreen
from uq_tui.screens.works_here import works_here
from uq_tui.state.desk import Desk
from uq_tui.widgets.document import Document
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.reading.keys import KEYS
from uq_tui.words import RunKind

SCREENS: tuple[type[Screen[None]], ...] = (
    QuestionsScreen,
    WorkbenchScreen,
    NeighboursScreen,
    FindingsScreen,
    UtilityScreen,
    LaddersScreen,
    SideBySideScreen,
)
FOR_A_WHILE = {"escape", "n"}
"""Keys that a text has only while something is searched or selected in it; Escape ends that."""
SIZE = (120, 40)


def keys_of(bindings: object) -> list[Binding]:
    assert isinstance(bindings, list)
    return [one for one in bindings if isinstance(one, Binding)]


@pytest.mark.parametrize("screen", SCREENS)
def test_no_text_hides_a_key_that_the_footer_of_its_screen_shows(screen: type[Screen[None]]) -> None:
    taken = {key for one in keys_of(KEYS) for key in one.key.split(",")} - FOR_A_WHILE
    hidden = [one.key for one in keys_of(screen.BINDINGS) if one.show and taken.issuperset(one.key.split(","))]
    assert hidden == []


@pytest.mark.parametrize("screen", SCREENS)
def test_no_screen_takes_a_key_from_the_texts_on_it(screen: type[Screen[None]]) -> None:
    assert [one.key for one in keys_of(screen.BINDINGS) if one.priority] == []


async def test_a_sheet_of_keys_is_grouped_and_scrolls_on_a_small_terminal(desk: Desk) -> None:
    async with bench(desk).run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "c1" in screen_text(pilot))
        assert list(key_lines(works_here(pilot.app.screen))) == ["Candidate list", "This screen"]
        pilot.app.screen.query_one("#text", Document).focus()
        await wait_until(pilot, lambda: footer(pilot).get("Find") == "/")
        lines = key_lines(works_here(pilot.app.screen))
        assert list(lines) == ["Reading", "Moving about", "Marking", "This screen"]
        assert ("↓ j", "Down", "One line down") in lines["Moving about"]
        assert ("v", "Validate", "Judge this candidate by the strategy") in lines["This screen"]
        assert not {"Cancel runs", "All columns"} & {name for _, name, _ in lines["This screen"]}
        pilot.app.push_screen(KeysModal("Workbench", lines))
        await shown(pilot, "Keys in Workbench", "Reading", "Search this text", "esc closes")
        await pilot.press("pagedown")
        await shown(pilot, "Marking", "One line up")
        await pilot.press("end")
        await shown(pilot, "Previous pane")
        await pilot.press("escape")
        await wait_until(pilot, lambda: not isinstance(pilot.app.screen, KeysModal))


def footer(pilot: Pilot[None]) -> dict[str, str]:
    """What the footer offers: the key of each action's name."""
    return {key.name: key.shown for key in pilot.app.screen.query_one(KeyFooter).keys}


async def test_a_text_with_the_focus_offers_its_few_keys_and_the_screens_others(desk: Desk) -> None:
    async with bench(desk).run_test(size=SIZE) as pilot:
        await opened(pilot)
        engine_of(desk).tell(RunStarted("t", "r", RunKind.VALIDATE, "3-iter"))
        await wait_until(pilot, lambda: footer(pilot).get("Cancel runs") == "k")
        assert not {"Find", "Source", "Page", "Outline"} & footer(pilot).keys()

        pilot.app.screen.query_one("#text", Document).focus()
        await wait_until(pilot, lambda: footer(pilot).get("Cancel runs") == "X")
        found = footer(pilot)
        assert [found[name] for name in ("Find", "Source", "Page", "Outline")] == ["/", "s", "o", "O"]
        await shown(pilot, "1234 Mark")
        await pilot.press("k")
        assert engine_of(desk).cancelled == []
        await pilot.press("X")
        assert engine_of(desk).cancelled == ["r"]


@pytest.mark.parametrize("size", [(80, 24), SIZE, (200, 60)])
async def test_w_reads_at_full_width_and_leaves(desk: Desk, size: tuple[int, int]) -> None:
    async with bench(desk).run_test(size=size) as pilot:
        await wait_until(pilot, lambda: "c1" in screen_text(pilot))
        screen = pilot.app.screen
        text, reply = screen.query_one("#text", Document), screen.query_one("#reply", Document)
        for leave in ("w", "escape"):
            await pilot.press("w")
            await wait_until(pilot, lambda: text.has_focus and footer(pilot).get("All columns") == "w")
            assert not screen.query_one("#left").display
            assert text.size.width >= (size[0] - 4) // (2 if size[0] >= 170 else 1)
            await pilot.press("right")
            await wait_until(pilot, lambda: reply.has_focus and reply.size.width >= size[0] - 4)
            await pilot.press("left", leave)
            await wait_until(pilot, lambda: text.has_focus and footer(pilot).get("Full width") == "w")
