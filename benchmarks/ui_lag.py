"""The UI loop's lag while 32 calls stream 50 tokens a second each.

Measured beside the idle app and beside an idle app next to busy processes.
"""

import json
import os
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from benchmarks.probed_app import MODEL
from benchmarks.results import Result
from tests.fakes.openai_rules import Rule
from tests.fakes.server_process import FakeServerProcess
from tests.terminal import Terminal

CALLS = 32
TOKENS_PER_SECOND = 50
SAMPLED_S = 10.0
SETTLE_S = 8.0
"""Until the worker is up and has imported what it needs."""
RUNS = 3
HOGS = 2
"""Streaming keeps two more processes busy, the worker and the test server; so do these."""
SPIN = "import os\nos.nice(10)\nwhile True: pass"


def measure() -> list[Result]:
    """p99 of the lag in milliseconds, median over runs; the baseline is the idle app's."""
    idle, hogs, streaming = [], [], []
    for _ in range(RUNS):
        idle.append(_lag(calls=0, hogs=0))
        hogs.append(_lag(calls=0, hogs=HOGS))
        streaming.append(_lag(calls=CALLS, hogs=0))
    base, beside, value = statistics.median(idle), statistics.median(hogs), statistics.median(streaming)
    return [
        Result("ui.lag_p99.32x50", value, "ms", base, value / base, RUNS, "against the idle app; aim < 10 ms"),
        Result("ui.lag_p99.hogs", beside, "ms", base, beside / base, RUNS, f"{HOGS} processes spinning at nice 10"),
    ]


def _lag(*, calls: int, hogs: int) -> float:
    reply = "A long answer. " * int(3 * SAMPLED_S * TOKENS_PER_SECOND)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(FakeServerProcess([Rule(reply=reply, tokens_per_second=TOKENS_PER_SECOND)]))
        (home / "config").mkdir()
        (home / "config" / "config.toml").write_text(
            f'[models."{MODEL}"]\napi_base = "{server.base_url}"\nconcurrency = {CALLS}\n',
            encoding="utf-8",
        )
        for _ in range(hogs):
            stack.callback(subprocess.Popen([sys.executable, "-c", SPIN]).kill)
        result = home / "lags.json"
        workspace = home / "bench.uq.sqlite"
        env = {**os.environ, "UQ_TUI_HOME": str(home), "TERM": "xterm-256color"}
        command = [sys.executable, "-m", "benchmarks.probed_app", str(workspace), str(result), str(calls)]
        terminal = stack.enter_context(Terminal(command, env=env))
        terminal.wait_for("26 questions", seconds=60)
        terminal.press("enter")
        terminal.wait_for("Candidates", seconds=60)
        terminal.pump(SETTLE_S)
        if calls:
            os.kill(terminal.pid, signal.SIGUSR1)
            _wait_for_streams(terminal, server, calls)
        os.kill(terminal.pid, signal.SIGUSR2)
        terminal.pump(SAMPLED_S)
        os.kill(terminal.pid, signal.SIGUSR2)
        until = time.monotonic() + 10
        while not result.exists() and time.monotonic() < until:
            terminal.pump(0.1)
        lags: list[float] = json.loads(result.read_text(encoding="utf-8"))
    return statistics.quantiles(lags, n=100)[98] * 1000


def _wait_for_streams(terminal: Terminal, server: FakeServerProcess, calls: int) -> None:
    """The figure means nothing unless all calls stream while it is taken."""
    until = time.monotonic() + 20
    while len(server.requests()) < calls:
        if time.monotonic() > until:
            raise RuntimeError(f"Only {len(server.requests())} of {calls} calls reached the test server.")
        terminal.pump(0.2)
