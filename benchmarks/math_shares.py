"""How the formulas of all real texts beside the project come out: drawn in two dimensions, as lines, or as source."""

import time
from collections import Counter
from pathlib import Path

from benchmarks.results import Result
from tests.document.maths.corpus import Formula, formulas
from uq_tui.document.maths.drawing import Drawn, draw
from uq_tui.document.maths.readable import is_readable

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
WIDTH = 78
"""Cells that displayed formulas are drawn into."""


def measure() -> list[Result]:
    """The shares over every occurrence of a formula, and the time that a displayed one takes. Nothing without data."""
    found = list(formulas(DATA)) if DATA.is_dir() else []
    if not found:
        return []
    displayed = Counter(_drawn(formula) for formula in found if formula.display)
    inline = Counter(_is_readable(formula) for formula in found if not formula.display)
    source = displayed[Drawn.SOURCE] + inline[False]
    shares = [
        ("math.source_share", source, len(found), "all formulas, as it is written; aim <= 3 %"),
        (
            "math.display_2d_share",
            displayed[Drawn.STACKED],
            displayed.total(),
            "displayed, two dimensions; aim >= 93 %",
        ),
        ("math.display_line_share", displayed[Drawn.LINE], displayed.total(), "displayed, as lines"),
        ("math.display_source_share", displayed[Drawn.SOURCE], displayed.total(), "displayed, as source"),
        ("math.inline_source_share", inline[False], inline.total(), "within text, as source; the others are lines"),
    ]
    return [*(_share(*share) for share in shares), _time([formula for formula in found if formula.display])]


def _drawn(formula: Formula) -> Drawn:
    return draw(formula.latex, WIDTH, definitions=formula.definitions, at=formula.at).how


def _is_readable(formula: Formula) -> bool:
    return is_readable(formula.latex, definitions=formula.definitions, at=formula.at)


def _share(name: str, part: int, whole: int, what: str) -> Result:
    return Result(name, 100 * part / whole, "%", None, None, 1, f"{part:,} of {whole:,} {what}", whole)


def _time(displayed: list[Formula]) -> Result:
    """Drawing each different formula once, at a width that none of them is kept for."""
    different = {(formula.latex, formula.definitions.at(formula.at)): formula for formula in displayed}
    started = time.process_time()
    for formula in different.values():
        draw(formula.latex, WIDTH + 1, definitions=formula.definitions, at=formula.at)
    spent = 1_000 * (time.process_time() - started) / len(different)
    what = "a different displayed formula, processor time; aim < 1 ms"
    return Result("math.draw", spent, "ms", None, None, 1, what, len(different))
