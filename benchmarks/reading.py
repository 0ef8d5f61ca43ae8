"""The reading view: opening, keys, growing and memory, in a real pseudo-terminal.

Opening is measured against Textual's Markdown widget with the same text in the same run.
"""

import json
import os
import select
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ptyprocess import PtyProcess

from benchmarks.processes import memory_mb
from benchmarks.reading_app import SAMPLED_S
from benchmarks.results import Result

SIZES = {"20KB": 20_000, "100KB": 100_000, "400KB": 400_000, "1MB": 1_000_000}
THEIRS_RUNS = {"20KB": 3, "100KB": 3, "400KB": 1, "1MB": 1}
RUNS = 5
KEYS = 1000
KEY_PAUSE_S = 0.03
"""Between the end of one repaint and the next key: a key held down comes that fast."""
QUIET_S = 0.012
"""A repaint has ended when nothing has come for so long."""
SETTLE_S = 6.0
_OPEN, _APPEND, _IDLE = b"\x1bOQ", b"\x1bOR", b"\x1bOS"
_DOWN, _PAGE_DOWN, _UP, _PAGE_UP = b"\x1b[B", b"\x1b[6~", b"\x1b[A", b"\x1b[5~"


def measure() -> list[Result]:
    """All figures of the view."""
    return [*_opening(), *_keys(), _appending(), _memory()]


class _Reader:
    """A running `reading_app` and its terminal's output."""

    def __init__(self, process: PtyProcess, result: Path) -> None:
        self.pid = int(process.pid)
        self._process = process
        self._result = result

    def press(self, key: bytes) -> None:
        os.write(self._process.fd, key)

    def take(self, seconds: float) -> bytes:
        """What comes within `seconds` at most; empty when nothing does."""
        ready, _, _ = select.select([self._process.fd], [], [], seconds)
        return os.read(self._process.fd, 1 << 20) if ready else b""

    def quiet(self, seconds: float) -> None:
        """Wait until nothing has come for `seconds`."""
        while self.take(seconds):
            pass

    def answer(self, most_s: float) -> list[float]:
        """The seconds the app wrote, while its output is taken."""
        until = time.monotonic() + most_s
        while not self._result.exists():
            if time.monotonic() > until:
                raise RuntimeError(f"No figure came in {most_s:g} s.")
            self.take(0.05)
        values: list[float] = json.loads(self._result.read_text(encoding="utf-8"))
        self._result.unlink()
        return values

    def key_latency(self, key: bytes) -> float:
        """Seconds from a key to the first byte of what it changed on the screen."""
        started = time.perf_counter()
        self.press(key)
        if not self.take(2.0):
            raise RuntimeError("A key changed nothing on the screen.")
        latency = time.perf_counter() - started
        self.quiet(QUIET_S)
        return latency


@contextmanager
def _reading(whose: str, characters: int) -> Iterator[_Reader]:
    with tempfile.TemporaryDirectory() as home:
        result = Path(home) / "result.json"
        env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
        command = [sys.executable, "-m", "benchmarks.reading_app", whose, str(characters), str(result)]
        process = PtyProcess.spawn(command, env=env, dimensions=(40, 120))
        try:
            reader = _Reader(process, result)
            screen = b""
            while b"READY" not in screen:
                screen += reader.take(60.0)
            reader.quiet(0.5)
            yield reader
        finally:
            process.terminate(force=True)
            process.close()


def _opening() -> list[Result]:
    results = []
    first_paint = {}
    for name, size in {"10KB": 10_000, **SIZES}.items():
        ours = [_open("ours", size) for _ in range(RUNS)]
        first_paint[name] = statistics.median(ours)
        if name not in THEIRS_RUNS:
            continue
        theirs = statistics.median(_open("theirs", size) for _ in range(THEIRS_RUNS[name]))
        value = first_paint[name]
        aim = "; aim: baseline >= 50 times longer" if name == "100KB" else ""
        what = f"to the first screen, against Textual's Markdown widget{aim}"
        results.append(Result(f"document.open.{name}", value * 1000, "ms", theirs * 1000, value / theirs, RUNS, what))
    one, ten = first_paint["1MB"] * 1000, first_paint["10KB"] * 1000
    what = "first paint of 1 MB against that of 10 KB; aim <= 3"
    results.append(Result("document.first_paint.1MB", one, "ms", ten, one / ten, RUNS, what))
    return results


def _open(whose: str, characters: int) -> float:
    with _reading(whose, characters) as reader:
        reader.press(_OPEN)
        (seconds,) = reader.answer(600)
    return seconds


def _keys() -> list[Result]:
    latencies = {name: _latencies(size) for name, size in {"10KB": 10_000, "1MB": 1_000_000}.items()}
    results = []
    for kind, figure in (("key", "document.key_p99.1MB"), ("page", "document.page_p99.1MB")):
        value, base = (statistics.quantiles(latencies[name][kind], n=100)[98] * 1000 for name in ("1MB", "10KB"))
        what = f"a {kind} to the first byte on the terminal, against a text of 10 KB; aim <= 16 ms"
        results.append(Result(figure, value, "ms", base, value / base, 1, what, n=KEYS))
    return results


def _latencies(characters: int) -> dict[str, list[float]]:
    """Of a line's and of a page's scroll, each down and up again, so that the text never ends."""
    with _reading("ours", characters) as reader:
        reader.press(_OPEN)
        reader.answer(60)
        reader.quiet(1.0)
        found: dict[str, list[float]] = {}
        for kind, down, up in (("key", _DOWN, _UP), ("page", _PAGE_DOWN, _PAGE_UP)):
            steps = (down,) * 4 + (up,) * 4 if characters < 100_000 else (down,) * 40 + (up,) * 10
            found[kind] = []
            while len(found[kind]) < KEYS:
                for key in steps:
                    time.sleep(KEY_PAUSE_S)
                    found[kind].append(reader.key_latency(key))
    return found


def _appending() -> Result:
    with _reading("ours", 400_000) as reader:
        reader.press(_OPEN)
        reader.answer(60)
        reader.quiet(SETTLE_S)
        reader.press(_IDLE)
        idle = statistics.quantiles(reader.answer(60), n=100)[98] * 1000
        reader.press(_APPEND)
        growing = statistics.quantiles(reader.answer(60), n=100)[98] * 1000
    what = f"200 tokens/s into 400 KB for {SAMPLED_S:g} s, its end in sight, against the idle loop; aim < 10 ms"
    return Result("document.append_lag_p99", growing, "ms", idle, growing / idle, 1, what)


def _memory() -> Result:
    used = {}
    for size in (1, 1_000_000):
        with _reading("ours", size) as reader:
            reader.press(_OPEN)
            reader.answer(60)
            reader.quiet(SETTLE_S)
            for _ in range(100):
                reader.press(_PAGE_DOWN)
                reader.quiet(QUIET_S)
            used[size] = memory_mb([reader.pid])
    value, base = used[1_000_000], used[1]
    what = f"resident with 1 MB after 100 pages, {value - base:.0f} MiB above the app with an empty text; aim <= 40"
    return Result("document.memory.1MB", value, "MiB", base, value / base, 1, what)
