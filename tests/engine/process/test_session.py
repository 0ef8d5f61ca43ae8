import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path

import pytest

from store import marks, runs
from store.marks import Mark, Used
from store.workspace import Workspace
from tests.engine.process.fakes import UNUSABLE, FakeProvider, ask, failure, new_run, reply, until
from tests.engine.process.session_bench import REQUEST, Engine, FakeJob, FakeModels
from uq_tui.config import Config
from uq_tui.engine import session as session_module
from uq_tui.engine.protocol import (
    CallFinished,
    CallStarted,
    EngineProblem,
    Event,
    RunFinished,
    RunProgress,
    RunStarted,
    TextDelta,
)
from uq_tui.engine.session import EngineSession
from uq_tui.engine.spec import RunContext
from uq_tui.errors import ModelError, NotFoundError, RunHeldError, StoreError
from uq_tui.words import RunKind, RunState

LOG = Path("/logs/engine.log")


@pytest.fixture
async def engine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Engine]:
    ws = Workspace.open(tmp_path / "test.uq.sqlite")
    provider, job = FakeProvider(), FakeJob()
    models = FakeModels(provider)
    monkeypatch.setattr(session_module, "Models", lambda *_: models)
    monkeypatch.setattr(session_module, "JOBS", dict.fromkeys(RunKind, job))
    events: list[Event] = []
    made = Engine(ws, provider, models, job, EngineSession(ws, Config(), events.append, log=LOG, audience=True), events)
    yield made
    await made.session.close()
    ws.close()


async def test_a_run_goes_from_start_to_done(engine: Engine) -> None:
    run = await engine.done()

    assert (run.state, run.title, run.message) == (RunState.DONE, "a title", "2 answers generated.")
    assert (run.done, run.total, run.asked, run.cost_usd) == (2, 2, 2, 0.5)
    assert run.finished_at is not None
    assert engine.events[0] == RunStarted("t", run.id, RunKind.GENERATE, "a title")
    assert engine.events[-1] == RunFinished(run.id, RunState.DONE, run.message)
    assert engine.seen(RunProgress)[-1].asked == 2


async def test_the_end_is_stored_before_it_is_told(engine: Engine) -> None:
    states: list[RunState] = []

    def look(event: Event) -> None:
        if isinstance(event, RunFinished):
            states.append(runs.get(engine.ws, event.run_id).state)

    session = EngineSession(engine.ws, Config(), look, log=LOG)
    await session.wait(await session.start("t", REQUEST))
    await session.close()

    assert states == [RunState.DONE]


async def test_a_request_that_cannot_be_pinned_starts_nothing(engine: Engine) -> None:
    engine.job.refusal = NotFoundError("no such question")

    with pytest.raises(NotFoundError):
        await engine.session.start("t", REQUEST)

    assert runs.recent(engine.ws) == ()
    assert engine.events == []


async def test_runs_started_at_once_see_each_other_when_they_are_pinned(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    known: list[int] = []

    def pin(ws: Workspace, request: object) -> tuple[str, dict[str, int], int]:
        known.append(len(runs.recent(ws)))
        return "a title", {"epoch": 0}, 2

    monkeypatch.setattr(engine.job, "pin", pin)
    await asyncio.gather(*(engine.session.start("t", REQUEST) for _ in range(3)))
    assert known == [0, 1, 2]


async def test_how_replies_are_drawn_is_pinned_for_the_model_or_for_each_that_is_named(engine: Engine) -> None:
    alone = await engine.done()
    engine.job.spec = {"epoch": 0, "models": [{"id": "fake/two"}, {"id": "fake/three"}]}
    several = await engine.done()

    assert alone.spec["sampling"].keys() == {REQUEST.model.id}
    assert several.spec["sampling"].keys() == {"fake/two", "fake/three"}
    assert several.spec["sampling"]["fake/two"] == asdict(Config().model("fake/two").sampling)


async def test_the_job_gets_what_it_needs(engine: Engine) -> None:
    given: list[RunContext] = []

    async def look(ctx: RunContext) -> None:
        given.append(ctx)

    engine.job.work = look
    run = await engine.done()

    assert given[0].run_id == run.id
    assert given[0].spec["epoch"] == 0
    assert given[0].secret == engine.ws.secret
    assert engine.ws.secret.hex() not in repr(given[0])


async def test_an_expected_error_fails_the_run_with_its_hint(engine: Engine) -> None:
    async def fail(ctx: RunContext) -> None:
        raise ModelError("No key for m.", hint="Set M_KEY.")

    engine.job.work = fail
    run = await engine.done()

    assert run.state is RunState.FAILED
    assert run.message.splitlines()[:2] == ["No key for m.", "Set M_KEY."]


async def test_an_unusable_model_fails_the_run_not_each_call(engine: Engine) -> None:
    async def work(ctx: RunContext) -> None:
        await ctx.ask([ask("a", model=UNUSABLE)])

    engine.job.work = work
    run = await engine.done()

    assert run.state is RunState.FAILED
    assert run.message.startswith("No key for this model.\nSet FAKE_KEY.")
    assert engine.seen(CallFinished) == []


async def test_an_unexpected_error_is_logged_and_named(engine: Engine, caplog: pytest.LogCaptureFixture) -> None:
    async def fail(ctx: RunContext) -> None:
        raise ZeroDivisionError("secret detail")

    engine.job.work = fail
    with caplog.at_level(logging.ERROR):
        run = await engine.done()

    assert run.state is RunState.FAILED
    assert "ZeroDivisionError" in run.message
    assert str(LOG) in run.message
    assert "secret detail" not in run.message
    assert "Traceback" in caplog.text


async def test_failed_calls_are_told_in_the_message(engine: Engine) -> None:
    engine.provider.script = lambda text, attempt: (
        failure(message="no such model", retryable=False) if text == "b" else reply(text)
    )

    run = await engine.done()

    assert (run.state, run.failed) == (RunState.DONE, 1)
    assert run.message.splitlines()[1] == "1 call failed (1 server), the first with: no such model"


async def started_and_holding(engine: Engine) -> str:
    """A run that has one call done and one streaming."""
    engine.provider.hold("b")
    run_id = await engine.session.start("t", REQUEST)
    await engine.provider.until_sent("a", "b")
    await until(lambda: engine.seen(CallFinished))
    return run_id


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


async def test_a_session_that_closes_may_leave_its_runs_to_the_next_one(engine: Engine) -> None:
    run_id = await started_and_holding(engine)

    await engine.session.close(leave_as=RunState.QUEUED)

    run = runs.get(engine.ws, run_id)
    assert run.state is RunState.QUEUED
    assert run.message.startswith("Interrupted: ")
    assert [run.id for run in runs.cut_short(engine.ws)] == [run_id]


async def test_unknown_runs_are_named(engine: Engine) -> None:
    for verb in (engine.session.resume, engine.session.cancel, engine.session.wait):
        with pytest.raises(NotFoundError):
            await verb("no such run")


async def test_a_run_taken_by_another_process_is_dropped_without_a_trace(engine: Engine) -> None:
    run_id = await started_and_holding(engine)
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


async def test_a_workspace_that_fails_is_told_though_it_cannot_be_stored(engine: Engine) -> None:
    async def lose_the_disk(ctx: RunContext) -> None:
        engine.ws.close()
        await ctx.ask([ask("a")])

    engine.job.work = lose_the_disk
    run_id = await engine.session.start("t", REQUEST)
    await until(lambda: engine.seen(RunFinished))

    assert engine.seen(RunFinished)[0].state is RunState.FAILED
    assert [problem.ticket for problem in engine.seen(EngineProblem)] == ["t"]
    assert run_id not in engine.session._active
    assert engine.session._leases._held == set()


@pytest.mark.parametrize("again", [False, True])
async def test_a_run_that_cannot_begin_is_not_held(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, again: bool
) -> None:
    def lose_the_disk(*_: object) -> Used:
        raise StoreError("The disk is gone.")

    run = new_run(engine.ws)
    monkeypatch.setattr(marks, "used", lose_the_disk)
    with pytest.raises(StoreError):
        await (engine.session.resume(run.id) if again else engine.session.start("t", REQUEST))

    assert engine.session._leases._held == set()
    assert engine.session._active == {}


async def test_a_run_that_is_resumed_while_it_ends_is_resumed(engine: Engine) -> None:
    run_id = await started_and_holding(engine)
    ending = asyncio.create_task(engine.session.cancel(run_id))
    await until(lambda: engine.session._active[run_id].stopped_as)

    await engine.session.resume(run_id)
    engine.provider.release()

    assert (await engine.session.wait(run_id)).state is RunState.DONE
    await ending


async def test_a_watched_call_shows_its_text(engine: Engine) -> None:
    run_id = await started_and_holding(engine)
    (key,) = {event.call_key for event in engine.seen(CallStarted)} - {
        event.call_key for event in engine.seen(CallFinished)
    }

    engine.session.watch(key)
    await until(lambda: engine.seen(TextDelta))
    engine.session.unwatch(key)
    engine.provider.release()
    await engine.session.wait(run_id)

    assert engine.seen(TextDelta) == [TextDelta(key, "thinking", 0, "", 0)]
