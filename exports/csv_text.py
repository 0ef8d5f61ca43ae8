"""Lines of CSV as RFC 4180 has them, with cells that no spreadsheet takes for formulas."""

import csv
import io
import re
from collections.abc import Iterable

_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_UNWRITABLE = re.compile("[\0\ud800-\udfff]")


def cell(text: str) -> str:
    """Text as a cell: with a `'` before what would be taken for a formula (OWASP, CSV Injection).

    Characters that CSV can't hold, NUL and halves of surrogate pairs, become U+FFFD.
    """
    plain = _UNWRITABLE.sub("\N{REPLACEMENT CHARACTER}", text)
    return f"'{plain}" if plain.startswith(_FORMULA) else plain


def line(cells: Iterable[str]) -> bytes:
    """One line, which ends in CR LF. Raises UnicodeEncodeError: a cell has half of a surrogate pair."""
    text = io.StringIO(newline="")
    csv.writer(text).writerow(cells)
    return text.getvalue().encode()
