"""Final answers: reading one as exact mathematics, comparing two.

Everything here is exact: rationals, never floating point. What cannot be read for certain is not guessed, since a wrong
"equal" is worse than a missed one. All functions are pure and take time linear in the text.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from uq_tui.analysis.formula import canonical, split_assignment
from uq_tui.analysis.notation import ROW_END, normalise
from uq_tui.analysis.numerals import number

MAX_LENGTH = 4_000
"""Longer answers are compared as texts only; a final answer that can be checked is short."""
MAX_DEPTH = 8
"""Nesting of sets, tuples and intervals that is read."""
_LEAST_GROUPED = 1_000
"""A number below it has no digit groups."""

_INTEGER = re.compile(r"[+-]?[0-9]+")
_EMPTY_SETS = ("\\emptyset", "\\varnothing", "\\{\\}", "\\{ \\}")
_INFINITE = ("\\infty", "-\\infty")
_SPELLED_INFINITE = {"+\\infty": "\\infty", "+ \\infty": "\\infty", "- \\infty": "-\\infty"}
_NO_VALUE = frozenset(
    (
        "none",
        "no solution",
        "no solutions",
        "does not exist",
        "undefined",
        "unknown",
        "impossible",
        "cannot be determined",
    )
)
_TRUTH = {"true": True, "yes": True, "false": False, "no": False}
_OPENING = {"(": "(", "[": "[", "\\{": "{"}
_CLOSING = {")": ")", "]": "]", "\\}": "}"}
_TOKEN = re.compile(r"\\[{}]|[()\[\]{},;]|\\[a-zA-Z]+|[^\\()\[\]{},;]+|\\.?", re.DOTALL)
_COLLECTS = re.compile(r"[(\[,;]|\\\{")
_MATRIX = re.compile(
    r"\\begin ?\{([pb]matrix)\}(.*)\\end ?\{\1\}"
    r"|[(\[] ?\\begin ?\{(matrix|smallmatrix|array)\}( ?\{[clr ]*\})?(.*)\\end ?\{\3\} ?[)\]]",
    re.DOTALL,
)
_PLUS_MINUS = re.compile(r"\\pm(?![a-zA-Z])")


@dataclass(frozen=True, slots=True)
class Bracketed:
    """A set, tuple, list or interval. A set's items are sorted and distinct; the others keep their order.

    `opening` and `closing` are `{`, `}`, `(`, `)`, `[`, `]`, or empty for a list without brackets.
    """

    opening: str
    closing: str
    items: tuple["Value", ...]

    @property
    def is_set(self) -> bool:
        return self.opening == "{"

    @property
    def is_half_open(self) -> bool:
        """Whether this can be nothing but an interval."""
        return self.opening + self.closing in ("(]", "[)")


@dataclass(frozen=True, slots=True)
class Matrix:
    """A matrix in round or square brackets, by rows; at least one, all of the same length."""

    rows: tuple[tuple["Value", ...], ...]

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.rows), len(self.rows[0])

    @property
    def cells(self) -> tuple["Value", ...]:
        return tuple(cell for row in self.rows for cell in row)


@dataclass(frozen=True, slots=True)
class Named:
    """An answer in the form `x = 5`."""

    name: str
    value: "Value"


Value = Fraction | Bracketed | Matrix | Named | str
"""A number, a collection, a matrix, one of these with a name, or a text that is none of them (normalised)."""


def compare(expected: str, answer: str) -> bool | None:
    """Whether two final answers are the same by exact reading.

    Returns:
        True when both read as the same value or are the same text; False when both read as numbers, or as collections
        or matrices of numbers of the same kind, and differ; `None` when this cannot tell.
    """
    if len(expected) > MAX_LENGTH or len(answer) > MAX_LENGTH:
        return True if expected.strip() == answer.strip() else None
    if _INTEGER.fullmatch(expected) and _INTEGER.fullmatch(answer):
        return int(expected) == int(answer)
    return compare_values(read(expected), read(answer))


def compare_values(expected: Value, answer: Value) -> bool | None:
    """As `compare`, for values that have been read."""
    if isinstance(expected, Fraction) and isinstance(answer, Fraction):
        return expected == answer
    if not expected and isinstance(expected, str):
        return None
    if type(expected) is type(answer) and expected == answer:
        return True
    if isinstance(expected, Named) or isinstance(answer, Named):
        inner = without_names(expected, answer)
        return None if inner is None else compare_values(*inner)
    if isinstance(expected, Bracketed) and isinstance(answer, Bracketed):
        return False if _surely_differ(expected, answer) else None
    if isinstance(expected, Matrix) and isinstance(answer, Matrix):
        return _compare_matrices(expected, answer)
    if _number_and_items(expected, answer) or _number_and_items(answer, expected):
        return False
    return _compare_words(expected, answer)


def without_names(expected: Value, answer: Value) -> tuple[Value, Value] | None:
    """Both values as they are behind `x =`; `None` when they are said of different things."""
    if isinstance(expected, Named) and isinstance(answer, Named) and expected.name != answer.name:
        return None
    return _unnamed(expected), _unnamed(answer)


def _unnamed(value: Value) -> Value:
    return value.value if isinstance(value, Named) else value


def is_infinite(value: Value) -> bool:
    """Whether it is plus or minus infinity."""
    return isinstance(value, str) and value in _INFINITE


def is_readable(value: Value) -> bool:
    """Whether all of it reads as mathematics."""
    match value:
        case Named():
            return is_readable(value.value)
        case Bracketed():
            return all(map(is_readable, value.items))
        case Matrix():
            return all(map(is_readable, value.cells))
        case str():
            return is_infinite(value) or canonical(split_assignment(value)[1]) is not None
    return True


def read(text: str) -> Value:
    """The value of a final answer of at most `MAX_LENGTH` characters: a text where it is nothing else."""
    text = normalise(text)
    if "=" not in text:
        return _value(text, 0)
    name, right_side = split_assignment(text)
    return Named(name, _value(right_side, 0)) if name and right_side else _value(text, 0)


def _surely_differ(expected: Bracketed, answer: Bracketed) -> bool:
    """Whether two unequal collections differ however they are meant. Lists without brackets may be meant as sets."""
    if not (_numeric(expected) and _numeric(answer)):
        return False
    kinds = (expected.opening, expected.closing), (answer.opening, answer.closing)
    if kinds[0] != kinds[1]:
        return False
    if expected.opening:
        return True
    return set(expected.items) != set(answer.items) and not _may_be_decimals(expected.items, answer.items)


def _number_and_items(number: Value, collection: Value) -> bool:
    """Whether these are a number and several items, however a list is meant: as digits, or with a decimal comma."""
    if not (isinstance(number, Fraction) and isinstance(collection, Bracketed)) or len(collection.items) < 2:
        return False
    if collection.opening:
        return True
    may_be_digits = abs(number) >= _LEAST_GROUPED or number.denominator > 1
    return not may_be_digits and all(isinstance(item, Fraction) and item != number for item in collection.items)


def _may_be_decimals(expected: tuple[Value, ...], answer: tuple[Value, ...]) -> bool:
    """Whether two lists may be one number each with a decimal comma, and the same: `1,5` and `1,50`."""
    if not (len(expected) == len(answer) == 2 and expected[0] == answer[0]):
        return False
    return str(expected[1]).rstrip("0") == str(answer[1]).rstrip("0")


def _compare_matrices(expected: Matrix, answer: Matrix) -> bool | None:
    """Two unequal matrices. A row and a column may be the same vector."""
    if expected.shape == answer.shape:
        return False if all(map(_numeric, expected.cells + answer.cells)) else None
    return None if expected.shape == answer.shape[::-1] and 1 in expected.shape else False


def _compare_words(expected: Value, answer: Value) -> bool | None:
    """What words and signs say for certain."""
    if isinstance(answer, str) and not isinstance(expected, str):
        expected, answer = answer, expected
    if not isinstance(expected, str):
        return None
    word = expected.lower()
    if isinstance(answer, Fraction):
        return False if expected in _INFINITE or (answer and word in _NO_VALUE) else None
    if not isinstance(answer, str):
        return None
    other = answer.lower()
    if word in _TRUTH and other in _TRUTH and _TRUTH[word] is _TRUTH[other]:
        return True if word == other else None
    both_known = (expected in _INFINITE and answer in _INFINITE) or (word in _TRUTH and other in _TRUTH)
    return False if both_known else None


def _value(text: str, depth: int) -> Value:
    """Value of a normalised text. At the top a comma between digit groups groups digits; deeper it separates items."""
    read_number = number(text, grouped=depth == 0)
    if read_number is not None:
        return read_number
    if text in _EMPTY_SETS:
        return Bracketed("{", "}", ())
    if text in _SPELLED_INFINITE:
        return _SPELLED_INFINITE[text]
    if depth >= MAX_DEPTH:
        return text
    if "\\begin" in text and (matrix := _matrix(text, depth)) is not None:
        return matrix
    parts = _items(text) if _COLLECTS.search(text) else None
    if parts is None:
        return (_both_signs(text) if depth == 0 else None) or text
    opening, closing, items = parts
    values = tuple(_value(item, depth + 1) for item in items)
    if _has_empty(values):
        return text
    if opening == "(" and closing == ")" and len(values) == 1:
        return values[0]
    if opening == "{":
        pairs = (_both_signs(item) if isinstance(item, str) else None for item in values)
        return _set(one for item, pair in zip(values, pairs, strict=True) for one in (pair.items if pair else (item,)))
    return Bracketed(opening, closing, values)


def _has_empty(values: tuple[Value, ...]) -> bool:
    return any(isinstance(one, str) and not one for one in values)


def _set(values: Iterable[Value]) -> Bracketed:
    return Bracketed("{", "}", tuple(sorted(set(values), key=repr)))


def _both_signs(text: str) -> Bracketed | None:
    """The set of two that a text with one `\\pm` stands for."""
    if len(_PLUS_MINUS.findall(text)) != 1 or "\\mp" in text:
        return None
    plus, minus = (_value(_PLUS_MINUS.sub(sign, text).strip(), 1) for sign in "+-")
    return _set((plus, minus))


def _matrix(text: str, depth: int) -> Matrix | None:
    found = _MATRIX.fullmatch(text)
    if found is None or text.count("\\begin") > 1 or "\\&" in text:
        return None
    rows = [row.strip() for row in (found.group(2) or found.group(5) or "").split(ROW_END)]
    if not rows[-1]:
        rows.pop()
    cells = tuple(tuple(_value(cell.strip(), depth + 1) for cell in row.split("&")) for row in rows)
    if not cells or len({len(row) for row in cells}) > 1 or any(map(_has_empty, cells)):
        return None
    return Matrix(cells)


def _items(text: str) -> tuple[str, str, list[str]] | None:
    """Brackets and items of a collection; `None` when the text is none, or its brackets don't pair up.

    Half-open intervals are the one place where unlike brackets pair.
    """
    tokens = _TOKEN.findall(text)
    opening, closing = _OPENING.get(tokens[0], ""), _CLOSING.get(tokens[-1], "")
    enclosed = len(tokens) > 1 and (opening + closing) in ("()", "[]", "{}", "(]", "[)") and _pairs(tokens)
    inner = tokens[1:-1] if enclosed else tokens
    items: list[str] = []
    current: list[str] = []
    level = 0
    for token in inner:
        if token in _OPENING or token == "{":
            level += 1
        elif token in _CLOSING or token == "}":
            level -= 1
        if level == 0 and token in (",", ";"):
            items.append("".join(current).strip())
            current = []
        else:
            current.append(token)
    items.append("".join(current).strip())
    if not enclosed:
        return ("", "", items) if len(items) > 1 and level == 0 else None
    half_open = opening + closing in ("(]", "[)")
    return None if half_open and len(items) != 2 else (opening, closing, items)


def _pairs(tokens: list[str]) -> bool:
    """Whether the first bracket is closed by the last one, and by none before."""
    level = 0
    for position, token in enumerate(tokens, start=1):
        if token in _OPENING or token == "{":
            level += 1
        elif token in _CLOSING or token == "}":
            level -= 1
            if level <= 0:
                return level == 0 and position == len(tokens)
    return False


def _numeric(value: Value) -> bool:
    if isinstance(value, Bracketed):
        return all(_numeric(item) for item in value.items)
    return isinstance(value, Fraction) or is_infinite(value)
