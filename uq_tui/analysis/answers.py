"""Final answers: finding the boxed one, reading it as exact mathematics, comparing two.

Everything here is exact: rationals, never floating point. What cannot be read for certain is not guessed, since a wrong
"equal" is worse than a missed one. All functions are pure and take time linear in the text.
"""

import re
from dataclasses import dataclass
from fractions import Fraction

MAX_LENGTH = 4_000
"""Longer answers are compared as texts only; a final answer that can be checked is short."""
MAX_DEPTH = 8
"""Nesting of sets, tuples and intervals that is read."""

_BOXED = re.compile(r"\\boxed\s*\{")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_INTEGER = re.compile(r"[+-]?[0-9]+")
_WRAPPER = re.compile(r"\\(?:text|textrm|textbf|textnormal|mbox|mathrm|mathbf|boxed)\s*\{([^{}]*)\}")
_SIZING = re.compile(r"\\(?:left|right|big|bigl|bigr|Big|Bigl|Bigr|displaystyle)(?![a-zA-Z])\s*")
_SPACES = re.compile(r"(?:\\[,;:! ]|\\q?quad(?![a-zA-Z])|~|\s)+")
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+|(?: [0-9]{3})+)(?:\.[0-9]+)?")
_DECIMAL = re.compile(r"[+-]? ?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_FRACTION = re.compile(r"([+-]?) ?\\frac ?(?:\{ ?([+-]? ?[0-9]+) ?\}|([0-9])) ?(?:\{ ?([+-]? ?[0-9]+) ?\}|([0-9]))")
_SLASHED = re.compile(r"([+-]? ?[0-9]+) ?/ ?([0-9]+)")
_EMPTY_SETS = ("\\emptyset", "\\varnothing", "\\{\\}", "\\{ \\}")
_OPENING = {"(": "(", "[": "[", "\\{": "{"}
_CLOSING = {")": ")", "]": "]", "\\}": "}"}
_TOKEN = re.compile(r"\\[{}]|[()\[\]{},;]|\\[a-zA-Z]+|[^\\()\[\]{},;]+|\\.?", re.DOTALL)


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


Value = Fraction | Bracketed | str
"""A number, a collection, or a text that is neither (normalised)."""


def boxed(reply: str) -> str | None:
    """Content of the last `\\boxed{...}` that isn't empty; `None` without one, or when the last one never closes."""
    for opened in reversed(list(_BOXED.finditer(reply))):
        content = _braced(reply, opened.end())
        if content is None:
            return None
        if content.strip():
            return content.strip()
    return None


def compare(expected: str, answer: str) -> bool | None:
    """Whether two final answers are the same by exact reading.

    Returns:
        True when both read as the same value or are the same text; False when both read as numbers, or as collections
        of numbers of the same kind, and differ; `None` when this cannot tell.
    """
    if len(expected) > MAX_LENGTH or len(answer) > MAX_LENGTH:
        return True if expected.strip() == answer.strip() else None
    if _INTEGER.fullmatch(expected) and _INTEGER.fullmatch(answer):
        return int(expected) == int(answer)
    return compare_values(read(expected), read(answer))


def compare_values(expected: Value, answer: Value) -> bool | None:
    """As `compare`, for values that have been read."""
    if "" in (expected, answer):
        return None
    if expected == answer:
        return True
    if isinstance(expected, Fraction) and isinstance(answer, Fraction):
        return False
    if not (isinstance(expected, Bracketed) and isinstance(answer, Bracketed)):
        return None
    same_kind = (expected.opening, expected.closing) == (answer.opening, answer.closing) != ("", "")
    return False if same_kind and _numeric(expected) and _numeric(answer) else None


def read(text: str) -> Value:
    """The value of a final answer of at most `MAX_LENGTH` characters: a text where it is no number or collection."""
    return _value(normalise(text), 0)


def normalise(text: str) -> str:
    """A final answer without what doesn't change its meaning: math delimiters, sizing, spacing, text wrappers."""
    text = text.strip().removesuffix(".").rstrip()
    for left, right in (("$$", "$$"), ("$", "$"), ("\\(", "\\)"), ("\\[", "\\]")):
        if len(text) > len(left) + len(right) and text.startswith(left) and text.endswith(right):
            text = text[len(left) : -len(right)]
            break
    text = text.replace("\u2212", "-").replace("{,}", ",").replace("\\lbrace", "\\{").replace("\\rbrace", "\\}")
    text = text.replace("\\dfrac", "\\frac").replace("\\tfrac", "\\frac")
    text = _SPACES.sub(" ", _SIZING.sub("", text))
    for _ in range(MAX_DEPTH):
        text, replaced = _WRAPPER.subn(r"\1", text)
        if not replaced:
            break
    return text.strip().removesuffix(".").rstrip()


def _value(text: str, depth: int) -> Value:
    """Value of a normalised text. At the top a comma between digit groups groups digits; deeper it separates items."""
    number = _number(text, grouped=depth == 0)
    if number is not None:
        return number
    if text in _EMPTY_SETS:
        return Bracketed("{", "}", ())
    if text == "+\\infty":
        return "\\infty"
    parts = _items(text) if text and depth < MAX_DEPTH else None
    if parts is None:
        return text
    opening, closing, items = parts
    values = tuple(_value(item, depth + 1) for item in items)
    if "" in values:
        return text
    if opening == "(" and closing == ")" and len(values) == 1:
        return values[0]
    if opening == "{":
        values = tuple(sorted(set(values), key=repr))
    return Bracketed(opening, closing, values)


def _number(text: str, *, grouped: bool) -> Fraction | None:
    if grouped and _GROUPED.fullmatch(text):
        return Fraction(text.replace(",", "").replace(" ", ""))
    if _DECIMAL.fullmatch(text):
        return Fraction(text.replace(" ", ""))
    if slashed := _SLASHED.fullmatch(text):
        top, bottom = slashed.groups()
        return _ratio("", top, bottom)
    if fraction := _FRACTION.fullmatch(text):
        sign, top, short_top, bottom, short_bottom = fraction.groups()
        return _ratio(sign, top or short_top, bottom or short_bottom)
    return None


def _ratio(sign: str, top: str, bottom: str) -> Fraction | None:
    below = int(bottom.replace(" ", ""))
    if below == 0:
        return None
    value = Fraction(int(top.replace(" ", "")), below)
    return -value if sign == "-" else value


def _items(text: str) -> tuple[str, str, list[str]] | None:
    """Brackets and items of a collection; `None` when the text is none, or its brackets don't pair up.

    Half-open intervals are the one place where unlike brackets pair.
    """
    tokens = _TOKEN.findall(text)
    opening, closing = _OPENING.get(tokens[0], ""), _CLOSING.get(tokens[-1], "")
    enclosed = len(tokens) > 1 and (opening + closing) in ("()", "[]", "{}", "(]", "[)") and _pairs(tokens)
    inner = tokens[1:-1] if enclosed else tokens
    items, level, current = [], 0, ""
    for token in inner:
        if token in _OPENING or token == "{":
            level += 1
        elif token in _CLOSING or token == "}":
            level -= 1
        if level == 0 and token in (",", ";"):
            items.append(current.strip())
            current = ""
        else:
            current += token
    items.append(current.strip())
    if not enclosed:
        return ("", "", items) if len(items) > 1 and level == 0 else None
    half_open = opening + closing in ("(]", "[)")
    return None if half_open and len(items) != 2 else (opening, closing, items)


def _pairs(tokens: list[str]) -> bool:
    """Whether the first bracket is closed by the last one, and by none before."""
    level = 0
    for number, token in enumerate(tokens, start=1):
        if token in _OPENING or token == "{":
            level += 1
        elif token in _CLOSING or token == "}":
            level -= 1
            if level <= 0:
                return level == 0 and number == len(tokens)
    return False


def _numeric(value: Value) -> bool:
    if isinstance(value, Bracketed):
        return all(_numeric(item) for item in value.items)
    return isinstance(value, Fraction)


def _braced(text: str, start: int) -> str | None:
    """Text from `start` to the brace that closes the one before it; escaped braces don't count."""
    level = 1
    for found in _BRACE.finditer(text, start):
        level += {"{": 1, "}": -1}.get(found.group(), 0)
        if level == 0:
            return text[start : found.start()]
    return None
