"""`python -m benchmarks [NAME ...]`: measure, print a table, keep results.json."""

import sys
from collections.abc import Callable

from benchmarks import (
    browsing,
    cbu_adaptive,
    cbu_verify,
    engine_calls,
    engine_memory,
    engine_outage,
    first_paint,
    importing,
    importing_rows,
    math_shares,
    merging,
    reading,
    reviewing,
    ui_lag,
)
from benchmarks.results import Result, keep, show

BENCHMARKS: dict[str, tuple[Callable[[], list[Result]], ...]] = {
    "startup": (first_paint.measure,),
    "ui": (ui_lag.measure,),
    "document": (reading.measure,),
    "review": (reviewing.measure,),
    "engine": (engine_calls.measure, engine_memory.measure, engine_outage.measure),
    "cbu": (cbu_adaptive.measure, cbu_verify.measure),
    "browse": (browsing.measure,),
    "maths": (math_shares.measure,),
    "import": (importing.measure, importing_rows.measure),
    "merge": (merging.measure,),
}


def main(names: list[str]) -> int:
    """Run the named benchmarks, or all."""
    unknown = [name for name in names if name not in BENCHMARKS]
    if unknown:
        sys.stderr.write(f"No benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}.\n")
        return 2
    results = [result for name in names or BENCHMARKS for measure in BENCHMARKS[name] for result in measure()]
    show(results)
    keep(results)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
