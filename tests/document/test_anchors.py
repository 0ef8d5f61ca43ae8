"""Anchors: found again, or said to be lost; never moved to a place that might be another."""

import json
import re
from collections import Counter

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from store.rows import Quote
from tests.shared import shared_file
from uq_tui.document.anchors import (
    ABSENT,
    CONTEXT,
    ELSEWHERE,
    NO_WORDS,
    SEVERAL,
    Anchor,
    Place,
    Unanchored,
    cut,
    place,
)

PROOF = (
    "Step 1. Every bounded continuous map is uniform.\r\n"
    "Step 2. Let $f(x) = x^2$, so the limit is uniform. 𝔘\u00a0done\r\n"
    "```python\r\nlimit = 1\r\n```\r\nNow e\u0301t 🙂👩\u200d🔬 holds, and $f(x) = x^2$ is uniform.\r\n"
)

signs = st.text(alphabet="ab \n\r\u00a0$\\🙂e\u0301“”\ud800", max_size=40)
pieces = st.lists(st.sampled_from(["the map ", "$x^2$", " is ", "uniform", "🙂", "e\u0301", ". ", "\r\n", "\u00a0"]))
texts = signs | pieces.map("".join)


def quote(words: str, start: int | None = None, end: int | None = None, prefix: str = "", suffix: str = "") -> Quote:
    return Quote(words, start, end, prefix, suffix)


def even(words: str) -> str:
    """The words without what may be bridged."""
    words = " ".join(words.split())
    return words[1:-1].strip() if re.fullmatch('“.*”|".*"', words) else words


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def test_cutting_keeps_the_words_and_what_surrounds_them() -> None:
    assert cut("abcdef", 2, 4) == Anchor("cd", 2, 4, "ab", "ef")
    assert [len(part) for part in cut("x" * 200, 90, 100)[3:]] == [CONTEXT, CONTEXT]


def test_right_offsets_hold_though_the_words_stand_elsewhere_too() -> None:
    for found in re.finditer("uniform", PROOF):
        assert place(quote("uniform", *found.span()), PROOF) == Place(*found.span())


@pytest.mark.parametrize(
    "words", ["$f(x) = x^2$, so", "done\r\n```python\r\nlimit", "e\u0301t 🙂👩\u200d🔬", "𝔘\u00a0done"]
)
def test_words_that_stand_once_are_found_without_offsets(words: str) -> None:
    start = PROOF.index(words)
    assert place(quote(words), PROOF) == Place(start, start + len(words))


def test_words_that_stand_three_times_need_more_than_themselves() -> None:
    assert place(quote("uniform"), PROOF) == Unanchored(SEVERAL)
    assert place(quote("uniform", prefix="nobody said "), PROOF) == Unanchored(SEVERAL)
    last = PROOF.rindex("uniform")
    assert place(quote("uniform", prefix="$ is "), PROOF) == Place(last, last + 7)
    assert place(quote("uniform", suffix=". 𝔘"), PROOF) == Place(PROOF.index("uniform. 𝔘"), PROOF.index(". 𝔘"))


def test_overlapping_places_are_several() -> None:
    assert place(quote("aa"), "xaaax") == Unanchored(SEVERAL)


def test_offsets_are_not_believed_against_what_stands_around_them() -> None:
    first, last = PROOF.index("uniform"), PROOF.rindex("uniform")
    assert place(quote("uniform", first, first + 7, prefix="$ is "), PROOF) == Place(last, last + 7)
    assert place(quote("uniform", first, first + 7, prefix="nobody said "), PROOF) == Unanchored(SEVERAL)


def test_utf_16_offsets_count_where_they_find_the_words_exactly() -> None:
    start = PROOF.rindex("uniform")
    units = utf16(PROOF[:start])
    assert units != start
    assert place(quote("uniform", units, units + 7), PROOF) == Place(start, start + 7, bridged=True)
    assert place(quote("uniform", units - 1, units + 6), PROOF) == Unanchored(SEVERAL)


def test_an_offset_within_a_character_of_two_units_is_no_offset() -> None:
    assert place(quote("b", 2, 3), "🙂b b") == Place(1, 2, bridged=True)
    assert place(quote("b", 1, 3), "🙂b b") == Unanchored(SEVERAL)


@pytest.mark.parametrize("marks", ["“{}”", "„{}“", "«{}»", '"{}"', "‘ {} ’"])
def test_quotation_marks_round_the_words_are_bridged(marks: str) -> None:
    words = "so the limit"
    start = PROOF.index(words)
    assert place(quote(marks.format(words)), PROOF) == Place(start, start + len(words), bridged=True)


def test_quotation_marks_that_the_text_has_belong_to_the_words() -> None:
    text = "He says “small” and then small."
    assert place(quote("“small”"), text) == Place(8, 15)
    assert place(quote("“says”"), text) == Place(3, 7, bridged=True)


@pytest.mark.parametrize(
    "words",
    ["map is uniform.\nStep 2. Let", "map  is\tuniform.\r\nStep\u00a02.", "uniform. Step 2.", " map is uniform. \r\n "],
)
def test_white_space_of_another_kind_or_length_is_bridged(words: str) -> None:
    found = place(quote(words), PROOF)
    assert isinstance(found, Place)
    assert found.bridged or words in PROOF
    assert even(PROOF[found.start : found.end]) == even(words)


def test_the_bridge_leads_to_no_place_where_there_are_two() -> None:
    assert place(quote("a\nb"), "a b and a\u00a0b") == Unanchored(SEVERAL)
    assert place(quote("a\nb", prefix="and\n"), "a b and a\u00a0b") == Place(8, 11, bridged=True)
    assert place(quote("a\nb", 0, 3), "a b and a\u00a0b") == Place(0, 3, bridged=True)


def test_words_that_are_not_there_have_no_place() -> None:
    assert place(quote("uniformly", 31, 40), PROOF) == Unanchored(ABSENT)
    assert place(quote("Uniform"), PROOF) == Unanchored(ABSENT)
    assert place(quote("e\u0301"), "é alone, composed") == Unanchored(ABSENT)


@pytest.mark.parametrize("words", ["", " ", "\r\n\u00a0"])
def test_no_words_have_no_place(words: str) -> None:
    assert place(quote(words, 0, len(words)), PROOF) == Unanchored(NO_WORDS)


def test_offsets_whose_words_were_left_out_hold_in_the_text_they_were_made_in() -> None:
    assert place(quote("", 4, 11), PROOF) == Place(4, 11)
    assert place(quote("", 4, 11), PROOF, same_text=False) == Unanchored(NO_WORDS)
    for start, end in ((-1, 4), (4, 4), (7, 4), (4, len(PROOF) + 1), (None, 4)):
        assert place(quote("", start, end), PROOF) == Unanchored(NO_WORDS)


@pytest.mark.parametrize(("start", "end"), [(-3, 4), (5, 2), (0, 10**9), (None, 7), (3, None)])
def test_offsets_that_are_none_are_passed_over(start: int | None, end: int | None) -> None:
    found = PROOF.index("bounded")
    assert place(quote("bounded", start, end), PROOF) == Place(found, found + 7)


def test_the_one_that_is_left_of_two_is_not_taken_for_the_other() -> None:
    before = "First the map is uniform here. And at long last, the other map is uniform too."
    made = cut(before, before.rindex("uniform"), before.rindex("uniform") + 7)
    after = before.replace(", the other map is uniform too", "")
    assert place(made, after, same_text=False) == Unanchored(ELSEWHERE)


def test_in_a_changed_text_offsets_say_nothing() -> None:
    made = cut("uniform, uniform", 9, 16)
    assert place(made, "uniform, uniform", same_text=False) == Place(9, 16)
    assert place(made, "uniform; uniform", same_text=False) == Unanchored(SEVERAL)


@given(texts, st.data())
def test_what_is_cut_is_found_where_it_was(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    found = place(cut(text, start, end), text)
    assert found == (Place(start, end) if text[start:end].strip() else Unanchored(NO_WORDS))


@given(texts, texts, st.data())
def test_after_an_edit_the_words_are_where_they_went_or_nowhere(text: str, new: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    first = data.draw(st.integers(0, len(text)))
    last = data.draw(st.integers(first, len(text)))
    words = text[start:end]
    assume(words.strip())
    edited = text[:first] + new + text[last:]
    found = place(cut(text, start, end), edited, same_text=False)
    if isinstance(found, Place):
        there = edited[found.start : found.end]
        assert even(there) == even(words) if found.bridged else there == words
    elif last <= start or end <= first:
        assert found.reason in (SEVERAL, ELSEWHERE)  # the words are still there


@given(texts, texts, texts)
def test_an_edit_far_off_moves_the_place_with_its_words(before: str, new: str, behind: str) -> None:
    around = "".join(map(chr, range(0x4E00, 0x4E00 + 2 * CONTEXT)))
    passage = around[:CONTEXT] + "so $x^2$ 🙂 is" + around[CONTEXT:]
    text, edited = before + passage + behind, new + passage + before
    start = len(before) + CONTEXT
    made = cut(text, start, start + 13)
    assert place(made, edited, same_text=False) == Place(len(new) + CONTEXT, len(new) + CONTEXT + 13)


@given(texts, st.text(alphabet="ab$🙂e\u0301 ", min_size=1, max_size=3))
def test_several_places_that_nothing_tells_apart_are_none(text: str, words: str) -> None:
    assume(words.strip())
    doubled = f"{text}|{words}|{text}|{words}|"
    assert place(quote(words), doubled) == Unanchored(SEVERAL)
    assert place(quote(words, prefix="|", suffix="|"), doubled) == Unanchored(SEVERAL)


@given(texts, texts, st.none() | st.integers(-5, 60), st.none() | st.integers(-5, 60), signs, st.booleans())
def test_whatever_is_asked_a_place_shows_the_words(
    raw: str, words: str, start: int | None, end: int | None, prefix: str, same: bool
) -> None:
    found = place(quote(words, start, end, prefix), raw, same_text=same)
    if isinstance(found, Place):
        assert 0 <= found.start < found.end <= len(raw)
        there = raw[found.start : found.end]
        assert even(there) == even(words) if found.bridged else there == words
        assert place(cut(raw, found.start, found.end), raw) == Place(found.start, found.end)


def test_a_long_hostile_text_takes_no_long_time() -> None:
    raw = "a " * 200_000 + "a\n" * 200_000
    assert place(quote("a  " * 100_000 + "b"), raw) == Unanchored(ABSENT)
    assert place(quote("a\u00a0" * 1_000), raw) == Unanchored(SEVERAL)


def test_quotes_of_the_open_proof_corpus_are_placed_on_their_words_or_reported() -> None:
    results: Counter[str] = Counter()
    for path in sorted(shared_file("data/open-proof-corpus/solved").glob("*.json")):
        for attempt in json.loads(path.read_text(encoding="utf-8"))["attempts"]:
            judged = (attempt["llm_judgment"] or {}).get("result") or {}
            for issue in judged.get("issues") or ():
                words, raw = issue["text"], attempt["solution"]
                found = place(quote(words, issue.get("start_index"), issue.get("end_index")), raw)
                if isinstance(found, Unanchored):
                    results[found.reason] += 1
                    assert found.reason != ABSENT or words not in raw
                    continue
                results["bridged" if found.bridged else "placed"] += 1
                assert even(raw[found.start : found.end]) == even(words)
    assert results["placed"] >= 60
    assert results["bridged"] >= 30
    assert results[ABSENT] > 0


def test_words_at_the_end_of_a_changed_text_are_not_those_before_the_same_sign() -> None:
    made = cut("Is it so? Sure?", 10, 14)
    assert place(made, "Edited. But is it? Sure?", same_text=False) == Place(19, 23)
    assert place(made, "Sure? I was told so.", same_text=False) == Unanchored(ELSEWHERE)


def test_long_words_are_found_among_others_than_before() -> None:
    words = "this sentence is as long as what surrounds it"
    made = cut(f"Before it {words}, and behind.", 10, 10 + len(words))
    assert place(made, f"Otherwise {words}; other things.", same_text=False) == Place(10, 10 + len(words))
    few = cut("Before it, few words, and behind.", 11, 20)
    assert place(few, "Otherwise few words; other things.", same_text=False) == Unanchored(ELSEWHERE)
