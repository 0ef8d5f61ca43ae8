"""What the fake server is told to answer, and the bodies of its answers."""

import hashlib
import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

_DECISION = re.compile(r"\b((?!decision\b)[a-z2-7]{8}): accept", re.IGNORECASE)
_TOKENS = re.compile(r"\s*\S+|\s+\Z")


@dataclass(frozen=True, slots=True)
class Rule:
    """One scripted answer. The first rule whose `contains` all stand in the conversation is used.

    `{tag}` in the reply becomes the decision tag the request asks for. Counts of chunks include reasoning.
    """

    reply: str = ""
    reasoning: str = ""
    contains: tuple[str, ...] = ()
    turn: int | None = None
    """Only for requests with this many user messages."""
    reasoning_as: Literal["reasoning_content", "reasoning", "parts", "think"] = "reasoning_content"
    pieces: tuple[str, ...] = ()
    """The reply cut exactly so; otherwise it is cut at words."""
    tokens_per_second: float = 0.0
    """Pace of the chunks; 0 sends all at once."""
    first_delay_s: float = 0.0
    finish: str = "stop"
    usage: bool = True
    status: int = 200
    """Anything else is an error answer with this status."""
    error: str = "scripted error"
    error_code: str = ""
    retry_after: str = ""
    fail_times: int = 0
    """How often the error is given before the rule answers; 0 with an error status means always."""
    verbatim: str | None = None
    """The whole body of the answer, instead of a chat completion."""
    stall_after: int | None = None
    """Stop after this many chunks until `FakeServer.release()` or the client leaves."""
    cut_after: int | None = None
    """Drop the connection after this many chunks."""
    error_after: int | None = None
    """Send an error event in the stream after this many chunks."""


@dataclass(slots=True)
class SeenRequest:
    """One chat request as it arrived. Keys are kept as hashes only."""

    path: str
    headers: dict[str, str]
    key_sha256: str
    body: dict[str, Any]
    arrived: float
    """`time.monotonic()`."""
    chunks_sent: int = 0
    disconnected: bool = False
    """The client left, or the server stopped, before the answer was complete."""
    finished: bool = False
    """All that was to be sent was sent, or its last piece is on its way."""

    @property
    def messages(self) -> list[dict[str, Any]]:
        found = self.body.get("messages")
        return found if isinstance(found, list) else []

    @property
    def tag(self) -> str:
        """The tag of the newest decision instruction, empty without one."""
        for text in reversed(self.user_texts):
            found = _DECISION.findall(text)
            if found:
                return str(found[-1])
        return ""

    @property
    def user_texts(self) -> list[str]:
        return [_text_of(m) for m in self.messages if m.get("role") == "user"]

    def had_key(self, key: str) -> bool:
        """Whether `key` came as the bearer token."""
        return self.key_sha256 == sha256(key)


Script = Callable[[SeenRequest], Rule]


def script_of(rules: Sequence[Rule]) -> Script:
    """The script that picks the first matching rule; a request no rule matches gets status 400."""

    def choose(request: SeenRequest) -> Rule:
        conversation = "\n".join(_text_of(message) for message in request.messages)
        for rule in rules:
            right_turn = rule.turn is None or rule.turn == len(request.user_texts)
            if right_turn and all(part in conversation for part in rule.contains):
                return rule
        return Rule(status=400, error="no rule matches this request")

    return choose


def load_rules(path: Path) -> tuple[Rule, ...]:
    """The rules in a JSON file."""
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return tuple(_rule(row) for row in rows)


def _rule(row: dict[str, Any]) -> Rule:
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return Rule(**values)


def deltas(request: SeenRequest, rule: Rule) -> Iterator[dict[str, Any]]:
    """The deltas of a streamed answer, the role first."""
    yield {"role": "assistant", "content": ""}
    if rule.reasoning and rule.reasoning_as == "think":
        yield from ({"content": piece} for piece in _TOKENS.findall(f"<think>{rule.reasoning}</think>\n\n"))
    elif rule.reasoning:
        for piece in _TOKENS.findall(rule.reasoning):
            if rule.reasoning_as == "parts":
                yield {"content": [{"type": "thinking", "thinking": [{"type": "text", "text": piece}]}]}
            else:
                yield {rule.reasoning_as: piece}
    for piece in rule.pieces or _TOKENS.findall(rule.reply):
        yield {"content": _with_tag(request, piece)}


def _with_tag(request: SeenRequest, text: str) -> str:
    return text.replace("{tag}", request.tag or "{tag}")


def _text_of(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def chunk(request: SeenRequest, choices: list[dict[str, Any]]) -> dict[str, Any]:
    """One event of a streamed answer."""
    model = request.body.get("model", "")
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": model, "choices": choices}


def usage(request: SeenRequest, rule: Rule) -> dict[str, int]:
    """Words stand in for tokens."""
    asked = sum(len(_text_of(message).split()) for message in request.messages)
    answered = len(rule.pieces or _TOKENS.findall(rule.reply)) + len(_TOKENS.findall(rule.reasoning))
    return {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered}


def whole(request: SeenRequest, rule: Rule) -> dict[str, Any]:
    """An answer that is not streamed."""
    message: dict[str, Any] = {"role": "assistant", "content": _with_tag(request, "".join(rule.pieces) or rule.reply)}
    if rule.reasoning:
        message["reasoning_content"] = rule.reasoning
    choice = {"index": 0, "message": message, "finish_reason": rule.finish}
    return {**chunk(request, [choice]), "object": "chat.completion", "usage": usage(request, rule)}


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
