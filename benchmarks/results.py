"""One measured figure, the table, and the file that keeps them."""

import json
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

_NARROWEST = 150
"""Columns; a narrower table would break the figures."""
FILE = Path(__file__).with_name("results.json")


@dataclass(frozen=True, slots=True)
class Result:
    """A figure beside the baseline of the same run. `value` and `baseline` are medians in `unit`."""

    name: str
    value: float
    unit: str
    baseline: float | None
    """What it is measured against; `what` names it."""
    ratio: float | None
    runs: int
    what: str
    n: int | None = None
    """How many calls each run made, where calls are counted."""
    cpu_ms: float | None = None
    """CPU milliseconds a call, the whole process tree."""
    baseline_cpu_ms: float | None = None


def keep(results: Sequence[Result]) -> None:
    """Write the results, one list, replacing those of the same names."""
    known = {str(entry["name"]): entry for entry in _read()}
    known.update({result.name: asdict(result) for result in results})
    ordered = [known[name] for name in sorted(known)]
    FILE.write_text(json.dumps(ordered, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _read() -> list[dict[str, object]]:
    return list(json.loads(FILE.read_text(encoding="utf-8"))) if FILE.exists() else []


def show(results: Sequence[Result]) -> None:
    """Print the results as a table."""
    table = Table(title=f"{os.cpu_count()} cores, Python {platform.python_version()}, {platform.system()}")
    for column in ("figure", "value", "baseline", "ratio", "CPU a call", "baseline", "n", "runs", "what"):
        text = column in ("figure", "what")
        table.add_column(column, justify="left" if text else "right", overflow="fold", no_wrap=column != "what")
    for result in results:
        table.add_row(
            result.name,
            f"{result.value:.4g} {result.unit}",
            "" if result.baseline is None else f"{result.baseline:.4g} {result.unit}",
            "" if result.ratio is None else f"{result.ratio:.2f}",
            "" if result.cpu_ms is None else f"{result.cpu_ms:.3g} ms",
            "" if result.baseline_cpu_ms is None else f"{result.baseline_cpu_ms:.3g} ms",
            "" if result.n is None else str(result.n),
            str(result.runs),
            result.what,
        )
    Console(width=max(Console().width, _NARROWEST)).print(table)
