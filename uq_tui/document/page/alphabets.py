"""Letters of Unicode's mathematical alphabets: MathML Core has no attribute for them."""

from uq_tui.document.maths.symbols import FONTS

_GREEK_CAPITALS, _GREEK_SMALL = 0x0391, 0x03B1


def _table(capitals: int, small: int, digits: int = 0, greek_capitals: int = 0, greek_small: int = 0) -> dict[int, int]:
    """From plain letters to those of an alphabet that begins at these code points; 0: it has none of the kind."""
    ranges = (
        (ord("A"), capitals, 26),
        (ord("a"), small, 26),
        (ord("0"), digits, 10),
        (_GREEK_CAPITALS, greek_capitals, 25),
        (_GREEK_SMALL, greek_small, 25),
    )
    return {plain + i: first + i for plain, first, count in ranges if first for i in range(count)}


def _known(letters: dict[str, str]) -> dict[int, int]:
    return {ord(plain): ord(letter) for plain, letter in letters.items()}


ALPHABETS: dict[str, dict[int, int]] = {
    "double-struck": _known(FONTS["mathbb"]),
    "script": _known(FONTS["mathcal"]),
    "fraktur": _known(FONTS["mathfrak"]),
    "bold": _table(0x1D400, 0x1D41A, 0x1D7CE, 0x1D6A8, 0x1D6C2),
    "bold-italic": _table(0x1D468, 0x1D482, 0x1D7CE, 0x1D71C, 0x1D736),
    "sans-serif": _table(0x1D5A0, 0x1D5BA, 0x1D7E2),
    "monospace": _table(0x1D670, 0x1D68A, 0x1D7F6),
}
"""By the value of `mathvariant`, for `str.translate`."""
