"""Anchors: a span of a stored text that is found again in it, or is said to be lost.

An anchor holds offsets in code points, the words between them, and what stands on either side. Offsets count only in
the text they were made in. In any other copy the words decide, and only where they can mean one place.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple, Protocol

CONTEXT = 32
"""Code points kept before and after the words, so that they can be found in another copy."""
NEAR = 16
"""Code points beside the words, on one side at least, that have to be the same in a text that has changed."""

SEVERAL = "its words stand in the text more than once, and nothing tells which are meant"
ABSENT = "its words are not in the text"
ELSEWHERE = "its words stand in the text once, but among others than before"
NO_WORDS = "it quotes no words"

_WRAPPERS = frozenset(("“”", "„“", "„”", "«»", "»«", "‹›", "‘’", "‚‘", '""', "''"))
_WHITE = re.compile(r"\s+")
_ASTRAL = re.compile("[\U00010000-\U0010ffff]")


class Quoting(Protocol):
    """What can be placed: an anchor, a quote of a verdict, a remark. An offset that isn't known is `None`."""

    @property
    def quote(self) -> str: ...
    @property
    def start(self) -> int | None: ...
    @property
    def end(self) -> int | None: ...
    @property
    def prefix(self) -> str: ...
    @property
    def suffix(self) -> str: ...


class Anchor(NamedTuple):
    """Code points `start` to `end` of a text, the words there, and up to `CONTEXT` signs on either side."""

    quote: str
    start: int
    end: int
    prefix: str
    suffix: str


class Place(NamedTuple):
    """Where the words stand. `bridged`: they differ from the quote there, or their offsets were counted otherwise."""

    start: int
    end: int
    bridged: bool = False


class Unanchored(NamedTuple):
    """There is no place. The reason is the rest of a sentence: `it quotes no words`."""

    reason: str


class _Wanted(NamedTuple):
    """Words with what stood on either side of them, in one spelling."""

    words: str
    before: str
    after: str


def cut(raw: str, start: int, end: int) -> Anchor:
    """The anchor of code points `start` to `end` of `raw`."""
    return Anchor(raw[start:end], start, end, raw[max(0, start - CONTEXT) : start], raw[end : end + CONTEXT])


def place(quoting: Quoting, raw: str, *, same_text: bool = True) -> Place | Unanchored:
    """Where the words of `quoting` stand in `raw`.

    One with offsets and neither words nor surroundings, as in rows that went out without the answer's text, is where
    its offsets say. All others, in this order: at its offsets, where words and surroundings hold; at the only place of
    the words within their surroundings; at the only place of the words. Then once more with differences bridged that
    imports make: offsets counted in UTF-16 units, as browsers do; quotation marks put round the words, as the Open
    Proof Corpus does; white space of another kind or length (no-break spaces, CRLF). What all of these leave open has
    no place: none is guessed.

    Args:
        quoting: the words, and where they are said to be.
        raw: the text.
        same_text: it is the very text that was quoted. In a changed one offsets say nothing, and words that stand there
            once count only if they are long, or what stands next to them is still the same on one side.
    """
    if not quoting.quote.strip():
        return _wordless(quoting, raw) if same_text else Unanchored(NO_WORDS)
    wanted = _Wanted(quoting.quote, quoting.prefix, quoting.suffix)
    offsets = _offsets(quoting, raw) if same_text else []
    if offsets and _holds(wanted, raw, *offsets[0]):
        return Place(*offsets[0])
    found = _only(wanted, raw, same_text=same_text)
    if isinstance(found, int):
        return Place(found, found + len(wanted.words))
    for start, end in offsets[1:]:
        if _holds(wanted, raw, start, end):
            return Place(start, end, bridged=True)
    return found or _bridged(wanted, raw, offsets, same_text=same_text)


def _wordless(quoting: Quoting, raw: str) -> Place | Unanchored:
    start, end = quoting.start, quoting.end
    if quoting.quote or quoting.prefix or quoting.suffix or start is None or end is None:
        return Unanchored(NO_WORDS)
    return Place(start, end) if 0 <= start < end <= len(raw) and raw[start:end].strip() else Unanchored(NO_WORDS)


def _offsets(quoting: Quoting, raw: str) -> list[tuple[int, int]]:
    """The offsets as code points, and where that differs, those they would be if they counted UTF-16 units."""
    start, end = quoting.start, quoting.end
    if start is None or end is None or not 0 <= start <= end:
        return []
    units = _from_utf16(raw, start), _from_utf16(raw, end)
    if units[0] is None or units[1] is None or units == (start, end):
        return [(start, end)]
    return [(start, end), (units[0], units[1])]


def _from_utf16(raw: str, units: int) -> int | None:
    """The code point that begins after so many UTF-16 units; None within a character of two units."""
    pairs = 0
    for found in _ASTRAL.finditer(raw):
        begins = found.start() + pairs
        if begins >= units:
            break
        if begins + 1 == units:
            return None
        pairs += 1
    return units - pairs


def _holds(wanted: _Wanted, text: str, start: int, end: int) -> bool:
    return (
        text[start:end] == wanted.words
        and text.endswith(wanted.before, 0, start)
        and text.startswith(wanted.after, end)
    )


def _only(wanted: _Wanted, text: str, *, same_text: bool) -> int | Unanchored | None:
    """Where the words begin, if that is certain; why it is not; None when they are not there at all."""
    if wanted.before or wanted.after:
        within = _first_two(text, "".join((wanted.before, wanted.words, wanted.after)))
        if len(within) == 1:
            return within[0] + len(wanted.before)
    alone = _first_two(text, wanted.words)
    if len(alone) != 1:
        return Unanchored(SEVERAL) if alone else None
    if same_text or _is_near(wanted, text, alone[0]):
        return alone[0]
    return Unanchored(ELSEWHERE)


def _first_two(text: str, words: str) -> tuple[int, ...]:
    """The first two places of the words, overlapping ones counted."""
    first = text.find(words)
    second = text.find(words, first + 1) if first >= 0 else -1
    return tuple(at for at in (first, second) if at >= 0)


def _is_near(wanted: _Wanted, text: str, start: int) -> bool:
    """Whether the words stand next to what they stood next to, on one side at least; true where that isn't known.

    Less than `NEAR` signs on a side say that the text began or ended there. Long words are evidence enough.
    """
    if len(wanted.words) >= CONTEXT or not (wanted.before or wanted.after):
        return True
    end = start + len(wanted.words)
    return text[max(0, start - NEAR) : start] == wanted.before[-NEAR:] or text[end : end + NEAR] == wanted.after[:NEAR]


def _bridged(wanted: _Wanted, raw: str, offsets: list[tuple[int, int]], *, same_text: bool) -> Place | Unanchored:
    even = _WHITE.sub(" ", raw)
    for spelling in _spellings(wanted):
        for start, end in offsets:
            trimmed = _trimmed(raw, start, end)
            if _WHITE.sub(" ", raw[slice(*trimmed)]) == spelling.words:
                return Place(*trimmed, bridged=True)
        found = _only(spelling, even, same_text=same_text)
        if isinstance(found, int):
            last = found + len(spelling.words) - 1
            return Place(_in_raw(raw, found), _in_raw(raw, last) + 1, bridged=True)
        if found is not None:
            return found
    return Unanchored(ABSENT)


def _spellings(wanted: _Wanted) -> Iterator[_Wanted]:
    """The words with single blanks for white space and none at their ends; then those within quotation marks."""
    words = wanted.words.strip()
    lead, trail = _ends(wanted.words)
    yield _even(_Wanted(words, wanted.before + lead, trail + wanted.after))
    if len(words) > 2 and words[0] + words[-1] in _WRAPPERS and (inner := words[1:-1].strip()):
        lead, trail = _ends(words[1:-1])
        yield _even(_Wanted(inner, wanted.before + lead, trail + wanted.after))


def _ends(words: str) -> tuple[str, str]:
    """The white space that words begin and end with."""
    return words[: len(words) - len(words.lstrip())], words[len(words.rstrip()) :]


def _even(wanted: _Wanted) -> _Wanted:
    return _Wanted(*(_WHITE.sub(" ", part) for part in wanted))


def _trimmed(raw: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends."""
    lead, trail = _ends(raw[start:end])
    return (start + len(lead), end - len(trail)) if len(lead) < end - start else (start, start)


def _in_raw(raw: str, at: int) -> int:
    """Where the code point `at` of the text with single blanks for white space stands in the text itself."""
    gone = 0
    for run in _WHITE.finditer(raw):
        if run.start() - gone >= at:
            break
        gone += len(run[0]) - 1
    return at + gone
