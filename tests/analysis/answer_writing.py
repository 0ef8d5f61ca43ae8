"""Writing values as final answers in many ways, of which all mean the same."""

from collections.abc import Callable
from fractions import Fraction

from hypothesis import strategies as st

Way = Callable[[str], str]


def _terminating(value: Fraction) -> str | None:
    """The decimal that the value is; `None` where it has none of at most 12 places."""
    for places in range(13):
        scaled = value * 10**places
        if scaled.denominator == 1:
            digits = f"{abs(scaled.numerator):0{places + 1}}"
            whole, fraction = digits[: len(digits) - places], digits[len(digits) - places :]
            return ("-" if value < 0 else "") + whole + (f".{fraction}" if fraction else "")
    return None


def _repeating(value: Fraction) -> str | None:
    """The value as a decimal with a period of at most 12 digits, made by long division."""
    sign, rest = "-" if value < 0 else "", abs(value)
    whole, remainder = divmod(rest.numerator, rest.denominator)
    digits, seen = "", dict[int, int]()
    while remainder and remainder not in seen and len(digits) <= 24:
        seen[remainder] = len(digits)
        digit, remainder = divmod(remainder * 10, rest.denominator)
        digits += str(digit)
    if not remainder or remainder not in seen:
        return None
    start = seen[remainder]
    return f"{sign}{whole}.{digits[:start]}\\overline{{{digits[start:]}}}"


def _scientific(value: Fraction) -> str | None:
    decimal = _terminating(value * 1000)
    return None if decimal is None else f"{decimal} \\times 10^{{-3}}"


@st.composite
def written(draw: st.DrawFn, value: Fraction) -> str:
    """The value in one of the ways in which people write numbers."""
    top, bottom, times = value.numerator, value.denominator, draw(st.integers(1, 9))
    sign = "-" if top < 0 else ""
    forms = [
        f"{top}/{bottom}",
        f"\\frac{{{top * times}}}{{{bottom * times}}}",
        f"{sign}\\dfrac{{{abs(top)}}}{{{bottom}}}",
        f"\\tfrac {{{-top}}} {{{-bottom}}}",
        _terminating(value),
        _repeating(value),
        _scientific(value),
    ]
    if bottom == 1:
        forms += [f"{top:,}", f"{top:,}".replace(",", "{,}"), f"{top:,}".replace(",", "\\,"), f"{sign}00{abs(top)}"]
    return draw(dressed(draw(st.sampled_from([form for form in forms if form is not None]))))


def dressed(text: str) -> st.SearchStrategy[str]:
    """The same answer with what sets it around it."""
    ways: list[Way] = [
        lambda one: one,
        lambda one: f" {one}\n",
        lambda one: f"{one}.",
        lambda one: f"${one}$",
        lambda one: f"$$ {one} $$",
        lambda one: f"\\({one}\\)",
        lambda one: f"\\[{one}.\\]",
        lambda one: f"\\displaystyle {one}",
        lambda one: f"{one}\\;",
        lambda one: one.replace("-", "\u2212"),
    ]
    return st.sampled_from(ways).map(lambda way: way(text))


@st.composite
def written_set(draw: st.DrawFn, values: frozenset[Fraction]) -> str:
    """A set of numbers, in any order, some of them twice."""
    ordered = draw(st.permutations(sorted(values)))
    twice = ordered + [one for one in ordered if draw(st.booleans())]
    items = draw(st.sampled_from([", ", ",", ";", ",\\ "])).join(
        f"\\frac{{{one.numerator}}}{{{one.denominator}}}" for one in twice
    )
    return draw(dressed(draw(st.sampled_from([f"\\{{{items}\\}}", f"\\left\\{{{items}\\right\\}}"]))))


@st.composite
def written_tuple(draw: st.DrawFn, values: tuple[Fraction, ...]) -> str:
    """A tuple of numbers."""
    items = ", ".join(f"{one.numerator}/{one.denominator}" for one in values)
    return draw(dressed(draw(st.sampled_from([f"({items})", f"\\left( {items} \\right)", f"\\bigl({items}\\bigr)"]))))


@st.composite
def written_matrix(draw: st.DrawFn, rows: tuple[tuple[int, ...], ...]) -> str:
    """A matrix of whole numbers."""
    end = draw(st.sampled_from(["\\\\", " \\\\ ", "\\\\\n"]))
    body = end.join(draw(st.sampled_from([" & ", "&"])).join(map(str, row)) for row in rows)
    body += draw(st.sampled_from(["", end]))
    columns = "c" * len(rows[0])
    frames = (
        f"\\begin{{pmatrix}}{body}\\end{{pmatrix}}",
        f"\\begin{{bmatrix}} {body} \\end{{bmatrix}}",
        f"\\left(\\begin{{array}}{{{columns}}}{body}\\end{{array}}\\right)",
        f"\\left[ \\begin{{matrix}}{body}\\end{{matrix}} \\right]",
    )
    return draw(dressed(draw(st.sampled_from(frames))))
