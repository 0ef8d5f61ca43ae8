"""Numbers as tables show them: short, with their interval, and a dash for what is unknown; and where they are from."""

from uq_tui.analysis.classification import Figure
from uq_tui.text import counted

DASH = "–"


def decimal(value: float | None) -> str:
    """Two decimals without the leading zero: `.82`, `-.05`, `1.00`; a dash for `None`."""
    if value is None:
        return DASH
    text = f"{value:.2f}"
    if text == "-0.00":
        text = "0.00"
    return text.replace("0.", ".", 1) if text.lstrip("-").startswith("0.") else text


def signed(value: float | None) -> str:
    """`+.05`, `-.05`."""
    return DASH if value is None else f"{'+' if value >= 0 else ''}{decimal(value)}"


def ranged(value: float | None, low: float | None, high: float | None, *, sign: bool = False) -> str:
    """`.82 [.78,.85]`; without brackets where there is no interval."""
    shown = signed(value) if sign else decimal(value)
    return shown if value is None or low is None or high is None else f"{shown} [{decimal(low)},{decimal(high)}]"


def estimated(figure: Figure, *, sign: bool = False) -> str:
    """A figure with its interval, as `ranged` shows it; a dash when it is undefined."""
    return ranged(figure.value, figure.low, figure.high, sign=sign)


def number(value: float | None) -> str:
    """A score on any scale, in four digits at most where that is enough: `8.25`, `-0.0131`, `1.2e+09`."""
    return DASH if value is None else f"{value:.4g}"


def elsewhere_lines(count: int) -> tuple[str, ...]:
    """How many of the outcomes that a report counts were found elsewhere; no line without any."""
    came = f"{counted(count, 'outcome')} counted here came in files, of validators that ran elsewhere."
    return (came,) if count else ()
