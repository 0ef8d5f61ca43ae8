"""LiteLLM's own client against a real server on loopback."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.engine.gateway.asking import DirectProvider, Heard, an_ask, answer, close_clients
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.config import ModelSettings
from uq_tui.engine.protocol import ModelChoice
from uq_tui.engine.sending import Timeouts
from uq_tui.engine.spec import CallFailedError
from uq_tui.words import CallErrorKind


@pytest.fixture(autouse=True)
async def _clients_closed() -> Any:
    yield
    await close_clients()


@contextmanager
def serving(*rules: Rule, timeouts: Timeouts | None = None, model: str = "openai/scripted") -> Iterator[Any]:
    with FakeServer(rules) as server:
        yield server, DirectProvider(ModelChoice(model, server.base_url), ModelSettings(), timeouts)


async def failure(provider: DirectProvider, heard: Heard | None = None) -> CallFailedError:
    with pytest.raises(CallFailedError) as caught:
        await answer(provider, an_ask(), heard)
    return caught.value


async def test_streams_the_reply_and_counts_what_the_server_counted() -> None:
    heard = Heard()
    with serving(Rule(reply="It holds for all n.")) as (server, provider):
        reply = await answer(provider, an_ask("one two three"), heard)
    assert reply.reply == heard.reply == "It holds for all n."
    assert len(heard.pieces) == 5
    assert (reply.reasoning, reply.finish_reason) == ("", "stop")
    assert (reply.tokens_in, reply.tokens_out) == (3, 5)
    assert server.requests[0].body["model"] == "scripted"


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "think"])
async def test_reasoning_is_collected_under_every_name(name: Any) -> None:
    heard = Heard()
    with serving(Rule(reasoning="Suppose not.", reasoning_as=name, reply="It holds.")) as (_, provider):
        reply = await answer(provider, an_ask(), heard)
    assert (reply.reasoning, reply.reply) == ("Suppose not.", "It holds.")
    assert (heard.reasoning, heard.reply) == ("Suppose not.", "It holds.")


async def test_reasoning_in_parts() -> None:
    rule = Rule(reasoning="Suppose not.", reasoning_as="parts", reply="It holds.")
    with serving(rule, model="mistral/scripted") as (_, provider):
        reply = await answer(provider, an_ask())
    assert (reply.reasoning, reply.reply) == ("Suppose not.", "It holds.")


async def test_a_think_tag_cut_anywhere_and_a_literal_one_in_the_answer() -> None:
    pieces = ("<th", "ink>a</", "thi", "nk>Close with ", "</think>", " please")
    with serving(Rule(pieces=pieces)) as (_, provider):
        reply = await answer(provider, an_ask())
    assert (reply.reasoning, reply.reply) == ("a", "Close with </think> please")


async def test_an_answer_is_never_swallowed_by_an_unclosed_think_tag() -> None:
    with serving(Rule(reply="<think>so it holds\nTAG: accept")) as (_, provider):
        reply = await answer(provider, an_ask())
    assert reply.reply == "<think>so it holds\nTAG: accept"


async def test_without_usage_tokens_are_unknown_not_estimated() -> None:
    with serving(Rule(reply="It holds.", usage=False)) as (_, provider):
        reply = await answer(provider, an_ask())
    assert (reply.tokens_in, reply.tokens_out, reply.cost_usd) == (None, None, None)


async def test_a_server_on_this_machine_has_no_known_price_even_for_a_model_with_one() -> None:
    with serving(Rule(reply="It holds."), model="openai/gpt-4o") as (_, provider):
        reply = await answer(provider, an_ask())
    assert reply.tokens_out == 2
    assert reply.cost_usd is None


@pytest.mark.parametrize(("sent", "kept"), [("length", "length"), ("max_tokens", "length"), ("end_turn", "end_turn")])
async def test_the_finish_reason_is_the_providers_word_but_length_is_one_word(sent: str, kept: str) -> None:
    with serving(Rule(reply="It", finish=sent)) as (_, provider):
        assert (await answer(provider, an_ask())).finish_reason == kept


async def test_special_tokens_and_repetitions_are_kept() -> None:
    text = "<s> <|im_end|>" + " again" * 150
    with serving(Rule(reply=text)) as (_, provider):
        assert (await answer(provider, an_ask())).reply == text


@pytest.mark.parametrize(
    ("rule", "kind", "retryable"),
    [
        (Rule(status=429, retry_after="7"), CallErrorKind.RATE_LIMITED, True),
        (Rule(status=429, error_code="insufficient_quota"), CallErrorKind.UNAVAILABLE, False),
        (Rule(status=500), CallErrorKind.SERVER, True),
        (Rule(status=503), CallErrorKind.SERVER, True),
        (Rule(status=401), CallErrorKind.AUTH, False),
        (Rule(status=403), CallErrorKind.AUTH, False),
        (Rule(status=404), CallErrorKind.UNAVAILABLE, False),
        (Rule(status=400), CallErrorKind.BAD_REQUEST, False),
        (Rule(status=422), CallErrorKind.BAD_REQUEST, False),
        (Rule(status=408), CallErrorKind.TIMEOUT, True),
        (
            Rule(status=400, error_code="context_length_exceeded", error="maximum context length is 10 tokens"),
            CallErrorKind.CONTEXT_TOO_LONG,
            False,
        ),
        (
            Rule(status=400, error="request (900 tokens) exceeds the available context size (800 tokens)"),
            CallErrorKind.CONTEXT_TOO_LONG,
            False,
        ),
        (Rule(status=400, error_code="content_policy_violation"), CallErrorKind.CONTENT_FILTERED, False),
    ],
)
async def test_errors_are_told_apart_and_never_retried_here(rule: Rule, kind: CallErrorKind, retryable: bool) -> None:
    with serving(rule) as (server, provider):
        error = await failure(provider)
        assert len(server.requests) == 1
    assert (error.kind, error.retryable) == (kind, retryable)
    assert error.retry_after_s == (7.0 if rule.retry_after else None)
    assert rule.error in str(error)
    assert "litellm" not in str(error)


@pytest.mark.parametrize("given", ["soon", "-1", "nan", "Wed, 21 Oct 2026 07:28:00 GMT", "1e9"])
async def test_a_useless_retry_after_counts_as_absent(given: str) -> None:
    with serving(Rule(status=429, retry_after=given)) as (_, provider):
        assert (await failure(provider)).retry_after_s is None


async def test_a_cut_connection_keeps_the_text_that_came() -> None:
    with serving(Rule(reasoning="Hm.", reply="It holds for all n.", cut_after=4)) as (_, provider):
        error = await failure(provider)
    assert (error.kind, error.retryable) == (CallErrorKind.CONNECTION, True)
    assert error.partial is not None
    assert (error.partial.reasoning, error.partial.reply) == ("Hm.", "It holds")
    assert error.partial.finish_reason == ""


async def test_an_error_in_the_stream_keeps_the_text_that_came() -> None:
    with serving(Rule(reply="It holds for all n.", error_after=3, error="out of memory")) as (_, provider):
        error = await failure(provider)
    assert error.retryable
    assert "out of memory" in str(error)
    assert error.partial is not None
    assert error.partial.reply == "It holds"


async def test_a_content_filter_at_the_end_is_a_failure_with_the_text() -> None:
    with serving(Rule(reply="It", finish="content_filter")) as (_, provider):
        error = await failure(provider)
    assert error.kind is CallErrorKind.CONTENT_FILTERED
    assert error.partial is not None
    assert error.partial.reply == "It"


async def test_an_unreachable_server_is_a_failed_connection() -> None:
    with FakeServer([]) as server:
        base = server.base_url
    error = await failure(DirectProvider(ModelChoice("openai/m", base), ModelSettings()))
    assert (error.kind, error.retryable) == (CallErrorKind.CONNECTION, True)


@pytest.mark.parametrize(
    "body", ["", "<html>Bad gateway</html>", "data: {not json\n\n", 'data: {"choices": 3}\n\n', "data: [DONE]\n\n"]
)
async def test_a_malformed_answer_is_a_failure(body: str) -> None:
    with serving(Rule(verbatim=body)) as (_, provider):
        error = await failure(provider)
    assert error.kind in (CallErrorKind.CONNECTION, CallErrorKind.MALFORMED, CallErrorKind.SERVER)


async def test_a_stall_ends_in_a_timeout_with_the_text_that_came() -> None:
    rule = Rule(reply="It holds for all n.", stall_after=3)
    with serving(rule, timeouts=Timeouts(idle_s=0.2)) as (server, provider):
        error = await failure(provider)
        assert await asyncio.to_thread(server.wait_until, lambda seen: seen[0].disconnected)
    assert (error.kind, error.retryable) == (CallErrorKind.TIMEOUT, True)
    assert "sent nothing for 0.2 s" in str(error)
    assert error.partial is not None
    assert error.partial.reply == "It holds"


async def test_the_first_text_may_take_longer_than_the_others() -> None:
    rule = Rule(reply="It", stall_after=0)
    with serving(rule, timeouts=Timeouts(first_s=0.3, idle_s=0.01)) as (_, provider):
        assert "sent nothing for 0.3 s" in str(await failure(provider))


async def test_an_endless_reply_ends_at_the_total_time() -> None:
    rule = Rule(reply="on " * 5000, tokens_per_second=50)
    with serving(rule, timeouts=Timeouts(total_s=0.5)) as (server, provider):
        error = await failure(provider)
        assert await asyncio.to_thread(server.wait_until, lambda seen: seen[0].disconnected)
    assert error.kind is CallErrorKind.TIMEOUT
    assert "did not finish in 0.5 s" in str(error)


@pytest.mark.parametrize("sent", [0, 3])
async def test_cancelling_closes_the_connection(sent: int) -> None:
    rule = Rule(reply="It holds for all n.", stall_after=sent)
    with serving(rule) as (server, provider):
        task = asyncio.create_task(answer(provider, an_ask()))
        assert await asyncio.to_thread(server.wait_until, lambda seen: bool(seen) and seen[0].chunks_sent == sent)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.wait_until, lambda seen: seen[0].disconnected)


async def test_many_at_once() -> None:
    with serving(Rule(reply="It holds for all n.", tokens_per_second=100)) as (server, provider):
        replies = await asyncio.gather(*(answer(provider, an_ask(f"question {n}")) for n in range(32)))
    assert {reply.reply for reply in replies} == {"It holds for all n."}
    assert len(server.requests) == 32


def test_works_on_one_event_loop_after_another() -> None:
    with serving(Rule(reply="It holds.")) as (_, provider):
        for _ in range(2):
            assert asyncio.run(_once(provider)) == "It holds."


async def _once(provider: DirectProvider) -> str:
    reply = await answer(provider, an_ask())
    await close_clients()
    return reply.reply
