"""From starting the process to its first words on a pseudo-terminal, against an empty Textual app."""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.results import Result
from tests.terminal import Terminal

RUNS = 9
PROGRAM = Path(sys.executable).with_name("uq-tui")


def measure() -> list[Result]:
    """The two in turn, so that a slow moment of the machine meets both."""
    ours: list[float] = []
    empty: list[float] = []
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "UQ_TUI_HOME": home, "TERM": "xterm-256color"}
        _until(env, [str(PROGRAM)], "Questions")
        for _ in range(RUNS):
            empty.append(_until(env, [sys.executable, "-m", "benchmarks.empty_app"], "READY"))
            ours.append(_until(env, [str(PROGRAM)], "Opening"))
    ratio = statistics.median(a / b for a, b in zip(ours, empty, strict=True))
    value, baseline = statistics.median(ours), statistics.median(empty)
    return [
        Result("startup.first_paint", value, "s", baseline, ratio, RUNS, "against an empty Textual app; aim <= 1.5")
    ]


def _until(env: dict[str, str], command: list[str], words: str) -> float:
    started = time.perf_counter()
    with Terminal(command, env=env) as terminal:
        terminal.wait_for(words, seconds=60)
        return time.perf_counter() - started
