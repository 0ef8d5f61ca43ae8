"""Terms: what a formula that can be computed is made of."""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction


class Function(StrEnum):
    """Functions of one real argument, by their names in LaTeX."""

    SIN = "sin"
    COS = "cos"
    TAN = "tan"
    COT = "cot"
    SEC = "sec"
    CSC = "csc"
    SINH = "sinh"
    COSH = "cosh"
    TANH = "tanh"
    ARCSIN = "arcsin"
    ARCCOS = "arccos"
    ARCTAN = "arctan"
    EXP = "exp"
    LN = "ln"


class Constant(StrEnum):
    """Real constants."""

    PI = "pi"
    E = "e"


@dataclass(frozen=True, slots=True)
class Number:
    """A rational number."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Variable:
    """A letter, maybe with a subscript: `x`, `\\alpha`, `x_1`."""

    name: str


@dataclass(frozen=True, slots=True)
class Sum:
    """Of at least two terms."""

    parts: tuple["Term", ...]


@dataclass(frozen=True, slots=True)
class Product:
    """Of at least two terms."""

    parts: tuple["Term", ...]


@dataclass(frozen=True, slots=True)
class Quotient:
    """`top` over `bottom`."""

    top: "Term"
    bottom: "Term"


@dataclass(frozen=True, slots=True)
class Power:
    """`base` to `exponent`."""

    base: "Term"
    exponent: "Term"


@dataclass(frozen=True, slots=True)
class Root:
    """The root of that index."""

    index: int
    of: "Term"


@dataclass(frozen=True, slots=True)
class Apply:
    """A function of a term."""

    function: Function
    argument: "Term"


@dataclass(frozen=True, slots=True)
class Absolute:
    """The absolute value."""

    of: "Term"


@dataclass(frozen=True, slots=True)
class Factorial:
    """Of a natural number."""

    of: "Term"


@dataclass(frozen=True, slots=True)
class Binomial:
    """`top` over `bottom`, both natural numbers."""

    top: "Term"
    bottom: "Term"


@dataclass(frozen=True, slots=True)
class Series:
    """A sum or, with `is_product`, a product over the integers from `low` to `high`."""

    is_product: bool
    index: str
    low: "Term"
    high: "Term"
    body: "Term"


Term = (
    Number
    | Constant
    | Variable
    | Sum
    | Product
    | Quotient
    | Power
    | Root
    | Apply
    | Absolute
    | Factorial
    | Binomial
    | Series
)


def parts(term: Term) -> Iterator[Term]:
    """The term and everything in it."""
    yield term
    if isinstance(term, Constant):
        return
    for field in fields(term):
        inner = getattr(term, field.name)
        for part in inner if isinstance(inner, tuple) else (inner,):
            if isinstance(part, Term):
                yield from parts(part)
