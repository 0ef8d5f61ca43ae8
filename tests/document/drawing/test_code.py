"""Blocks of code, and their colours."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.document.drawn import lay_out, shown, styled
from uq_tui.document.drawing.code import MAX_HIGHLIGHTED, language_of, stretches

LANGUAGES = [
    "python", "c", "java", "bash", "haskell", "lean4", "coq", "go", "js", "json", "julia", "latex", "mathematica", "r",
    "matlab", "ruby", "rust", "sql", "toml", "html", "",
]  # fmt: skip


def test_code_has_a_bar_and_a_mark_where_it_goes_on() -> None:
    source = "```python\nx = [1, 2, 3, 4]\n\n\ty\n```"
    assert shown(source, 16) == "│ python\n│ x = [1, 2, 3,\n│ ↪ 4]\n│\n│     y"
    assert [line.fill for line in lay_out(source, 16).lines] == ["", "code", "code", "code", "code"]


def test_prose_in_a_code_block_is_broken_at_blanks_and_still_not_read_as_markup() -> None:
    source = "```prose\nAsk *not* what the\n\n  # country\n```"
    assert shown(source, 16) == "│ Ask *not* what\n│ ↪ the\n│\n│   # country"


def test_code_is_not_read_as_markup() -> None:
    assert shown("```\n*a* $x_1$ [b](c)\n```") == "│ *a* $x_1$ [b](c)"
    assert shown("    indented `x`") == "│ indented `x`"


def test_code_never_closed() -> None:
    assert shown("```\na\n\nb") == "│ a\n│\n│ b"
    assert shown("```") == "│"


def test_inner_fences() -> None:
    assert shown("- - ````\n    ```\n    a\n    ```\n    ````") == "• ◦ │ ```\n    │ a\n    │ ```"


def test_tabs_reach_to_columns_over_colours() -> None:
    assert shown("```py\nx=1\ty\n\tz\n```") == "│ py\n│ x=1 y\n│     z"


def test_code_in_a_known_language_has_colours() -> None:
    source = '```python\ndef f(x):  # so\n    return "a" + 12\n```'
    assert styled(source, "keyword") == ["def", "return"]
    assert styled(source, "name") == ["f"]
    assert styled(source, "comment") == ["# so"]
    assert styled(source, "string") == ['"a"']
    assert styled(source, "number") == ["12"]
    assert styled(source, "punctuation") == ["(", "):", "+"]


def test_code_in_no_known_language_has_none() -> None:
    assert styled("```brain\ndef f\n```", "keyword") == []
    assert styled("```\ndef f\n```", "keyword") == []


@pytest.mark.parametrize(
    ("info", "language"), [("Python", "python"), ("{.c++}", "c++"), ("lean4 (sketch)", "lean4"), ("", ""), (" ", "")]
)
def test_the_language_is_the_first_word(info: str, language: str) -> None:
    assert language_of(info) == language


@pytest.mark.parametrize(
    ("language", "text", "style", "found"),
    [
        ("python", '"""a\nb"""', "string", '"""a\nb"""'),
        ("python", '"open', "string", '"open'),
        ("c", "/* a\n*/", "comment", "/* a\n*/"),
        ("c", "/* open", "comment", "/* open"),
        ("haskell", "{- a -}", "comment", "{- a -}"),
        ("sql", "SELECT", "keyword", "SELECT"),
        ("latex", "\\frac", "keyword", "\\frac"),
        ("haskell", "f'", "", "f'"),
        ("rust", "'a", "", "'a"),
    ],
)
def test_languages(language: str, text: str, style: str, found: str) -> None:
    first = stretches(text, language)[0]
    assert (first.style, text[first.start : first.end]) == (style, found)


def test_long_code_is_plain() -> None:
    assert len(stretches("return " * MAX_HIGHLIGHTED, "python")) == 1


@given(st.sampled_from(LANGUAGES), st.text(st.sampled_from("a1 \n\"'`/*-{}#(\\%$<!") | st.characters(), max_size=60))
def test_stretches_are_the_code(language: str, text: str) -> None:
    at = 0
    for start, end, _ in stretches(text, language):
        assert start == at
        at = end
    assert at == len(text)
