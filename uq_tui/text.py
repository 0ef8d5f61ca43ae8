"""The one cleaner between foreign text and the terminal.

A terminal obeys what it is sent: an escape sequence in an answer can clear the screen or fill the clipboard, an
override can show a number backwards, a hundred accents on one letter can cover the lines above. What can do harm,
or can't be seen, is replaced by a mark that can be seen. Everything else stays as it is.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

MAX_COMBINING = 8
"""Combining marks kept on one base; scripts in use need at most four or five."""

# Characters that emoji sequences are built of. A variation selector or a joiner is harmless between them.
_PICTOGRAPH = (
    "\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b55"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001faff"
)
_EMOJI_BASE = "#*0-9\u00a9\u00ae" + _PICTOGRAPH

_HOSTILE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, save newline and tab
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb"  # unseen, or turning the direction of reading
    "\ud800-\udfff"  # lone surrogates: no UTF-8 for them
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "]"
    f"|(?<![{_EMOJI_BASE}])\ufe0f"
    f"|(?<![{_PICTOGRAPH}])(?<![{_PICTOGRAPH}]\ufe0f)\u200d"
    f"|\u200d(?![{_PICTOGRAPH}])"
)

_REPLACED = re.compile(f"\r\n|{_HOSTILE.pattern}")
_HOSTILE_ASCII = re.compile("[\x00-\x08\x0b-\x1f\x7f]")

# Runs that may hold too many combining marks. Blocks of scripts that have none are left out, for speed.
_MAYBE_COMBINING = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u1dff\u20d0-\u20ff\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099\u309a"
    "\ua66f-\uabff\ufb1e\ufe20-\ufe2f\U00010000-\U0001efff]"
    f"{{{MAX_COMBINING + 1},}}"
)
_MARKS_CUT = "‹marks cut›"
_WHITE = re.compile(r"\s+")


class Part(NamedTuple):
    """A part of a cleaned text, and the characters of the text that it shows.

    They are either the same, or the part is a mark that stands for all of them.
    """

    shown: str
    start: int
    end: int


def clean(text: str) -> str:
    """`text` with nothing in it that a terminal obeys or a reader can't see.

    Control characters become their pictures (U+241B for escape), other unseen characters their number in angle
    quotes. CRLF becomes a newline; newlines and tabs stay. Cleaning twice changes nothing more.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n")
    if text.isascii():
        return _HOSTILE_ASCII.sub(_mark, text)
    text = _HOSTILE.sub(_mark, text)
    return _MAYBE_COMBINING.sub(_thin_out, text)


def clean_parts(text: str) -> list[Part]:
    """`clean(text)` in parts, each with its place; together they show every character of `text`."""
    if text.isascii() and not _HOSTILE_ASCII.search(text):
        return [Part(text, 0, len(text))] if text else []
    parts: list[Part] = []
    at = 0
    for match in _REPLACED.finditer(text):
        parts += _thinned(text, at, match.start())
        at = match.end()
        parts.append(Part("\n" if len(match[0]) > 1 else _mark(match), match.start(), at))
    parts += _thinned(text, at, len(text))
    return parts


def clean_in_place(text: str) -> str:
    """As harmless as `clean(text)`, with one sign for each character, so that all stay in their places."""
    text = _HOSTILE.sub(lambda match: mark if len(mark := _mark(match)) == 1 else "\N{REPLACEMENT CHARACTER}", text)
    return _MAYBE_COMBINING.sub(_replace_surplus, text)


def clean_line(text: str) -> str:
    """`clean(text)` on one line: every run of white space becomes one space, none at the ends."""
    return _WHITE.sub(" ", clean(text)).strip()


def counted(n: int, noun: str, nouns: str = "", *, of: int | None = None) -> str:
    """`1 call`, `2,000 calls`: a number with its noun. `nouns` is the plural where an s is not enough.

    With `of`, `1 of 2 calls`: the noun goes by the whole.
    """
    whole = n if of is None else of
    part = f"{n:,}" if of is None else f"{n:,} of {of:,}"
    return f"{part} {noun if whole == 1 else nouns or f'{noun}s'}"


def _mark(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "\u2421"
    return f"‹U+{code:04X}›"


def _thin_out(match: re.Match[str]) -> str:
    kept: list[str] = []
    for character, run in _runs(match[0]):
        if run <= MAX_COMBINING:
            kept.append(character)
        elif run == MAX_COMBINING + 1:
            kept.append(_MARKS_CUT)
    return "".join(kept)


def _thinned(text: str, start: int, end: int) -> Iterator[Part]:
    """The parts of a stretch without hostile characters."""
    at = start
    for match in _MAYBE_COMBINING.finditer(text, start, end):
        surplus = 0
        place = match.start()
        for place, (_, run) in enumerate(_runs(match[0]), match.start()):
            if run > MAX_COMBINING:
                surplus += 1
                continue
            if surplus:
                yield from _cut_short(text, at, place - surplus, place)
                at, surplus = place, 0
        if surplus:
            yield from _cut_short(text, at, place + 1 - surplus, place + 1)
            at = place + 1
    if at < end:
        yield Part(text[at:end], at, end)


def _cut_short(text: str, at: int, surplus: int, end: int) -> Iterator[Part]:
    if at < surplus:
        yield Part(text[at:surplus], at, surplus)
    yield Part(_MARKS_CUT, surplus, end)


def _replace_surplus(match: re.Match[str]) -> str:
    return "".join(
        character if run <= MAX_COMBINING else "\N{REPLACEMENT CHARACTER}" for character, run in _runs(match[0])
    )


def _runs(text: str) -> Iterator[tuple[str, int]]:
    """Each character, with how many combining marks there are from the last base up to it."""
    run = 0
    for character in text:
        run = run + 1 if unicodedata.category(character) in ("Mn", "Me") else 0
        yield character, run
