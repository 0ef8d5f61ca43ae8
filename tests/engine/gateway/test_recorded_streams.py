"""Streams as real servers sent them, played back byte for byte.

What is expected is read from the raw bytes by the small reader below, which shares no code with the program. The
files lie beside the project and may be absent; for every shape in them there is one of our own here.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.engine.gateway.together import Outcome, outcome, together
from tests.fakes.openai_server import FakeServer, Rule
from tests.shared import shared_file
from uq_tui.engine.gateways.sending import Target
from uq_tui.engine.spec import CallFailedError
from uq_tui.words import CallErrorKind

FOLDER = "data/llm-sse-streams"
ELSEWHERE = "https://api.example.invalid/v1"
"""What a target is said to be, so that its cost counts: what runs on this machine has none."""


@dataclass(frozen=True, slots=True)
class Told:
    """What a body says, or what came of it. `error` is in the message of the failure."""

    reasoning: str
    reply: str
    finish: str = ""
    tokens: tuple[int | None, int | None] = (None, None)
    cost: float | None = None
    error: str = ""
    raw: str = ""


@dataclass(frozen=True, slots=True)
class Recording:
    """One body, and how it came."""

    name: str
    body: str
    streamed: bool = True
    status: int = 200
    provider: str = "openai"

    def __str__(self) -> str:
        return f"{self.name} {self.provider}"


def read(recording: Recording) -> Told:
    """What a body says."""
    if not recording.streamed:
        events = [json.loads(recording.body)]
    else:
        lines = [line.rstrip("\r") for line in recording.body.split("\n")]
        data = [line[5:].lstrip(" ") for line in lines if line.startswith("data:")]
        events = [json.loads(text) for text in data if text != "[DONE]"]
    thought = said = finish = error = ""
    usage: dict[str, Any] = {}
    for event in events:
        if event.get("error"):
            error, usage, finish = event["error"]["message"], {}, ""
            break
        for choice in event["choices"][:1]:
            part = choice["delta"] if recording.streamed else choice["message"]
            thought += part.get("reasoning_content") or part.get("reasoning") or ""
            said += part.get("content") or ""
            finish = choice.get("finish_reason") or finish
        usage = event.get("usage") or usage
    if recording.streamed and not finish and not error:
        error, usage = "before the reply was complete" if thought + said else "before a finish_reason", {}
    inline = re.fullmatch(r"\s*<think>(.*?)</think>\s*(.*)", said, re.DOTALL)
    return Told(
        reasoning=inline[1].strip() if inline else thought,
        reply=inline[2] if inline else said,
        finish=finish,
        tokens=(usage.get("prompt_tokens"), usage.get("completion_tokens")),
        cost=usage.get("cost") or None,
        error=error,
        raw=said if inline else "",
    )


def came(found: Outcome) -> Told:
    """What came of a body."""
    reply, heard = found
    if isinstance(reply, CallFailedError):
        partial = reply.partial
        assert partial is not None
        assert heard.reply in (partial.reply, "")
        return Told(partial.reasoning, partial.reply, error=str(reply), raw=partial.raw)
    tokens = (reply.tokens_in, reply.tokens_out)
    return Told(reply.reasoning, reply.reply, reply.finish_reason, tokens, reply.cost_usd, raw=reply.raw)


async def play(litellm: Any, recording: Recording) -> Outcome:
    kind = "text/event-stream" if recording.streamed else "application/json"
    rule = Rule(verbatim=recording.body, content_type=kind, status=recording.status)
    with FakeServer([rule]) as server:
        target = Target(recording.provider, "recorded", server.base_url, ELSEWHERE, "none")
        return await outcome(litellm, target, streamed=recording.streamed)


def _text(file: Path) -> str:
    return file.read_bytes().decode("utf-8", "surrogateescape")


def recordings(folder: Path) -> Iterator[Recording]:
    """Every body of a chat completion under a folder. The cassettes of the Responses API hold none."""
    for file in sorted(folder.rglob("*.sse")):
        yield Recording(file.name, _text(file))
        if "openrouter" in file.name:
            yield Recording(file.name, _text(file), provider="openrouter")
    for file in sorted(folder.rglob("*.chunks.txt")):
        events = [f"data: {line}\n\n" for line in _text(file).splitlines() if line.strip()]
        yield Recording(file.name, "".join([*events, "data: [DONE]\n\n"]))
    streams = {_text(file) for file in folder.rglob("*.sse")}
    for file in sorted(folder.rglob("*.yaml")):
        yaml = pytest.importorskip("yaml")
        loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
        for number, exchange in enumerate(yaml.load(_text(file), loader)["interactions"]):
            if exchange["request"]["uri"].endswith("/chat/completions"):
                recording = _of_cassette(f"{file.name} {number}", exchange["response"])
                if recording.body not in streams:  # most cassettes lie there as streams too
                    yield recording


def _of_cassette(name: str, response: Mapping[str, Any]) -> Recording:
    if "parsed_body" in response:
        body = json.dumps(response["parsed_body"], ensure_ascii=False)
        return Recording(name, body, streamed=False, status=response["status"]["code"])
    return Recording(name, response["body"]["string"])


@pytest.fixture(scope="module")
def recorded() -> Mapping[Recording, Outcome]:
    return together(tuple(recordings(shared_file(FOLDER))), play)


def named(recorded: Mapping[Recording, Outcome], name: str, provider: str = "openai") -> Outcome:
    return next(found for key, found in recorded.items() if (key.name, key.provider) == (name, provider))


def test_every_recorded_body_comes_to_what_it_says(recorded: Mapping[Recording, Outcome]) -> None:
    assert len(recorded) >= 20
    for recording, found in recorded.items():
        expected, told = read(recording), came(found)
        if expected.error:
            assert isinstance(found[0], CallFailedError), recording
            assert expected.error in told.error, recording
            told = Told(told.reasoning, told.reply, error=expected.error, raw=told.raw)
        assert told == expected, recording


def test_what_is_known_of_some_recordings(recorded: Mapping[Recording, Outcome]) -> None:
    deepseek = came(named(recorded, "test_deepseek_model_thinking_stream.0.sse"))
    assert deepseek.tokens == (6, 212)
    assert deepseek.reply.startswith("Hello there!")
    face = came(named(recorded, "test_hf_model_thinking_part_iter.0.sse"))
    assert face.tokens == (10, 955)
    assert face.raw.startswith("<think>\n")
    assert face.reply.endswith("🌟")
    assert "<think>" not in face.reasoning + face.reply
    for provider in ("openai", "openrouter"):
        o3 = came(named(recorded, "test_openrouter_stream_with_reasoning.0.sse", provider))
        assert (o3.cost, o3.finish) == (0.00085, "stop")
        error, _ = named(recorded, "test_openrouter_stream_error.0.sse", provider)
        assert isinstance(error, CallFailedError)
        assert (error.kind, error.retryable) == (CallErrorKind.BAD_REQUEST, False)
        assert error.partial is not None
        assert error.partial.reasoning.startswith("We need to respond to a greeting. The user")
    error, _ = named(recorded, "test_tool_use_failed_error_streaming_with_text.0.sse")
    assert isinstance(error, CallFailedError)
    assert error.partial is not None
    assert error.partial.reply == "maybe"
    error, _ = named(recorded, "test_openrouter_errors_raised.yaml 0")
    assert isinstance(error, CallFailedError)
    assert (error.kind, str(error)) == (CallErrorKind.RATE_LIMITED, "Provider returned error")


def events(*lines: str, end: str = "\n\n") -> str:
    return "".join(line + end for line in (*lines, "data: [DONE]"))


def choice(delta: str, finish: str = "null", more: str = "") -> str:
    head = '"id":"1","object":"chat.completion.chunk","created":1,"model":"m"'
    return f'data: {{{head},"choices":[{{"index":0,"delta":{delta},"finish_reason":{finish}}}]{more}}}'


USAGE = ',"usage":{"prompt_tokens":6,"completion_tokens":9,"total_tokens":15%s}'
SHAPES: tuple[tuple[Recording, Told], ...] = (
    (
        Recording(
            "reasoning_content, then content, both named in every chunk; usage beside the last choice",
            events(
                choice('{"role":"assistant","content":null,"reasoning_content":""}'),
                choice('{"content":null,"reasoning_content":"So"}'),
                choice('{"content":"Yes","reasoning_content":null}'),
                choice('{"content":"","reasoning_content":null}', '"stop"', USAGE % ""),
            ),
        ),
        Told("So", "Yes", "stop", (6, 9)),
    ),
    (
        Recording(
            "comments, reasoning with details, cost in an event after the end",
            events(
                ": OPENROUTER PROCESSING",
                choice('{"role":"assistant","content":"","reasoning":"So","reasoning_details":[{"text":"So"}]}'),
                ": OPENROUTER PROCESSING",
                choice('{"content":"Yes"}', '"stop"'),
                choice('{"content":""}', more=USAGE % ',"cost":0.25,"is_byok":false'),
            ),
        ),
        Told("So", "Yes", "stop", (6, 9), 0.25),
    ),
    (
        Recording(
            "<think> in the content, cut anywhere",
            events(
                choice('{"content":"<th"}'),
                choice('{"content":"ink>\\nSo</thin"}'),
                choice('{"content":"k>\\n\\nYes ∀"}', '"stop"', USAGE % ""),
            ),
        ),
        Told("So", "Yes ∀", "stop", (6, 9), raw="<think>\nSo</think>\n\nYes ∀"),
    ),
    (
        Recording(
            "an error object beside choices, after text and a finish reason",
            events(
                choice('{"content":"Ye","reasoning":"So"}', '"length"'),
                choice('{"content":""}', more=',"error":{"code":400,"message":"Token limit reached"}'),
            ),
        ),
        Told("So", "Ye", error="Token limit reached"),
    ),
    (
        Recording(
            "an event called error",
            choice('{"content":"maybe"}')
            + '\n\nevent: error\ndata: {"error":{"message":"no tool","type":"invalid_request_error","code":"x"}}\n\n',
        ),
        Told("", "maybe", error="no tool"),
    ),
    (
        Recording(
            "a call of a tool and no text",
            events(
                choice(
                    '{"content":null,"tool_calls":[{"index":0,"id":"0","type":"function","function":{"name":"f","arguments":"{}"}}]}'
                ),
                choice("{}", '"tool_calls"', USAGE % ""),
            ),
        ),
        Told("", "", "tool_calls", (6, 9)),
    ),
    (
        Recording(
            "lines that end with carriage returns, and no blank after the colon",
            events(choice('{"content":"Yes"}', '"stop"'), end="\r\n\r\n").replace("data: ", "data:"),
        ),
        Told("", "Yes", "stop"),
    ),
    (
        Recording(
            "a plain body",
            '{"id":"1","object":"chat.completion","created":1,"model":"m","choices":[{"index":0,"message":{"role":'
            '"assistant","content":"Yes","reasoning":"So"},"finish_reason":"stop"}]' + USAGE % ',"cost":0.25' + "}",
            streamed=False,
        ),
        Told("So", "Yes", "stop", (6, 9), 0.25),
    ),
    (
        Recording(
            "a plain error",
            '{"error":{"code":429,"message":"Provider returned error","metadata":{"raw":"busy"}}}',
            streamed=False,
            status=429,
        ),
        Told("", "", error="Provider returned error"),
    ),
)


@pytest.fixture(scope="module")
def shaped() -> Mapping[Recording, Outcome]:
    return together([recording for recording, _ in SHAPES], play)


@pytest.mark.parametrize(("recording", "expected"), SHAPES, ids=[recording.name for recording, _ in SHAPES])
def test_every_shape_comes_to_what_it_says(
    recording: Recording, expected: Told, shaped: Mapping[Recording, Outcome]
) -> None:
    assert read(recording) == expected
    assert came(shaped[recording]) == expected
