"""Choosing a strategy in its dialog."""

import pytest
from textual.events import Paste
from textual.pilot import Pilot
from textual.widgets import Input

from tests.screens.conftest import SIZE, bench, opened
from tests.screens.waiting import screen_text, wait_until
from uq_tui.engine.requests import ModelChoice
from uq_tui.state.desk import Desk
from uq_tui.state.strategy.choice import StrategyChoice
from uq_tui.words import DecisionForm


async def dialog(pilot: Pilot[None]) -> None:
    """Open it from the workbench."""
    await opened(pilot)
    await pilot.press("y")
    await wait_until(pilot, lambda: "on one line" in screen_text(pilot))


def line(pilot: Pilot[None]) -> Input:
    return pilot.app.screen.query_one("#notation", Input)


async def test_a_strategy_of_the_list_is_taken_by_enter(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await dialog(pilot)
        assert line(pilot).value.startswith("cycle_consistency r3")
        await pilot.press("home")
        await wait_until(pilot, lambda: "1 call for a candidate" in screen_text(pilot))
        assert line(pilot).value == "vanilla"
        await pilot.press("enter")
        await wait_until(pilot, lambda: "v: Vanilla" in screen_text(pilot))
        assert desk.strategy == StrategyChoice("vanilla", "Vanilla")
        assert desk.own_strategies == ()


async def test_escape_keeps_the_present_one(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await dialog(pilot)
        await pilot.press("home", "escape")
        await wait_until(pilot, lambda: "on one line" not in screen_text(pilot))
        assert desk.strategy == StrategyChoice()


async def test_what_is_wrong_with_a_line_is_marked_as_it_is_typed(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await dialog(pilot)
        line(pilot).focus()
        line(pilot).value = ""
        await pilot.press(*"relevance x3 maj")
        await wait_until(pilot, lambda: "Did you mean majority?" in screen_text(pilot))
        lines = screen_text(pilot).splitlines()
        mark = next(number for number, text in enumerate(lines) if text[: SIZE[0] - 4].strip().endswith("^"))
        assert lines[mark - 1][lines[mark].index("^") :].startswith("maj")
        await pilot.press("enter")
        assert "on one line" in screen_text(pilot)
        await pilot.press(*"ority")
        await wait_until(pilot, lambda: "2–3 calls for a candidate" in screen_text(pilot))
        await pilot.press("enter")
        await wait_until(pilot, lambda: desk.strategy.strategy == "relevance x3 majority")
        assert desk.own_strategies == ("relevance x3 majority",)
    again = bench(desk)
    async with again.run_test(size=SIZE) as pilot:
        await dialog(pilot)
        assert "own line" in screen_text(pilot)


async def test_slots_get_models_and_the_same_twice_is_told(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await dialog(pilot)
        line(pilot).focus()
        line(pilot).value = "correctness @[1, 2] majority"
        await wait_until(pilot, lambda: "Slot 2 needs a model." in screen_text(pilot))
        await pilot.press("enter")
        second = pilot.app.screen.query_one("#slot-2", Input)
        assert pilot.app.screen.focused is second
        second.value = desk.model.id
        await wait_until(pilot, lambda: "would judge twice" in screen_text(pilot))
        second.value = "b/two http://127.0.0.1:9/v1"
        await wait_until(pilot, lambda: "would judge twice" not in screen_text(pilot))
        await pilot.press("tab", "a", "tab", "e", "enter")
        await wait_until(pilot, lambda: desk.strategy.exact)
        assert desk.strategy == StrategyChoice(
            "correctness @[1, 2] majority",
            "correctness @[1, 2] majority",
            more_models=(ModelChoice("b/two", "http://127.0.0.1:9/v1"),),
            exact=True,
            form=DecisionForm.EXACT,
        )


@pytest.mark.parametrize("text", ["correctness x5 majority", "no such thing"])
async def test_enter_in_the_list_takes_what_is_stood_on_whatever_the_line_has_become(desk: Desk, text: str) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await dialog(pilot)
        await pilot.press("home")
        await wait_until(pilot, lambda: line(pilot).value == "vanilla")
        line(pilot).value = text
        await wait_until(pilot, lambda: "1 call for a candidate" not in screen_text(pilot))
        await pilot.press("enter")
        await wait_until(pilot, lambda: "v: Vanilla" in screen_text(pilot))
        assert desk.strategy == StrategyChoice("vanilla", "Vanilla")


async def test_a_pasted_strategy_of_several_lines_is_taken_whole(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=SIZE) as pilot:
        await dialog(pilot)
        line(pilot).focus()
        line(pilot).value = "relevance"
        line(pilot).action_end()
        line(pilot).post_message(Paste(" => fact_logic\n  =>\tcorrectness\r\nx3 majority\n"))
        await wait_until(pilot, lambda: line(pilot).value == "relevance => fact_logic => correctness x3 majority")
        line(pilot).select_all()
        line(pilot).post_message(Paste("\n\n"))
        await wait_until(pilot, lambda: line(pilot).value == "")


async def test_everything_can_be_reached_on_a_small_terminal(desk: Desk) -> None:
    host = bench(desk)
    async with host.run_test(size=(80, 24)) as pilot:
        await wait_until(pilot, lambda: "c1" in screen_text(pilot))
        await pilot.press("y")
        await wait_until(pilot, lambda: "on one line" in screen_text(pilot))
        await pilot.press("shift+tab")
        await wait_until(pilot, lambda: "tagged line" in screen_text(pilot))
