"""The process that decides whether two formulas are equal.

It reads one JSON line `[a, b, CPU seconds]` a pair from standard input, both formulas LaTeX that `analysis.formula` has
rewritten, and answers `true`, `false` or `null` (undecided), one JSON line each. Its first line says that it is ready.
Foreign text meets math-verify's LaTeX parser only, never `sympify`, `parse_expr` or `eval`. The parent ends it when a
pair takes too long; the limits here hold should the parent be gone.
"""

import json
import sys
from importlib import import_module
from typing import Any, TextIO

from uq_tui.plugins.limits import limit_cpu, limit_memory

latex: Any = import_module("latex2sympy2_extended.latex2sympy2")
sympy: Any = import_module("sympy")
"""Both come without types."""

MEMORY_BYTES = 1 << 30
DIGITS = 30
"""Digits to which a difference is computed before it counts as different from zero."""
POINTS = ((3, 7), (19, 11), (5, 13), (23, 17))
"""Start and denominator of the rational numbers put in for the variables, one pair a trial."""


def parse(formula: str) -> Any:
    """The expression a rewritten formula stands for, evaluated; `i` is the imaginary unit."""
    config = latex.ConversionConfig(interpret_as_mixed_fractions=False, lowercase_symbols=False)
    expression = latex.latex2sympy(formula, normalization_config=None, conversion_config=config)
    return expression.doit().subs(sympy.Symbol("i"), sympy.I)


def equal(left: Any, right: Any) -> bool | None:
    """Whether two expressions are equal wherever both are defined: proven, refuted at a point, or neither."""
    if left.has(sympy.nan, sympy.zoo) or right.has(sympy.nan, sympy.zoo):
        return None
    difference = left - right
    if difference == 0:
        return True
    if any(differs_at(difference, start, denominator) for start, denominator in POINTS):
        return False
    return True if sympy.simplify(difference) == 0 else None


def differs_at(difference: Any, start: int, denominator: int) -> bool:
    """Whether the difference is certainly not zero where its variables have positive rational values."""
    names = sorted(difference.free_symbols, key=str)
    values = {name: sympy.Rational(start + 2 * number, denominator) for number, name in enumerate(names)}
    value = difference.subs(values).evalf(DIGITS)
    return any(part.is_comparable and part != 0 for part in value.as_real_imag())


def serve(source: TextIO, sink: TextIO) -> None:
    """Answer pairs until the source ends."""
    sink.write('"ready"\n')
    sink.flush()
    for line in source:
        left, right, seconds = json.loads(line)
        limit_cpu(seconds)
        try:
            answer = equal(parse(left), parse(right))
        except Exception:  # The parser and sympy raise whatever they like; to us all of it means: undecided.
            answer = None
        sink.write(json.dumps(answer) + "\n")
        sink.flush()


def main() -> None:
    sys.dont_write_bytecode = True
    parse("1")
    limit_memory(MEMORY_BYTES)
    serve(sys.stdin, sys.stdout)


if __name__ == "__main__":
    main()
