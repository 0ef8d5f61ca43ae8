"""What a server and the network between can do wrong, as a table: the fault, and what one request comes to.

Every row is a `Fault`; whoever calls with retries can hold its own outcome against `Expected.requests`.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from tests.fakes.openai_server import FakeServer, Rule
from uq_tui.engine.gateways.sending import Timeouts
from uq_tui.words import CallErrorKind

ATTEMPTS = 4
TEXT = "It holds for all n."
THOUGHT = "Hm."
NOBODY = "http://127.0.0.1:9/v1"
"""Where nobody listens."""
_PATIENT = Timeouts(first_s=60, idle_s=60, total_s=120, plain_s=60)
_IMPATIENT = Timeouts(first_s=1.0, idle_s=0.3, total_s=120, plain_s=0.7)


@dataclass(frozen=True, slots=True)
class Expected:
    """The outcome of one request. Without a `kind` it is a complete reply; else the texts are what is kept of it."""

    kind: CallErrorKind | None = None
    retryable: bool = False
    reply: str = ""
    reasoning: str = ""
    finish: str = ""
    counted: bool = False
    """Whether the number of tokens is known."""
    retry_after_s: float | None = None
    says: str = ""
    """Stands in the message."""

    @property
    def requests(self) -> int:
        """How many requests a caller with `ATTEMPTS` attempts makes when the fault stays."""
        return ATTEMPTS if self.retryable else 1


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to fail, or to look like failing. Without a rule nobody listens at the address."""

    name: str
    rule: Rule | None
    stream: Expected | None = None
    plain: Expected | None = None
    timeouts: Timeouts = _PATIENT

    def __str__(self) -> str:
        return self.name


@contextmanager
def address_of(fault: Fault) -> Iterator[str]:
    """The base address of a server that fails so."""
    if fault.rule is None:
        yield NOBODY
        return
    with FakeServer([fault.rule]) as server:
        yield server.base_url


def _rule(**values: object) -> Rule:
    usual: dict[str, object] = {"reply": TEXT, "reasoning": THOUGHT}
    return Rule(**{**usual, **values})  # type: ignore[arg-type]


def _failed(kind: CallErrorKind, *, retryable: bool = True, says: str = "", after: float | None = None) -> Expected:
    return Expected(kind, retryable=retryable, says=says, retry_after_s=after)


def _kept(kind: CallErrorKind, reply: str = "It holds", *, retryable: bool = True, says: str = "") -> Expected:
    return Expected(kind, retryable=retryable, reply=reply, reasoning=THOUGHT, says=says)


def _both(name: str, rule: Rule | None, expected: Expected, timeouts: Timeouts = _PATIENT) -> Fault:
    return Fault(name, rule, expected, expected, timeouts)


_DONE = Expected(reply=TEXT, reasoning=THOUGHT, finish="stop", counted=True)
_UNCOUNTED = Expected(reply=TEXT, reasoning=THOUGHT, finish="stop")
_HTML = "<html><body><h1>Bad gateway</h1></body></html>"
_EMPTY_CHOICES = 'data: {"id":"x","object":"chat.completion.chunk","created":0,"model":"m","choices":[]}\n\n'
_LOST = _failed(CallErrorKind.CONNECTION)
_CUT = _failed(CallErrorKind.CUT_OFF, says="before the reply was complete")
_MALFORMED = _failed(CallErrorKind.MALFORMED)
_RATE_LIMITED = _failed(CallErrorKind.RATE_LIMITED, says="scripted error")
_SERVER = _failed(CallErrorKind.SERVER, says="scripted error")

FAULTS: tuple[Fault, ...] = (
    # Answers with an error status.
    _both("429", _rule(status=429), _RATE_LIMITED),
    _both("429, retry after 7 s", _rule(status=429, retry_after="7"), _failed(CallErrorKind.RATE_LIMITED, after=7.0)),
    _both(
        "429, retry at a far date",
        _rule(status=429, retry_after="Fri, 31 Dec 2100 23:59:59 GMT"),
        _failed(CallErrorKind.RATE_LIMITED, after=86_400.0),
    ),
    _both(
        "429, retry at a past date",
        _rule(status=429, retry_after="Wed, 21 Oct 2015 07:28:00 GMT"),
        _failed(CallErrorKind.RATE_LIMITED, after=0.0),
    ),
    _both("429, retry after nonsense", _rule(status=429, retry_after="soon"), _RATE_LIMITED),
    _both(
        "429, no quota",
        _rule(status=429, error_code="insufficient_quota"),
        _failed(CallErrorKind.UNAVAILABLE, retryable=False),
    ),
    _both("500", _rule(status=500), _SERVER),
    _both("502", _rule(status=502), _SERVER),
    _both("503, retry after 2 s", _rule(status=503, retry_after="2"), _failed(CallErrorKind.SERVER, after=2.0)),
    _both("504", _rule(status=504), _failed(CallErrorKind.TIMEOUT)),
    _both("529", _rule(status=529), _SERVER),
    _both("408", _rule(status=408), _failed(CallErrorKind.TIMEOUT)),
    _both("409", _rule(status=409), _SERVER),
    _both("401", _rule(status=401), _failed(CallErrorKind.AUTH, retryable=False)),
    _both("402", _rule(status=402), _failed(CallErrorKind.UNAVAILABLE, retryable=False)),
    _both("403", _rule(status=403), _failed(CallErrorKind.AUTH, retryable=False)),
    _both("404", _rule(status=404), _failed(CallErrorKind.UNAVAILABLE, retryable=False)),
    _both("400", _rule(status=400), _failed(CallErrorKind.BAD_REQUEST, retryable=False)),
    _both("413", _rule(status=413), _failed(CallErrorKind.BAD_REQUEST, retryable=False)),
    _both("422", _rule(status=422), _failed(CallErrorKind.BAD_REQUEST, retryable=False)),
    _both(
        "400, context too long",
        _rule(status=400, error_code="context_length_exceeded", error="maximum context length is 10 tokens"),
        _failed(CallErrorKind.CONTEXT_TOO_LONG, retryable=False),
    ),
    _both(
        "400, context too long in words",
        _rule(status=400, error="request (900 tokens) exceeds the available context size (800 tokens)"),
        _failed(CallErrorKind.CONTEXT_TOO_LONG, retryable=False, says="900 tokens"),
    ),
    _both(
        "400, content policy",
        _rule(status=400, error_code="content_policy_violation"),
        _failed(CallErrorKind.CONTENT_FILTERED, retryable=False),
    ),
    # Connections that are not made, or break.
    _both("refused", None, _failed(CallErrorKind.CONNECTION, says="Connect call failed")),
    _both("closed before the headers", _rule(cut_after=-1), _LOST),
    _both("reset before the headers", _rule(cut_after=-1, cut_how="reset"), _LOST),
    Fault("closed after the headers", _rule(cut_after=0), stream=_LOST, plain=_CUT),
    Fault("closed before any text", _rule(cut_after=1), stream=_LOST),
    Fault("closed within the body", _rule(cut_after=1), plain=_CUT),
    Fault("reset within the body", _rule(cut_after=1, cut_how="reset"), plain=_CUT),
    Fault("closed after 4 chunks", _rule(cut_after=4), stream=_kept(CallErrorKind.CUT_OFF, says=_CUT.says)),
    Fault("reset after 4 chunks", _rule(cut_after=4, cut_how="reset"), stream=_kept(CallErrorKind.CUT_OFF)),
    Fault("closed within an event", _rule(cut_after=4, cut_how="mid_event"), stream=_kept(CallErrorKind.CUT_OFF)),
    Fault("ended after 4 chunks", _rule(cut_after=4, cut_how="clean"), stream=_kept(CallErrorKind.CUT_OFF)),
    Fault("ended before any text", _rule(cut_after=1, cut_how="clean"), stream=_MALFORMED),
    Fault("ended before anything", _rule(cut_after=0, cut_how="clean"), stream=_MALFORMED),
    # Waiting.
    Fault("slow headers", _rule(first_delay_s=0.3), stream=_DONE, plain=_DONE),
    _both("no headers", _rule(stall_after=-1), _failed(CallErrorKind.TIMEOUT), _IMPATIENT),
    Fault("stall before any text", _rule(stall_after=1), _failed(CallErrorKind.TIMEOUT), timeouts=_IMPATIENT),
    Fault(
        "stall after 4 chunks",
        _rule(stall_after=4),
        stream=_kept(CallErrorKind.TIMEOUT, says="sent nothing for 0.3 s"),
        timeouts=_IMPATIENT,
    ),
    Fault(
        "stall within the body",
        _rule(stall_after=1),
        plain=_failed(CallErrorKind.TIMEOUT, says="did not finish in 0.7 s"),
        timeouts=_IMPATIENT,
    ),
    # Errors under status 200.
    Fault("error object", _rule(error_after=0), _SERVER, _SERVER),
    Fault("error object after 4 chunks", _rule(error_after=4), _kept(CallErrorKind.SERVER, says="scripted error")),
    Fault(
        "error object that says rate limit",
        _rule(error_after=4, error_code="rate_limit_exceeded"),
        _kept(CallErrorKind.RATE_LIMITED),
        _RATE_LIMITED,
    ),
    Fault(
        "error object with status 400",
        _rule(error_after=4, error_code="400"),
        _kept(CallErrorKind.BAD_REQUEST, retryable=False),
        _failed(CallErrorKind.BAD_REQUEST, retryable=False),
    ),
    Fault(
        "error object that says context too long",
        _rule(error_after=0, error_code="context_length_exceeded"),
        _failed(CallErrorKind.CONTEXT_TOO_LONG, retryable=False),
        _failed(CallErrorKind.CONTEXT_TOO_LONG, retryable=False),
    ),
    # Streams and bodies of another shape.
    Fault("no [DONE]", _rule(done=False), stream=_DONE),
    Fault("no usage", _rule(usage=False), stream=_UNCOUNTED, plain=_UNCOUNTED),
    Fault(
        "no finish reason",
        _rule(finish=""),
        stream=_kept(CallErrorKind.CUT_OFF, TEXT),
        plain=Expected(reply=TEXT, reasoning=THOUGHT, counted=True),
    ),
    Fault("no finish reason, no [DONE]", _rule(finish="", done=False), stream=_kept(CallErrorKind.CUT_OFF, TEXT)),
    Fault("comments", _rule(noise=": PROCESSING\n\n"), stream=_DONE),
    Fault("empty choices", _rule(noise=_EMPTY_CHOICES), stream=_DONE),
    Fault("empty choices and nothing else", _rule(noise='data: {"choices":[]}\n\n'), stream=_DONE),
    Fault("a line that is no event", _rule(noise="hello there\n\n", noise_after=4), stream=_DONE),
    Fault(
        "an event that is no JSON",
        _rule(noise="data: {hello\n\n", noise_after=4),
        stream=_kept(CallErrorKind.MALFORMED),
    ),
    Fault("a first event that is no JSON", _rule(noise="data: hello\n\n", noise_after=0), stream=_MALFORMED),
    _both("HTML", Rule(verbatim=_HTML, content_type="text/html"), _MALFORMED),
    _both("HTML that calls itself JSON", Rule(verbatim=_HTML, content_type="application/json"), _MALFORMED),
    _both("HTML that calls itself a stream", Rule(verbatim=_HTML), _MALFORMED),
    _both("nothing", Rule(verbatim="", content_type="application/json"), _MALFORMED),
    _both("[DONE] alone", Rule(verbatim="data: [DONE]\n\n"), _MALFORMED),
    _both("JSON without choices", Rule(verbatim="{}", content_type="application/json"), _MALFORMED),
    Fault("no choices", Rule(verbatim='{"choices": []}', content_type="application/json"), plain=_MALFORMED),
    Fault("choices of another kind", Rule(verbatim='data: {"choices": 3}\n\n'), stream=_MALFORMED),
    Fault(
        "a choice without a message",
        Rule(verbatim='{"choices": [{"index": 0}]}', content_type="application/json"),
        plain=_failed(CallErrorKind.MALFORMED, says="no reply: Invalid response object"),
    ),
    Fault("no UTF-8", _rule(reply="caf\udce9"), _kept(CallErrorKind.MALFORMED, ""), _MALFORMED),
    Fault(
        "no UTF-8 after 4 chunks",
        _rule(noise="data: caf\udce9\n\n", noise_after=4),
        stream=_kept(CallErrorKind.MALFORMED),
    ),
    # Endings that are told.
    _both("length", _rule(finish="length"), Expected(reply=TEXT, reasoning=THOUGHT, finish="length", counted=True)),
    _both(
        "content filter",
        _rule(finish="content_filter"),
        Expected(CallErrorKind.CONTENT_FILTERED, reply=TEXT, reasoning=THOUGHT, finish="content_filter", counted=True),
    ),
    # Pieces of unusual size.
    _both(
        "a megabyte at once",
        _rule(pieces=("x" * 1_000_000, " end")),
        Expected(reply="x" * 1_000_000 + " end", reasoning=THOUGHT, finish="stop", counted=True),
    ),
    Fault(
        "single bytes",
        _rule(reply="Für alle n gilt ∀.", bytes_per_write=1),
        stream=Expected(reply="Für alle n gilt ∀.", reasoning=THOUGHT, finish="stop", counted=True),
    ),
)
