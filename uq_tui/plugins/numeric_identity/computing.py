"""The value of a term at a point, to many digits, within a number of steps."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from importlib import import_module
from typing import Any

from uq_tui.plugins.numeric_identity.terms import (
    Absolute,
    Apply,
    Binomial,
    Constant,
    Factorial,
    Function,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Series,
    Sum,
    Term,
    Variable,
)

mpmath: Any = import_module("mpmath")
"""It comes without types."""
Real = Any
"""An `mpf` of mpmath."""
Point = Mapping[str, Fraction]
"""Values of variables by name."""

MAX_STEPS = 20_000
"""Operations that the value of one term may take."""
MAX_TERMS = 1_000
"""Terms of one sum."""
MAX_FACTORIAL = 300
"""The largest number whose factorial is computed."""
_LARGEST = 20_000
"""Binary digits before the point of a number that is computed with, and after it of one that is not zero."""

_FUNCTIONS: Mapping[Function, Callable[[Real], Real]] = {
    Function.SIN: mpmath.sin,
    Function.COS: mpmath.cos,
    Function.TAN: mpmath.tan,
    Function.COT: mpmath.cot,
    Function.SEC: mpmath.sec,
    Function.CSC: mpmath.csc,
    Function.SINH: mpmath.sinh,
    Function.COSH: mpmath.cosh,
    Function.TANH: mpmath.tanh,
    Function.ARCSIN: mpmath.asin,
    Function.ARCCOS: mpmath.acos,
    Function.ARCTAN: mpmath.atan,
    Function.EXP: mpmath.exp,
    Function.LN: mpmath.log,
}


class UndefinedError(Exception):
    """The term has no real value there that everybody agrees on, or it would take too long to compute."""


def value(term: Term, point: Point, digits: int) -> Real:
    """The value of a term, computed with `digits` decimal digits throughout.

    Raises:
        UndefinedError: a division by zero, a root or logarithm of a negative number, `0^0`, a factorial or binomial of
            what is no natural number, a number too large or too small, too many steps.
    """
    with mpmath.workdps(digits):
        exact = {name: mpmath.mpf(number.numerator) / number.denominator for name, number in point.items()}
        try:
            return +_Computer().of(term, exact)
        except (ArithmeticError, ValueError) as error:
            raise UndefinedError from error


class _Computer:
    def __init__(self) -> None:
        self._steps = 0

    def of(self, term: Term, point: Mapping[str, Real]) -> Real:
        self._steps += 1
        if self._steps > MAX_STEPS:
            raise UndefinedError
        found = self._computed(term, point)
        if not isinstance(found, mpmath.mpf) or not mpmath.isfinite(found):
            raise UndefinedError
        if found != 0 and abs(mpmath.mag(found)) > _LARGEST:
            raise UndefinedError
        return found

    def _computed(self, term: Term, point: Mapping[str, Real]) -> Real:
        match term:
            case Number(value=number):
                return mpmath.mpf(number.numerator) / number.denominator
            case Constant():
                return +(mpmath.pi if term is Constant.PI else mpmath.e)
            case Variable(name=name):
                return point[name]
            case Sum(parts=parts):
                return sum((self.of(part, point) for part in parts), mpmath.mpf(0))
            case Product(parts=parts):
                product = mpmath.mpf(1)
                for part in parts:
                    product *= self.of(part, point)
                return product
            case Quotient(top=top, bottom=bottom):
                return self.of(top, point) / self.of(bottom, point)
            case Power(base=base, exponent=exponent):
                return _power(self.of(base, point), self.of(exponent, point))
            case Root(index=index, of=of):
                radicand = self.of(of, point)
                if radicand < 0:
                    raise UndefinedError
                return mpmath.root(radicand, index)
            case Apply(function=function, argument=argument):
                return _applied(function, self.of(argument, point))
            case Absolute(of=of):
                return abs(self.of(of, point))
            case Factorial(of=of):
                return mpmath.factorial(_natural(self.of(of, point), MAX_FACTORIAL))
            case Binomial(top=top, bottom=bottom):
                upper = _natural(self.of(top, point), MAX_TERMS)
                return mpmath.mpf(mpmath.binomial(upper, _natural(self.of(bottom, point), MAX_TERMS)))
            case Series():
                return self._series(term, point)

    def _series(self, series: Series, point: Mapping[str, Real]) -> Real:
        low, high = self.of(series.low, point), self.of(series.high, point)
        if not (mpmath.isint(low) and mpmath.isint(high)) or high < low or high - low > MAX_TERMS:
            raise UndefinedError
        total = mpmath.mpf(1 if series.is_product else 0)
        for number in range(int(low), int(high) + 1):
            part = self.of(series.body, {**point, series.index: mpmath.mpf(number)})
            total = total * part if series.is_product else total + part
        return total


def _natural(number: Real, largest: int) -> int:
    if not mpmath.isint(number) or not 0 <= number <= largest:
        raise UndefinedError
    return int(number)


def _power(base: Real, exponent: Real) -> Real:
    if base == 0 and exponent <= 0:
        raise UndefinedError
    if base < 0 and not mpmath.isint(exponent):
        raise UndefinedError
    if base != 0 and abs(exponent) * (abs(mpmath.mag(base)) + 1) > _LARGEST:
        raise UndefinedError
    return base**exponent


def _applied(function: Function, argument: Real) -> Real:
    if function is Function.LN and argument <= 0:
        raise UndefinedError
    if abs(argument) > _LARGEST and function in (Function.EXP, Function.SINH, Function.COSH, Function.TANH):
        raise UndefinedError
    return _FUNCTIONS[function](argument)
