"""Two runs side by side."""

from collections.abc import Sequence

import pytest

from store import candidates, exposures
from tests.judged_runs import THREE_ITER, begun_run, judged_run, three_iter
from tests.screens.conftest import Host, engine_of, ids
from tests.screens.waiting import screen_text, shown, wait_until
from uq_tui.engine.protocol import OutcomeDecided, RunStarted, StageStarted
from uq_tui.engine.requests import ValidateRequest
from uq_tui.screens.ladders import LaddersScreen
from uq_tui.state.desk import Desk
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import Exposure, Outcome, RunKind

SIZE = (120, 40)


def judged(desk: Desk, stages: Sequence[str]) -> Host:
    """The screen on c1, judged by 3-Iter as often as there are `stages`, each time by another model."""
    chosen = ids(desk)[0]
    for number, one in enumerate(stages):
        judged_run(desk.workspace, chosen, THREE_ITER, three_iter(one), model=f"m/number-{number}")
    return Host(LaddersScreen(desk, candidates.get(desk.workspace, chosen), TitleBar()))


async def test_two_runs_stand_side_by_side_with_totals_and_differences(desk: Desk) -> None:
    host = judged(desk, ("aaa", "ars"))
    async with host.run_test(size=SIZE) as pilot:
        await shown(pilot, "by m/number-0", "by m/number-1", "10 calls, 12,040 tokens", "6 calls, 7,224 tokens")
        marked = [line for line in screen_text(pilot).splitlines() if "≠" in line]
        assert any("≠ ✓ accept" in line and "≠ ✗ reject" in line for line in marked)
        assert not any("cycle consistency" in line for line in marked)


async def test_the_reply_is_that_of_the_rung_stood_on_in_the_ladder_with_the_focus(desk: Desk) -> None:
    host = judged(desk, ("aaa", "ars"))
    async with host.run_test(size=SIZE) as pilot:
        await shown(pilot, "by m/number-0")
        await pilot.press("end")
        await shown(pilot, "Left: Reply 1 of 1", "Reply at correctness/3.")
        await pilot.press("right", "home", "down", "down", "[")
        await shown(pilot, "Right: Reply 1 of 2 [ ]: inferred question", "Inferred at cycle_consistency/1.")
        await pilot.press("p")
        await shown(pilot, "Right: Prompt 1 of 2", "Judge *this* ```answer```.")
        await pilot.press("left")
        await shown(pilot, "Left: Reply 1 of 1", "Reply at correctness/3.")


async def test_other_runs_are_picked_for_either_side(desk: Desk) -> None:
    host = judged(desk, ("aaa", "aau", "ars"))
    async with host.run_test(size=SIZE) as pilot:
        await shown(pilot, "by m/number-1", "by m/number-2")
        await pilot.press("1")
        await shown(pilot, "Run on the left", "3-Iter by m/number-0")
        await pilot.press("end", "enter")
        await wait_until(pilot, lambda: "by m/number-1" not in screen_text(pilot))
        await shown(pilot, "by m/number-0", "by m/number-2")


async def test_another_strategy_is_started_from_here_and_grows_on_the_right(desk: Desk) -> None:
    host = judged(desk, ("aaa",))
    async with host.run_test(size=SIZE) as pilot:
        await shown(pilot, "No other run has judged this candidate.")
        await pilot.press("v")
        await shown(pilot, "on one line")
        await pilot.press("home", "enter")
        await wait_until(pilot, lambda: bool(engine_of(desk).requests))
        engine, chosen = engine_of(desk), ids(desk)[0]
        assert engine.requests == [ValidateRequest((chosen,), desk.model, "vanilla")]
        run = begun_run(desk.workspace, "vanilla", title="Vanilla", model="m/new")
        engine.tell(RunStarted("ticket-1", run.id, RunKind.VALIDATE, "x"), StageStarted(run.id, chosen, ""))
        engine.tell(OutcomeDecided(run.id, chosen, "vanilla", Outcome.REJECT, "", ""))
        await shown(pilot, "◌ running", "✗ reject")


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_arrows_go_round_both_ladders_and_the_reply(desk: Desk, size: tuple[int, int]) -> None:
    host = judged(desk, ("aaa", "ars"))
    async with host.run_test(size=size) as pilot:
        await shown(pilot, "by m/number-0")
        seen = []
        for _ in range(4):
            await pilot.press("right")
            seen.append(host.screen.focused.id if host.screen.focused is not None else None)
        assert seen == ["right", "reply", "left", "right"]
        await shown(pilot, "by m/number-1")


async def test_outcomes_seen_here_are_logged(desk: Desk) -> None:
    host = judged(desk, ("aaa", "ars"))
    async with host.run_test(size=SIZE) as pilot:
        await shown(pilot, "by m/number-0")

        def logged() -> bool:
            rows = exposures.of_candidate(desk.workspace, desk.reviewer.id, ids(desk)[0])
            return [(row.what, row.where) for row in rows] == [(Exposure.OUTCOMES, "ladders")]

        await wait_until(pilot, logged)


async def test_escape_goes_back(desk: Desk) -> None:
    host = judged(desk, ("aaa",))
    async with host.run_test(size=SIZE) as pilot:
        await shown(pilot, "by m/number-0")
        await pilot.press("escape")
        await wait_until(pilot, lambda: not isinstance(host.screen, LaddersScreen))
