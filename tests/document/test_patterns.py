"""Regular expressions in bounded time."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document import patterns
from uq_tui.document.patterns import Pattern
from uq_tui.errors import PatternError


def found(expression: str, text: str, *, ignore_case: bool = False) -> list[str]:
    ranges, whole = Pattern(expression, ignore_case=ignore_case).find(text, 1000)
    assert whole
    return [text[one.start : one.end] for one in ranges]


@pytest.mark.parametrize(
    ("expression", "text", "expected"),
    [
        ("abc", "xabcabc", ["abc", "abc"]),
        ("a.c", "abc a\nc", ["abc"]),
        (r"\d+", "12 and 345", ["12", "345"]),
        (r"\d{2,3}", "1 12 1234", ["12", "123"]),
        (r"\d{2}", "12345", ["12", "34"]),
        (r"\d{2,}", "1 12 1234", ["12", "1234"]),
        ("colou?r", "color colour", ["color", "colour"]),
        ("a|ab", "abab", ["ab", "ab"]),
        ("(ab)+", "ababx ab", ["abab", "ab"]),
        ("(?:a|b)*c", "abac c x", ["abac", "c"]),
        (r"[a-c\]]+", "xab]c", ["ab]c"]),
        ("[^ ,]+", "a, bc", ["a", "bc"]),
        (r"\$x\$", "$x$", ["$x$"]),
        (r"\\sum_\{k\}", r"\sum_{k}", [r"\sum_{k}"]),
        ("a{", "a{", ["a{"]),
        ("a*", "baab", ["aa"]),
        ("(a*)*", "aaa", ["aaa"]),
        ("()", "ab", []),
        ("a{0}b", "ab", ["b"]),
        (r"Lemma \w+", "Lemma two, Lemma é", ["Lemma two", "Lemma é"]),
    ],
)
def test_what_is_found(expression: str, text: str, expected: list[str]) -> None:
    assert found(expression, text) == expected


def test_case_can_be_ignored() -> None:
    assert found("[a-z]b", "AB ab", ignore_case=True) == ["AB", "ab"]
    assert found("[a-z]b", "AB ab") == ["ab"]


@pytest.mark.parametrize(
    "expression",
    ["(", ")", "a)", "(a", "*", "a|*", "[a", r"\b", "^a", "a$", r"a\1", "a{3,2}", "[z-a]", "[[a]", "[a--b]", "\\"],
)
def test_what_is_not_known_is_said(expression: str) -> None:
    with pytest.raises(PatternError, match=r"Not understood|breaks off"):
        Pattern(expression)


def test_a_pattern_that_is_too_large_is_refused() -> None:
    with pytest.raises(PatternError, match="too large"):
        Pattern("((a{100}){100}){100}")


def test_of_too_many_matches_it_says_that_there_are_more() -> None:
    assert Pattern("a").find("a" * 5, 5) == (tuple((at, at + 1) for at in range(5)), True)
    assert Pattern("a").find("a" * 6, 5) == (tuple((at, at + 1) for at in range(5)), False)


SIMPLE = st.recursive(
    st.sampled_from(["a", "b", ".", "[ab]", r"\d", "[^a]"]),
    lambda inner: st.one_of(
        st.tuples(inner, inner).map("".join),
        st.tuples(inner, inner).map(lambda two: f"(?:{two[0]}|{two[1]})"),
        st.tuples(inner, st.sampled_from(["*", "+", "?", "{2}", "{1,3}", "{2,}"])).map(
            lambda two: f"(?:{two[0]}){two[1]}"
        ),
    ),
    max_leaves=6,
)


@given(SIMPLE, st.text(alphabet="ab1\n", max_size=10))
def test_matches_are_the_longest_at_their_places(expression: str, text: str) -> None:
    library = re.compile(expression)
    at, expected = 0, []
    while at < len(text):
        ends = [end for end in range(at + 1, len(text) + 1) if library.fullmatch(text, at, end)]
        if ends:
            expected.append((at, max(ends)))
        at = max(ends, default=at + 1)
    assert list(Pattern(expression).find(text, 1000)[0]) == expected


@pytest.mark.parametrize("expression", ["(a+)+b", "(a|a)*b", "a*a*a*a*a*b", "(.*)(.*)(.*)x", "(a*)*b"])
def test_no_pattern_runs_away(expression: str) -> None:
    assert Pattern(expression).find("a" * 100_000, 10) == ((), True)


def test_ends_that_are_far_off_are_given_up_and_said() -> None:
    ranges, whole = Pattern("a(.*b)?").find("a" * 100_000, 1_000_000)
    assert not whole
    assert ranges[0] == (0, 1)


def test_too_many_ways_to_go_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "MOST_WORK", 1000)
    with pytest.raises(PatternError, match="too many ways"):
        Pattern("(a|b)*a(a|b){50}").find("abbabaaabbab" * 100, 10)


def test_sets_that_are_kept_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "_MOST_SETS", 4)
    assert found("a(a|b){3}c|[b-d]+1", "abbac bcd1 aaaac") == ["abbac", "bcd1", "aaaac"]
