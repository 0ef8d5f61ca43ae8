"""LiteLLM's exceptions, and what lies beneath them, as the kinds of failure that a run knows."""

import email.utils
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from uq_tui.engine.spec import CallFailedError, Reply
from uq_tui.words import CallErrorKind

_Verdict = tuple[CallErrorKind, bool]
"""The kind, and whether asking again can help."""

_PREFIX = re.compile(r"\A(?:(?:litellm\.)?\w*(?:Error|Exception|Timeout)\b|LiteLLM:)[:\s-]*")
_NOISE = re.compile(r" ssl:<[^>]*>|\s*Traceback \(most recent call last\)[\s\S]*")
_LONGEST_MESSAGE = 2000
_LONGEST_WAIT_S = 86_400.0
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
_CATCH_ALLS = ("APIConnectionError", "InternalServerError", "APIError")
"""Under these LiteLLM reports whatever it has no class for; what lies beneath says more."""
_CODES: Mapping[str, _Verdict] = {
    # Codes in the body of an error answer say more than LiteLLM's class does.
    "insufficient_quota": (CallErrorKind.UNAVAILABLE, False),  # comes as a rate limit, but waiting doesn't help
    "context_length_exceeded": (CallErrorKind.CONTEXT_TOO_LONG, False),
    "content_policy_violation": (CallErrorKind.CONTENT_FILTERED, False),
    "content_filter": (CallErrorKind.CONTENT_FILTERED, False),
}
_STATUSES: Mapping[int, _Verdict] = {
    401: (CallErrorKind.AUTH, False),
    402: (CallErrorKind.UNAVAILABLE, False),
    403: (CallErrorKind.AUTH, False),
    404: (CallErrorKind.UNAVAILABLE, False),
    408: (CallErrorKind.TIMEOUT, True),
    409: (CallErrorKind.SERVER, True),
    425: (CallErrorKind.SERVER, True),
    429: (CallErrorKind.RATE_LIMITED, True),
    504: (CallErrorKind.TIMEOUT, True),
}
_WORDS: tuple[tuple[str, _Verdict], ...] = (
    # Parts of the words that error objects have as code or type.
    ("rate_limit", (CallErrorKind.RATE_LIMITED, True)),
    ("timeout", (CallErrorKind.TIMEOUT, True)),
    ("authentication", (CallErrorKind.AUTH, False)),
    ("permission", (CallErrorKind.AUTH, False)),
    ("not_found", (CallErrorKind.UNAVAILABLE, False)),
    ("invalid_request", (CallErrorKind.BAD_REQUEST, False)),
)
_STATUS_ANSWERS = frozenset({"HTTPStatusError"})
_LOST_CONNECTIONS = frozenset({"TransportError", "ClientError"})
_UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)
"""What LiteLLM and the libraries beneath it raise over data of another shape than they expect."""


def known_errors(exceptions: Any) -> tuple[type[Exception], ...]:
    """The classes that `call_failed` maps.

    Args:
        exceptions: the module litellm.exceptions.
    """
    return tuple(getattr(exceptions, name) for name, _, _ in _KINDS)


def call_failed(
    exceptions: Any,
    error: Exception,
    partial: Reply,
    api_key: str | None,
    *,
    plain: bool = False,
    reported: Mapping[str, Any] | None = None,
) -> CallFailedError:
    """The failure to report for one of the known errors. The key is removed from its message.

    Args:
        exceptions: the module litellm.exceptions.
        partial: what had arrived.
        plain: the reply was to come in one piece.
        reported: the error object that came in the place of a reply, where it is known.
    """
    cause = _original(exceptions, error)
    links = [*_chain(cause), *_chain(error)]
    began = bool(partial.reply or partial.reasoning) or (plain and any(map(_is_incomplete, links)))
    reported = reported or _body(links) or _error_object(str(cause))
    kind, retryable = _kind(exceptions, cause, links, reported, plain=plain, began=began)
    return CallFailedError(
        kind,
        _message(kind, cause, links, api_key),
        retryable=retryable,
        retry_after_s=_retry_after(links),
        partial=partial,
    )


def _original(exceptions: Any, error: Exception) -> Exception:
    """The provider's error inside the wrapper that LiteLLM puts around errors in mid-stream."""
    if isinstance(error, exceptions.MidStreamFallbackError):
        inner = error.original_exception
        return inner if isinstance(inner, Exception) else error
    return error


def _chain(error: BaseException) -> Iterator[BaseException]:
    """The error, its cause, the cause's cause; at most 20, since a chain may be circular."""
    link: BaseException | None = error
    for _ in range(20):
        if link is None:
            return
        yield link
        link = link.__cause__ or link.__context__


def _kind(
    exceptions: Any,
    error: Exception,
    links: Sequence[BaseException],
    reported: Mapping[str, Any] | None,
    *,
    plain: bool,
    began: bool,
) -> _Verdict:
    code = reported.get("code") if reported else None
    if isinstance(code, str) and code in _CODES:
        return _CODES[code]
    name, kind, retryable = next(
        (row for row in _KINDS if isinstance(error, getattr(exceptions, row[0]))),
        ("APIError", CallErrorKind.SERVER, True),
    )
    status = getattr(error, "status_code", None)
    if status == 403:
        return CallErrorKind.AUTH, False
    if name not in _CATCH_ALLS:
        return kind, retryable
    if any(_is_a(link, _STATUS_ANSWERS) for link in links):
        return by_status(status) if isinstance(status, int) else (kind, retryable)
    if reported:
        return _by_report(reported)
    return _beneath(links, began=began) or ((CallErrorKind.MALFORMED, True) if plain else (kind, retryable))


def _beneath(links: Sequence[BaseException], *, began: bool) -> _Verdict | None:
    """What lies beneath an error that no answer of the server explains."""
    if any(isinstance(link, TimeoutError) for link in links):
        return CallErrorKind.TIMEOUT, True
    if any(map(_is_lost, links)):
        return CallErrorKind.CUT_OFF if began else CallErrorKind.CONNECTION, True
    if any(isinstance(link, StopAsyncIteration) for link in links):  # the stream ended without a finish reason
        return CallErrorKind.CUT_OFF if began else CallErrorKind.MALFORMED, True
    if any(map(_is_unsendable, links)):
        return CallErrorKind.BAD_REQUEST, False
    if any(isinstance(link, _UNREADABLE) for link in links):
        return CallErrorKind.MALFORMED, True
    return None


def _is_a(link: BaseException, names: frozenset[str]) -> bool:
    """Whether an exception is of one of these classes, which belong to libraries that aren't imported here."""
    return not names.isdisjoint(base.__name__ for base in type(link).__mro__)


def _is_lost(link: BaseException) -> bool:
    """Whether a connection could not be made or has broken."""
    return isinstance(link, OSError) or _is_a(link, _LOST_CONNECTIONS)


def _is_unsendable(link: BaseException) -> bool:
    """Whether the prompt is no Unicode text: it holds a surrogate without its partner, as imported texts may."""
    return isinstance(link, UnicodeEncodeError)


def _is_incomplete(link: BaseException) -> bool:
    """Whether a body ended before its announced end."""
    return _is_a(link, frozenset({"ClientPayloadError"})) or "complete message body" in str(link)


def _body(links: Sequence[BaseException]) -> Mapping[str, Any] | None:
    """The error object that the server sent, as the libraries keep it."""
    bodies = (getattr(link, "body", None) for link in links)
    return next((body for body in bodies if isinstance(body, Mapping) and body), None)


def _error_object(text: str) -> Mapping[str, Any] | None:
    """The error object in a text that quotes the body of an answer."""
    start = text.find('{"error"')
    if start < 0:
        return None
    try:
        body, _ = json.JSONDecoder().raw_decode(text, start)
    except ValueError:
        return None
    found = body["error"]
    return found if isinstance(found, dict) and found else None


def _by_report(reported: Mapping[str, Any]) -> _Verdict:
    """The kind of an error object that came with status 200: by its number, else by its words."""
    told = [str(reported.get(name, "")) for name in ("code", "status_code", "status", "type")]
    number = next((int(value) for value in told if len(value) == 3 and value.isdecimal()), None)
    if number is not None:
        return by_status(number)
    return next((verdict for part, verdict in _WORDS if any(part in word for word in told)), by_status(500))


def by_status(status: int) -> _Verdict:
    """The kind of an HTTP status, and whether asking again can help."""
    if status in _STATUSES:
        return _STATUSES[status]
    if 400 <= status < 500:
        return CallErrorKind.BAD_REQUEST, False
    return (CallErrorKind.UNAVAILABLE, False) if 300 <= status < 400 else (CallErrorKind.SERVER, True)


def _retry_after(links: Sequence[BaseException]) -> float | None:
    answers = (getattr(getattr(link, "response", None), "headers", None) for link in links)
    given = (headers.get("retry-after") for headers in answers if isinstance(headers, Mapping))
    found = next((value for value in given if isinstance(value, str)), None)
    return seconds_to_wait(found, time.time()) if found is not None else None


def seconds_to_wait(retry_after: str, now: float) -> float | None:
    """Seconds in a Retry-After header, given as a number or as a date; between 0 and a day, `None` if it is neither.

    Args:
        retry_after: the header's value.
        now: seconds since 1970.
    """
    try:
        seconds = float(retry_after)
    except ValueError:
        try:
            seconds = max(0.0, email.utils.parsedate_to_datetime(retry_after).timestamp() - now)
        except (ValueError, OverflowError):
            return None
    return min(seconds, _LONGEST_WAIT_S) if seconds >= 0 else None


def _message(kind: CallErrorKind, cause: Exception, links: Sequence[BaseException], api_key: str | None) -> str:
    if kind is CallErrorKind.CUT_OFF:
        return "The connection ended before the reply was complete."
    if kind is CallErrorKind.CONNECTION and any(map(_is_incomplete, links)):
        return "The connection ended before anything of the reply had come."
    if any(map(_is_unsendable, links)):
        return "The prompt holds half a character (a lone surrogate), which can't be sent; mend the text it is from."
    text = readable_message(cause, api_key)
    if kind is CallErrorKind.MALFORMED:
        return f"What came is no reply: {text}"[:_LONGEST_MESSAGE]
    beneath = next((link.strerror or str(link) for link in reversed(links) if isinstance(link, OSError)), "")
    if kind is CallErrorKind.CONNECTION and beneath not in text:
        return f"{text.rstrip('.')}: {beneath}"[:_LONGEST_MESSAGE]
    return text


def readable_message(error: Exception, api_key: str | None) -> str:
    """What the error says, without LiteLLM's stacked class names and tracebacks, without keys, of bounded length."""
    text = _NOISE.sub("", str(error))
    quoted = (_error_object(text) or {}).get("message")
    if isinstance(quoted, str) and quoted:
        text = quoted
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
