"""The one cleaner between foreign text and the terminal.

A terminal obeys what it is sent: an escape sequence in an answer can clear the screen or fill the clipboard, an
override can show a number backwards, a hundred accents on one letter can cover the lines above. What can do harm,
or can't be seen, is replaced by a mark that can be seen. Everything else stays as it is.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

MAX_COMBINING = 10
"""Characters kept on one base that take no cell of their own. Scripts in use need four or five, emoji up to nine."""

# Characters that emoji sequences are built of. A variation selector, a joiner or a skin tone is harmless among them;
# by itself a skin tone takes two cells of the terminal's, and none of ours.
_TONE = "\U0001f3fb-\U0001f3ff"
_TONELESS = (
    "\u203c\u2049\u2122\u2139\u2194-\u21aa\u231a-\u23ff\u24c2\u25aa-\u25fe\u2600-\u27bf\u2934\u2935\u2b05-\u2b55"
    "\u3030\u303d\u3297\u3299\U0001f000-\U0001f3fa\U0001f400-\U0001faff"
)
_PICTOGRAPH = _TONELESS + _TONE
_EMOJI_BASE = "#*0-9\u00a9\u00ae" + _PICTOGRAPH

_LAST_OF_PLANES = "".join(f"{chr(plane << 16 | 0xFFFE)}{chr(plane << 16 | 0xFFFF)}" for plane in range(17))
_HOSTILE = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # controls, save newline and tab
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb"  # unseen, or turning the direction of reading
    "\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
    "\ud800-\udfff"  # lone surrogates: no UTF-8 for them
    f"\ufdd0-\ufdef{_LAST_OF_PLANES}"  # no characters, and never to be
    "]"
    f"|(?<![{_EMOJI_BASE}])\ufe0f"
    f"|(?<![{_PICTOGRAPH}])(?<![{_PICTOGRAPH}]\ufe0f)\u200d"
    f"|\u200d(?![{_TONELESS}])"
    f"|(?<![{_TONELESS}])[{_TONE}]"
)

_REPLACED = re.compile(f"\r\n|{_HOSTILE.pattern}")
_HOSTILE_ASCII = re.compile("[\x00-\x08\x0b-\x1f\x7f]")

# Runs that may hold too many characters without a cell of their own. Blocks that have none are left out, for speed.
_MAYBE_PILED = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u1dff\u20d0-\u20ff\u2cef-\u2cf1\u2d7f\u2de0-\u2dff\u302a-\u302f\u3099\u309a"
    "\ua66f-\uabff\ud7b0-\ud7ff\ufb1e\ufe20-\ufe2f\U00010000-\U0001efff]"
    f"{{{MAX_COMBINING + 1},}}"
)
_MAYBE_PILED_OR_JOINED = re.compile(
    f"{_MAYBE_PILED.pattern}|(?:[{_TONELESS}][{_TONE}\ufe0f]{{0,2}}\u200d){{3,}}[{_TONELESS}][{_TONE}\ufe0f]{{0,2}}"
)
_STRETCH = 10_000
"""Characters that are searched at once, at least."""
_SEAM = re.compile("[0-9A-Za-z\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]{2}| ")
"""Two characters between which a text can be cut, since nothing there turns on what stands before or behind; or one."""
_JOINER = "\u200d"
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
    return _maybe_piled(text).sub(_thin_out, text)


def clean_parts(text: str) -> list[Part]:
    """`clean(text)` in parts, each with its place; together they show every character of `text`."""
    if text.isascii() and not _HOSTILE_ASCII.search(text):
        return [Part(text, 0, len(text))] if text else []
    parts: list[Part] = []
    piled = _maybe_piled(text)
    at = 0
    for stop in _stops(text):
        for match in _REPLACED.finditer(text, at, stop):
            parts += _thinned(piled, text, at, match.start())
            at = match.end()
            parts.append(Part("\n" if len(match[0]) > 1 else _mark(match), match.start(), at))
        parts += _thinned(piled, text, at, stop)
        at = stop
    return parts


def _stops(text: str) -> Iterator[int]:
    """Where a long text may be cut: no other thread runs while a pattern looks for its next match."""
    stop = 0
    while stop < len(text):
        seam = _SEAM.search(text, stop + _STRETCH)
        stop = seam.start() + 1 if seam else len(text)
        yield stop


def clean_in_place(text: str) -> str:
    """As harmless as `clean(text)`, with one sign for each character, so that all stay in their places."""
    text = _HOSTILE.sub(lambda match: mark if len(mark := _mark(match)) == 1 else "\N{REPLACEMENT CHARACTER}", text)
    return _maybe_piled(text).sub(_replace_surplus, text)


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


def _maybe_piled(text: str) -> re.Pattern[str]:
    return _MAYBE_PILED_OR_JOINED if _JOINER in text else _MAYBE_PILED


def _thin_out(match: re.Match[str]) -> str:
    return "".join(part.shown for part in _thinned(match.re, match[0], 0, len(match[0])))


def _thinned(piled: re.Pattern[str], text: str, start: int, end: int) -> Iterator[Part]:
    """The parts of a stretch without hostile characters."""
    at = start
    for match in piled.finditer(text, start, end):
        surplus = 0
        place = match.start()
        for place, kept in enumerate(_kept(match[0]), match.start()):
            if not kept:
                surplus += 1
            elif surplus:
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
    kept = _kept(match[0])
    return "".join(sign if keep else "\N{REPLACEMENT CHARACTER}" for sign, keep in zip(match[0], kept, strict=True))


def _kept(run: str) -> Iterator[bool]:
    """Whether each character stays: the cells before it hold no more than they may."""
    piled = 0
    joined = False
    for character in run:
        if character == _JOINER:
            piled += 2  # itself and what it joins, so that both stay or neither does
        elif not joined:
            piled = piled + 1 if _takes_no_cell(character) else 0
        joined = character == _JOINER
        yield piled <= MAX_COMBINING


@lru_cache(maxsize=4096)
def _takes_no_cell(character: str) -> bool:
    from rich.cells import get_character_cell_size  # by which all lines are measured; seldom asked, so late

    return get_character_cell_size(character) == 0
