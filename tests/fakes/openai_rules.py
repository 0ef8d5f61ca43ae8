"""What the fake server is told to answer: rules, and the requests they are matched with."""

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

_TAG = re.compile(
    r'\b((?!decision\b)[a-z2-7]{8})(?:: (?:accept|score)\b|">|(?:(?<=code": ".{8})|(?<=code is ".{8}))")', re.IGNORECASE
)
SAMPLE_HEADER = "x-uq-sample"


@dataclass(frozen=True, slots=True)
class Rule:
    """One scripted answer. The first rule whose `contains` all stand in the conversation is used.

    `{tag}` in the reply becomes the tag the request asks for. Counts of chunks include reasoning; an
    answer that isn't streamed counts as two chunks, its halves. Lone surrogates from `surrogateescape` in any text
    are sent as the bytes they stand for, so that bad UTF-8 can be written down.
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
    """Before the headers."""
    finish: str = "stop"
    """Empty for an answer that ends without a finish reason."""
    usage: bool = True
    done: bool = True
    """Whether `[DONE]` ends the stream."""
    status: int = 200
    """Anything else is an error answer with this status."""
    error: str = "scripted error"
    error_code: str = ""
    retry_after: str = ""
    fail_times: int = 0
    """How often the error is given before the rule answers; 0 with an error status means always."""
    verbatim: str | None = None
    """The whole body of the answer, instead of a chat completion."""
    content_type: str = "text/event-stream"
    """Of a verbatim body."""
    noise: str = ""
    """Written into a stream as it stands, before every chunk or only after `noise_after` of them."""
    noise_after: int | None = None
    bytes_per_write: int = 0
    """Each so many bytes of a stream are a chunk of HTTP and a write of their own; 0 writes events whole."""
    stall_after: int | None = None
    """Stop after this many chunks until `FakeServer.release()` or the client leaves; -1 stops before the headers."""
    cut_after: int | None = None
    """End the connection after this many chunks; -1 ends it before the headers."""
    cut_how: Literal["close", "reset", "mid_event", "clean"] = "close"
    """Close it, reset it, close it in the middle of an event, or end the body as if it were complete."""
    error_after: int | None = None
    """Send an error event in the stream after this many chunks; unstreamed, answer 200 with an error object."""


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
    def streamed(self) -> bool:
        """Whether the client asked for a stream."""
        return bool(self.body.get("stream"))

    @property
    def sample(self) -> int | None:
        """The sample's index, where the client told it."""
        given = self.headers.get(SAMPLE_HEADER)
        return int(given) if given is not None else None

    @property
    def content_sha256(self) -> str:
        """sha256 of canonical JSON of messages and sample: what makes two requests the same."""
        return sha256(json.dumps([self.messages, self.sample], sort_keys=True, separators=(",", ":")))

    @property
    def tag(self) -> str:
        """The tag of the newest instruction how to end a reply with a tag; empty without one."""
        for text in reversed(self.user_texts):
            found = _TAG.findall(text)
            if found:
                return str(found[-1])
        return ""

    @property
    def user_texts(self) -> list[str]:
        return [text_of(m) for m in self.messages if m.get("role") == "user"]

    def had_key(self, key: str) -> bool:
        """Whether `key` came as the bearer token."""
        return self.key_sha256 == sha256(key)


Script = Callable[[SeenRequest], Rule]


def script_of(rules: Sequence[Rule]) -> Script:
    """The script that picks the first matching rule; a request no rule matches gets status 400."""

    def choose(request: SeenRequest) -> Rule:
        conversation = "\n".join(text_of(message) for message in request.messages)
        for rule in rules:
            right_turn = rule.turn is None or rule.turn == len(request.user_texts)
            if right_turn and all(part in conversation for part in rule.contains):
                return rule
        return Rule(status=400, error="no rule matches this request")

    return choose


def pure_script(*, tokens_per_second: float = 0.0, first_delay_s: float = 0.0) -> Script:
    """The script whose replies are a pure function of the messages and the sample.

    Where a decision is asked for, about half of the replies accept, two in five reject, and the rest decide
    nothing; otherwise a final answer between 0 and 4 is boxed. Tags count as equal, so that two workspaces get the
    same decisions.
    """

    def choose(request: SeenRequest) -> Rule:
        tag = request.tag
        texts = [[message.get("role"), text_of(message)] for message in request.messages]
        asked = json.dumps([texts, request.sample or 0])
        number = int(sha256(asked.replace(tag, "{tag}") if tag else asked)[:15], 16)
        words = f"After {number % 9973} steps it follows."
        if not tag:
            last = f"\\boxed{{{number % 5}}}"
        else:
            last = ("{tag}: accept", "{tag}: reject", "It cannot be told.")[(0, 1, 0, 1, 0, 1, 0, 1, 0, 2)[number % 10]]
        return Rule(f"{words}\n{last}", tokens_per_second=tokens_per_second, first_delay_s=first_delay_s)

    return choose


def load_rules(path: Path) -> tuple[Rule, ...]:
    """The rules in a JSON file."""
    rows: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return tuple(_rule(row) for row in rows)


def _rule(row: dict[str, Any]) -> Rule:
    values: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
    return Rule(**values)


def text_of(message: dict[str, Any]) -> str:
    """The text of one message of a conversation."""
    content = message.get("content")
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return str(content or "")


def sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
