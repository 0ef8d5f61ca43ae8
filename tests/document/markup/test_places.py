"""Every token knows where it stands in the text."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it.token import Token

from tests.document.sources import commonmark_examples, hostile_text
from uq_tui.document.markup.parse import MAX_INLINE, parse

BREAKS = ("softbreak", "hardbreak")
SHOWN = ("text", "text_special", "code_inline", "math_inline", "math_display", "image", "footnote_ref", *BREAKS)
MARKS = re.compile(r"[-\s>#*+_~`=|:.)0-9\[\]xX!\\^\x1c-\x1f\x85\u2028\u2029]*")
"""What may stand outside of all leaves: marks of blocks and of emphasis, and blanks."""


def leaves(tokens: list[Token]) -> Iterator[Token]:
    """All that shows something of the text, in order."""
    for token in tokens:
        if token.type == "inline":
            yield from (child for child in token.children or [] if child.type in SHOWN)
        elif token.nesting == 0 and token.type != "hr":
            yield token


def shown(text: str) -> list[tuple[str, str]]:
    """The leaves by type, each with the part of the text that it says it stands for."""
    return [(leaf.type, text[slice(*leaf.meta["at"])]) for leaf in leaves(parse(text, {}, ["n"])[0])]


def inner(text: str, kind: str) -> list[str]:
    tokens = [child for parent in parse(text, {})[0] for child in [parent, *(parent.children or [])]]
    return [text[slice(*token.meta["inner"])] for token in tokens if token.type == kind]


def check(text: str) -> None:
    tokens, known = parse(text, {}, ["a", "n"])
    covered = bytearray(len(text))
    for leaf in leaves(tokens):
        start, end = leaf.meta["at"]
        assert 0 <= start <= end <= len(text)
        check_leaf(leaf, text)
        assert not any(covered[start:end]), (leaf, text)
        covered[start:end] = b"\1" * (end - start)
    lines = [0, *(found.end() for found in re.finditer("\n", text)), len(text) + 1]
    for token in [child for parent in tokens for child in [parent, *(parent.children or [])]]:
        if token.type == "link_open":
            (start, end), (first, last) = token.meta["at"], token.meta["inner"]
            assert start < first <= last < end
            assert text[start] in "[<"
            covered[start:first] = b"\1" * (first - start)
            covered[last:end] = b"\1" * (end - last)
        elif token.type == "footnote_open":
            start, end = token.meta["at"]
            assert text[start:end] == f"[^{token.meta['label']}]:"
            covered[start:end] = b"\1" * (end - start)
    for definition in known.values():
        first, last = definition["map"]
        covered[lines[first] : lines[last] - 1] = b"\1" * (lines[last] - 1 - lines[first])
    if text.count("]:") <= len(known):
        left = "".join(sign for sign, known_sign in zip(text, covered, strict=True) if not known_sign)
        assert MARKS.fullmatch(left), (left, text)


def check_leaf(leaf: Token, text: str) -> None:
    start, end = leaf.meta["at"]
    part = text[start:end]
    if leaf.type == "text":
        assert part == leaf.content
    elif leaf.type == "text_special":
        assert leaf.markup in (part, part.replace("\\|", "|"))
    elif leaf.type in BREAKS:
        assert "\n" in part
    elif leaf.type in ("fence", "code_block", "plain_block"):
        for line, at in zip(leaf.content.split("\n"), leaf.meta["lines"], strict=False):
            blank = len(line) - len(line.lstrip(" "))
            assert text[at + blank : at + len(line)] == line[blank:]
        assert leaf.content.removesuffix("\n").count("\n") + 1 >= len(leaf.meta["lines"]) >= leaf.content.count("\n")
        if "info" in leaf.meta:
            assert text[slice(*leaf.meta["info"])] == leaf.info.strip()
    elif leaf.type == "math_block":
        check_inner(leaf, text)
        if leaf.info:
            assert text[slice(*leaf.meta["info"])] == leaf.info
    elif leaf.type == "footnote_ref":
        assert part == f"[^{leaf.meta['label']}]"
    else:
        check_inner(leaf, text)


def check_inner(leaf: Token, text: str) -> None:
    (start, end), (first, last) = leaf.meta["at"], leaf.meta["inner"]
    assert start <= first <= last <= end
    if last - first == len(leaf.content):
        # Behind a line's end a part of a tab may stand as a blank.
        assert re.sub(r"[\n\t]", " ", text[first:last]) == re.sub(r"[\n\t]", " ", leaf.content)
    else:
        assert "\n" in text[first:last] or "|" in text[first:last]
    for child in leaf.children or []:
        if child.type == "text":
            assert text[slice(*child.meta["at"])] == child.content


def test_texts_stand_for_their_very_signs() -> None:
    assert shown("> a *b* `c`\n> d &amp; \\*e $x$[^n]") == [
        ("text", "a "), ("text", "b"), ("text", " "), ("code_inline", "`c`"), ("softbreak", "\n> "), ("text", "d "),
        ("text_special", "&amp;"), ("text", " "), ("text_special", "\\*"), ("text", "e "), ("math_inline", "$x$"),
        ("footnote_ref", "[^n]"),
    ]  # fmt: skip


def test_hard_breaks_have_the_blanks_around_them() -> None:
    assert shown("a   \n b\\\n  c") == [
        ("text", "a"), ("hardbreak", "   \n "), ("text", "b"), ("hardbreak", "\\\n  "), ("text", "c"),
    ]  # fmt: skip


def test_marks_of_emphasis_have_their_places() -> None:
    text = "~~a **b** ***c***~~~ *d"
    children = parse(text, {})[0][1].children or []
    assert [(child.type, text[slice(*child.meta["at"])]) for child in children if child.nesting] == [
        ("s_open", "~~"), ("strong_open", "**"), ("strong_close", "**"), ("em_open", "*"), ("strong_open", "**"),
        ("strong_close", "**"), ("em_close", "*"), ("s_close", "~~"),
    ]  # fmt: skip
    assert [child.meta["at"] for child in children if child.type == "text"][-1] == (19, 23)


def test_links_and_images() -> None:
    text = "x [a *b*](/u 't') <http://c.d> ![e\n$f$](g)\n\n[h]: /i\n[h]"
    assert inner(text, "link_open") == ["a *b*", "http://c.d", "h"]
    assert inner(text, "link_close") == inner(text, "link_open")
    assert inner(text, "image") == ["e\n$f$"]
    image = next(leaf for leaf in leaves(parse(text, {})[0]) if leaf.type == "image")
    assert [text[slice(*child.meta["at"])] for child in image.children or []] == ["e", "\n", "$f$"]


def test_formulas() -> None:
    text = "> $$\n> a\n> $$ .\n\nb \\(c\\)\n\n- \\begin{align}\n  d\n  \\end{align}"
    assert shown(text)[0] == ("math_block", "$$\n> a\n> $$")
    assert inner(text, "math_block") == ["\n> a\n", "\\begin{align}\n  d\n  \\end{align}"]
    assert inner(text, "math_inline") == ["c"]
    assert text[slice(*parse(text, {})[0][1].meta["info"])] == "."


def test_cells() -> None:
    assert shown("| a | *b* |\n|--|--|\n|  `c\\|d` e \\| f | g |\n| h") == [
        ("text", "a"), ("text", "b"), ("code_inline", "`c\\|d`"), ("text", " e "), ("text", "| f"), ("text", "g"),
        ("text", "h"),
    ]  # fmt: skip


def test_bars_in_formulas_part_no_cells_and_nothing_of_a_row_is_lost() -> None:
    assert shown("|a|b|\n|-|-|\n|$|x|$|e | f | c |\n||\n|d") == [
        ("text", "a"), ("text", "b"), ("math_inline", "$|x|$"), ("text", "e | f | c"), ("text", "d"),
    ]  # fmt: skip


def test_headings() -> None:
    assert shown("##  a ##\n\nb\n c\n===") == [("text", "a"), ("text", "b"), ("softbreak", "\n "), ("text", "c")]


def test_code_knows_where_its_lines_stand() -> None:
    text = "> ```  py\n> a\n>\n>   b\n> ```\n\n-     c\n\n  \t\td"
    fence, code = (leaf for leaf in leaves(parse(text, {})[0]))
    assert [text[at : text.index("\n", at)] for at in fence.meta["lines"]] == ["a", "", "  b"]
    assert text[slice(*fence.meta["info"])] == "py"
    assert text[slice(*fence.meta["at"])] == text[2 : text.index("\n\n-")]
    assert [text[at] for at in code.meta["lines"]] == ["c", "\n", "\t"]


def test_an_endless_paragraph_has_places_too() -> None:
    text = "> " + "*a* " * (MAX_INLINE // 4 + 1) + "\n> b"
    check(text)
    assert shown(text)[1:] == [("softbreak", "\n> "), ("text", "b")]


def test_controls_stay_where_they_are() -> None:
    assert shown("a\rb\x00c\ud83d\n\x0b\x1b[2J") == [
        ("text", "a\rb\x00c\ud83d"),
        ("softbreak", "\n"),
        ("text", "\x0b\x1b[2J"),
    ]


@pytest.mark.shared
def test_commonmark_examples() -> None:
    for source in commonmark_examples():
        check(source)


@given(hostile_text)
def test_any_text(source: str) -> None:
    check(source)


@given(st.lists(st.sampled_from(["|", "\\|", "\\", " ", "a", "`", "$", "*", "~", "~~", "\t"]), max_size=25))
def test_any_cells(parts: list[str]) -> None:
    check("|a|b|\n|-|-|\n|" + "".join(parts))


@given(
    st.lists(
        st.sampled_from(["~", "~~", "*", "_", "**", "a", " ", "\\", "[", "](b)", "![", "\n", "  ", "`"]), max_size=30
    )
)
def test_any_emphasis(parts: list[str]) -> None:
    check("".join(parts))
