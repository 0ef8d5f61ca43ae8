"""Tables in columns, within the width or to be scrolled."""

from tests.document.drawn import check, expect, lay_out, placed, shown, styled
from uq_tui.document.drawing.tables import MAX_COLUMN


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


def test_a_table_that_can_not_be_squeezed_keeps_its_columns() -> None:
    source = "|alpha|bravo|charlie|\n|-|-|-|\n|1|2|3|\n|4|5|6|\n\ntext"
    lines = lay_out(source, 16).lines
    check(lines, source, 16)
    assert [line.text.rstrip() for line in lines[:3]] == [
        "alpha │ bravo │ charlie",
        "──────┼───────┼────────",
        "1     │ 2     │ 3",
    ]
    assert [line.wide for line in lines] == [True] * 4 + [False] * 2


def test_long_text_in_a_wide_table_is_wrapped_within_its_column() -> None:
    source = "|" + "a|" * 9 + "\n|" + "-|" * 9 + "\n|" + ("word " * 40 + "|") * 9
    lines = lay_out(source, 80).lines
    assert all(line.wide for line in lines)
    assert {line.width for line in lines} == {9 * MAX_COLUMN + 8 * 3}


def test_a_wide_table_in_a_quote_keeps_the_bar() -> None:
    source = "> |alpha|bravo|charlie|\n> |-|-|-|\n> |1|2|3|\n"
    assert all(line.text.startswith("▌ ") and line.wide for line in lay_out(source, 16).lines)


def test_cells_know_their_places() -> None:
    source = "| a | *b* |\n|--|--|\n| c \\| d | `x\\|y` |\n"
    pieces = [("a", "a"), ("b", "b"), ("c ", "c "), ("| d", "| d"), ("x", "x"), ("|", "\\|"), ("y", "y")]
    assert placed(source) == pieces


def test_lines_of_a_row_rise() -> None:
    source = "|a|b|\n|-|-|\n|" + "word " * 20 + "|" + "other " * 30 + "|\n|c|d|\n\ntext"
    check(lay_out(source, 40).lines, source, 40)
