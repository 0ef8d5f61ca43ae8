"""Two ways to make the same calls, each in a process of its own: a bare LiteLLM loop, and the engine."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from benchmarks.processes import cpu_s, family

NICENESS = 10
"""Both run like the engine's worker does."""
_QUIET_S, _QUIET_SHARE = 0.5, 0.1


@dataclass(frozen=True, slots=True)
class Load:
    """What to do: so many calls, so many of them at once, to the server at `address`."""

    address: str
    calls: int
    at_once: int
    stream: bool


@dataclass(frozen=True, slots=True)
class Measured:
    """What that took. `cpu_s` is that of the process and all it has started, the server not among them."""

    seconds: float
    cpu_s: float


class Contestant:
    """A child that takes loads and answers with measurements, one JSON line each. To be used as a context manager."""

    def __init__(self, module: str, *arguments: str, home: Path) -> None:
        self._command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
        self._env = {**os.environ, "UQ_TUI_HOME": str(home)}
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Self:
        root = Path(__file__).resolve().parents[1]
        self._process = subprocess.Popen(
            self._command, cwd=root, env=self._env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.communicate()

    @property
    def pid(self) -> int:
        """The child's process id."""
        assert self._process is not None
        return self._process.pid

    def settle(self) -> None:
        """Wait until what the child has started has come to rest: importing LiteLLM takes seconds."""
        processes = family(self.pid)
        while True:
            used = cpu_s(processes)
            time.sleep(_QUIET_S)
            processes = family(self.pid)
            if cpu_s(processes) - used < _QUIET_S * _QUIET_SHARE:
                return

    def begin(self, load: Load) -> None:
        """Let the child start on a load."""
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(asdict(load)) + "\n")
        self._process.stdin.flush()

    def result(self) -> Measured:
        """Wait for the end of the load. Raises RuntimeError when the child has died."""
        assert self._process is not None
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"{' '.join(self._command)} ended by an error, printed above.")
        return Measured(**json.loads(line))

    def measure(self, load: Load) -> Measured:
        """Do a load and wait for its end."""
        self.begin(load)
        return self.result()


async def serve(do: Callable[[Load], Awaitable[None]]) -> None:
    """In the child: do one load after the other until there are no more, and measure each.

    Standard output is for the answers alone; what a library prints goes to standard error.
    """
    os.nice(NICENESS)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as answers:
        os.dup2(2, 1)
        while line := await asyncio.to_thread(sys.stdin.readline):
            load = Load(**json.loads(line))
            processes = family(os.getpid())
            began, used = time.perf_counter(), cpu_s(processes)
            await do(load)
            seconds = time.perf_counter() - began
            measured = Measured(seconds, cpu_s(family(os.getpid())) - used)
            answers.write(json.dumps(asdict(measured)) + "\n")
            answers.flush()
