"""LiteLLM's own client against a real server on loopback: streams that go well, and waiting. Faults have a table."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.engine.gateway.asking import DirectProvider, Heard, an_ask, answer, close_clients
from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.config import ModelSettings
from uq_tui.engine.gateways.sending import Timeouts
from uq_tui.engine.requests import ModelChoice
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
    assert reply.raw == ("<think>Suppose not.</think>\n\nIt holds." if name == "think" else "")


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
    assert reply.raw == "".join(pieces)


async def test_an_answer_is_never_swallowed_by_an_unclosed_think_tag() -> None:
    with serving(Rule(reply="<think>so it holds\nTAG: accept")) as (_, provider):
        reply = await answer(provider, an_ask())
    assert reply.reply == "<think>so it holds\nTAG: accept"
    assert reply.raw == ""


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


async def test_a_prompt_that_is_no_unicode_text_is_a_bad_request_and_not_sent_again() -> None:
    with serving(Rule(reply="It holds.")) as (server, provider), pytest.raises(CallFailedError) as caught:
        await answer(provider, an_ask("one \ud800 two"))
    assert (caught.value.kind, caught.value.retryable) == (CallErrorKind.BAD_REQUEST, False)
    assert "lone surrogate" in str(caught.value)
    assert server.requests == []


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
