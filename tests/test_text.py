"""Nothing that a terminal obeys gets through, and nothing else is touched."""

import sys
import unicodedata
from collections.abc import Callable, Iterable
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.document.work import calls
from uq_tui.text import MAX_COMBINING, Part, clean, clean_in_place, clean_line, clean_parts, counted

ANY_TEXT = st.text(st.characters(exclude_categories=[]))
SNIPPETS = [
    "\x1b[2J",
    "\x1b]52;c;aGk=\x07",
    "\r\n",
    "\r",
    "\u202e",
    "\u200d",
    "\ufe0f",
    "e" + "\u0301" * 12,
    "👨",
    "❤",
    "1",
    "🏽",
    "👩\u200d" * 9,
    "\u11a8" * 12,
    "\u0897" * 12,
]
BLANKS = ["\u00a0", "\u1680", *map(chr, range(0x2000, 0x200B)), "\u202f", "\u205f", "\u2800", "\u3000"]
"""As wide as they look, and texts in French, Ogham, Braille and Chinese have them."""
HOSTILE_TEXT = st.lists(st.sampled_from(SNIPPETS) | ANY_TEXT).map("".join)


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\x1b[2J", "\u241b[2J"),
        ("\x1b]52;c;aGk=\x07", "\u241b]52;c;aGk=\u2407"),
        ("\x9b31m", "‹U+009B›31m"),
        ("a\x00b\x7f", "a\u2400b\u2421"),
        ("gone\rhere", "gone\u240dhere"),
        ("back\x08\x08", "back\u2408\u2408"),
        ("a\x0bb\x0cc", "a\u240bb\u240cc"),
        ("user\u202etxt.exe", "user‹U+202E›txt.exe"),
        ("\u2066x\u2069", "‹U+2066›x‹U+2069›"),
        ("pass\u200bword", "pass‹U+200B›word"),
        ("a\u200db", "a‹U+200D›b"),
        ("\ufeffstart", "‹U+FEFF›start"),
        ("one\u2028two", "one‹U+2028›two"),
        ("\ud83d", "‹U+D83D›"),
        ("\U000e0041", "‹U+E0041›"),
        ("🏽 and 👍🏽🏽", "‹U+1F3FD› and 👍🏽‹U+1F3FD›"),
    ],
)
def test_what_a_terminal_obeys_becomes_a_mark(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain text, $x^2$ & <b>\n\tindented",
        "Größe, Ελληνικά, кириллица, עברית, हिन्दी, 日本語, 한국어",
        "x̂ + ȳ, e\u0301",
        "❤️ ✔️ 1️⃣ 👍🏽 🇫🇷 👨‍👩‍👧 🏳️‍🌈 👩🏽‍❤️‍💋‍👨🏿",
        "한국어 in letters: \u1112\u1161\u11ab\u1100\u116e\u11a8",
        "".join(BLANKS),
        "␛ ‹U+202E›",
    ],
)
def test_other_text_is_unchanged(text: str) -> None:
    assert clean(text) == text


# Default_Ignorable_Code_Point of Unicode 16's DerivedCoreProperties.txt: shown as nothing by whoever doesn't know them.
IGNORED = [
    *(0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0x200B, 0x2010)),
    *(*range(0x202A, 0x202F), *range(0x2060, 0x2070), 0x3164, *range(0xFE00, 0xFE10), 0xFEFF, 0xFFA0),
    *(*range(0xFFF0, 0xFFF9), *range(0x1BCA0, 0x1BCA4), *range(0x1D173, 0x1D17B), *range(0xE0000, 0xE1000)),
]
INTERLINEAR = range(0xFFF9, 0xFFFC)
HIEROGLYPH_JOINERS = range(0x13430, 0x13440)
FILLERS = [0x16FE4, 0x1D159]  # of Khitan, and a note without a head
NO_CHARACTERS = [*range(0xFDD0, 0xFDF0), *(plane << 16 | last for plane in range(17) for last in (0xFFFE, 0xFFFF))]
SEEN_FORMATS = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd"


@pytest.mark.parametrize("block", [IGNORED, INTERLINEAR, HIEROGLYPH_JOINERS, FILLERS, NO_CHARACTERS])
def test_what_is_never_seen_becomes_its_number(block: Iterable[int]) -> None:
    assert [clean(f"a{chr(code)}b") for code in block] == [f"a‹U+{code:04X}›b" for code in block]


def test_of_formats_only_signs_that_are_seen_stay() -> None:
    formats = [sign for sign in map(chr, range(sys.maxunicode)) if unicodedata.category(sign) in ("Cf", "Zl", "Zp")]
    assert [sign for sign in formats if clean(sign) == sign] == list(SEEN_FORMATS)


def test_nothing_without_a_cell_piles_up() -> None:
    """Whatever takes no cell of a line's width is cut, whether this Python knows it or a later Unicode has it."""
    free = [sign for sign in map(chr, range(0xA0, 0x20000)) if cell_len(sign) == 0 and clean(sign) == sign]
    assert len(free) > 2000
    assert [sign for sign in free if clean(f"e{sign * 50}") != f"e{sign * MAX_COMBINING}‹marks cut›"] == []


def test_joined_emoji_are_cut() -> None:
    """They may take two cells of ours and two thousand of a terminal's that doesn't know how to join them."""
    assert clean("👨" + "\u200d👩" * 1000 + "!") == "👨" + "\u200d👩" * (MAX_COMBINING // 2) + "‹marks cut›!"
    assert clean("👨🏽" + "\u200d👩🏽" * 1000) == "👨🏽" + "\u200d👩🏽" * 3 + "‹marks cut›"


def test_crlf_is_a_newline() -> None:
    assert clean("a\r\nb\r\r\nc") == "a\nb\u240d\nc"


def test_a_tower_of_accents_is_cut() -> None:
    assert clean("e" + "\u0301" * 200 + "x") == "e" + "\u0301" * MAX_COMBINING + "‹marks cut›x"


def test_as_many_accents_as_are_allowed_stay() -> None:
    text = ("e" + "\u0301" * MAX_COMBINING) * 3
    assert clean(text) == text


def test_one_line() -> None:
    assert clean_line("  a\r\n\n b\t\x1bc \u3000") == "a b \u241bc"


@given(HOSTILE_TEXT)
def test_no_control_comes_out(text: str) -> None:
    for character in clean(text):
        assert character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cs", "Zl", "Zp")
    assert not set(clean(text)) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200b\u200e\u200f\ufeff")


@given(HOSTILE_TEXT)
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    assert clean(clean(text)) == clean(text)
    assert clean_line(clean_line(text)) == clean_line(text)


@given(HOSTILE_TEXT)
def test_clean_text_can_be_written(text: str) -> None:
    assert clean(text).encode("utf-8").decode("utf-8") == clean(text)


UNSEEN_SIGNS = "\u115f\u1160\u3164\uffa0\U0001d159"
TONES = "🏻🏼🏽🏾🏿"
PILING = [*range(0x1161, 0x1200), *range(0xD7B0, 0xD800)]  # parts of Korean syllables, drawn in one cell with others


@given(
    st.text(
        st.characters(categories=["L", "N", "P", "S"], exclude_characters=[*UNSEEN_SIGNS, *TONES, *map(chr, PILING)])
    )
)
def test_letters_digits_and_signs_are_unchanged(text: str) -> None:
    assert clean(text) == text


@given(HOSTILE_TEXT)
def test_one_line_has_no_breaks(text: str) -> None:
    line = clean_line(text)
    assert len(line.splitlines()) <= 1
    assert line == line.strip()


@given(HOSTILE_TEXT, HOSTILE_TEXT)
def test_lines_are_cleaned_one_by_one(first: str, second: str) -> None:
    assert clean(f"{first}\n{second}") == clean(f"{first}\n") + clean(second)


@pytest.mark.parametrize(
    "unit", ["plain words ", "\x1b[2J", "日本語", "e" + "\u0301" * 30, "हिन्दी ", "👨" + "\u200d👩" * 99, "\u11a8"]
)
@pytest.mark.parametrize("made", [clean, clean_parts])
def test_twice_the_text_is_twice_the_work(made: Callable[[str], object], unit: str) -> None:
    made(unit)  # what is made once and kept is no work for the text
    once, twice = (calls(partial(made, unit * (length // len(unit)))) for length in (20_000, 40_000))
    assert twice < 2.1 * once + 50


@pytest.mark.parametrize(
    ("n", "nouns", "of", "text"),
    [
        (0, ("call",), None, "0 calls"),
        (1, ("call",), None, "1 call"),
        (2_000, ("call",), None, "2,000 calls"),
        (1, ("reply", "replies"), None, "1 reply"),
        (2, ("reply", "replies"), None, "2 replies"),
        (1, ("call",), 2_000, "1 of 2,000 calls"),
        (0, ("call",), 1, "0 of 1 call"),
        (1, ("reply", "replies"), 3, "1 of 3 replies"),
    ],
)
def test_a_number_stands_with_its_noun(n: int, nouns: tuple[str, ...], of: int | None, text: str) -> None:
    assert counted(n, *nouns, of=of) == text


@given(HOSTILE_TEXT)
def test_cleaned_in_place_every_sign_stays_in_its_place(text: str) -> None:
    cleaned = clean_in_place(text)
    assert len(cleaned) == len(text)
    assert clean_in_place(cleaned) == cleaned
    assert not any(unicodedata.category(sign) in ("Cc", "Cs") for sign in cleaned if sign not in "\n\t")
    assert all(was == now for was, now in zip(text, cleaned, strict=True) if was.isalnum() and ord(was) not in PILING)


def test_marks_in_place_are_one_sign() -> None:
    assert clean_in_place("a\x1b[2J\u202eb\tc") == "a\u241b[2J\ufffdb\tc"


def test_surplus_marks_in_place_are_one_sign_each() -> None:
    assert (
        clean_in_place("e" + "\u0301" * (MAX_COMBINING + 2) + "x") == "e" + "\u0301" * MAX_COMBINING + "\ufffd\ufffdx"
    )


def test_parts_know_their_places() -> None:
    assert clean_parts("a\x1bb\r\nc\u202e") == [
        Part("a", 0, 1),
        Part("\u241b", 1, 2),
        Part("b", 2, 3),
        Part("\n", 3, 5),
        Part("c", 5, 6),
        Part("‹U+202E›", 6, 7),
    ]
    assert clean_parts("x" + "\u0301" * 200 + "y") == [
        Part("x" + "\u0301" * MAX_COMBINING, 0, 11),
        Part("‹marks cut›", 11, 201),
        Part("y", 201, 202),
    ]
    assert clean_parts("") == []


@given(HOSTILE_TEXT)
def test_the_parts_are_the_cleaned_text(text: str) -> None:
    parts = clean_parts(text)
    assert "".join(part.shown for part in parts) == clean(text)
    assert [part.start for part in parts] == [0, *(part.end for part in parts)][: len(parts)]
    assert (parts[-1].end if parts else 0) == len(text)
    assert all(part.start < part.end for part in parts)
    for shown, start, end in parts:
        assert shown == text[start:end] or clean(text[start:end]) == shown or shown == "‹marks cut›"


def test_a_long_text_is_cleaned_in_stretches_that_show() -> None:
    text = ("日本\u200b x\u0301 " + "👨\u200d👩" + "e" + "\u0301" * 30 + "\r\n\x1b ") * 3_000
    parts = clean_parts(text)
    assert "".join(part.shown for part in parts) == clean(text)
    assert [part.start for part in parts] == [0, *(part.end for part in parts[:-1])]
    assert max(part.end - part.start for part in clean_parts("日本" * 100_000)) < 20_000
