"""Runs of every kind through the real worker process, LiteLLM and HTTP on loopback."""

import asyncio

import pytest

from store import calls, candidates, judgements, runs
from store.workspace import Workspace
from tests.engine.process.fakes import until
from tests.engine.process.lab import ANSWERS, QUESTION, App, Server, stored_calls
from tests.fakes.openai_server import Rule
from uq_tui.engine.protocol import (
    CallFinished,
    CallStarted,
    CandidateAdded,
    EngineProblem,
    OutcomeDecided,
    RunFinished,
    RunProgress,
    RunStarted,
    TextDelta,
    UtilityUpdated,
)
from uq_tui.engine.requests import CbuRequest, GenerateRequest, ModelChoice, ValidateRequest
from uq_tui.words import CallErrorKind, CallState, Outcome, RunState

pytestmark = pytest.mark.asyncio(loop_scope="module")


def candidate_ids(ws: Workspace) -> tuple[str, ...]:
    return tuple(one.id for one in candidates.of_question(ws, QUESTION) if one.answer.raw in ANSWERS)


async def test_candidates_are_generated(app: App, ws: Workspace, server: Server) -> None:
    run_id = await app.run_id(app.client.start_run(GenerateRequest((QUESTION,), server.model, samples=2)))
    run = await app.ended(ws, run_id)

    assert (run.state, run.message) == (RunState.DONE, "2 answers generated.")
    assert (run.done, run.total, run.asked, run.failed) == (2, 2, 2, 0)
    added = {event.candidate_id for event in app.seen(CandidateAdded) if event.run_id == run_id}
    (candidate,) = [candidates.get(ws, candidate_id) for candidate_id in added]
    assert candidate.answer.raw == "It is four."
    assert candidate.reasoning == "Two and two."
    assert all(call.state is CallState.DONE for call in stored_calls(ws, run_id))


async def test_candidates_are_validated(app: App, ws: Workspace, server: Server) -> None:
    ids = candidate_ids(ws)
    run_id = await app.run_id(app.client.start_run(ValidateRequest(ids, server.model)))
    run = await app.ended(ws, run_id)

    assert (run.state, run.message) == (RunState.DONE, "3 candidates validated.")
    whole = {key: judgements.outcomes_of_run(ws, run_id, key) for key in ids}
    verdicts = {key: next(one.outcome for one in found if one.path == "") for key, found in whole.items()}
    assert [verdicts[key] for key in ids] == [Outcome.ACCEPT, Outcome.REJECT, Outcome.ACCEPT]
    told = {(e.candidate_id, e.path): e.outcome for e in app.seen(OutcomeDecided) if e.run_id == run_id}
    assert told == {(one.candidate_id, one.path): one.outcome for found in whole.values() for one in found}
    started = [event.call_key for event in app.seen(CallStarted) if event.run_id == run_id]
    assert len(started) == run.asked
    assert sorted(started) == sorted(event.call_key for event in app.seen(CallFinished) if event.run_id == run_id)


async def test_validating_again_asks_nothing(app: App, ws: Workspace, server: Server) -> None:
    before = len(server.requests)

    run_id = await app.run_id(app.client.start_run(ValidateRequest(candidate_ids(ws), server.model)))
    run = await app.ended(ws, run_id)

    assert run.state is RunState.DONE
    assert (run.asked, run.cost_usd) == (0, None)
    assert run.remembered > 0
    assert len(server.requests) == before


async def test_utility_is_measured(app: App, ws: Workspace, server: Server) -> None:
    ids = candidate_ids(ws)
    request = CbuRequest(QUESTION, server.model, candidate_ids=ids[:1], rollouts=2)
    run_id = await app.run_id(app.client.start_run(request))
    run = await app.ended(ws, run_id)

    assert (run.state, run.message) == (RunState.DONE, "8 rollouts decided.")
    (utility,) = [one for one in judgements.utilities_of_question(ws, QUESTION) if one.run_id == run_id]
    assert (utility.mean, utility.control_mean, utility.complete) == (1.0, 0.0, True)
    assert app.seen(UtilityUpdated)[-1].complete
    assert app.seen(RunProgress)[-1].done == 8


async def test_an_unknown_question_is_answered_by_its_ticket(app: App, server: Server) -> None:
    ticket = app.client.start_run(GenerateRequest(("tests:nothing",), server.model))

    problem = await app.event(EngineProblem, lambda event: event.ticket == ticket)

    assert "tests:nothing" in problem.message
    assert ticket not in {event.ticket for event in app.seen(RunStarted)}


async def test_a_missing_key_fails_the_run_with_advice(app: App, ws: Workspace, server: Server) -> None:
    request = GenerateRequest((QUESTION,), ModelChoice("anthropic/claude-none"))
    run = await app.ended(ws, await app.run_id(app.client.start_run(request)))

    assert run.state is RunState.FAILED
    assert "ANTHROPIC_API_KEY" in run.message
    assert run.asked == 0


async def test_refused_calls_are_told(app: App, ws: Workspace, server: Server) -> None:
    server.special = {"How much is it?": Rule(status=400, error="no such parameter")}

    run_id = await app.run_id(app.client.start_run(GenerateRequest((QUESTION,), server.model, samples=3)))
    run = await app.ended(ws, run_id)
    server.special = {}

    assert (run.state, run.done, run.failed) == (RunState.DONE, 0, 3)
    assert run.message.splitlines()[0] == "0 of 3 answers generated."
    assert "3 calls failed (3 bad request)" in run.message
    assert "no such parameter" in run.message
    kept = stored_calls(ws, run_id)
    assert {call.error_kind for call in kept} == {CallErrorKind.BAD_REQUEST}
    assert {call.attempts for call in kept} == {1}


async def test_a_rate_limit_is_waited_out(app: App, ws: Workspace, server: Server) -> None:
    server.special = {
        "How much is it?": Rule(status=429, error="slow down", retry_after="0", fail_times=1, reply="It is 4.")
    }

    run_id = await app.run_id(app.client.start_run(GenerateRequest((QUESTION,), server.model)))
    run = await app.ended(ws, run_id)
    server.special = {}

    assert (run.state, run.done, run.failed) == (RunState.DONE, 1, 0)
    assert [call.attempts for call in stored_calls(ws, run_id)] == [2]


async def test_only_a_watched_call_sends_its_text(app: App, ws: Workspace, server: Server) -> None:
    words = " ".join(f"word{n}" for n in range(60))
    server.special = {"How much is it?": Rule(reply=words, reasoning="Hm. " * 20, stall_after=40)}
    app.events.clear()

    run_id = await app.run_id(app.client.start_run(GenerateRequest((QUESTION,), server.model, samples=2)))
    await until(lambda: len([e for e in app.seen(CallStarted) if e.run_id == run_id]) == 2)
    key, other = [event.call_key for event in app.seen(CallStarted) if event.run_id == run_id]
    await until(lambda: all(one.chunks_sent == 40 for one in server.requests[-2:]))
    app.client.watch(key)
    await app.event(TextDelta)
    server.http.release()
    await app.ended(ws, run_id)
    server.special = {}

    deltas = app.seen(TextDelta)
    assert {delta.call_key for delta in deltas} == {key}
    reasoning = reply = ""
    for delta in deltas:
        assert (delta.reasoning_offset, delta.reply_offset) == (len(reasoning), len(reply))
        reasoning, reply = reasoning + delta.reasoning, reply + delta.reply
    stored = calls.get(ws, key)
    assert stored is not None
    assert stored.reply == words
    assert stored.reasoning.startswith(reasoning)
    assert stored.reply.startswith(reply)
    assert other not in {delta.call_key for delta in deltas}
    assert len(deltas) < 20


async def test_cancelling_hangs_up_on_the_server(app: App, ws: Workspace, server: Server) -> None:
    server.special = {"How much is it?": Rule(reply="one two three " * 50, tokens_per_second=20)}
    before = len(server.requests)

    run_id = await app.run_id(app.client.start_run(GenerateRequest((QUESTION,), server.model, samples=3)))
    await until(lambda: [one.chunks_sent > 2 for one in server.requests[before:]] == [True] * 3)
    app.client.cancel(run_id)
    run = await app.ended(ws, run_id)
    server.special = {}

    assert run.state is RunState.CANCELLED
    assert run.message == "Cancelled: 0 of 3 answers generated."
    gone = await asyncio.to_thread(server.http.wait_until, lambda seen: all(r.disconnected for r in seen[before:]))
    assert gone
    kept = stored_calls(ws, run_id)
    assert [call.error_kind for call in kept] == [CallErrorKind.CANCELLED] * 3
    assert all(call.reply.startswith("one two") for call in kept)
    assert runs.interrupted(ws) == ()
    assert app.seen(RunFinished)[-1].state is RunState.CANCELLED
