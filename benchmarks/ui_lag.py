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

from benchmarks.results import Result
from tests.fakes.openai_rules import Rule
from tests.fakes.server_process import FakeServerProcess
from tests.terminal import Terminal

CALLS = 32
TOKENS_PER_SECOND = 50
SAMPLED_S = 10.0
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
    reply = "A long answer. " * int(SAMPLED_S * TOKENS_PER_SECOND)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(FakeServerProcess([Rule(reply=reply, tokens_per_second=TOKENS_PER_SECOND)]))
        (home / "config").mkdir()
        (home / "config" / "config.toml").write_text(
            'default_model = "openai/scripted"\n'
            f'[models."openai/scripted"]\napi_base = "{server.base_url}"\nconcurrency = {CALLS}\n',
            encoding="utf-8",
        )
        for _ in range(hogs):
            stack.callback(subprocess.Popen([sys.executable, "-c", SPIN]).kill)
        result = home / "lags.json"
        workspace = home / "bench.uq.sqlite"
        env = {**os.environ, "UQ_TUI_HOME": str(home), "TERM": "xterm-256color"}
        command = [sys.executable, "-m", "benchmarks.probed_app", str(workspace), str(result), str(calls)]
        terminal = stack.enter_context(Terminal(command, env=env))
        terminal.wait_for("Workbench", seconds=60)
        terminal.pump(6.0)
        os.kill(terminal.pid, signal.SIGUSR1)
        terminal.pump(SAMPLED_S)
        os.kill(terminal.pid, signal.SIGUSR2)
        until = time.monotonic() + 10
        while not result.exists() and time.monotonic() < until:
            terminal.pump(0.1)
        lags: list[float] = json.loads(result.read_text(encoding="utf-8"))
        if calls:
            _check_streamed(server, calls)
    return statistics.quantiles(lags, n=100)[98] * 1000


def _check_streamed(server: FakeServerProcess, calls: int) -> None:
    """The figure means nothing unless the calls did stream."""
    seen = len(server.requests())
    if seen < calls:
        raise RuntimeError(f"Only {seen} of {calls} calls reached the test server.")
