"""One request to a model through LiteLLM's module, and the one reply that came of it.

The module is handed in, so that importing this costs nothing. No retries happen here: the caller decides on them.
"""

import asyncio
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from store.run_rows import Message
from uq_tui.config import is_loopback
from uq_tui.engine.gateways.collected import Collected
from uq_tui.engine.gateways.errors import call_failed, known_errors
from uq_tui.engine.gateways.plain_body import PlainBody
from uq_tui.engine.spec import CallFailedError, OnText, Reply
from uq_tui.words import CallErrorKind

SAMPLE_HEADER = "x-uq-sample"
"""Tells a server on this machine which sample it is asked for; sent nowhere else."""


ASKED_FOR_TABLES = ("ollama", "ollama_chat")
"""LiteLLM would ask the servers of these providers for prices, in vain."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """How long to wait, in seconds. Reasoning models may think for minutes before the first text."""

    first_s: float = 900.0
    """For the first text of a stream."""
    idle_s: float = 120.0
    """For each next piece of a stream."""
    total_s: float = 3600.0
    """For a whole stream."""
    plain_s: float = 900.0
    """For a reply that comes in one piece."""


@dataclass(frozen=True, slots=True)
class Target:
    """Where a model is reached. `api_key` `None` leaves it to LiteLLM to find the provider's own."""

    provider: str
    model: str
    api_base: str = ""
    """Empty for the provider's own."""
    location: str = ""
    """The address as far as it is known, also where it is the provider's own."""
    api_key: str | None = field(default=None, repr=False)
    shown: str = ""
    """The name in messages, where it isn't LiteLLM's."""
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """Sent along with every request."""

    @property
    def full_name(self) -> str:
        """LiteLLM's name."""
        return f"{self.provider}/{self.model}"

    def __str__(self) -> str:
        return self.shown or self.full_name


async def send(
    litellm: Any,
    target: Target,
    messages: Sequence[Message],
    parameters: Mapping[str, Any],
    timeouts: Timeouts,
    *,
    on_text: OnText | None,
    sample: int = 0,
    extra_body: Mapping[str, Any] | None = None,
) -> Reply:
    """Send messages to a target once: as a stream when `on_text` is given, else as one plain request.

    The finish reason is the provider's own word, except that every word for the length limit becomes "length".
    Closes the connection when cancelled, so that the server can stop.

    Args:
        litellm: the module, set up.
        sample: the sample's index, told to servers on this machine.

    Raises:
        CallFailedError: with the text that had arrived.
    """
    collected = Collected(on_text or _unheard, _key_sent(target))
    request = _request(target, messages, parameters, sample, extra_body)
    how = _plain if on_text is None else _stream
    return await how(litellm, target, request, collected, timeouts)


def _key_sent(target: Target) -> str:
    """The key that goes to the target, as far as it is known where LiteLLM finds the provider's own."""
    return target.api_key or os.environ.get(f"{target.provider.upper()}_API_KEY", "")


def _unheard(reasoning: str, reply: str) -> None:
    """Nobody watches."""


def _request(
    target: Target,
    messages: Sequence[Message],
    parameters: Mapping[str, Any],
    sample: int,
    extra_body: Mapping[str, Any] | None,
) -> dict[str, Any]:
    body = dict(extra_body or {})
    if target.provider == "litellm_proxy":
        body["cache"] = {"no-cache": True}
    return {
        "model": target.full_name,
        "messages": [{"role": message.role, "content": message.content} for message in messages],
        "num_retries": 0,
        "max_retries": 0,
        "api_key": target.api_key,
        "api_base": target.api_base or None,
        "extra_body": body or None,
        "extra_headers": _headers(target, sample) or None,
        **parameters,
    }


def _headers(target: Target, sample: int) -> dict[str, str]:
    told = {SAMPLE_HEADER: str(sample)} if is_loopback(target.location) else {}
    return {**dict(target.headers), **told}


async def _plain(
    litellm: Any, target: Target, request: Mapping[str, Any], collected: Collected, timeouts: Timeouts
) -> Reply:
    body = PlainBody()
    response: Any = None
    try:
        async with asyncio.timeout(timeouts.plain_s):
            response = await litellm.acompletion(**request, stream=False, timeout=timeouts.plain_s, logger_fn=body.note)
    except TimeoutError as error:
        message = f"{target} did not finish in {timeouts.plain_s:g} s."
        raise CallFailedError(CallErrorKind.TIMEOUT, message, retryable=True) from error
    except known_errors(litellm.exceptions) as error:
        if body.message is None:  # otherwise a reply came, and LiteLLM has no place for its shape
            raise call_failed(
                litellm.exceptions,
                error,
                collected.whole(cut_off=True),
                target.api_key,
                plain=True,
                reported=body.error,
            ) from error
    choice = response.choices[0] if response is not None and response.choices else None
    answer = body.message or getattr(choice, "message", None)
    if answer is None:
        raise _no_reply(target)
    collected.take(answer)
    word = getattr(choice, "finish_reason", None)
    if word != "length":
        word = body.finish_reason(word)
    usage = body.usage(litellm.Usage) if body.message is not None else getattr(response, "usage", None)
    return _done(litellm, target, collected, word, usage)


async def _stream(
    litellm: Any, target: Target, request: Mapping[str, Any], collected: Collected, timeouts: Timeouts
) -> Reply:
    stream: Any = None
    finish: str | None = None
    usage: Any = None
    wait_s = timeouts.first_s
    streamed = {"stream": True, "stream_options": {"include_usage": True}, "timeout": timeouts.total_s}
    try:
        async with asyncio.timeout(timeouts.total_s) as total:
            async with asyncio.timeout(wait_s):
                stream = await litellm.acompletion(**request, **streamed)
            while True:
                async with asyncio.timeout(wait_s):
                    chunk = await anext(stream, None)
                if chunk is None:
                    break
                for choice in chunk.choices[:1]:
                    collected.take(choice.delta)
                    finish = choice.finish_reason or finish
                usage = getattr(chunk, "usage", None) or usage
                wait_s = timeouts.idle_s if collected.started else timeouts.first_s
    except TimeoutError as error:
        told = f"did not finish in {timeouts.total_s:g} s" if total.expired() else f"sent nothing for {wait_s:g} s"
        message = f"{target} {told}."
        raise CallFailedError(
            CallErrorKind.TIMEOUT, message, retryable=True, partial=collected.whole(cut_off=True)
        ) from error
    except known_errors(litellm.exceptions) as error:
        raise call_failed(litellm.exceptions, error, collected.whole(cut_off=True), target.api_key) from error
    finally:
        if stream is not None:
            await stream.aclose()
    if stream.received_finish_reason is None and stream.intermittent_finish_reason is None:
        if not collected.started:
            raise _no_reply(target)
        raise CallFailedError(
            CallErrorKind.CUT_OFF,
            f"{target} ended its stream without a finish reason.",
            retryable=True,
            partial=collected.whole(cut_off=True),
        )
    if not any(getattr(chunk, "usage", None) for chunk in stream.chunks):
        usage = None  # LiteLLM's own estimate, made because the server reported none
    if usage is None and not collected.started:
        raise _no_reply(target)  # all that came was a sign that it is done
    word = "length" if finish == "length" else stream.received_finish_reason or finish or ""
    return _done(litellm, target, collected, word, usage)


def _no_reply(target: Target) -> CallFailedError:
    return CallFailedError(CallErrorKind.MALFORMED, f"{target} sent no reply.", retryable=True)


def _done(litellm: Any, target: Target, collected: Collected, finish: str, usage: Any) -> Reply:
    """The complete reply.

    Raises:
        CallFailedError: it ended at a content filter.
    """
    reply = collected.whole(
        cut_off=finish == "length",
        finish_reason=finish,
        tokens_in=getattr(usage, "prompt_tokens", None),
        tokens_out=getattr(usage, "completion_tokens", None),
        cost_usd=cost_of(litellm, target, usage),
    )
    if finish == "content_filter":
        message = f"{target} stopped at its content filter."
        raise CallFailedError(CallErrorKind.CONTENT_FILTERED, message, retryable=False, partial=reply)
    return reply


def cost_of(litellm: Any, target: Target, usage: Any) -> float | None:
    """US dollars: what the server reports, else LiteLLM's price for the tokens; `None` when neither is known.

    LiteLLM's tables say 0 where they know no price, so 0 counts as unknown; and what stands on this machine has no
    price in them, whatever it is called.
    """
    if usage is None or is_loopback(target.location):
        return None
    reported = getattr(usage, "cost", None)
    if isinstance(reported, int | float) and reported > 0:
        return float(reported)
    if target.provider in ASKED_FOR_TABLES:
        return None
    try:
        parts = litellm.cost_per_token(model=target.model, custom_llm_provider=target.provider, usage_object=usage)
    except litellm.exceptions.ModelNotMappedError:
        return None
    total = float(sum(parts))
    return total if total > 0 else None
