"""Calls per second and CPU per call through the whole engine, against a bare LiteLLM loop on the same server.

Both run at nice 10, in turn, each warmed up before. What is timed of the engine is a whole run, from its start to
its end in the store.
"""

import statistics
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from benchmarks.contestant import Contestant, Load, Measured
from benchmarks.fast_server import FastServer
from benchmarks.results import Result

RUNS = 3
SHARED = 16
"""Calls at once of the figures with a slow server."""


@dataclass(frozen=True, slots=True)
class _Figure:
    name: str
    calls: int
    at_once: int
    stream: bool = False
    path: str = ""
    """Where the server answers in another way."""
    two: bool = False
    """With two gateway processes instead of one."""
    ideal: float | None = None
    """Calls a second that the server allows; then the value is the share of it."""

    def load(self, address: str) -> Load:
        return Load(f"{address}{self.path}", self.calls, self.at_once, self.stream)

    def warm_up(self, address: str) -> Load:
        return Load(f"{address}{self.path}", self.at_once, self.at_once, self.stream)


FIGURES = (
    _Figure("engine.calls.plain.1", 200, 1),
    _Figure("engine.calls.plain.8", 600, 8),
    _Figure("engine.calls.plain.32", 600, 32),
    _Figure("engine.calls.plain.32.two", 800, 32, two=True),
    _Figure("engine.calls.plain.128", 600, 128),
    _Figure("engine.calls.stream.1", 50, 1, stream=True),
    _Figure("engine.calls.stream.8", 80, 8, stream=True),
    _Figure("engine.calls.stream.32", 96, 32, stream=True),
    _Figure("engine.calls.stream.32.two", 128, 32, stream=True, two=True),
    _Figure("engine.calls.stream.128", 128, 128, stream=True),
    _Figure("engine.ideal_share.50ms", 600, SHARED, path="/after-50", ideal=SHARED / 0.05),
    _Figure("engine.ideal_share.50ms.two", 800, SHARED, path="/after-50", ideal=SHARED / 0.05, two=True),
    _Figure("engine.ideal_share.200ms", 640, SHARED, path="/after-200", ideal=SHARED / 0.2),
)
"""Sizes that take some five seconds on two slow cores."""


def measure() -> list[Result]:
    """All figures, each the median of runs in turn with the baseline's."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(FastServer())
        bare = stack.enter_context(Contestant("bare_loop", home=home))
        one, two = (
            stack.enter_context(Contestant("engine_loop", str(n), str(home / f"{n}.sqlite"), home=home)) for n in (1, 2)
        )
        return [_result(figure, server.address, bare, two if figure.two else one) for figure in FIGURES]


def _result(figure: _Figure, address: str, bare: Contestant, engine: Contestant) -> Result:
    for contestant in (bare, engine):
        contestant.measure(figure.warm_up(address))
        contestant.settle()
    pairs = [(bare.measure(figure.load(address)), engine.measure(figure.load(address))) for _ in range(RUNS)]
    base = statistics.median(_speed(figure, measured) for measured, _ in pairs)
    value = statistics.median(_speed(figure, measured) for _, measured in pairs)
    ratio = statistics.median(_speed(figure, ours) / _speed(figure, theirs) for theirs, ours in pairs)
    if figure.ideal is None:
        unit, what = "calls/s", f"against a bare LiteLLM loop; aim >= {1.6 if figure.two else 0.9}"
    else:
        unit, what = "%", f"of {figure.ideal:.0f} calls/s, against a bare LiteLLM loop; aim >= 95 %"
        base, value = (100 * speed / figure.ideal for speed in (base, value))
    return Result(
        figure.name,
        value,
        unit,
        base,
        ratio,
        RUNS,
        what,
        n=figure.calls,
        cpu_ms=statistics.median(_cpu_ms(figure, measured) for _, measured in pairs),
        baseline_cpu_ms=statistics.median(_cpu_ms(figure, measured) for measured, _ in pairs),
    )


def _speed(figure: _Figure, measured: Measured) -> float:
    return figure.calls / measured.seconds


def _cpu_ms(figure: _Figure, measured: Measured) -> float:
    return 1000 * measured.cpu_s / figure.calls
