"""`replay/NAME`: recorded or scripted replies, read from NAME.jsonl in the replay folder or in the bundled pack.

The first line says what the file is: `{"replay": NAME, "pace": 60, "note": "..."}`, pace in tokens a second, 0 for
all at once. Every other line is one reply:

    {"template": "check.correctness", "contains": ["a text", ...], "sample": null, "turn": null,
     "reasoning": "...", "reply": "... {tag}: accept"}

The first line that fits answers: its template wrote the last message, each text of `contains` stands in the user's
messages, and sample and turn (the number of user's messages) are equal where they aren't null. `{tag}` in the reply
becomes the tag that is asked for.
"""

import asyncio
import hashlib
import json
import os
import re
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from uq_tui import paths
from uq_tui.config import Sampling
from uq_tui.engine.requests import ModelChoice
from uq_tui.engine.spec import FREE, RECORDED, Ask, CallFailedError, OnText, Prepared, Reply
from uq_tui.errors import ModelError
from uq_tui.words import CallErrorKind

PREFIX = "replay/"
PACE_VARIABLE = "UQ_TUI_REPLAY_PACE"
"""Environment variable that overrides the pace of all recordings, for tests."""
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}\Z")
_TOKENS = re.compile(r"\s*\S+|\s+\Z")
_SUFFIX = ".jsonl"


@dataclass(frozen=True, slots=True)
class RecordedReply:
    """One line of a recording."""

    template: str
    contains: tuple[str, ...]
    sample: int | None
    turn: int | None
    reasoning: str
    reply: str

    def fits(self, ask: Ask, asked: str, turn: int) -> bool:
        """Whether this answers an ask whose user's messages are `asked`, `turn` of them."""
        return (
            self.template == ask.template.name
            and self.sample in (None, ask.sample)
            and self.turn in (None, turn)
            and all(text in asked for text in self.contains)
        )


@dataclass(frozen=True, slots=True)
class Recording:
    """A whole file."""

    name: str
    sha256: str
    pace: float
    note: str
    replies: tuple[RecordedReply, ...]

    def find(self, ask: Ask) -> RecordedReply | None:
        """The first reply that fits."""
        texts = [message.content for message in ask.messages if message.role == "user"]
        asked = "\n\n".join(texts)
        return next((reply for reply in self.replies if reply.fits(ask, asked, len(texts))), None)


def _folders() -> tuple[Traversable, ...]:
    """The user's folder, then the bundled one."""
    return (paths.config_dir() / "replay", resources.files("uq_tui").joinpath("pack", "replay"))


def recordings() -> tuple[str, ...]:
    """The names of all recordings, sorted."""
    files = [entry.name for folder in _folders() if folder.is_dir() for entry in folder.iterdir()]
    names = {name.removesuffix(_SUFFIX) for name in files if name.endswith(_SUFFIX)}
    return tuple(sorted(name for name in names if _NAME.match(name)))


def load_recording(name: str) -> Recording:
    """The recording NAME; the user's own is taken before a bundled one.

    Raises:
        ModelError: no such recording, or a line that is not as described above.
    """
    found = [folder.joinpath(name + _SUFFIX) for folder in _folders()] if _NAME.match(name) else []
    file = next((file for file in found if file.is_file()), None)
    if file is None:
        raise ModelError(
            f"There is no recording named {name!r}.",
            hint=f"Recordings here: {', '.join(recordings()) or 'none'}. Others belong into {_folders()[0]}.",
        )
    try:
        content = file.read_bytes()
    except OSError as error:
        raise ModelError(f"The recording {file} cannot be read: {error.strerror}.") from error
    lines = [(number, line) for number, line in enumerate(content.split(b"\n"), 1) if line.strip()]
    rows = [_row(line, f"{file}, line {number}") for number, line in lines]
    if not rows or "replay" not in rows[0]:
        raise ModelError(f'{file} does not begin with a line like {{"replay": "{name}", "pace": 60, "note": "..."}}.')
    pace, note = rows[0].get("pace", 0), rows[0].get("note", "")
    if not isinstance(pace, int | float) or isinstance(pace, bool) or not 0 <= pace < float("inf"):
        raise ModelError(f"{file}, line {lines[0][0]}: pace must be a number of tokens a second, 0 or more.")
    replies = tuple(_reply(row, f"{file}, line {number}") for (number, _), row in zip(lines[1:], rows[1:], strict=True))
    return Recording(name, hashlib.sha256(content).hexdigest(), float(pace), str(note), replies)


def _row(line: bytes, where: str) -> dict[str, Any]:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{where} is not JSON: {error}") from error
    if not isinstance(row, dict):
        raise ModelError(f"{where} is not an object.")
    return row


def _reply(row: dict[str, Any], where: str) -> RecordedReply:
    values = {"reasoning": "", "sample": None, "turn": None, "contains": [], **row}
    texts = all(isinstance(values.get(key), str) for key in ("template", "reasoning", "reply"))
    numbers = all(value is None or type(value) is int for value in (values["sample"], values["turn"]))
    contains = values["contains"]
    if not (texts and numbers and isinstance(contains, list) and all(isinstance(text, str) for text in contains)):
        raise ModelError(
            f"{where} is not a recorded reply.",
            hint="template, reasoning and reply are texts, contains is a list of texts, sample and turn are whole "
            "numbers or null.",
        )
    unknown = values.keys() - RecordedReply.__dataclass_fields__.keys()
    if unknown:
        raise ModelError(f"{where} has unknown keys: {', '.join(sorted(unknown))}.")
    return RecordedReply(**{**values, "contains": tuple(contains)})


class ReplayProvider:
    """Answers from a recording. Its replies cost 0.0, and how many tokens they had is unknown."""

    def __init__(self, choice: ModelChoice) -> None:
        self._name = choice.id.removeprefix(PREFIX)

    async def prepare(self, ask: Ask, sampling: Sampling, seed: int) -> Prepared:
        """Nothing is sent, so no parameter matters; the endpoint is the recording's sha256.

        Raises:
            ModelError: no such recording, or a malformed one.
        """
        recording = await asyncio.to_thread(load_recording, self._name)
        return Prepared(
            ask=ask,
            provider_model=f"{PREFIX}{self._name}",
            endpoint=f"{RECORDED}{recording.sha256}",
            parameters={},
            dropped=tuple(sorted(name for name, value in asdict(sampling).items() if value not in (None, ""))),
            constrained=False,
            price=FREE,
        )

    async def complete(self, prepared: Prepared, on_text: OnText | None) -> Reply:
        """Tell the recorded reply at the recording's pace, which is kept also when nobody watches.

        Raises:
            CallFailedError: nothing is recorded for this ask.
            ModelError: the recording is gone or malformed by now.
        """
        recording = await asyncio.to_thread(load_recording, self._name)
        ask = prepared.ask
        found = recording.find(ask)
        if found is None:
            message = f"{PREFIX}{self._name} has no reply for this: template {ask.template.name}, sample {ask.sample}."
            raise CallFailedError(CallErrorKind.UNAVAILABLE, message, retryable=False)
        reply = found.reply.replace("{tag}", ask.tag)
        pace = _pace(recording.pace)
        if pace:
            await _tell(found.reasoning, reply, pace, on_text or _nobody)
        elif on_text is not None and (found.reasoning or reply):
            on_text(found.reasoning, reply)
        return Reply(reply, found.reasoning, "stop", tokens_in=None, tokens_out=None, cost_usd=0.0)


def _nobody(reasoning: str, reply: str) -> None:
    """Hears the words of a reply that nobody watches."""


def _pace(recorded: float) -> float:
    given = os.environ.get(PACE_VARIABLE, "")
    try:
        return max(0.0, float(given)) if given else recorded
    except ValueError:
        return recorded


async def _tell(reasoning: str, reply: str, pace: float, on_text: OnText) -> None:
    """Word by word, at times reckoned from the start so that delays don't add up."""
    start = time.monotonic()
    for number, (thought, said) in enumerate(_pieces(reasoning, reply), 1):
        await asyncio.sleep(max(0.0, start + number / pace - time.monotonic()))
        on_text(thought, said)


def _pieces(reasoning: str, reply: str) -> Iterator[tuple[str, str]]:
    yield from ((piece, "") for piece in _TOKENS.findall(reasoning))
    yield from (("", piece) for piece in _TOKENS.findall(reply))
