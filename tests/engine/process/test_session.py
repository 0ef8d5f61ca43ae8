"""Runs from their start to their end: what is pinned, what a job gets, what is told, and what fails."""

import asyncio
import logging
from dataclasses import asdict

import pytest

from store import marks, runs
from store.marks import Used
from store.workspace import Workspace
from tests.engine.process.fakes import UNUSABLE, ask, failure, new_run, reply, until
from tests.engine.process.session_bench import LOG, REQUEST, Engine, started_and_holding
from uq_tui.config import Config
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
from uq_tui.errors import ModelError, NotFoundError, StoreError
from uq_tui.words import RunKind, RunState


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


async def test_unknown_runs_are_named(engine: Engine) -> None:
    for verb in (engine.session.resume, engine.session.cancel, engine.session.wait):
        with pytest.raises(NotFoundError):
            await verb("no such run")


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
