"""Reading one number as the rational that it is.

What has two common readings isn't read: mixed numbers (`2\\frac{1}{2}`), `1e5`, percentages, `0.1(6)`, `10^12`.
"""

import re
from fractions import Fraction

MAX_DIGITS = 1_000
"""Digits of a power that is worked out."""

_SIGN, _INTEGER = "([+-]?) ?", r"([0-9]+)"
_EXPONENT = r"\^ ?(?:\{ ?([+-]? ?[0-9]{1,9}) ?\}|([0-9]))"
_GROUPED = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:(?:,[0-9]{3})+|(?: [0-9]{3})+)(?:\.[0-9]+)?")
_DECIMAL = re.compile(r"[+-]? ?(?:[0-9]+\.?[0-9]*|\.[0-9]+)")
_FRACTION = re.compile(r"([+-]?) ?\\frac ?(?:\{ ?([+-]? ?[0-9]+) ?\}|([0-9])) ?(?:\{ ?([+-]? ?[0-9]+) ?\}|([0-9]))")
_SLASHED = re.compile(r"([+-]? ?[0-9]+) ?/ ?([0-9]+)")
_REPEATING = re.compile(
    rf"{_SIGN}([0-9]*)\.([0-9]*)"
    r"(?:\\overline ?\{([0-9]+)\}|\\dot ?\{([0-9])\}(?:([0-9]*)\\dot ?\{([0-9])\})?)"
)
_POWER = re.compile(f"{_SIGN}{_INTEGER} ?{_EXPONENT}")
_SCIENTIFIC = re.compile(rf"([+-]? ?[0-9]+(?:\.[0-9]+)?) ?\\(?:times|cdot) ?10 ?{_EXPONENT}")


def number(text: str, *, grouped: bool) -> Fraction | None:
    """The value of a normalised text, `None` where it is no number.

    Args:
        text: at most some thousand characters.
        grouped: whether commas and spaces may group digits.
    """
    if grouped and _GROUPED.fullmatch(text):
        return _decimal(text.replace(",", ""))
    if _DECIMAL.fullmatch(text):
        return _decimal(text)
    if slashed := _SLASHED.fullmatch(text):
        top, bottom = slashed.groups()
        return _ratio("", top, bottom)
    if "\\" not in text and "^" not in text:
        return None
    if fraction := _FRACTION.fullmatch(text):
        sign, top, short_top, bottom, short_bottom = fraction.groups()
        return _ratio(sign, top or short_top, bottom or short_bottom)
    if repeating := _REPEATING.fullmatch(text):
        sign, whole, places, over, first, between, last = repeating.groups()
        return _repeating(sign, whole, places, over or first + (between or "") + (last or ""))
    if power := _POWER.fullmatch(text):
        sign, base, braced, bare = power.groups()
        value = _power(int(base), len(base), _integer(braced or bare))
        return -value if value is not None and sign == "-" else value
    if scientific := _SCIENTIFIC.fullmatch(text):
        mantissa, braced, bare = scientific.groups()
        scale = _power(10, 2, _integer(braced or bare))
        return _decimal(mantissa) * scale if scale is not None and len(mantissa) < MAX_DIGITS else None
    return None


def _decimal(text: str) -> Fraction:
    whole, _, places = text.replace(" ", "").partition(".")
    return Fraction(int(whole + places), 10 ** len(places)) if places else Fraction(int(whole))


def _integer(text: str) -> int:
    return int(text.replace(" ", ""))


def _ratio(sign: str, top: str, bottom: str) -> Fraction | None:
    below = _integer(bottom)
    if below == 0:
        return None
    value = Fraction(_integer(top), below)
    return -value if sign == "-" else value


def _repeating(sign: str, whole: str, places: str, period: str) -> Fraction:
    before = Fraction(int(whole + places or "0"), 10 ** len(places))
    value = before + Fraction(int(period), 10 ** len(places) * (10 ** len(period) - 1))
    return -value if sign == "-" else value


def _power(base: int, digits: int, exponent: int) -> Fraction | None:
    """`base` to the `exponent`; `None` where it would have too many `digits`, or is undefined or disputed."""
    if base == 0 or digits * abs(exponent) > MAX_DIGITS:
        return None
    return Fraction(base) ** exponent
