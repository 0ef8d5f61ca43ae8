"""Memory of the engine while 128 streams of 64 KB are in flight."""

import tempfile
from contextlib import ExitStack
from pathlib import Path

from benchmarks.contestant import Contestant, Load
from benchmarks.fast_server import FastServer
from benchmarks.processes import family, forget_peak, memory_mb, peak_mb
from benchmarks.results import Result

STREAMS = 128


def measure() -> list[Result]:
    """The peak of the coordinator and its gateway together; the baseline is the same processes at rest."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        server = stack.enter_context(FastServer())
        engine = stack.enter_context(Contestant("engine_loop", "1", str(home / "bench.sqlite"), home=home))
        engine.measure(Load(server.address, STREAMS, STREAMS, stream=True))
        engine.settle()
        processes = family(engine.pid)
        idle = memory_mb(processes)
        forget_peak(processes)
        engine.begin(Load(f"{server.address}/long", STREAMS, STREAMS, stream=True))
        server.until_held(STREAMS)
        engine.settle()  # all has come in but the ends, which the server holds back
        peak = peak_mb(processes)
        server.release()
        engine.result()
    what = f"peak while {STREAMS} streams of 64 KB are open; {len(processes)} processes; baseline at rest"
    return [Result("engine.memory.128x64k", peak, "MiB", idle, peak / idle, 1, what, n=STREAMS)]
