"""LiteLLM's exceptions, by class, as the kinds of failure that a run knows."""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from uq_tui.engine.spec import CallFailedError, Reply
from uq_tui.words import CallErrorKind

_PREFIX = re.compile(r"\A(?:litellm\.)?\w*(?:Error|Exception|Timeout)\b[:\s-]*")
_LONGEST_MESSAGE = 2000
_KEY_VARIABLE = re.compile(r"(?:KEY|TOKEN|SECRET|PASSWORD)\Z")
_SHORTEST_SECRET = 8
"""Characters; what is shorter stands in ordinary words too."""
_KINDS: tuple[tuple[str, CallErrorKind, bool], ...] = (
    # Class in litellm.exceptions, kind, whether asking again can help. Subclasses before their bases.
    ("ContextWindowExceededError", CallErrorKind.CONTEXT_TOO_LONG, False),
    ("ContentPolicyViolationError", CallErrorKind.CONTENT_FILTERED, False),
    ("AuthenticationError", CallErrorKind.AUTH, False),
    ("PermissionDeniedError", CallErrorKind.AUTH, False),
    ("PaymentRequiredError", CallErrorKind.UNAVAILABLE, False),
    ("NotFoundError", CallErrorKind.UNAVAILABLE, False),
    ("RateLimitError", CallErrorKind.RATE_LIMITED, True),
    ("Timeout", CallErrorKind.TIMEOUT, True),
    ("APIConnectionError", CallErrorKind.CONNECTION, True),
    ("BadRequestError", CallErrorKind.BAD_REQUEST, False),
    ("UnprocessableEntityError", CallErrorKind.BAD_REQUEST, False),
    ("APIResponseValidationError", CallErrorKind.MALFORMED, True),
    ("ServiceUnavailableError", CallErrorKind.SERVER, True),
    ("BadGatewayError", CallErrorKind.SERVER, True),
    ("InternalServerError", CallErrorKind.SERVER, True),
    ("APIError", CallErrorKind.SERVER, True),
)
_CODES: Mapping[str, tuple[CallErrorKind, bool]] = {
    # Codes in the body of an error answer say more than LiteLLM's class does.
    "insufficient_quota": (CallErrorKind.UNAVAILABLE, False),  # comes as a rate limit, but waiting doesn't help
    "context_length_exceeded": (CallErrorKind.CONTEXT_TOO_LONG, False),
    "content_policy_violation": (CallErrorKind.CONTENT_FILTERED, False),
    "content_filter": (CallErrorKind.CONTENT_FILTERED, False),
}


def known_errors(exceptions: Any) -> tuple[type[Exception], ...]:
    """The classes that `call_failed` maps.

    Args:
        exceptions: the module litellm.exceptions.
    """
    return tuple(getattr(exceptions, name) for name, _, _ in _KINDS)


def call_failed(exceptions: Any, error: Exception, partial: Reply, api_key: str | None) -> CallFailedError:
    """The failure to report for one of the known errors. The key is removed from its message.

    Args:
        exceptions: the module litellm.exceptions.
        partial: what had arrived.
    """
    cause = _original(exceptions, error)
    kind, retryable = _kind(exceptions, cause)
    return CallFailedError(
        kind,
        readable_message(cause, api_key),
        retryable=retryable,
        retry_after_s=_retry_after(cause),
        partial=partial,
    )


def _original(exceptions: Any, error: Exception) -> Exception:
    """The provider's error inside the wrapper that LiteLLM puts around errors in mid-stream."""
    if isinstance(error, exceptions.MidStreamFallbackError):
        inner = error.original_exception
        return inner if isinstance(inner, Exception) else error
    return error


def _kind(exceptions: Any, error: Exception) -> tuple[CallErrorKind, bool]:
    body = getattr(error, "body", None)
    code = body.get("code") if isinstance(body, dict) else None
    if isinstance(code, str) and code in _CODES:
        return _CODES[code]
    if getattr(error, "status_code", None) == 403:
        return CallErrorKind.AUTH, False
    kind, retryable = next(
        ((kind, again) for name, kind, again in _KINDS if isinstance(error, getattr(exceptions, name))),
        (CallErrorKind.SERVER, True),
    )
    if kind is CallErrorKind.SERVER and any(isinstance(link, OSError) for link in _chain(error)):
        return CallErrorKind.CONNECTION, True  # LiteLLM reports an unreachable server as a server's internal error
    return kind, retryable


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error, its cause, the cause's cause; at most 20, since a chain may be circular."""
    link: BaseException | None = error
    for _ in range(20):
        if link is None:
            return
        yield link
        link = link.__cause__ or link.__context__


def _retry_after(error: Exception) -> float | None:
    """Seconds in a Retry-After header; its date form isn't used by model providers and counts as absent."""
    headers = getattr(getattr(error, "response", None), "headers", None)
    given = headers.get("retry-after") if isinstance(headers, Mapping) else None
    try:
        seconds = float(given) if given is not None else -1.0
    except ValueError:
        return None
    return seconds if 0 <= seconds < 86_400 else None


def readable_message(error: Exception, api_key: str | None) -> str:
    """The error's text without LiteLLM's stacked class names, without keys, of bounded length.

    Servers repeat the key they refuse. Where `api_key` is None LiteLLM took one from the environment, so all that
    stand there are removed.
    """
    text = str(error)
    while (shorter := _PREFIX.sub("", text, count=1)) != text and shorter:
        text = shorter
    return without_keys(text, (api_key or "",))[:_LONGEST_MESSAGE]


def without_keys(text: str, keys: Iterable[str] = ()) -> str:
    """A text with these keys cut out, and all that stand in the environment; servers repeat the key they refuse."""
    found = {value for name, value in os.environ.items() if _KEY_VARIABLE.search(name.upper())}
    secrets = {secret for secret in (*found, *keys) if len(secret) >= _SHORTEST_SECRET}
    for secret in sorted(secrets, key=len, reverse=True):
        text = text.replace(secret, "[key]")
    return text
