"""What a quantifier says of its variables, as in `x, y \\in \\mathbb{R}` or `0 < x < 1`, and points that satisfy it."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from uq_tui.plugins.numeric_identity.computing import Point, UndefinedError, value
from uq_tui.plugins.numeric_identity.reader import NAME, RefusedError, name_of, plain, read
from uq_tui.plugins.numeric_identity.terms import Number, Term, Variable

MAX_TRIES = 400
"""Points drawn at most for one that satisfies the conditions."""
_DIGITS = 30
_DENOMINATOR = 1_000
"""Of real coordinates, so that a person can type one in."""


class Kind(StrEnum):
    """The numbers that a variable runs through."""

    INTEGER = "integer"
    REAL = "real"


@dataclass(frozen=True, slots=True)
class Condition:
    """`left` stands in the relation `<`, `<=`, `>`, `>=` or `!=` to `right`."""

    left: Term
    relation: str
    right: Term


@dataclass(frozen=True, slots=True)
class Domain:
    """Variables with what they run through. `is_stated` says that the text names the kind of numbers, or bounds those
    that are taken for integers."""

    kinds: tuple[tuple[str, Kind], ...]
    conditions: tuple[Condition, ...]
    is_stated: bool

    @property
    def names(self) -> frozenset[str]:
        return frozenset(name for name, _ in self.kinds)


_NAMES = re.compile(rf" ?{NAME}(?: ?, ?{NAME})* ?")
_IN = re.compile(r"\\in(?![a-zA-Z])")
_RELATION = re.compile(r"(\\(?:leqslant|geqslant|leq|geq|neq|le|ge|ne|lt|gt)(?![a-zA-Z])|<|>)")
_RELATIONS = {"\\leqslant": "<=", "\\leq": "<=", "\\le": "<=", "\\geqslant": ">=", "\\geq": ">=", "\\ge": ">="} | {
    "\\neq": "!=",
    "\\ne": "!=",
    "\\lt": "<",
    "\\gt": ">",
    "<": "<",
    ">": ">",
}
_SET = re.compile(
    r" ?\\(?:mathbb|mathbf)? ?\{? ?(?P<set>[RQZN]) ?\}? ?"
    r"(?P<sign>\^ ?(?:\{ ?\+ ?\}|\+|\*|\{ ?\* ?\})|_ ?\{ ?(?:>|\\geq?) ?0 ?\})? ?"
)
_INTERVAL = re.compile(r" ?(?P<opening>[(\[])(?P<low>[^,()\[\]]+),(?P<high>[^,()\[\]]+)(?P<closing>[)\]]) ?")
_REAL_LETTERS = frozenset(("x", "y", "z", "t", "u", "v", "w", "\\theta", "\\alpha", "\\beta", "\\gamma", "\\phi"))
"""Letters that are real numbers where nothing else is said. All others are then taken for integers, which are real
numbers as well."""
ZERO = Number(Fraction(0))


def stated(latex: str, words: frozenset[str]) -> Domain:
    """The domain of a quantifier.

    Args:
        latex: its formula.
        words: those that stand before it: `real`, `positive`, `integers` ...

    Raises:
        RefusedError: it isn't one of the known forms, or contradicts its words.
    """
    text = plain(latex)
    head, *tail = _IN.split(text, maxsplit=1)
    kind: Kind | None = None
    if tail:
        names = _names(head)
        kind, conditions = _set(names, tail[0])
    else:
        names, conditions = _chain(text)
    kind, signs = _by_words(kind, words)
    conditions += [Condition(Variable(name), sign, ZERO) for name in names for sign in signs]
    kinds = tuple((name, kind or (Kind.REAL if name in _REAL_LETTERS else Kind.INTEGER)) for name in names)
    is_bounded = bool(conditions) and not _REAL_LETTERS.intersection(names)
    return Domain(kinds, tuple(conditions), is_stated=kind is not None or is_bounded)


def points(domains: tuple[Domain, ...], how_many: int, seed: str) -> Iterator[Point]:
    """Points that satisfy all conditions, the same for the same seed; fewer when they are hard to find."""
    source = random.Random(seed)
    kinds = [pair for domain in domains for pair in domain.kinds]
    conditions = [condition for domain in domains for condition in domain.conditions]
    seen: set[tuple[Fraction, ...]] = set()
    for _ in range(MAX_TRIES):
        if len(seen) == how_many:
            return
        point = {name: _drawn(source, kind) for name, kind in kinds}
        coordinates = tuple(point.values())
        if coordinates not in seen and all(_holds(condition, point) for condition in conditions):
            seen.add(coordinates)
            yield point


def _names(text: str) -> tuple[str, ...]:
    if not _NAMES.fullmatch(text):
        raise RefusedError
    return tuple(name_of(name) for name in text.split(","))


def _set(names: tuple[str, ...], text: str) -> tuple[Kind, list[Condition]]:
    if found := _SET.fullmatch(text):
        kind = Kind.INTEGER if found["set"] in "ZN" else Kind.REAL
        sign = (found["sign"] or "").replace(" ", "")
        relation = "!=" if "*" in sign and found["set"] != "N" else ">=" if "ge" in sign else ">" if sign else ""
        if found["set"] == "N" and not relation:
            relation = ">"
        return kind, [Condition(Variable(name), relation, ZERO) for name in names if relation]
    if found := _INTERVAL.fullmatch(text):
        low, high = (read(found[end], frozenset()) for end in ("low", "high"))
        above, below = ">" if found["opening"] == "(" else ">=", "<" if found["closing"] == ")" else "<="
        both = [((Variable(name), above, low), (Variable(name), below, high)) for name in names]
        return Kind.REAL, [Condition(*parts) for pair in both for parts in pair]
    raise RefusedError


def _chain(text: str) -> tuple[tuple[str, ...], list[Condition]]:
    """Names, or a chain of relations in which they stand alone: `a, b > 0`, `0 \\le k \\le n`."""
    parts = _RELATION.split(text)
    sides, relations = parts[::2], [_RELATIONS[sign] for sign in parts[1::2]]
    lists = [_names(side) if _NAMES.fullmatch(side) else () for side in sides]
    names = tuple(dict.fromkeys(name for found in lists for name in found))
    if not names:
        raise RefusedError
    terms: list[list[Term]] = [
        [Variable(name) for name in found] if found else [read(side, frozenset(names))]
        for side, found in zip(sides, lists, strict=True)
    ]
    conditions = [
        Condition(left, relation, right)
        for number, relation in enumerate(relations)
        for left in terms[number]
        for right in terms[number + 1]
    ]
    return names, conditions


def _by_words(kind: Kind | None, words: frozenset[str]) -> tuple[Kind | None, list[str]]:
    """The kind of numbers with what the words say of it, and relations to zero."""
    whole = words & {"integer", "integers", "natural", "whole"}
    broken = words & {"real", "reals", "rational", "rationals"}
    if (whole and broken) or (whole and kind is Kind.REAL) or (broken and kind is Kind.INTEGER):
        raise RefusedError
    kind = Kind.INTEGER if whole else Kind.REAL if broken else kind
    signs = []
    if words & {"positive", "natural", "whole"}:
        signs.append(">")
    if "negative" in words:
        signs.append("<")
    if words & {"nonnegative", "non-negative"}:
        signs.append(">=")
    if words & {"nonzero", "non-zero"}:
        signs.append("!=")
    return kind, signs


def _drawn(source: random.Random, kind: Kind) -> Fraction:
    """Small numbers mostly, of either sign."""
    if kind is Kind.INTEGER:
        low, high = source.choice(((-6, 8), (0, 8), (1, 14), (1, 60)))
        return Fraction(source.randint(low, high))
    largest = source.choice((1, 4, 4, 20))
    return Fraction(source.choice((-1, 1)) * source.randint(1, largest * _DENOMINATOR), _DENOMINATOR)


def _holds(condition: Condition, point: Point) -> bool:
    try:
        left, right = value(condition.left, point, _DIGITS), value(condition.right, point, _DIGITS)
    except UndefinedError:
        return False
    return bool(
        {"<": left < right, "<=": left <= right, ">": left > right, ">=": left >= right, "!=": left != right}[
            condition.relation
        ]
    )
