from store import runs
from tests.screens.conftest import Host, engine_of
from tests.screens.waiting import screen_text, wait_until
from uq_tui.engine.protocol import EventsLost, RunFinished, RunProgress, RunStarted, WorkerHeard, WorkerSilent
from uq_tui.screens.runs import RunsScreen
from uq_tui.state.desk import Desk
from uq_tui.words import RunKind, RunState


async def test_without_runs_it_says_how_to_start_one(desk: Desk) -> None:
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        await wait_until(pilot, lambda: "No runs yet" in screen_text(pilot))


async def test_a_running_run_shows_its_counts_and_is_cancelled_by_key(desk: Desk) -> None:
    run = runs.create(desk.workspace, RunKind.VALIDATE, "3-iter: 2 candidates", {}, 2)
    assert runs.claim(desk.workspace, run.id, engine_of(desk).owner)
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
    assert runs.claim(desk.workspace, run.id, "the worker")
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        await wait_until(pilot, lambda: "queued" in screen_text(pilot))
        runs.set_state(desk.workspace, run.id, RunState.DONE, "1 answer made.")
        engine_of(desk).tell(RunFinished(run.id, RunState.DONE, "1 answer made."))
        await wait_until(pilot, lambda: "done" in screen_text(pilot) and "1 answer made." in screen_text(pilot))


async def test_a_run_whose_process_died_is_shown_as_interrupted_and_can_be_resumed(desk: Desk) -> None:
    run = runs.create(desk.workspace, RunKind.GENERATE, "1 answer", {}, 1)
    runs.set_state(desk.workspace, run.id, RunState.RUNNING)
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        await wait_until(pilot, lambda: "interrupted" in screen_text(pilot))
        await pilot.press("k", "r")
        assert (engine_of(desk).cancelled, engine_of(desk).resumed) == ([], [run.id])


async def test_a_silent_engine_is_said_over_the_runs_until_it_answers(desk: Desk) -> None:
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        await wait_until(pilot, lambda: "No runs yet" in screen_text(pilot))
        assert "engine" not in screen_text(pilot)
        engine_of(desk).tell(WorkerSilent(10))
        await wait_until(pilot, lambda: "The engine has not answered for 10 s. E restarts it" in screen_text(pilot))
        engine_of(desk).tell(WorkerHeard())
        await wait_until(pilot, lambda: "engine" not in screen_text(pilot))


async def test_what_lost_events_would_have_told_is_read_from_the_store(desk: Desk) -> None:
    ws, engine = desk.workspace, engine_of(desk)
    ended, going_on = (
        runs.create(ws, RunKind.VALIDATE, title, {}, 9) for title in ("an ended run", "one that goes on")
    )
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        engine.tell(
            RunStarted("t", ended.id, RunKind.VALIDATE, ended.title), RunProgress(ended.id, 1, 9, 1, 0, 0, 0.5, 0)
        )
        await wait_until(pilot, lambda: "1 of 9 units" in screen_text(pilot))
        runs.add_counts(ws, ended.id, done=9, asked=40, cost_usd=2.0)
        runs.set_state(ws, ended.id, RunState.DONE, "9 candidates validated.")
        assert runs.claim(ws, going_on.id, engine.owner)
        runs.set_state(ws, going_on.id, RunState.RUNNING)
        runs.add_counts(ws, going_on.id, done=2, asked=7, cost_usd=1.0)
        engine.tell(EventsLost())
        await wait_until(pilot, lambda: "9 of 9 units, 40 calls asked" in screen_text(pilot))
        assert "2 of 9 units, 7 calls asked" in screen_text(pilot)
        assert desk.active == {going_on.id: "one that goes on"}
        assert desk.spend.text() == "$3.00"


async def test_a_run_goes_on_with_a_budget(desk: Desk) -> None:
    run = runs.create(desk.workspace, RunKind.GENERATE, "9 answers", {}, 9, budget_usd=0.5)
    runs.set_state(desk.workspace, run.id, RunState.FAILED, "The run stopped before it could exceed its budget.")
    runs.add_counts(desk.workspace, run.id, cost_usd=0.48, tokens=1200, retried=3)
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(110, 24)) as pilot:
        await wait_until(pilot, lambda: "3 attempts made again" in screen_text(pilot))
        assert "1,200 tokens, $0.4800 of $0.5000" in screen_text(pilot)
        await pilot.press("b")
        await wait_until(pilot, lambda: "$0.4800 of $0.5000 so far" in screen_text(pilot))
        await pilot.press(*"2.5", "tab", *"x1", "enter")
        await wait_until(pilot, lambda: "tokens a whole number" in screen_text(pilot))
        assert engine_of(desk).resumed == []
        await pilot.press("backspace", "backspace", *"9000", "enter")
        await wait_until(pilot, lambda: bool(engine_of(desk).resumed))
    assert engine_of(desk).resumed == [run.id]
    assert engine_of(desk).budgets == [(2.5, 9000)]


async def test_a_run_that_asked_nothing_has_no_unknown_cost(desk: Desk) -> None:
    runs.create(desk.workspace, RunKind.GENERATE, "1 answer", {}, 1, budget_usd=0.5)
    runs.create(desk.workspace, RunKind.GENERATE, "2 answers", {}, 2)
    host = Host(RunsScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        await wait_until(pilot, lambda: "0 calls asked, $0.0000 of $0.5000" in screen_text(pilot))
        assert "0 calls asked, no cost" in screen_text(pilot)
        assert "unknown" not in screen_text(pilot)
