"""The bodies of the fake server's answers."""

import json
import re
from collections.abc import Iterator
from typing import Any

from tests.fakes.openai_rules import Rule, SeenRequest, text_of

_TOKENS = re.compile(r"\s*\S+|\s+\Z")


def deltas(request: SeenRequest, rule: Rule) -> Iterator[dict[str, Any]]:
    """The deltas of a streamed answer, the role first."""
    yield {"role": "assistant", "content": ""}
    if rule.reasoning and rule.reasoning_as == "think":
        yield from ({"content": piece} for piece in _TOKENS.findall(_thought(rule)))
    elif rule.reasoning:
        for piece in _TOKENS.findall(rule.reasoning):
            if rule.reasoning_as == "parts":
                yield {"content": [_thinking_part(piece)]}
            else:
                yield {rule.reasoning_as: piece}
    for piece in rule.pieces or _TOKENS.findall(rule.reply):
        yield {"content": _with_tag(request, piece)}


def _thought(rule: Rule) -> str:
    return f"<think>{rule.reasoning}</think>\n\n"


def _thinking_part(text: str) -> dict[str, Any]:
    return {"type": "thinking", "thinking": [{"type": "text", "text": text}]}


def _with_tag(request: SeenRequest, text: str) -> str:
    return text.replace("{tag}", request.tag or "{tag}")


def chunk(request: SeenRequest, choices: list[dict[str, Any]]) -> dict[str, Any]:
    """One event of a streamed answer."""
    model = request.body.get("model", "")
    return {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": model, "choices": choices}


def usage(request: SeenRequest, rule: Rule) -> dict[str, int]:
    """Words stand in for tokens."""
    asked = sum(len(text_of(message).split()) for message in request.messages)
    answered = len(rule.pieces or _TOKENS.findall(rule.reply)) + len(_TOKENS.findall(rule.reasoning))
    return {"prompt_tokens": asked, "completion_tokens": answered, "total_tokens": asked + answered}


def whole(request: SeenRequest, rule: Rule) -> dict[str, Any]:
    """An answer that is not streamed."""
    text: Any = _with_tag(request, "".join(rule.pieces) or rule.reply)
    message: dict[str, Any] = {"role": "assistant", "content": text}
    if rule.reasoning and rule.reasoning_as == "think":
        message["content"] = _thought(rule) + text
    elif rule.reasoning and rule.reasoning_as == "parts":
        message["content"] = [_thinking_part(rule.reasoning), {"type": "text", "text": text}]
    elif rule.reasoning:
        message[rule.reasoning_as] = rule.reasoning
    choice = {"index": 0, "message": message, "finish_reason": rule.finish or None}
    counted = {"usage": usage(request, rule)} if rule.usage else {}
    return {**chunk(request, [choice]), "object": "chat.completion", **counted}


def error_object(rule: Rule, code: str | int | None) -> dict[str, Any]:
    """What an error answer holds, and an error in mid-stream."""
    return {"error": {"message": rule.error, "type": "scripted", "param": None, "code": code}}


def as_bytes(text: str) -> bytes:
    """UTF-8, but lone surrogates become the bytes they stand for."""
    return text.encode("utf-8", "surrogateescape")


def as_json(data: dict[str, Any]) -> bytes:
    """One JSON text, as `as_bytes` writes it."""
    return as_bytes(json.dumps(data, ensure_ascii=False))


def as_event(data: dict[str, Any]) -> bytes:
    """One event of a stream."""
    return b"data: " + as_json(data) + b"\n\n"
