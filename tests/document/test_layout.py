"""Texts laid out to a width, at once and as they arrive."""

import subprocess
import sys
import textwrap
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.document.material import commonmark_examples, fed, hostile_text
from uq_tui.document.layout import MIN_WIDTH, Flow, lay_out
from uq_tui.document.lines import STYLES, Heading, Line


def shown(source: str, width: int = 40) -> str:
    """The laid-out text, without blanks at the ends of lines."""
    return "\n".join(line.text.rstrip() for line in lay_out(source, width).lines)


def styled(source: str, style: str, width: int = 60) -> list[str]:
    """All stretches of text that have this style among theirs."""
    return [span.text for line in lay_out(source, width).lines for span in line.spans if style in span.style.split()]


def expect(text: str) -> str:
    return textwrap.dedent(text).strip("\n")


def test_paragraphs_are_wrapped_and_parted() -> None:
    assert shown("one two three four five\nsix\n\nseven", 20) == "one two three four\nfive six\n\nseven"


def test_headings_keep_their_marks() -> None:
    document = lay_out("# Title $x^2$\n\ntext\n\nUnder\n---\n", 40)
    assert [line.text for line in document.lines] == ["# Title x²", "", "text", "", "## Under"]
    assert document.headings == (Heading(1, "Title x²", 0), Heading(2, "Under", 4))
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


def test_quotes_have_a_bar() -> None:
    assert shown("> a\n>\n> > b\n\nc") == "▌ a\n▌\n▌ ▌ b\n\nc"


def test_code_has_a_bar_and_a_mark_where_it_goes_on() -> None:
    source = "```python\nx = [1, 2, 3, 4]\n\n\ty\n```"
    assert shown(source, 16) == "│ python\n│ x = [1, 2, 3,\n│ ↪ 4]\n│\n│     y"
    assert lay_out(source, 16).lines[1].fill == "code"


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


def test_links_show_where_they_lead() -> None:
    source = "[here](http://a.b/c) <http://d.e> [http://f.g](http://f.g) ![A plot](/p.png)"
    assert shown(source, 100) == "here (http://a.b/c) http://d.e http://f.g [image: A plot] (/p.png)"
    assert styled(source, "link", 100) == ["here", "http://d.e", "http://f.g", "[image: A plot]"]


def test_an_image_that_links_to_itself_says_so_once() -> None:
    assert shown("[![a](/p.png)](/p.png)") == "[image: a] (/p.png)"


def test_a_dangerous_link_is_text() -> None:
    assert shown("[x](javascript:alert(1))") == "[x](javascript:alert(1))"


def test_styles_of_text() -> None:
    source = "*a* **b** ***c*** ~~d~~ `e` $f$ **g $h$**"
    assert styled(source, "emphasis") == ["a", "c"]
    assert styled(source, "strong") == ["b", "c", "g ", "h"]
    assert styled(source, "strike") == ["d"]
    assert styled(source, "code") == ["e"]
    assert styled(source, "math") == ["f", "h"]


def test_displayed_formulas_stand_alone() -> None:
    assert shown("so $$\\frac{a}{b}$$. Then") == "so\n    a/b.\nThen"
    assert shown("$$\n\\begin{align}\na &= b \\\\ &= c\n\\end{align}\n$$,") == "    a = b\n      = c,"
    assert shown("a\\\nb $$c$$ \n$$d$$ e \\\n f $$g$$") == "a\nb\n    c\n    d\ne\nf\n    g"
    assert shown("\\[ x \\]\n\\[ y \\]") == "    x\n\n    y"


def test_a_long_formula_goes_on_further_in() -> None:
    assert shown("$$a + b + c + d + e + f$$", 16) == "  a + b + c + d\n    + e + f"


def test_a_formula_that_can_not_be_read_is_shown_as_it_is() -> None:
    assert shown("$\\begin{CD} A \\end{CD}$") == "\\begin{CD} A \\end{CD}"


def test_tables() -> None:
    source = "|a|b|c|\n|:--|:-:|--:|\n|one|two three four five|3|\n|$x_1$|`y`||\n"
    assert shown(source, 26) == expect(
        """
        a   │        b         │ c
        ────┼──────────────────┼──
        one │  two three four  │ 3
            │       five       │
        x₁  │        y         │
        """
    )
    assert styled(source, "strong")[0] == "a"


def test_a_table_too_wide_for_columns_becomes_records() -> None:
    source = "|alpha|bravo|charlie|\n|-|-|-|\n|1|2|3|\n|4|5|6|"
    assert shown(source, 16) == "alpha: 1\nbravo: 2\ncharlie: 3\n\nalpha: 4\nbravo: 5\ncharlie: 6"


def test_rules_and_breaks() -> None:
    assert shown("a  \nb\\\nc\n\n---", 16) == "a\nb\nc\n\n" + "─" * 16


def test_html_is_shown() -> None:
    assert shown("<b>a</b> &lt; &amp;amp;") == "<b>a</b> < &amp;"


def test_entities_can_not_smuggle_controls() -> None:
    assert shown("a&#27;[2J&#x202e;b&#x9b;c &#10;d") == "a\ufffd[2J‹U+202E›b\ufffdc d"


def test_undefined_and_later_defined_links() -> None:
    assert shown("[a] [b]\n\n[b]: /x") == "[a] b (/x)"


def test_lines_know_their_source() -> None:
    document = lay_out("# A\n\nb\nc\n\n```\nd\ne\n```\n\n- f\n- g\n", 40)
    ranges = {line.text: (line.first, line.last) for line in document.lines if line.text}
    assert ranges == {
        "# A": (0, 1), "b c": (2, 4), "│ d": (6, 7), "│ e": (7, 8), "• f": (10, 11), "• g": (11, 12),
    }  # fmt: skip


def test_deep_nesting_fits_a_narrow_view() -> None:
    for source in ("> " * 300 + "deep", "".join("  " * i + f"- i{i}\n" for i in range(300)), ">" * 3_000 + "x"):
        document = lay_out(source, 20)
        assert all(line.width <= 20 for line in document.lines)
    assert "deep" in shown("> " * 300 + "deep", 20).split("\n")[-1]


def test_a_width_below_the_least_is_the_least() -> None:
    assert lay_out("word " * 20, 3) == lay_out("word " * 20, MIN_WIDTH)


def test_settled_blocks_are_not_read_again() -> None:
    flow = Flow(40)
    flow.feed("# one\n\ntwo\n\nthree")
    assert flow.unsettled == len("two\n\nthree")
    change = flow.feed(" more\n\nfour\n")
    assert [line.text for line in change.lines] == ["", "two", "", "three more", "", "four"]
    assert change.first == 1
    assert flow.unsettled == len("four\n")


def test_a_definition_that_comes_late_reaches_settled_blocks() -> None:
    flow = Flow(40)
    flow.feed("[a] and [c]\n\nb\n\nb\n\n")
    change = flow.feed("[a]: /x\n")
    assert change.first == 0
    assert change.lines[0].text == "a (/x) and [c]"
    assert flow.feed("\n[z]: /y\n\nlast\n\n").first > 0


def test_a_definition_still_being_written() -> None:
    source = "[a]\n\nb\n\n[a]: /xyz\n\nc"
    assert fed(source, 40, list(range(len(source)))).lines == lay_out(source, 40).lines


@pytest.mark.shared
@pytest.mark.parametrize("width", [20, 80])
def test_commonmark_examples(width: int) -> None:
    for source in commonmark_examples():
        document = lay_out(source, width)
        assert all(line.width <= width for line in document.lines), source
        assert fed(source, width, list(range(0, len(source), 3))).lines == document.lines, source


def check(lines: tuple[Line, ...], source: str, width: int) -> None:
    end = source.count("\n") + 1
    for line in lines:
        assert line.width <= width
        assert 0 <= line.first <= line.last <= end
        for text, style, *_ in line.spans:
            assert set(style.split()) <= set(STYLES)
            assert not any(unicodedata.category(c) in ("Cc", "Cs") or c in "\u202a\u202b\u202d\u202e" for c in text)


@given(hostile_text, st.integers(MIN_WIDTH, 90))
def test_any_text_is_laid_out_within_its_width(source: str, width: int) -> None:
    check(lay_out(source, width).lines, source, width)


@given(hostile_text, st.lists(st.integers(0, 200), max_size=12), st.sampled_from([16, 30, 80]))
def test_text_that_arrives_in_pieces_gives_the_same_lines(source: str, cuts: list[int], width: int) -> None:
    whole = lay_out(source, width)
    change = fed(source, width, cuts)
    assert change.lines == whole.lines
    assert change.headings == whole.headings


@given(st.lists(hostile_text, max_size=6).map("\n\n".join), st.sampled_from([20, 60]))
def test_settling_changes_nothing(source: str, width: int) -> None:
    """Cut at top-level blocks or read as a whole: the lines are the same."""

    class Unsettled(Flow):
        def _settled_lines(self, blocks: object) -> int:
            return 0

    whole = Unsettled(width).feed(source)
    line_by_line = [index + 1 for index, character in enumerate(source) if character == "\n"]
    assert fed(source, width, line_by_line).lines == whole.lines


@pytest.mark.parametrize(
    "source",
    ["word " * 200_000, "x" * 1_000_000, "A *paragraph* with $x_i$ in it.\n\n" * 5_000, "- item\n" * 20_000,
     "```\n" + "code\n" * 50_000],
    ids=["one paragraph", "one word", "5,000 paragraphs", "a list", "code"],
)  # fmt: skip
def test_long_texts(source: str) -> None:
    began = time.process_time()
    assert lay_out(source, 80).lines
    assert time.process_time() - began < 20


def test_no_terminal_toolkit_is_needed() -> None:
    code = "import sys, uq_tui.document.layout, uq_tui.document.maths.readable; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
