"""A worker is killed in the middle of a run, then an app dies: what is committed is never asked again."""

import asyncio
import os
import signal
from collections import Counter
from pathlib import Path

import pytest

from store import candidates, judgements, runs
from store.rows import Call
from store.workspace import Workspace
from tests.engine.process.fakes import until
from tests.engine.process.lab import QUESTION, App, Server, stored_calls
from tests.fakes.openai_server import SeenRequest
from uq_tui.engine.protocol import (
    CallFinished,
    CbuRequest,
    Request,
    RunStarted,
    ValidateRequest,
    WorkerLost,
)
from uq_tui.words import CallState, RunState

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def run_until_stalled(app: App, server: Server, request: Request, *, answers: int, in_flight: int) -> str:
    """Start a run that gets so many answers, and wait until so many more replies have begun and go no further."""
    app.events.clear()
    server.answers = answers
    run_id = await app.run_id(app.client.start_run(request))
    await until(lambda: server.stalled() == in_flight, seconds=90.0)
    await until(lambda: len(app.seen(CallFinished)) == answers)
    return run_id


def asked(requests: list[SeenRequest]) -> Counter[str]:
    """How often the server saw each call."""
    return Counter(f"{one.messages} {one.body.get('seed')}" for one in requests)


def as_asked(call: Call) -> str:
    """A stored call as `asked` names it."""
    messages = [{"role": message.role, "content": message.content} for message in call.messages]
    return f"{messages} {call.parameters.get('seed')}"


def done_calls(ws: Workspace, run_id: str) -> list[Call]:
    return [call for call in stored_calls(ws, run_id) if call.state is CallState.DONE]


async def test_a_killed_worker_costs_only_the_calls_in_flight(app: App, ws: Workspace, server: Server) -> None:
    ids = tuple(one.id for one in candidates.of_question(ws, QUESTION))
    request = ValidateRequest(ids, server.model, "3-iter-sampling")
    run_id = await run_until_stalled(app, server, request, answers=7, in_flight=2)

    assert app.client.pid is not None
    os.kill(app.client.pid, signal.SIGKILL)
    await app.event(WorkerLost)
    committed = done_calls(ws, run_id)
    assert len(committed) == 7
    assert len(server.requests) == 9

    server.answers = None
    app.events.clear()
    await app.client.restart()
    run = await app.ended(ws, run_id)

    assert run.state is RunState.DONE
    assert run.repeated == 2
    assert "2 calls were in flight when the engine was killed, and asked again." in run.message
    assert app.seen(RunStarted)[0].ticket == ""
    times = asked(server.requests)
    assert {times[as_asked(call)] for call in committed} == {1}
    assert sum(times.values()) - len(times) == 2
    assert run.asked == len(times) == len(done_calls(ws, run_id))

    await same_as_undisturbed(app, ws, run_id, ValidateRequest(ids, server.model, "3-iter-sampling", fresh=True))


async def same_as_undisturbed(app: App, ws: Workspace, run_id: str, request: Request) -> None:
    """Compare a run that was cut short with one that asks all again in one go."""
    undisturbed = await app.run_id(app.client.start_run(request))
    whole = await app.ended(ws, undisturbed)
    once = runs.get(ws, run_id)
    assert (once.state, once.done, once.total, once.asked) == (whole.state, whole.done, whole.total, whole.asked)
    assert outcomes(ws, run_id) == outcomes(ws, undisturbed)
    assert rollouts(ws, run_id) == rollouts(ws, undisturbed)


def outcomes(ws: Workspace, run_id: str) -> set[tuple[str, str, str, str, int]]:
    found = judgements.outcomes_of_run(ws, run_id)
    return {(one.candidate_id, one.path, one.outcome.value, one.reason, one.round) for one in found}


def rollouts(ws: Workspace, run_id: str) -> set[tuple[str, str, int, int | None, str]]:
    found = judgements.rollouts_of_run(ws, run_id)
    return {(one.candidate_id, one.neighbour_id, one.sample, one.value, one.answer) for one in found}


async def test_an_app_that_dies_leaves_a_run_to_be_resumed(
    app: App, ws: Workspace, server: Server, folder: Path
) -> None:
    first = len(server.requests)
    request = CbuRequest(QUESTION, server.model, rollouts=3)
    run_id = await run_until_stalled(app, server, request, answers=10, in_flight=6)
    assert app.client._worker is not None

    app.client._worker._commands.abort()
    lost = await app.event(WorkerLost)

    assert "exit code 0" in lost.message
    interrupted = runs.get(ws, run_id)
    assert interrupted.state is RunState.INTERRUPTED
    assert "Interrupted" in interrupted.message
    assert [run.id for run in runs.interrupted(ws)] == [run_id]
    committed = done_calls(ws, run_id)
    assert len(committed) == 10
    hung_up = await asyncio.to_thread(
        server.http.wait_until, lambda seen: all(one.finished or one.disconnected for one in seen[first:])
    )
    assert hung_up

    server.answers = None
    next_app = App(ws.path, folder / "next.log")
    await next_app.client.start()
    next_app.client.resume_interrupted()
    run = await next_app.ended(ws, run_id)

    assert (run.state, run.repeated, run.done, run.total) == (RunState.DONE, 0, 24, 24)
    times = asked(server.requests[first:])
    assert {times[as_asked(call)] for call in committed} == {1}
    fresh = CbuRequest(QUESTION, server.model, rollouts=3, fresh=True)
    await same_as_undisturbed(next_app, ws, run_id, fresh)
    await next_app.client.close()
