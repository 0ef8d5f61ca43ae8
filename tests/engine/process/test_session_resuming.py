"""Runs that go on: what is asked again, what starts by itself, and whose a run is."""

import asyncio

import pytest

from store import marks, runs
from store.marks import Mark
from tests.engine.process.fakes import new_run, until
from tests.engine.process.session_bench import LOG, Engine, started_and_holding
from uq_tui.config import Config
from uq_tui.engine.protocol import RunStarted
from uq_tui.engine.session import EngineSession
from uq_tui.errors import RunHeldError
from uq_tui.words import RunKind, RunState


async def test_a_resumed_run_asks_only_what_is_missing(engine: Engine) -> None:
    run_id = await started_and_holding(engine)
    await engine.session.close()
    engine.provider.release()
    engine.events.clear()

    next_session = EngineSession(engine.ws, Config(), engine.events.append, log=LOG)
    await next_session.resume(run_id)
    run = await next_session.wait(run_id)
    await next_session.close()

    assert run.state is RunState.DONE
    assert engine.provider.sent == ["a", "b", "b"]
    assert (run.asked, run.remembered, run.repeated, run.cost_usd) == (2, 0, 1, 0.5)
    assert engine.events[0] == RunStarted("", run_id, RunKind.GENERATE, "a title")


async def test_a_run_after_a_kill_says_how_many_calls_were_repeated(engine: Engine) -> None:
    run = runs.create(engine.ws, RunKind.GENERATE, "killed", {"epoch": 0}, 2)
    runs.set_state(engine.ws, run.id, RunState.RUNNING)
    marks.put(engine.ws, [Mark(run.id, key) for key in ["in flight 1", "in flight 2"]])

    await engine.session.resume(run.id)
    run = await engine.session.wait(run.id)

    assert run.repeated == 2
    assert "2 calls were in flight when the run stopped, and asked again." in run.message


async def test_resuming_what_is_under_way_changes_nothing(engine: Engine) -> None:
    run_id = await started_and_holding(engine)

    await engine.session.resume(run_id)
    engine.provider.release()
    await engine.session.wait(run_id)

    assert len(engine.seen(RunStarted)) == 1


async def test_resuming_twice_at_once_runs_once(engine: Engine) -> None:
    run = new_run(engine.ws)

    await asyncio.gather(engine.session.resume(run.id), engine.session.resume(run.id))
    await engine.session.wait(run.id)

    assert len(engine.seen(RunStarted)) == 1


async def test_a_run_held_elsewhere_is_left_alone(engine: Engine) -> None:
    run = new_run(engine.ws)
    assert runs.claim(engine.ws, run.id, "another process")

    with pytest.raises(RunHeldError, match="Another uq-tui"):
        await engine.session.resume(run.id)
    with pytest.raises(RunHeldError):
        await engine.session.cancel(run.id)

    assert await engine.session.resume_interrupted() == ()
    assert runs.get(engine.ws, run.id) == run
    assert engine.events == []


async def test_a_successor_of_the_same_name_goes_on_at_once(engine: Engine) -> None:
    run = new_run(engine.ws)
    assert runs.claim(engine.ws, run.id, "name")

    successor = EngineSession(engine.ws, Config(), engine.events.append, log=LOG, owner="name")
    await successor.resume(run.id)

    assert (await successor.wait(run.id)).state is RunState.DONE
    await successor.close()


async def test_what_a_dead_process_of_the_same_name_held_is_resumed_at_once(engine: Engine) -> None:
    run, others = new_run(engine.ws), new_run(engine.ws)
    assert runs.claim(engine.ws, run.id, "name")
    assert runs.claim(engine.ws, others.id, "another")

    successor = EngineSession(engine.ws, Config(), engine.events.append, log=LOG, owner="name")

    assert await successor.resume_interrupted() == (run.id,)
    assert (await successor.wait(run.id)).state is RunState.DONE
    await successor.close()


async def test_all_that_was_cut_short_is_resumed(engine: Engine) -> None:
    cut_short = [new_run(engine.ws) for _ in range(2)]
    runs.set_state(engine.ws, cut_short[1].id, RunState.RUNNING)
    runs.set_state(engine.ws, new_run(engine.ws).id, RunState.CANCELLED)

    resumed = await engine.session.resume_interrupted()

    assert resumed == tuple(run.id for run in cut_short)
    for run in cut_short:
        assert (await engine.session.wait(run.id)).state is RunState.DONE


async def test_what_the_user_has_stopped_starts_only_when_asked(engine: Engine) -> None:
    run = new_run(engine.ws)
    runs.set_state(engine.ws, run.id, RunState.INTERRUPTED)

    assert await engine.session.resume_interrupted() == ()

    await engine.session.resume(run.id)
    assert (await engine.session.wait(run.id)).state is RunState.DONE


async def test_a_run_that_is_resumed_while_it_ends_is_resumed(engine: Engine) -> None:
    run_id = await started_and_holding(engine)
    ending = asyncio.create_task(engine.session.cancel(run_id))
    await until(lambda: engine.session._active[run_id].stopped_as)

    await engine.session.resume(run_id)
    engine.provider.release()

    assert (await engine.session.wait(run_id)).state is RunState.DONE
    await ending
