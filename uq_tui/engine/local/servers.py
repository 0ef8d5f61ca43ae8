"""The model servers that one process uses: joined where another process of the workspace has one, else started."""

import asyncio
import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from store.run_rows import Message
from uq_tui import paths
from uq_tui.engine.child import open_log
from uq_tui.engine.gateways.sending import Target
from uq_tui.engine.local.keeper import Keeping
from uq_tui.engine.local.lease import Lease, Record
from uq_tui.engine.local.weights import PREFIX
from uq_tui.errors import ModelError

_START_S = 600.0
_LOOK_S = 0.05
"""How often a server that is being started is looked for."""
_ANSWER_S = 30.0
_LONGEST_LOG = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server process is started with; see `local_server`. `sha256` is the model file's."""

    name: str
    gguf: Path
    sha256: str
    slots: int
    context: int


@dataclass(frozen=True, slots=True)
class LocalServer:
    """A server that has loaded its model. `context` is the number of tokens that each of its slots holds."""

    name: str
    record: Record
    context: int

    @property
    def pid(self) -> int:
        """The server process's number."""
        return self.record.pid

    @property
    def target(self) -> Target:
        """Where the model is reached. LiteLLM gets a name it knows nothing about, so it changes no parameter."""
        base = f"http://127.0.0.1:{self.record.port}/v1"
        return Target("openai", "local-model", base, base, self.record.key, shown=f"{PREFIX}{self.name}")

    def count_tokens(self, messages: Sequence[Message]) -> int | None:
        """How many tokens the messages are in the model's own form; blocking. `None` when the server doesn't say."""
        body = {"messages": [{"role": message.role, "content": message.content} for message in messages]}
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError):
            status, answer = _ask(self.record, "/v1/chat/completions/input_tokens", body)
            count = answer.get("input_tokens")
            return count if status == http.HTTPStatus.OK and isinstance(count, int) else None
        return None


@dataclass(slots=True)
class _Place:
    """The place of one model's server."""

    lease: Lease
    server: LocalServer | None = None
    doubted: bool = False
    crashes: int = 0
    """Since the last complete reply."""
    joining: asyncio.Lock = field(default_factory=asyncio.Lock)


class LocalServers:
    """The servers that one engine uses, at most one a model. Lives on one event loop.

    A server is shared by all processes that name the same workspace, and ends a few seconds after the last of them
    has ended or called `close`.
    """

    def __init__(self, workspace: Path | None = None) -> None:
        self._workspace = workspace
        self._places: dict[ServerSettings, _Place] = {}

    async def running(self, settings: ServerSettings) -> LocalServer:
        """The model's server, started if need be, and started again after its first crash.

        Raises:
            ModelError: it doesn't start, or it crashes again and again.
        """
        try:
            place = self._place(settings)
            async with place.joining:
                if place.server is not None:
                    if await _is_there(place, place.server):
                        return place.server
                    place.server = None
                    place.crashes += 1
                if place.crashes > 1:
                    raise failed(settings.name, "crashed twice")
                place.server = await _join(settings, place.lease)
                place.doubted = False
                return place.server
        except OSError as error:
            raise failed(settings.name, f"cannot be used: {error}") from error

    def replied(self, settings: ServerSettings) -> None:
        """The model's server has given a complete reply."""
        self._place(settings).crashes = 0

    def doubt(self, settings: ServerSettings) -> None:
        """A request didn't reach the model's server: see whether it still answers before the next one."""
        self._place(settings).doubted = True

    def close(self) -> None:
        """Use no server any more."""
        for place in self._places.values():
            place.lease.leave()
        self._places.clear()

    def _place(self, settings: ServerSettings) -> _Place:
        place = self._places.get(settings)
        if place is None:
            served = (settings.sha256, settings.slots, settings.context)
            place = self._places[settings] = _Place(Lease.of(self._workspace, served))
        return place


def failed(name: str, what: str) -> ModelError:
    """The error for a server that cannot be used."""
    return ModelError(f"The server of {PREFIX}{name} {what}.", hint=f"Its log is {_log_of(name)}.")


async def _is_there(place: _Place, server: LocalServer) -> bool:
    """Whether the server that was joined is the one that is there, and answers where that is in doubt."""
    if place.lease.is_vacant() or place.lease.read() != server.record:
        return False
    if not place.doubted:
        return True
    place.doubted = await _look_at(server.name, server.record) is None
    return not place.doubted


async def _join(settings: ServerSettings, lease: Lease) -> LocalServer:
    """The server that is there, when it has loaded its model; one is started where none is."""
    starter: subprocess.Popen[bytes] | None = None
    try:
        async with asyncio.timeout(_START_S):
            while True:
                if not lease.use():
                    pass  # the server that was there is leaving
                elif (claim := lease.claim()) is not None:
                    try:
                        if starter is not None:
                            raise failed(settings.name, f"did not start: {_complaint(starter)}")
                        lease.forget()
                        starter = _start(settings, lease, claim)
                    finally:
                        os.close(claim)
                elif (record := lease.read()) is not None and record.is_current:
                    server = await _look_at(settings.name, record)
                    if server is not None:
                        return server
                await asyncio.sleep(_LOOK_S)
    except TimeoutError as error:
        raise failed(settings.name, f"has not loaded the model after {_START_S:g} s") from error
    finally:
        if starter is not None:
            _dismiss(starter)


async def _look_at(name: str, record: Record) -> LocalServer | None:
    """The recorded server, if it answers. One that refuses can serve nobody, and is ended."""
    try:
        status, answer = await asyncio.to_thread(_ask, record, "/v1/models")
    except TimeoutError:
        return None
    except (OSError, http.client.HTTPException, ValueError):
        status, answer = 0, {}
    if status == http.HTTPStatus.OK:
        with contextlib.suppress(KeyError, IndexError, TypeError):
            return LocalServer(name, record, int(answer["data"][0]["meta"]["n_ctx"]))
    if record.is_current:
        with contextlib.suppress(ProcessLookupError):
            os.kill(record.pid, signal.SIGKILL)
    return None


def _ask(record: Record, path: str, body: dict[str, Any] | None = None) -> tuple[int, dict[str, Any]]:
    """One request to a server, past any proxy: status and answer.

    Raises:
        OSError, http.client.HTTPException, ValueError: no answer, not in time, or not an object in JSON.
    """
    connection = http.client.HTTPConnection("127.0.0.1", record.port, timeout=_ANSWER_S)
    try:
        headers = {"Authorization": f"Bearer {record.key}", "Content-Type": "application/json"}
        method, sent = ("GET", None) if body is None else ("POST", json.dumps(body))
        connection.request(method, path, sent, headers)
        with connection.getresponse() as response:
            answer = json.loads(response.read())
        if not isinstance(answer, dict):
            raise ValueError("the answer is no object")
        return response.status, answer
    finally:
        connection.close()


def _start(settings: ServerSettings, lease: Lease, claim: int) -> "subprocess.Popen[bytes]":
    """Start a keeper, which starts the server. The process that is returned only lets the keeper go."""
    keeping = Keeping(
        lease=str(lease.stem),
        claim=claim,
        gguf=str(settings.gguf),
        slots=settings.slots,
        context=settings.context,
        threads=max(1, cores() - 1),
    )
    log = open_log(_log_of(settings.name), _LONGEST_LOG)
    try:
        starter = subprocess.Popen(
            [sys.executable, "-P", "-m", "uq_tui.engine.local.keeper"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            pass_fds=(claim,),
            start_new_session=True,
        )
    finally:
        os.close(log)
    if starter.stdin is not None:
        with contextlib.suppress(BrokenPipeError), starter.stdin:
            starter.stdin.write(keeping.line())
    return starter


def _complaint(starter: "subprocess.Popen[bytes]") -> str:
    """Why the server didn't start, once it and its keeper have ended."""
    said = starter.stdout.readline() if starter.stdout is not None else b""
    answer = json.loads(said) if said else {}
    return str(answer.get("error", "it ended without a word"))


def _dismiss(starter: "subprocess.Popen[bytes]") -> None:
    """Let go of a process that has nothing more to do than to end."""
    if starter.stdout is not None:
        starter.stdout.close()
    starter.wait()


def cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _log_of(name: str) -> Path:
    safe = "".join(character if character.isalnum() or character in "._-" else "_" for character in name)
    return paths.log_dir() / f"local-{safe[:100]}.log"
