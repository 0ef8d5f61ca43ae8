"""The texts in a sample of an Inspect log: what was asked, what was answered, what became of it.

Long texts that occur often stand once, among the sample's attachments, and are referred to elsewhere.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from store.ingest.report import RowError

_REFERENCES = ("attachment://", "tc://")
"""How references to attachments begin: now, and in logs of 2024."""
_CUT = ("max_tokens", "model_length")
_CHOICES = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True, slots=True)
class Answer:
    """What a model answered, or why it didn't."""

    text: str
    reasoning: str
    cut_off: bool
    failure: str
    """Why there is no answer to judge; "" where there is one."""


def question_of(sample: Mapping[str, Any]) -> str:
    """What was asked, choices included; what only tells the model how to behave is no part of it. Raises RowError."""
    given = sample.get("input")
    if isinstance(given, str):
        text = _resolved(given, sample)
    elif isinstance(given, list):
        asked = [one for one in given if isinstance(one, dict) and one.get("role") != "system"]
        several = len(asked) > 1
        parts = [(str(one.get("role", "")), _text(one.get("content"), sample)) for one in asked]
        text = "\n\n".join(f"**{role}:** {part}" if several else part for role, part in parts)
    else:
        raise RowError("`input` is neither text nor a list of messages")
    if not text.strip():
        raise RowError("`input` is empty")
    choices = sample.get("choices")
    if isinstance(choices, list) and choices and all(isinstance(one, str) for one in choices):
        lines = [f"{_CHOICES[at % len(_CHOICES)]}) {_resolved(one, sample)}" for at, one in enumerate(choices)]
        text += "\n\n" + "\n\n".join(lines)
    return text


def target_of(sample: Mapping[str, Any]) -> tuple[str, ...]:
    """The answers that the data set has; none where it has none."""
    given = sample.get("target")
    every = given if isinstance(given, list) else [given]
    found = [_resolved(one, sample).strip() for one in every if isinstance(one, str)]
    return tuple(one for one in found if one)


def answer_of(sample: Mapping[str, Any]) -> Answer:
    """What came of the sample: an answer; or a failure, where the sample broke off or brought none."""
    output = sample.get("output")
    output = output if isinstance(output, dict) else {}
    choices = output.get("choices")
    first = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    message = first.get("message")
    content = message.get("content") if isinstance(message, dict) else output.get("completion")
    text = _text(content, sample)
    reasoning = _reasoning(content, sample)
    stopped = first.get("stop_reason")
    failure = _said("error", sample.get("error"))
    limit = _said("limit", sample.get("limit"))
    if not failure and not text.strip():
        failure = limit or _said("error", output.get("error"))
        failure = failure or ("the model gave no text" if output else "the sample has no output")
        failure += f" (stopped: {stopped})" if isinstance(stopped, str) and stopped != "stop" else ""
    return Answer(text, reasoning, stopped in _CUT or bool(limit), failure)


def _said(kind: str, value: object) -> str:
    """An error or a limit in words; "" for none."""
    if not value:
        return ""
    if not isinstance(value, dict):
        return f"{kind}: {value}"
    words = [str(value[key]) for key in ("message", "type", "limit", "usage") if value.get(key) not in (None, "")]
    return f"{kind}: {', '.join(words) or 'not said which'}"


def _text(content: object, sample: Mapping[str, Any]) -> str:
    """The words of a message: text as it is, parts one after the other, other media by their kind."""
    if isinstance(content, str):
        return _resolved(content, sample)
    if not isinstance(content, list):
        return ""
    parts = []
    for part in content:
        kind = part.get("type") if isinstance(part, dict) else None
        if kind == "text" and isinstance(part.get("text"), str):
            parts.append(_resolved(part["text"], sample))
        elif isinstance(kind, str) and kind != "reasoning":
            parts.append(f"[{kind}]")
    return "\n\n".join(parts)


def _reasoning(content: object, sample: Mapping[str, Any]) -> str:
    if not isinstance(content, list):
        return ""
    found = [part.get("reasoning") for part in content if isinstance(part, dict) and part.get("type") == "reasoning"]
    return "\n\n".join(_resolved(one, sample) for one in found if isinstance(one, str))


def _resolved(text: str, sample: Mapping[str, Any]) -> str:
    """The text, or the attachment that it refers to. One that is missing stays as it is: nothing is lost by that."""
    attachments = sample.get("attachments")
    for start in _REFERENCES:
        if text.startswith(start) and isinstance(attachments, dict):
            found = attachments.get(text.removeprefix(start))
            return found if isinstance(found, str) else text
    return text
