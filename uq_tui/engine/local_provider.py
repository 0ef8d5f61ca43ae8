"""`local/NAME`: GGUF models on this machine, one server process a model, held to answer forms by grammars."""

import asyncio
import contextlib
import dataclasses
import json
import os
import secrets
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from uq_tui import paths
from uq_tui.config import ModelSettings, Sampling
from uq_tui.engine import weights
from uq_tui.engine.gguf import read_gguf
from uq_tui.engine.grammar import constraint
from uq_tui.engine.llm import ensure_litellm_ready
from uq_tui.engine.protocol import ModelChoice
from uq_tui.engine.sending import Target, Timeouts, send
from uq_tui.engine.spec import FREE, AnswerForm, Ask, OnText, Prepared, Reply
from uq_tui.engine.weights import PREFIX
from uq_tui.errors import ModelError

DEFAULT_SLOTS = 2
LARGEST_CONTEXT = 8192
"""Tokens of a slot. The memory of all slots is set aside at start."""
_FREE_TOKENS = 800
_CONSTRAINED_TOKENS = 400
_START_S = 600.0
_LONGEST_LOG = 5_000_000


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """What a server process is started with; see `local_server`."""

    name: str
    gguf: Path
    slots: int
    context: int


class ServerProcess:
    """A model server. It ends with this process, however that ends."""

    def __init__(self, settings: ServerSettings) -> None:
        self._settings = settings
        self._key = secrets.token_urlsafe(32)
        self._log = _log_of(settings.name)
        self._process: subprocess.Popen[bytes] | None = None
        self._port = 0

    @property
    def running(self) -> bool:
        """Whether the process is there; it may still be loading."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """The process's number; `None` before it starts and after it was stopped."""
        return self._process.pid if self._process else None

    @property
    def target(self) -> Target:
        """Where the model is reached. LiteLLM gets a name it knows nothing about, so it changes no parameter."""
        base = f"http://127.0.0.1:{self._port}/v1"
        return Target("openai", "local-model", base, base, self._key, shown=f"{PREFIX}{self._settings.name}")

    async def start(self) -> None:
        """Start and wait until the model is loaded.

        Raises:
            ModelError: it doesn't start, or not in time.
        """
        process = self._process = self._spawn()
        problem = "it ended without a word"
        try:
            async with asyncio.timeout(_START_S):
                answer = await asyncio.to_thread(self._greet, process)
        except TimeoutError:
            answer, problem = {}, f"the model is not loaded after {_START_S:g} s"
        except asyncio.CancelledError:
            self.stop()
            raise
        if "port" not in answer:
            self.stop()
            raise self.failed(f"did not start: {answer.get('error', problem)}")
        self._port = int(answer["port"])

    def _spawn(self) -> subprocess.Popen[bytes]:
        """To be called by the loop's own thread: the kernel ends a child when the thread that started it ends."""
        with self._log.open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", "uq_tui.engine.local_server"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )

    def _greet(self, process: subprocess.Popen[bytes]) -> dict[str, Any]:
        """Send the settings, wait for the answer; empty when the process ends without one."""
        settings = {
            "gguf": str(self._settings.gguf),
            "slots": self._settings.slots,
            "context": self._settings.context,
            "threads": max(1, _cores() - 1),
            "key": self._key,
        }
        with contextlib.suppress(BrokenPipeError):
            _pipe(process.stdin).write(json.dumps(settings).encode() + b"\n")
            _pipe(process.stdin).flush()
        line = _pipe(process.stdout).readline()
        answer = json.loads(line) if line else {}
        return answer if isinstance(answer, dict) else {}

    def stop(self) -> None:
        """End the process; it keeps nothing that would be lost."""
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        process.wait()
        with contextlib.suppress(BrokenPipeError):
            _pipe(process.stdin).close()
        _pipe(process.stdout).close()

    def failed(self, what: str) -> ModelError:
        """The error for a server that cannot be used."""
        name = f"{PREFIX}{self._settings.name}"
        return ModelError(f"The server of {name} {what}.", hint=f"Its log is {self._log}.")


def _pipe(end: Any) -> Any:
    """One end of a process started with pipes."""
    if end is None:
        raise RuntimeError("the server process was started without pipes")
    return end


def _cores() -> int:
    """How many processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _log_of(name: str) -> Path:
    """The server's log, emptied when it has grown large."""
    safe = "".join(character if character.isalnum() or character in "._-" else "_" for character in name)
    log = paths.log_dir() / f"local-{safe[:100]}.log"
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > _LONGEST_LOG:
            log.unlink()
    os.close(os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600))
    return log


@dataclass(slots=True)
class _Place:
    """The place of one model's server."""

    server: ServerProcess
    starting: asyncio.Lock = field(default_factory=asyncio.Lock)
    was_started: bool = False
    crashes: int = 0
    """Since the last complete reply."""


class LocalServers:
    """The servers of one engine: at most one a model, started on first use. Lives on one event loop."""

    def __init__(self) -> None:
        self._places: dict[ServerSettings, _Place] = {}

    async def running(self, settings: ServerSettings) -> ServerProcess:
        """The model's server, started if need be, and started again after its first crash.

        Raises:
            ModelError: it doesn't start, or it crashes again and again.
        """
        place = self._places.setdefault(settings, _Place(ServerProcess(settings)))
        async with place.starting:
            if place.server.running:
                return place.server
            if place.was_started:
                place.crashes += 1
                place.server.stop()
            if place.crashes > 1:
                raise place.server.failed("crashed twice")
            await place.server.start()
            place.was_started = True
            return place.server

    def replied(self, settings: ServerSettings) -> None:
        """The model's server has given a complete reply."""
        self._places[settings].crashes = 0

    def close(self) -> None:
        """End all servers."""
        for place in self._places.values():
            place.server.stop()
        self._places.clear()


@dataclass(frozen=True, slots=True)
class _Found:
    """A model file that can be run."""

    gguf: Path
    sha256: str
    context: int


class LocalProvider:
    """A GGUF model on this machine. Replies cost 0.0: nobody is paid for them."""

    def __init__(
        self, choice: ModelChoice, settings: ModelSettings, servers: LocalServers, timeouts: Timeouts | None = None
    ) -> None:
        self._name = choice.id.removeprefix(PREFIX)
        self._settings = settings
        self._servers = servers
        self._timeouts = timeouts or Timeouts()

    async def prepare(self, ask: Ask, sampling: Sampling, seed: int) -> Prepared:
        """Fix what would be sent; nothing is started.

        The endpoint is the model file's sha256 and the context of a slot: they determine the reply, the port doesn't.

        Raises:
            ModelError: the model library or the model file is missing, or the file is no GGUF file.
        """
        found = await asyncio.to_thread(self._find)
        usual = _FREE_TOKENS if ask.form is AnswerForm.FREE else _CONSTRAINED_TOKENS
        max_tokens = sampling.max_tokens or usual
        enforced = constraint(ask.form, ask.tag, max_tokens)
        parameters: dict[str, Any] = {"max_tokens": max_tokens, "seed": seed}
        drawn = {"temperature": sampling.temperature, "top_p": sampling.top_p}
        parameters |= {name: value for name, value in drawn.items() if value is not None}
        if enforced is not None:
            parameters |= {"max_tokens": enforced.max_tokens, "grammar": enforced.grammar}
        return Prepared(
            ask=ask,
            provider_model=f"{PREFIX}{self._name}",
            endpoint=f"gguf:{found.sha256}:{found.context}",
            parameters=parameters,
            dropped=("reasoning_effort",) if sampling.reasoning_effort else (),
            constrained=enforced is not None,
            price=FREE,
        )

    async def complete(self, prepared: Prepared, on_text: OnText | None) -> Reply:
        """Send once; streaming when somebody listens. Starts the server where it isn't running.

        Raises:
            CallFailedError: with the text that had arrived.
            ModelError: the server doesn't start.
        """
        found = await asyncio.to_thread(self._find)
        settings = ServerSettings(self._name, found.gguf, self._settings.concurrency or DEFAULT_SLOTS, found.context)
        server, litellm = await asyncio.gather(self._servers.running(settings), asyncio.to_thread(ensure_litellm_ready))
        parameters = dict(prepared.parameters)
        grammar = parameters.pop("grammar", None)
        extra = {"grammar": grammar} if grammar else None
        reply = await send(
            litellm,
            server.target,
            prepared.ask.messages,
            parameters,
            self._timeouts,
            on_text=on_text,
            sample=prepared.ask.sample,
            extra_body=extra,
        )
        self._servers.replied(settings)
        return dataclasses.replace(reply, cost_usd=0.0)

    def _find(self) -> _Found:
        gguf = weights.usable_gguf(self._name, self._settings)
        trained = read_gguf(gguf).context
        return _Found(gguf, weights.file_sha256(gguf), min(trained, LARGEST_CONTEXT) if trained else LARGEST_CONTEXT)
