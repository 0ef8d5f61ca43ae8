"""Replies that come in one piece: the same reasoning, endings and counts as in streams, and nothing made up."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest

from store.run_rows import Message
from tests.engine.gateway.together import MESSAGES, PATIENT
from tests.fakes.openai_server import FakeServer, Rule, pure_script
from uq_tui.engine.gateways.llm import ensure_litellm_ready
from uq_tui.engine.gateways.plain_body import PlainBody
from uq_tui.engine.gateways.sending import Target, Timeouts, send
from uq_tui.engine.spec import Reply


@pytest.fixture
async def litellm() -> AsyncIterator[Any]:
    loaded = ensure_litellm_ready()
    yield loaded
    await loaded.close_litellm_async_clients()


def target(server: FakeServer, provider: str = "openai", location: str | None = None) -> Target:
    return Target(provider, "m", server.base_url, server.base_url if location is None else location, "none")


async def ask(litellm: Any, rule: Rule, provider: str = "openai", *, streamed: bool = False) -> Reply:
    with FakeServer([rule]) as server:
        on_text = (lambda reasoning, reply: None) if streamed else None
        return await send(litellm, target(server, provider), MESSAGES, {}, PATIENT, on_text=on_text)


@pytest.mark.parametrize("name", ["reasoning_content", "reasoning", "think"])
async def test_a_plain_reply_is_the_streamed_one(name: Any, litellm: Any) -> None:
    rule = Rule(reasoning="Suppose not.", reasoning_as=name, reply="It holds.")
    plain, streamed = await ask(litellm, rule), await ask(litellm, rule, streamed=True)
    assert plain == streamed
    assert (plain.reasoning, plain.reply, plain.finish_reason) == ("Suppose not.", "It holds.", "stop")
    assert plain.tokens_out == 4


@pytest.mark.filterwarnings("ignore:Pydantic serializer warnings")  # LiteLLM's, over content that isn't text
@pytest.mark.parametrize("provider", ["openai", "mistral"])
async def test_reasoning_in_parts(provider: str, litellm: Any) -> None:
    rule = Rule(reasoning="Suppose not.", reasoning_as="parts", reply="It holds.")
    reply = await ask(litellm, rule, provider)
    assert (reply.reasoning, reply.reply, reply.finish_reason) == ("Suppose not.", "It holds.", "stop")
    assert (reply.tokens_in, reply.tokens_out) == (3, 4)


@pytest.mark.parametrize("provider", ["openai", "openrouter"])
@pytest.mark.parametrize(
    ("text", "reasoning", "reply"),
    [
        ("<think>a</think>\n\nyes", "a", "yes"),
        ("<think>a<think>b</think>c</think>yes", "a<think>b</think>c", "yes"),
        ("<thinking>a</thinking>yes", "a", "yes"),
        ("<think>a</think><think>b</think>yes", "ab", "yes"),
        ("<think>yes", "", "<think>yes"),
        ("a\n</think>\nyes", "a", "yes"),
        ("Use `<think>` first.", "", "Use `<think>` first."),
        ("  yes\n", "", "  yes\n"),
    ],
)
async def test_what_litellm_would_split_is_split_by_our_rules_and_kept_as_it_came(
    provider: str, text: str, reasoning: str, reply: str, litellm: Any
) -> None:
    came = await ask(litellm, Rule(pieces=(text,)), provider)
    assert (came.reasoning, came.reply) == (reasoning, reply)
    assert (came.raw or came.reply) == text
    assert came.raw == ("" if reply == text else text)


@pytest.mark.parametrize(("sent", "kept"), [("length", "length"), ("max_tokens", "length"), ("end_turn", "end_turn")])
async def test_the_finish_reason_is_the_providers_word_but_length_is_one_word(
    sent: str, kept: str, litellm: Any
) -> None:
    assert (await ask(litellm, Rule(reply="It", finish=sent))).finish_reason == kept


async def test_one_request_is_sent_without_a_stream_and_without_what_is_ours(litellm: Any) -> None:
    with FakeServer([Rule(reply="ok")]) as server:
        await send(litellm, target(server), MESSAGES, {"temperature": 0.5}, PATIENT, on_text=None)
        (seen,) = server.requests
    assert not seen.streamed
    assert seen.body == {
        "model": "m",
        "messages": [{"role": "user", "content": "Is it so?"}],
        "temperature": 0.5,
    } | {name: value for name, value in seen.body.items() if name == "stream"}


@pytest.mark.parametrize("streamed", [False, True])
async def test_only_a_server_on_this_machine_is_told_the_sample(streamed: bool, litellm: Any) -> None:
    heard = (lambda reasoning, reply: None) if streamed else None
    with FakeServer([Rule(reply="ok")]) as server:
        for location in (server.base_url, "https://api.example.invalid/v1"):
            await send(litellm, target(server, location=location), MESSAGES, {}, PATIENT, on_text=heard, sample=7)
        assert [seen.sample for seen in server.requests] == [7, None]


async def test_cancelling_closes_the_connection(litellm: Any) -> None:
    with FakeServer([Rule(reply="It holds.", stall_after=1)]) as server:
        task = asyncio.create_task(send(litellm, target(server), MESSAGES, {}, PATIENT, on_text=None))
        assert await asyncio.to_thread(server.wait_until, lambda seen: bool(seen) and seen[0].chunks_sent == 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert await asyncio.to_thread(server.wait_until, lambda seen: seen[0].disconnected)


async def test_connections_are_used_again(litellm: Any) -> None:
    with FakeServer([Rule(reply="ok")], keep_alive=True) as server:
        for number in range(5):
            messages = (Message("user", str(number)),)
            await send(litellm, target(server), messages, {}, Timeouts(), on_text=None)
        assert len(server.requests) == 5
        assert server.connections == 1


@pytest.mark.parametrize("given", [None, "", "no json", "[1]", "3", '{"choices": 3}', '{"choices": [3]}', "{}"])
def test_a_body_of_another_shape_is_left_unread(given: object) -> None:
    body = PlainBody()
    body.note({"log_event_type": "post_api_call", "original_response": given})
    assert (body.message, body.error, body.usage(dict)) == (None, None, None)
    assert body.finish_reason("stop") == "stop"


@pytest.mark.parametrize("usage", ["null", "3", "[]", "{}", '{"prompt_tokens": "many"}', '{"a b": 1}'])
def test_tokens_counted_in_no_known_way_are_unknown(usage: str) -> None:
    body = PlainBody()
    answer = f'{{"choices": [{{"message": {{"content": "ok"}}}}], "usage": {usage}}}'
    body.note({"log_event_type": "post_api_call", "original_response": answer})
    assert body.message == {"content": "ok"}
    found = body.usage(ensure_litellm_ready().Usage)
    assert found is None or not found.prompt_tokens


def test_what_is_sent_is_not_taken_for_what_came() -> None:
    body = PlainBody()
    body.note({"log_event_type": "pre_api_call", "original_response": '{"error": {"code": 500}}'})
    assert body.error is None
    body.note({"log_event_type": "post_api_call", "original_response": '{"error": "busy"}'})
    assert body.error == {"message": "busy"}


async def test_a_pure_server_tells_samples_apart(litellm: Any) -> None:
    with FakeServer(pure_script()) as server:
        replies = [
            (await send(litellm, target(server), MESSAGES, {}, PATIENT, on_text=None, sample=sample)).reply
            for sample in (0, 1, 0)
        ]
        first, second, third = (seen.content_sha256 for seen in server.requests)
    assert replies[0] == replies[2] != replies[1]
    assert first == third != second
