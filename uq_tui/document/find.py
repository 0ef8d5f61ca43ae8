r"""Searching a source for a text.

It is the source that is searched, markup and LaTeX included, so that all that stands there can be found: `\alpha`, not
the letter that is drawn for it. A query in small letters finds capitals too, one with a capital finds
exactly that. A run of white space finds any run of white space, line breaks included.
"""

import re
import unicodedata
from typing import NamedTuple

from uq_tui.document.ranges import Range
from uq_tui.text import clean

MOST = 10_000
"""Matches that are found at most; who shows a count says so: `10,000+`."""
MOST_SIGNS = 100
"""Characters of a query that are looked for; of a longer one only its beginning is."""

_PIECE = re.compile(r"\s+|‹U\+[0-9A-Fa-f]{4,6}›|[^\s\u0300-\u036f][\u0300-\u036f]*|[\u0300-\u036f]+")
_MARK = re.compile(r"‹U\+[0-9A-Fa-f]{4,6}›")
_PICTURES = {clean(chr(code)): chr(code) for code in (*range(0x09), *range(0x0B, 0x20), 0x7F)}
"""Pictures in place of which the control character stands in the source."""


class Found(NamedTuple):
    """Where a query was found, in order, never overlapping. `capped`: there may be more."""

    ranges: tuple[Range, ...] = ()
    capped: bool = False


NOTHING = Found()


def find(source: str, query: str, *, limit: int = MOST) -> Found:
    """Where `query` stands in `source`. It is never a pattern, and time is linear in the source.

    What is drawn as a mark is found by its mark as well (`␛` for an escape, `‹U+202E›` for an override), and accented
    letters in either of their two spellings.

    Args:
        source: any text.
        query: what to look for; a blank one finds nothing.
        limit: matches found at most.
    """
    query = query[:MOST_SIGNS]
    if not query.strip():
        return NOTHING
    ranges: list[Range] = []
    for match in _literal(query).finditer(source):
        if len(ranges) == limit:
            return Found(tuple(ranges), True)
        ranges.append(Range(match.start(), match.end()))
    return Found(tuple(ranges))


def _is_small(query: str) -> bool:
    return not any(sign.isupper() for sign in _MARK.sub("", query))


def _literal(query: str) -> re.Pattern[str]:
    """A pattern whose time is linear in the text: what varies in it is white space alone, and never taken back."""
    pieces = [_piece(found[0]) for found in _PIECE.finditer(query)]
    if query[0].isspace():
        pieces.insert(0, r"(?<!\s)")  # a run of blanks is tried from its beginning only
    return re.compile("".join(pieces), re.IGNORECASE if _is_small(query) else re.NOFLAG)


def _piece(piece: str) -> str:
    if piece.isspace():
        return r"\s++"
    spellings = {piece, *(unicodedata.normalize(form, piece) for form in ("NFC", "NFD"))}
    if piece in _PICTURES:
        spellings.add(_PICTURES[piece])
    if piece.startswith("‹U+") and (code := int(piece[3:-1], 16)) < 0x110000:
        spellings.add(chr(code))
    return f"(?:{'|'.join(re.escape(one) for one in sorted(spellings))})" if len(spellings) > 1 else re.escape(piece)
