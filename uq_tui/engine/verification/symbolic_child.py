"""The process that decides whether two formulas are equal.

It reads one JSON line `[a, b, CPU seconds]` a pair from standard input, both formulas LaTeX that `analysis.formula` has
rewritten, and answers `true`, `false`, `null` (undecided) or a text (what limit ended the comparison), one JSON line
each. Its first line says that it is ready.
Foreign text meets math-verify's LaTeX parser only, never `sympify`, `parse_expr` or `eval`. The parent ends it when a
pair takes too long; the limits here hold should the parent be gone.
"""

import json
import sys
from functools import lru_cache
from importlib import import_module
from typing import Any, TextIO

from uq_tui.plugins.limits import limit_cpu, limit_memory

latex: Any = import_module("latex2sympy2_extended.latex2sympy2")
sympy: Any = import_module("sympy")
"""Both come without types."""

MEMORY_BYTES = 1 << 30
DIGITS = 30
"""Digits to which a difference is computed before it counts as different from zero."""
WHOLE_POINTS = ((3, 1), (8, 1), (5, 1), (2, 1))
RATIONAL_POINTS = ((3, 7), (19, 11), (5, 13), (23, 17))
"""Start and denominator of the numbers put in for the variables, one pair a trial: odd and even whole ones first, since
a variable may stand for whole numbers only, as in `(-1)^n`; others where nothing is real at those."""


@lru_cache(maxsize=64)
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
    if not difference.free_symbols:
        differs = any(part.is_comparable and part != 0 for part in difference.evalf(DIGITS).as_real_imag())
    else:
        differs = differs_where_real(left, right, difference)
    if differs:
        return False
    return True if sympy.simplify(difference) == 0 else None


def differs_where_real(left: Any, right: Any, difference: Any) -> bool:
    """Whether the difference is certainly not zero at a point at which both sides are real."""
    symbols = left.free_symbols | right.free_symbols
    for points in (WHOLE_POINTS, RATIONAL_POINTS):
        both_real = False
        for point in points:
            values = values_at(symbols, point)
            if all(is_real_throughout(side, values) for side in (left, right)):
                both_real = True
                value = difference.subs(values).evalf(DIGITS)
                if value.is_comparable and value != 0:
                    return True
        if both_real:
            return False
    return False


def is_real_throughout(expression: Any, values: dict[Any, Any]) -> bool:
    """Whether all powers and functions in an expression are real: `\\sqrt{1-x}\\sqrt{2-x}` isn't at 3."""
    nodes = [node for node in sympy.preorder_traversal(expression) if node.is_Pow or node.is_Function]
    return all(node.subs(values).evalf(DIGITS).is_real for node in (expression, *nodes))


def values_at(symbols: Any, point: tuple[int, int]) -> dict[Any, Any]:
    """A positive number for each symbol."""
    start, denominator = point
    return {name: sympy.Rational(start + 3 * at, denominator) for at, name in enumerate(sorted(symbols, key=str))}


def serve(source: TextIO, sink: TextIO) -> None:
    """Answer pairs until the source ends."""
    sink.write('"ready"\n')
    sink.flush()
    for line in source:
        left, right, seconds = json.loads(line)
        limit_cpu(seconds)
        try:
            answer: bool | str | None = equal(parse(left), parse(right))
        except MemoryError:
            answer = "it took too much memory"
        except RecursionError:
            answer = "it went too deep"
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
