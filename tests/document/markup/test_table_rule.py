"""Where the cells of a table part."""

import random
from functools import partial

import pytest
from markdown_it import MarkdownIt
from markdown_it.rules_block import table as plain_table
from markdown_it.token import Token

from tests.document.work import calls
from uq_tui.document.markup.parse import parse, parse_blocks
from uq_tui.document.markup.table_rule import MAX_ROW, placed_table

PIECES = [
    "|",
    "|",
    "a",
    "-",
    "-|",
    "|-|-|\n",
    "\n",
    "\n",
    " ",
    ":",
    "a|b\n",
    "\\|",
    "> ",
    "- ",
    "\\",
    "    ",
    "| a | b |\n",
]


def cells(row: str, columns: int = 2) -> list[str]:
    """The cells of a row of a table of so many columns."""
    tokens, _ = parse("|a" * columns + "|\n" + "|-" * columns + f"|\n{row}\n", {})
    return [token.content for token in tokens if token.type == "inline"][columns:]


@pytest.mark.parametrize(
    ("row", "contents"),
    [
        ("| x | y |", ["x", "y"]),
        ("x|y", ["x", "y"]),
        ("| $|x|$ | $\\lVert y|z$ |", ["$|x|$", "$\\lVert y|z$"]),
        ("| \\(a|b\\) | c |", ["\\(a|b\\)", "c"]),
        ("| `a|b` | ``c`|`` |", ["`a|b`", "``c`|``"]),
        ("| a\\|b | c |", ["a|b", "c"]),
        ("| $5 | $6 |", ["$5", "$6"]),
        ("| `a | b` |", ["`a", "b`"]),
        ("| $a | b$ |", ["$a", "b$"]),
        ("| a |", ["a", ""]),
        ("|| b |", ["", "b"]),
    ],
)
def test_a_bar_parts_cells_where_it_is_no_part_of_one(row: str, contents: list[str]) -> None:
    assert cells(row) == contents


def test_what_lies_beyond_the_last_column_stays_in_it() -> None:
    assert cells("| a | b | c | d |") == ["a", "b | c | d"]


def test_a_header_may_hold_formulas() -> None:
    tokens, _ = parse("| $f$ | $|f|$ |\n|---|---|\n", {})
    assert [token.content for token in tokens if token.type == "inline"] == ["$f$", "$|f|$"]


def test_a_long_row_is_parted_at_every_bar() -> None:
    assert len(cells("$|x|$ |" * MAX_ROW, 3)) == 3


def told(parser: MarkdownIt, source: str) -> list[tuple[str, object, object]]:
    return [(token.type, token.map, token.attrs) for token in parser.parse(source)]


def contents(parser: MarkdownIt, source: str) -> list[str]:
    return [token.content for token in parser.parse(source) if token.type == "inline"]


def test_tables_without_formulas_and_code_are_as_markdown_it_reads_them() -> None:
    theirs, ours = (MarkdownIt("commonmark").enable("table") for _ in range(2))
    theirs.block.ruler.at("table", plain_table, {"alt": ["paragraph", "reference"]})
    ours.block.ruler.at("table", placed_table, {"alt": ["paragraph", "reference"]})
    choices = random.Random(3)
    tables = 0
    for _ in range(1_000):
        source = "".join(choices.choices(PIECES, k=choices.randint(3, 14)))
        assert told(ours, source) == told(theirs, source), source
        for mine, other in zip(contents(ours, source), contents(theirs, source), strict=True):
            assert mine == other or mine.startswith((f"{other} |", f"{other}|")), source
        tables += any(token.type == "table_open" for token in theirs.parse(source))
    assert tables > 50


def test_a_table_of_missing_cells_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uq_tui.document.markup.table_rule.MAX_EMPTY_CELLS", 5_000)
    source = "|" + "a|" * 200 + "\n|" + "-|" * 200 + "\n" + "b\n" * 200
    tokens: list[Token] = parse(source, {})[0]
    assert sum(token.type == "td_open" for token in tokens) < 6_000


def test_what_is_too_long_for_a_table_is_a_paragraph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uq_tui.document.markup.table_rule.MAX_TABLE", 40)
    tokens = parse("|a|b|\n|-|-|\n" + "|c|d|\n" * 10, {})[0]
    assert sum(token.type == "tr_open" for token in tokens) == 5
    assert tokens[-2].content == "\n".join(["|c|d|"] * 6)
    long_head = parse("|" + "a" * 40 + "|\n|-|\n", {})[0]
    assert [token.type for token in long_head] == ["paragraph_open", "inline", "paragraph_close"]


def test_the_work_for_an_endless_table_is_that_of_a_paragraph(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uq_tui.document.markup.table_rule.MAX_TABLE", 3_000)
    source = "|a|b|\n|-|-|\n" + "|c|d|\n" * 500
    more = "|c|d|\n" * 5_000
    table, both, paragraph = (calls(partial(parse_blocks, text, {})) for text in (source, source + more, more))
    assert both < 1.1 * (table + paragraph)
    assert paragraph < 5 * table
