"""Words and paragraphs of a source."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.document.compare.words import paragraphs, words


def keys(source: str) -> list[str]:
    return [word.key for word in words(source)]


def test_words_are_runs_of_letters_or_of_one_other_sign() -> None:
    assert keys("Don't **stop**, 2nd... ok?!") == ["Don't", "**", "stop", "**", ",", "2nd", "...", "ok", "?", "!"]


def test_scripts_without_blanks_are_read_sign_by_sign() -> None:
    assert keys("设n为偶数。Let") == ["设", "n", "为", "偶", "数", "。", "Let"]


@pytest.mark.parametrize("formula", ["$a + b$", r"\(x\)", "$$\na\n=\nb\n$$", r"\begin{align} a &= b \end{align}"])
def test_a_formula_is_one_word(formula: str) -> None:
    source = f"Let {formula} hold."
    assert [source[word.start : word.end] for word in words(source)] == ["Let", formula, "hold", "."]


def test_blanks_in_a_formula_are_none_unless_they_end_a_name() -> None:
    assert keys("$a + b$") == keys("$a+b$") == keys("$ a +\nb $")
    assert keys(r"$\alpha x$") == keys("$\\alpha\n  x$") != keys(r"$\alphax$")
    assert keys(r"$\alpha + x$") == keys(r"$\alpha+x$")


def test_money_is_no_formula() -> None:
    assert keys("$5 to $20") == ["$", "5", "to", "$", "20"]


@given(st.text(alphabet=" \n\tab$\\()[]{}_^+.'\x1b\u0301é界"))
def test_words_hold_all_that_is_not_white(source: str) -> None:
    found = words(source)
    ends = [0, *(at for word in found for at in word[1:]), len(source)]
    assert ends == sorted(ends)
    assert not "".join(source[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True)).strip()


def test_blank_lines_part_paragraphs() -> None:
    source = "\n\none two\nthree\n \t\nfour\n\n\n\n"
    assert paragraphs(source, words(source)) == [(0, 3), (3, 4)]
    assert paragraphs(" \n\n ", []) == []


@given(st.text(alphabet="a. \n$"))
def test_every_word_is_of_one_paragraph(source: str) -> None:
    found = words(source)
    parts = paragraphs(source, found)
    assert [n for start, end in parts for n in range(start, end)] == list(range(len(found)))
