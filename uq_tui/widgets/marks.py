"""How outcomes and numbers look: a glyph and a word, with colour only on top."""

from textual.content import Content

from uq_tui.words import GLYPHS, Outcome

RUNNING = "◌"
"""Stands beside what is being decided. Only the header's spinner moves: redrawing whole lists ten times a second would
keep keys waiting."""
REFERENCE = "◆ reference"
"""Stands beside the expert's own solution."""

_STYLES = {
    Outcome.ACCEPT: "$text-success",
    Outcome.REJECT: "$text-error",
    Outcome.UNPARSED: "$text-warning",
    Outcome.FAILED: "$text-warning bold",
    Outcome.SKIPPED: "dim",
}


def outcome(value: Outcome) -> Content:
    """`✓ accept` in its colour."""
    return Content.styled(f"{GLYPHS[value]} {value}", _STYLES[value])


def share(value: float | None) -> str:
    """A number in [0, 1] as `.81`, `1.0`; unknown as `–`."""
    if value is None:
        return "–"
    text = f"{value:.2f}"
    return text[1:] if text.startswith("0") else text[:3]


def signed(value: float | None) -> str:
    """A difference as `+.13`, `-.05`; unknown as `–`."""
    if value is None:
        return "–"
    return ("-" if value < 0 else "+") + share(abs(value))


def bar(value: float, width: int = 10) -> str:
    """A bar of `width` cells for a number in [0, 1], to an eighth of a cell."""
    eighths = round(value * width * 8)
    full, part = divmod(eighths, 8)
    drawn = "█" * full + ("▏▎▍▌▋▊▉"[part - 1] if part else "")
    return drawn.ljust(width, "·")
