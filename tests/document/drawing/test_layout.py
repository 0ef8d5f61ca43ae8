"""Texts laid out to a width."""

import json
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.document.drawn import check, check_all_shown, expect, lay_out, placed, shown, spans_of, styled
from tests.document.sources import commonmark_examples, hostile_text
from tests.shared import shared_file
from uq_tui.document.drawing.layout import MIN_WIDTH, lay_out_segment
from uq_tui.document.drawing.lines import Span
from uq_tui.document.markup.scan import Scan
from uq_tui.document.markup.units import Heading
from uq_tui.text import MAX_COMBINING


def test_paragraphs_are_wrapped_and_parted() -> None:
    assert shown("one two three four five\nsix\n\nseven", 20) == "one two three four\nfive six\n\nseven"


def test_headings_keep_their_marks() -> None:
    document = lay_out("# Title $x^2$\n\ntext\n\nUnder\n---\n", 40)
    assert [line.text for line in document.lines] == ["# Title x²", "", "text", "", "## Under"]
    assert document.headings == (Heading(1, "Title x²", 2), Heading(2, "Under", 21))
    assert document.lines[0].spans[0].style == "heading"


def test_lists() -> None:
    source = "- one\n- two words that are too long\n  - nested\n\n1. a\n2. b\n"
    assert shown(source, 20) == expect(
        """
        • one
        • two words that are
          too long
          ◦ nested

        1. a
        2. b
        """
    )


def test_a_loose_list_has_blank_lines() -> None:
    assert shown("- a\n\n- b\n\n  c") == "• a\n\n• b\n\n  c"


def test_a_list_that_starts_elsewhere() -> None:
    assert shown("7. a\n8. b") == "7. a\n8. b"


def test_empty_items_show_their_marks() -> None:
    assert shown("-\n- a\n-") == "•\n• a\n•"


def test_tasks_have_boxes() -> None:
    source = "- [ ] to do\n- [x] done\n- other\n\n1. [X] first\n"
    assert shown(source) == "☐ to do\n☑ done\n• other\n\n1. ☑ first"
    assert placed(source)[:4] == [("☐", "[ ]"), ("to do", "to do"), ("☑", "[x]"), ("done", "done")]


def test_quotes_have_a_bar() -> None:
    assert shown("> a\n>\n> > b\n\nc") == "▌ a\n▌\n▌ ▌ b\n\nc"


def test_spoilers_are_quotes_that_say_so() -> None:
    source = ">! The butler\n>! did it."
    assert shown(source) == "▌ spoiler\n▌ The butler did it."
    assert styled(source, "label") == ["spoiler"]


def test_footnotes_are_numbered_as_they_are_used() -> None:
    source = "See[^b] and[^a].\n\n[^a]: One\n    two\n[^b]: Three\n"
    assert shown(source) == "See[1] and[2].\n\n[2] One two\n\n[1] Three"
    assert ("[1]", "[^b]") in placed(source)
    assert styled(source, "link") == ["[1]", "[2]"]


def test_what_refers_to_no_footnote_is_text() -> None:
    assert shown("See[^a].") == "See[^a]."


def test_links_show_where_they_lead() -> None:
    source = "[here](http://a.b/c) <http://d.e> [http://f.g](http://f.g) ![A plot](/p.png)"
    assert shown(source, 100) == "here (http://a.b/c) http://d.e http://f.g [image: A plot] (/p.png)"
    assert styled(source, "link", 100) == ["here", "http://d.e", "http://f.g", "[image: ", "A plot", "]"]
    assert ("http://a.b/c", "http://a.b/c") in placed(source, 100)


def test_links_show_their_titles() -> None:
    assert shown('[here](/c "A title") ![x](/y "z")') == 'here (/c "A title") [image: x] (/y "z")'


def test_an_address_defined_elsewhere_stands_for_what_names_it() -> None:
    assert placed("[a][b]\n\n[b]: /xyz")[-1] == ("/xyz", "][b]")


def test_an_image_that_links_to_itself_says_so_once() -> None:
    assert shown("[![a](/p.png)](/p.png)") == "[image: a] (/p.png)"


def test_a_dangerous_link_is_text() -> None:
    assert shown("[x](javascript:alert(1))") == "[x](javascript:alert(1))"


def test_undefined_and_later_defined_links() -> None:
    assert shown("[a] [b]\n\n[b]: /x") == "[a] b (/x)"


def test_styles_of_text() -> None:
    source = "*a* **b** ***c*** ~~d~~ `e` $f$ **g $h$**"
    assert styled(source, "emphasis") == ["a", "c"]
    assert styled(source, "strong") == ["b", "c", "g ", "h"]
    assert styled(source, "strike") == ["d"]
    assert styled(source, "code") == ["e"]
    assert styled(source, "math") == ["f", "h"]


def test_rules_and_breaks() -> None:
    assert shown("a  \nb\\\nc\n\n---", 16) == "a\nb\nc\n\n" + "─" * 16


def test_html_is_shown() -> None:
    assert shown("<b>a</b> &lt; &amp;amp;") == "<b>a</b> < &amp;"


def test_entities_can_not_smuggle_controls() -> None:
    assert shown("a&#27;[2J&#x202e;b&#x9b;c &#10;d") == "a\ufffd[2J‹U+202E›b\ufffdc d"


@pytest.mark.parametrize(
    ("source", "pieces"),
    [
        ("a  b\tc", [("a", "a"), (" ", "  "), ("b c", "b\tc")]),
        ("*a*\n> b", [("a", "a"), ("b", "b")]),
        ("> a\n> b", [("a", "a"), (" ", "\n> "), ("b", "b")]),
        ("a\x1b[2J\u202eb", [("a␛[2J", "a\x1b[2J"), ("‹U+202E›", "\u202e"), ("b", "b")]),
        ("so $x^2$.", [("so ", "so "), ("x²", "$x^2$"), (".", ".")]),
        ("a &amp; \\*", [("a ", "a "), ("&", "&amp;"), (" ", " "), ("*", "\\*")]),
        ("`a  b`", [("a  b", "a  b")]),
        ("# A\n", [("A", "A")]),
        ("\tif\tx", [("if", "if"), ("  ", "\t"), ("x", "x")]),
        ("```\na\tb\n```", [("a", "a"), ("   ", "\t"), ("b", "b")]),
        ("$$\na\n$$", [("a", "$$\na\n$$")]),
    ],
)
def test_what_is_shown_knows_what_it_shows(source: str, pieces: list[tuple[str, str]]) -> None:
    assert placed(source) == pieces


def test_a_collapsed_blank_may_stand_before_a_wrapped_line() -> None:
    assert placed("one  two", 16) == [("one", "one"), (" ", "  "), ("two", "two")]


def test_code_within_text_over_a_line_of_a_quote_stands_as_one() -> None:
    assert placed("> `a\n> b`") == [("a b", "a\n> b")]


def test_lines_know_their_place_and_their_unit() -> None:
    source = "# A\n\nb\nc\n\n---\n\n```\nd\n\ne\n```\n\n- f\n- g $$x$$ h\n"
    lines = [(line.text, source[line.start : line.end], line.unit) for line in lay_out(source, 40).lines if line.text]
    assert lines == [
        ("# A", "A", -1), ("b c", "b\nc", 0), ("─" * 40, "", -1), ("│ d", "d", 1), ("│ ", "", 1), ("│ e", "e", 1),
        ("• f", "f", 2), ("• g", "g", 3), ("      x", "$$x$$", 4), ("  h", "h", 5),
    ]  # fmt: skip


def test_blank_lines_belong_to_nothing() -> None:
    blank = [line for line in lay_out("a\n\nb\n\n# c\n\nd", 40).lines if not line.text]
    assert [(line.start == line.end, line.unit) for line in blank] == [(True, -1)] * 3


def test_a_segment_is_drawn_with_places_of_its_own() -> None:
    source = "# A\n\nfirst\n\n# B\n\nsecond [x]\n\n[x]: /y"
    change = Scan().feed(source)
    assert len(change.segments) == 2
    segment = change.segments[1]
    lines = lay_out_segment(source[segment.start : segment.end], segment, 40, change.context)
    assert [line.text for line in lines] == ["# B", "", "second x (/y)"]
    assert lines[0].spans[1] == Span("B", "heading", 2, 3)
    assert lines[2].unit == 0


def test_deep_nesting_fits_a_narrow_view() -> None:
    for source in ("> " * 300 + "deep", "".join("  " * i + f"- i{i}\n" for i in range(300)), ">" * 3_000 + "x"):
        document = lay_out(source, 16)
        check(document.lines, source, 16)
        assert len(document.lines) < 2_000
    assert "deep" in shown("> " * 300 + "deep", 20).split("\n")[-1]


def test_a_width_below_the_least_is_the_least() -> None:
    assert lay_out("word " * 20, 3) == lay_out("word " * 20, MIN_WIDTH)


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("word " * 200_000, 12_500),
        ("x" * 1_000_000, 12_500),
        ("日本" * 100_000, 5_000),
        ("A *paragraph* with $x_i$ in it.\n\n" * 1_000, 1_999),
        ("- item\n" * 2_000, 2_000),
        ("```\n" + "code\n" * 10_000, 10_000),
        ("e" + "\u0301" * 200_000, 1),
        ("👨‍👩‍👧 🇫🇷 " * 2_000, 200),
    ],
    ids=["words", "one word", "wide signs", "paragraphs", "a list", "code", "accents", "emoji"],
)
def test_long_texts(source: str, lines: int) -> None:
    document = lay_out(source, 80)
    assert 0 < len(document.lines) <= lines * 1.01 + 1
    assert all(line.width <= 80 for line in document.lines)


def test_emoji_and_flags_stay_whole() -> None:
    for grapheme in ("👨‍👩‍👧", "👍🏽", "❤️", "日"):
        for line in lay_out(grapheme * 20, 16).lines:
            assert line.text.replace(grapheme, "") == ""


def test_surplus_accents_stand_as_one_mark() -> None:
    source = "e" + "\u0301" * 200
    assert [span[2:] for span in spans_of(source)] == [(0, MAX_COMBINING + 1), (MAX_COMBINING + 1, 201)]


@pytest.mark.shared
@pytest.mark.parametrize("width", [20, 80])
def test_commonmark_examples(width: int) -> None:
    for source in commonmark_examples():
        document = lay_out(source, width)
        check(document.lines, source, width)
        check_all_shown(document.lines, source)


@pytest.mark.shared
def test_every_sign_of_real_proofs_is_shown_in_its_place() -> None:
    paths = sorted(shared_file("data/open-proof-corpus/solved").glob("*.json"))
    assert paths
    for number, path in enumerate(paths[::4]):
        source = json.loads(path.read_text(encoding="utf-8"))["attempts"][0]["solution"]
        width = (16, 72, 110)[number % 3]
        document = lay_out(source, width)
        check(document.lines, source, width)
        check_all_shown(document.lines, source)


MARKUP = [
    "| a | b |\n|-|-|\n", "`a|b`", "\\|", "$|x|$", "- [ ] ", "[^a]", "[^a]: ", ">! ", "```py\n", "~~~\n", "def ",
    "'", '"', "\\ref{a}", "\\label{a}", "\\tag{1}", "\\newcommand{\\R}{x}", '![a](b "c")', "[a](b 'c')", "\x80",
]  # fmt: skip
any_text = st.lists(hostile_text | st.sampled_from(MARKUP), max_size=8).map("".join)


@given(any_text, st.integers(MIN_WIDTH, 90))
def test_any_text_is_laid_out_in_its_place(source: str, width: int) -> None:
    document = lay_out(source, width)
    check(document.lines, source, width)
    check_all_shown(document.lines, source)


@given(st.lists(hostile_text, max_size=5).map("\n\n".join), st.sampled_from([16, 60]))
def test_segments_are_the_document(source: str, width: int) -> None:
    change = Scan().feed(source)
    lines = [
        line.shifted(segment.start)
        for segment in change.segments
        for line in lay_out_segment(source[segment.start : segment.end], segment, width, change.context)
    ]
    whole = [line for line in lay_out(source, width).lines if line.spans]
    assert [line.spans for line in lines if line.spans] == [line.spans for line in whole]


def test_no_terminal_toolkit_is_needed() -> None:
    code = (
        "import sys, uq_tui.document.drawing.layout, uq_tui.document.maths.readable; sys.exit('textual' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
