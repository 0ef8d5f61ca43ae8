"""What stops a run: the user, the session's end, another process."""

import asyncio

import pytest

from store import runs
from tests.engine.process.fakes import new_run, until
from tests.engine.process.session_bench import REQUEST, Engine, started_and_holding
from uq_tui.engine.protocol import RunFinished
from uq_tui.engine.spec import RunContext
from uq_tui.errors import RunHeldError
from uq_tui.words import RunState


async def test_cancelling_ends_the_run(engine: Engine) -> None:
    run_id = await started_and_holding(engine)

    await engine.session.cancel(run_id)

    run = runs.get(engine.ws, run_id)
    assert run.state is RunState.CANCELLED
    assert run.message == "Cancelled: 0 of 2 answers generated."
    assert engine.provider.closed == ["b"]
    assert engine.events[-1] == RunFinished(run_id, RunState.CANCELLED, run.message)
    assert runs.interrupted(engine.ws) == ()


async def test_cancelling_at_once_ends_the_run(engine: Engine) -> None:
    run_id = await engine.session.start("t", REQUEST)

    await engine.session.cancel(run_id)

    assert runs.get(engine.ws, run_id).state in (RunState.CANCELLED, RunState.DONE)
    assert isinstance(engine.events[-1], RunFinished)


async def test_cancelling_twice_is_cancelling(engine: Engine) -> None:
    run_id = await started_and_holding(engine)

    await asyncio.gather(engine.session.cancel(run_id), engine.session.cancel(run_id))
    await engine.session.cancel(run_id)

    assert [event.state for event in engine.seen(RunFinished)] == [RunState.CANCELLED]


async def test_cancelling_while_the_end_is_recorded_does_not_lose_it(engine: Engine) -> None:
    cancelling: list[asyncio.Task[None]] = []

    async def work(ctx: RunContext) -> None:
        cancelling.append(asyncio.create_task(engine.session.cancel(ctx.run_id)))

    engine.job.work = work
    run = await engine.done()
    await cancelling[0]

    assert run.state is RunState.DONE
    assert [event.state for event in engine.seen(RunFinished)] == [RunState.DONE]


async def test_a_finished_run_stays_as_it_is(engine: Engine) -> None:
    run = await engine.done()

    await engine.session.cancel(run.id)

    assert runs.get(engine.ws, run.id) == run


async def test_an_interrupted_run_can_be_given_up(engine: Engine) -> None:
    run = new_run(engine.ws)
    runs.set_state(engine.ws, run.id, RunState.INTERRUPTED)

    await engine.session.cancel(run.id)

    assert runs.get(engine.ws, run.id).state is RunState.CANCELLED
    assert engine.seen(RunFinished)[-1].state is RunState.CANCELLED


async def test_closing_interrupts_runs_so_that_they_can_go_on(engine: Engine) -> None:
    run_id = await started_and_holding(engine)

    await engine.session.close()

    assert runs.get(engine.ws, run_id).state is RunState.INTERRUPTED
    assert [run.id for run in runs.interrupted(engine.ws)] == [run_id]
    assert engine.provider.closed == ["b"]
    assert engine.models.closed


async def test_a_closed_session_starts_nothing(engine: Engine) -> None:
    await engine.session.close()

    with pytest.raises(RunHeldError):
        await engine.session.start("t", REQUEST)
    with pytest.raises(RunHeldError):
        await engine.session.resume(new_run(engine.ws).id)


async def test_a_session_that_closes_may_leave_its_runs_to_the_next_one(engine: Engine) -> None:
    run_id = await started_and_holding(engine)

    await engine.session.close(leave_as=RunState.QUEUED)

    run = runs.get(engine.ws, run_id)
    assert run.state is RunState.QUEUED
    assert run.message.startswith("Interrupted: ")
    assert [run.id for run in runs.cut_short(engine.ws)] == [run_id]


async def test_a_run_taken_by_another_process_is_dropped_without_a_trace(engine: Engine) -> None:
    run_id = await started_and_holding(engine)
    await until(lambda: runs.get(engine.ws, run_id).asked)  # written a little after the call has finished
    runs.release(engine.ws, run_id, engine.session._leases.owner)
    assert runs.claim(engine.ws, run_id, "another process")
    before = runs.get(engine.ws, run_id)

    engine.session._stop_taken(run_id)
    await engine.session.wait(run_id)

    assert runs.get(engine.ws, run_id) == before
    assert engine.seen(RunFinished) == [
        RunFinished(run_id, RunState.INTERRUPTED, "Another uq-tui has taken this run over.")
    ]
    assert not runs.claim(engine.ws, run_id, "third")
