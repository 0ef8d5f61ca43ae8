"""Markdown with mathematics into tokens."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.token import Token

from tests.document.work import calls
from uq_tui.document.markup.parse import MAX_INLINE, MAX_NESTING, parse
from uq_tui.document.maths.spans import math_spans


def types(text: str) -> list[str]:
    """Leaf tokens by type, inline ones in place of the paragraph they are in."""
    leaves: list[str] = []
    for token in parse(text, {})[0]:
        if token.type == "inline":
            leaves += (child.type for child in token.children or [])
        elif token.nesting == 0:
            leaves.append(token.type)
    return leaves


def all_text(tokens: list[Token]) -> str:
    return " ".join(
        "".join(child.content or " " for child in token.children) if token.children else token.content
        for token in tokens
    )


def test_inline_formulas_hold_no_emphasis() -> None:
    tokens, _ = parse("$a_1$ and $b_1$ but *c*", {})
    assert [child.type for child in tokens[1].children or []] == [
        "math_inline", "text", "math_inline", "text", "em_open", "text", "em_close",
    ]  # fmt: skip


def test_money_stays_text() -> None:
    assert types("It costs $5 to $2000.") == ["text"]


def test_code_holds_no_formulas() -> None:
    assert types("`$x$` and \\$y$") == ["code_inline", "text", "text_special", "text"]
    assert types("```\n$x$\n```") == ["fence"]
    assert types("    $x$") == ["code_block"]


def test_html_is_text() -> None:
    assert types("<b>x</b>") == ["text"]
    assert types("<div>\n\nx") == ["text", "text"]


@pytest.mark.parametrize(
    ("text", "content"),
    [
        ("$$\na\n- b\n= c\n$$", "\na\n- b\n= c\n"),
        ("\\[\na\n\\]", "\na\n"),
        ("\\begin{align}\na &= b\n\\end{align}", "\\begin{align}\na &= b\n\\end{align}"),
        ("> $$\n> a\n> > b $$", "\na\n> b "),
        ("- $$\n  a\n  $$", "\na\n"),
        ("$$ a $$.", " a "),
    ],
)
def test_displayed_formulas_are_blocks(text: str, content: str) -> None:
    blocks = [token for token in parse(text, {})[0] if token.type == "math_block"]
    assert [block.content for block in blocks] == [content]


def test_a_displayed_formula_interrupts_a_paragraph() -> None:
    assert types("text\n$$\na\n$$\nmore") == ["text", "math_block", "text"]


def test_text_after_a_displayed_formula_is_a_paragraph() -> None:
    text = "$$\na\n$$ where $b$ is\n$$\nc\n$$, and"
    assert types(text) == ["math_block", "text", "math_inline", "text", "math_block", "text"]


def test_punctuation_after_a_displayed_formula_stays_with_it() -> None:
    block = parse("$$\na\n$$ .\n", {})[0][0]
    assert (block.type, block.info, block.map) == ("math_block", ".", [0, 3])


def test_formulas_hold_no_blank_line() -> None:
    assert types("$$\na\n\nb\n$$") == ["text", "softbreak", "text", "text", "softbreak", "text"]


def test_two_dollars_never_closed_stay_text() -> None:
    assert types("$$ open $x$ and y$") == ["text", "math_inline", "text"]


def test_formulas_in_link_texts_and_tables() -> None:
    assert types("[a $]$](b)") == ["link_open", "text", "math_inline", "link_close"]
    assert types("|a|b|\n|-|-|\n|$x$|`c`|") == ["text", "text", "math_inline", "code_inline"]


def test_link_definitions_are_handed_on() -> None:
    _, references = parse("[a]: /x\n\n[A]: /y", {})
    assert references["A"]["href"] == "/x"
    tokens, _ = parse("[a]", references)
    assert [child.type for child in tokens[1].children or []] == ["link_open", "text", "link_close"]
    assert parse("[a]", {})[0][1].content == "[a]"


@pytest.mark.parametrize("text", [">" * 3_000 + " deep", "> " * 300 + "deep", "> - " * 100 + "deep"])
def test_deep_nesting_loses_no_text(text: str) -> None:
    tokens, _ = parse(text + "\n\nafter", {})
    assert max(token.level for token in tokens) <= MAX_NESTING + 2
    assert "deep" in all_text(tokens)
    assert "after" in all_text(tokens)


def test_deep_lists_lose_no_text() -> None:
    text = "".join(f"{'  ' * level}- item{level}\n" for level in range(300)) + "- last\n\nafter"
    shown = all_text(parse(text, {})[0])
    assert all(f"item{level}" in shown for level in range(300))
    assert "last" in shown
    assert "after" in shown


@pytest.mark.parametrize("text", ["[" * 3_000, "![" * 3_000 + "x", "*a " * 3_000, "[a](" * 3_000, "***" * 2_000 + "x"])
def test_inline_nesting_is_bounded(text: str) -> None:
    assert "x" in all_text(parse(text + "x", {})[0])


def test_an_endless_paragraph_is_plain_text() -> None:
    text = "*a*\n" * (MAX_INLINE // 4 + 1)
    assert types(text + "b") == ["text"]


@pytest.mark.parametrize(
    "part",
    ["\\[\n", "\\[a\n", "\\[a", "\\begin{align}\n", "\\begin{align}\n\\begin{cases}\n\\end{align}\n", "$$ a\nb\n", "$",
     "\\(", "$ {", "|", "`", "*a ", "[", "![", "<", "&", "~~", "a_b ", "\\", "> ", ">! ", "[^a]: ", "- ", "\t"],
)  # fmt: skip
def test_the_work_grows_as_a_hostile_text_does(part: str) -> None:
    once, twice = (calls(lambda text=part * count: parse(text, {})) for count in (300, 600))  # type: ignore[misc]
    assert twice < 2.3 * once + 500


def test_openers_in_rows_of_bars() -> None:
    text = "|" * 5_000 + "\n" + "|-" * 2_000 + "|\n"
    assert all_text(parse(text, {})[0]).count("|") >= 5_000


# Formulas on lines of their own


def test_a_formula_that_fails_hides_no_later_one() -> None:
    """Also where nothing parts them: what is found must not turn on where reading begins."""
    assert types("\\[1\\]\n# h\n\\[x^2\n\\]") == ["text_special", "text", "text_special", "text", "math_block"]
    assert types("\\begin{align}\n\\begin{align}\na\n\\end{align}") == ["text_special", "text", "math_block"]
    nested = "\\begin{array}\n" * 6 + "a\n" + "\\end{array}\n" * 6
    assert types(nested) == ["math_block"]


def test_a_formula_ends_at_its_own_closer() -> None:
    tokens = parse("$$\na \\$$ b\n$$\nc\n\n\\[\nd \\\\\\]\n\\]\n", {})[0]
    assert [token.content for token in tokens if token.type == "math_block"] == ["\na \\$$ b\n", "\nd \\\\"]


@given(
    st.lists(
        st.sampled_from(["\\[", "\\[ ", "\\]", "\\\\", "x^2", "a", " ", "$", "$$", "\\(", "\\)", "{"]), max_size=30
    )
)
def test_formulas_are_where_the_shared_rule_sees_them(parts: list[str]) -> None:
    text = "p " + "".join(parts).rstrip()
    children = parse(text, {})[0][1].children or []
    found = [child.meta["at"] for child in children if child.type in ("math_inline", "math_display")]
    assert found == [(span.start, span.end) for span in math_spans(text)]


# What CommonMark doesn't know


def test_tasks() -> None:
    tokens = parse("- [x] a\n- [ ] *b*\n- [y] c\n- d [x]\n\n[x] e", {})[0]
    items = [token.meta.get("checked") for token in tokens if token.type == "list_item_open"]
    assert items == [True, False, None, None]
    assert [token.content for token in tokens if token.type == "inline"] == ["a", "*b*", "[y] c", "d [x]", "[x] e"]


def test_footnotes() -> None:
    text = "a[^b] [^c] `[^b]` [^b](d)\n\n[^b]: e\n\n    f\n[^g]:\n    - h\ni"
    tokens = parse(text, {}, ["b"])[0]
    kinds = [(token.type, token.meta["label"]) for token in tokens if token.type == "footnote_open"]
    assert kinds == [("footnote_open", "b"), ("footnote_open", "g")]
    assert [token.content for token in tokens if token.type == "inline"][1:] == ["e", "f", "h\ni"]
    assert types(text)[:2] == ["text", "code_inline"]
    children = parse(text, {}, ["b"])[0][1].children or []
    assert [child.content for child in children if child.type == "footnote_ref"] == ["[^b]"]


def test_footnotes_interrupt_paragraphs_and_lie_in_lists() -> None:
    tokens = parse("a\n[^b]: c\n\n- d\n\n  [^e]: f\n\n      g\n\n  h", {})[0]
    levels = [(token.content, token.level) for token in tokens if token.type == "inline"]
    assert levels == [("a", 1), ("c", 2), ("d", 3), ("f", 4), ("g", 4), ("h", 3)]


def test_spoilers() -> None:
    tokens = parse(">! a\n>!b\n> - c\n>\n> d\ne\n\n> ! f\n\n>![g](h)", {})[0]
    quotes = [token.meta.get("spoiler", False) for token in tokens if token.type == "blockquote_open"]
    assert quotes == [True, False, False]
    assert [token.content for token in tokens if token.type == "inline"] == ["a\nb", "c", "d", "e", "! f", "![g](h)"]
