from store import runs
from tests.screens.conftest import Host, engine_of
from tests.screens.waiting import screen_text, wait_until
from uq_tui.engine.protocol import RunFinished, RunProgress, RunStarted
from uq_tui.screens.runs import RunsScreen
from uq_tui.state.desk import Desk
from uq_tui.words import RunKind, RunState


async def test_without_runs_it_says_how_to_start_one(desk: Desk) -> None:
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        await wait_until(pilot, lambda: "No runs yet" in screen_text(pilot))


async def test_a_running_run_shows_its_counts_and_is_cancelled_by_key(desk: Desk) -> None:
    run = runs.create(desk.workspace, RunKind.VALIDATE, "3-iter: 2 candidates", {}, 2)
    runs.set_state(desk.workspace, run.id, RunState.RUNNING)
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        await wait_until(pilot, lambda: "3-iter: 2 candidates" in screen_text(pilot))
        engine_of(desk).tell(RunStarted("t", run.id, RunKind.VALIDATE, "3-iter: 2 candidates"))
        engine_of(desk).tell(RunProgress(run.id, 1, 2, 7, 3, 0, None, 7))
        await wait_until(pilot, lambda: "1 of 2 units, 7 calls asked, 3 remembered" in screen_text(pilot))
        assert "cost unknown" in screen_text(pilot)
        await wait_until(pilot, lambda: "k cancels it" in screen_text(pilot))
        await pilot.press("k", "r")
        assert (engine_of(desk).cancelled, engine_of(desk).resumed) == ([run.id], [])


async def test_a_failed_run_says_why_and_is_resumed_by_key(desk: Desk) -> None:
    run = runs.create(desk.workspace, RunKind.CBU, "utility", {}, 1)
    runs.set_state(desk.workspace, run.id, RunState.FAILED, "A key is missing: [SOME_KEY].")
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        await wait_until(pilot, lambda: "A key is missing: [SOME_KEY]." in screen_text(pilot))
        await pilot.press("k", "r")
        assert (engine_of(desk).cancelled, engine_of(desk).resumed) == ([], [run.id])


async def test_the_end_of_a_run_is_read_from_the_store(desk: Desk) -> None:
    run = runs.create(desk.workspace, RunKind.GENERATE, "1 answer", {}, 1)
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        await wait_until(pilot, lambda: "queued" in screen_text(pilot))
        runs.set_state(desk.workspace, run.id, RunState.DONE, "1 answer made.")
        engine_of(desk).tell(RunFinished(run.id, RunState.DONE, "1 answer made."))
        await wait_until(pilot, lambda: "done" in screen_text(pilot) and "1 answer made." in screen_text(pilot))
