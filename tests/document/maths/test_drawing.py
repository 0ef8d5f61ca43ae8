"""Displayed formulas in two dimensions. `drawings.txt` holds formulas and how they are drawn, all read by a person."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.document.maths.test_readable import latex, well_formed
from tests.document.sources import hostile_text
from uq_tui.document.maths.definitions import EMPTY
from uq_tui.document.maths.drawing import MAX_ROWS, Drawn, draw
from uq_tui.document.maths.readable import MAX_LENGTH, read_rows
from uq_tui.document.maths.reader import Reader
from uq_tui.document.maths.stacked import Stacked
from uq_tui.document.maths.tables import lines
from uq_tui.document.maths.tokens import tokenise

WIDTH = 60
DRAWINGS = [
    (formula, tuple(rows.rstrip("\n").split("\n")))
    for formula, rows in re.findall(
        r"^%% (.*)\n((?:(?!%% ).*\n?)*)", Path(__file__).with_name("drawings.txt").read_text("utf-8"), re.MULTILINE
    )
]


@pytest.mark.parametrize(("formula", "rows"), DRAWINGS, ids=[formula for formula, _ in DRAWINGS])
def test_drawings(formula: str, rows: tuple[str, ...]) -> None:
    assert draw(formula, WIDTH) == (rows, Drawn.STACKED)


def test_there_are_many_drawings() -> None:
    assert len(DRAWINGS) > 40


@pytest.mark.parametrize(
    "formula",
    ["{a", r"\frac{a}", r"\begin{tikzcd} A \ar[r] & B \end{tikzcd}", r"\def\a{\a\a}\a", r"\xymatrix{A \ar[r] & B}"],
)
def test_what_can_not_be_read_is_source(formula: str) -> None:
    assert draw(formula, WIDTH) == ((formula,), Drawn.SOURCE)


def test_source_keeps_its_lines() -> None:
    diagram = "\n  \\begin{tikzcd}\n    A \\ar[r] & B \\\\\n\n  \\end{tikzcd}\n"
    assert draw(diagram, WIDTH).rows == ("\\begin{tikzcd}", "  A \\ar[r] & B \\\\", "\\end{tikzcd}")


def test_what_is_too_large_is_lines() -> None:
    tall = r"\\".join([r"\frac{a}{b}"] * MAX_ROWS)
    wide = "+".join([r"\frac{1}{2}"] * 1_500)
    assert draw(tall, WIDTH) == (("a/b",) * MAX_ROWS, Drawn.LINE)
    assert draw(wide, WIDTH).how is Drawn.LINE
    assert draw("x" * (MAX_LENGTH + 1), WIDTH).how is Drawn.SOURCE


def test_nothing_is_drawn_as_nothing() -> None:
    assert draw(" \n ", WIDTH).rows == ()
    assert draw(r"\newcommand{\R}{\mathbb R}", WIDTH).rows == (r"‹defines \R›",)


def test_a_line_is_broken_outside_of_brackets_only() -> None:
    rows = draw("f(" + " + ".join(["aaaa"] * 12) + ") = |x + y| + b = c", 40).rows
    assert rows[0].startswith("f(aaaa")
    assert rows[0].endswith("aaaa)")
    assert rows[1:] == ("    = |x + y| + b = c",)


def test_a_line_is_not_broken_where_it_fits() -> None:
    assert draw("aaaa + bbbb = cccc", 18).rows == ("aaaa + bbbb = cccc",)
    assert draw("aaaa + bbbb = cccc", 17).rows == ("aaaa + bbbb", "    = cccc")


def test_a_line_is_broken_before_a_relation_where_that_leaves_enough() -> None:
    assert draw("x = aaaa + bbbb + cccc", 16).rows == ("x = aaaa + bbbb", "    + cccc")
    assert draw("aaaa + x = bbbb + cccc + dddd", 20).rows == ("aaaa + x", "    = bbbb + cccc", "    + dddd")
    assert draw("a, bbbbbbbb, cccccccc", 12).rows == ("a, bbbbbbbb,", "    cccccccc")


def test_a_line_is_broken_at_a_wide_space_rather_than_before_a_relation() -> None:
    assert draw(r"x = aaaa,\quad y = bbbb,\quad z = cccc", 24).rows == ("x = aaaa,  y = bbbb,", "    z = cccc")
    assert draw(r"a = b\quad\Longrightarrow\quad c = d", 12).rows == ("a = b", "    ⟹  c = d")


def test_lines_within_an_equation_are_broken_too() -> None:
    inner = r"\begin{split} x &= aaaaaaaaaa + bbbbbbbbbb + cccccccccc \\ &= d \end{split}"
    rows = draw(rf"\begin{{equation}} {inner} \end{{equation}}", 30).rows
    assert rows == ("x = aaaaaaaaaa + bbbbbbbbbb", "      + cccccccccc", "", "  = d")


def test_labels_and_references() -> None:
    text = "$$ a = b \\label{one} $$ $$ c \\tag{7} \\label{two} $$"
    definitions = EMPTY.extended(text, 0)
    assert draw(r"a = b \label{one}", WIDTH, definitions=definitions).rows == ("a = b    (1)",)
    assert draw(r"c \tag{7} \label{two}", WIDTH, definitions=definitions).rows == ("c    (7)",)
    assert draw(r"x \text{ by \eqref{one} }", WIDTH, definitions=definitions).rows == ("x by (1)",)
    assert draw(r"\eqref{two} \ref{no}", WIDTH, definitions=definitions).rows == (r"(7)\ref{no}",)


def test_kets_in_plain_angles_and_relations() -> None:
    assert draw(r"|0> - <\phi|\psi>, |+>", WIDTH).rows == ("|0⟩ - ⟨ϕ|ψ⟩, |+⟩",)
    assert draw(r"\{x | x > 0\}, (<a), |x| > |y|", WIDTH).rows == ("{x|x > 0}, (< a), |x| > |y|",)


def plain(text: str) -> bool:
    return not re.search("[\x00-\x1f\x7f-\x9f\u202a-\u202e\ud800-\udfff]", text)


@given(latex | hostile_text | st.binary(max_size=40).map(lambda raw: raw.decode("latin-1")), st.integers(2, 90))
def test_every_drawing_is_clean_and_bounded(text: str, width: int) -> None:
    rows, how = draw(text, width)
    assert all(plain(row) for row in rows)
    assert len(rows) <= MAX_ROWS or how is not Drawn.STACKED
    assert sum(row.count("?") for row in rows) <= text.count("?")


@given(well_formed, st.integers(10, 90))
def test_what_is_well_formed_is_drawn(text: str, width: int) -> None:
    rows, how = draw(text, width)
    assert how is Drawn.STACKED
    assert rows


@given(well_formed, st.integers(10, 90))
def test_all_rows_of_a_box_are_equally_wide(text: str, width: int) -> None:
    rows, name = Reader(tokenise(text), Stacked(width), {}).formula()
    box = lines(rows, name, width)
    assert {cell_len(row) for row in box.rows} == {box.width}
    assert 0 <= box.base < len(box.rows)


@pytest.mark.parametrize(
    "text",
    [
        "{" * 10_000, "\\frac" * 4_000, "x^{" * 3_000 + "}" * 3_000, "a'" * 9_000, "\\text{$" * 2_000,
        "\\over " * 3_000, "\\left(" * 1_500, "\\begin{matrix}" * 1_000, "\\proj{" * 18 + "x" + "}" * 18,
        "\\hat" * 4_000 + "x", "a_Q" * 6_000, "a+" * 9_000, "1," * 9_000, "x" + "\u0301" * 200, "日本" * 5_000,
        "\\frac{a}{b}" + ")^Q" * 6_000, "(" * 5_000 + "\\frac{a}{b}" + ")" * 5_000, "|a>" * 6_000, "<a" * 9_000,
        "\\frac{1}{" * 35 + "x" + "}" * 35, "\\sqrt{\\frac{1}{" * 17 + "x" + "}}" * 17, "a&" * 9_000, "a\\\\" * 6_000,
        "\\binom{" * 30 + "x" + "}{y}" * 30, "\\boxed{" * 38 + "x" + "}" * 38, "\\def\\a{\\a\\a}\\a",
        "\\underbrace{" * 36 + "x" + "}" * 36, "x_{Q^{Q_{Q^{" * 8 + "x" + "}}}}" * 8, "\\middle|" * 2_000,
        "\\left(\\middle|" * 30 + "\\right)" * 30, "\\begin{array}{" + "c|" * 9_000 + "}a\\end{array}",
        "\\kern" * 4_000, "\\bf " * 5_000, "\\tag{x}" * 2_000, "\\label{x}" * 2_000, "👨‍👩‍👧" * 3_000,
    ],
)  # fmt: skip
def test_hostile_formulas_are_drawn_within_bounds(text: str) -> None:
    rows, how = draw(text, 78)
    assert len(rows) <= MAX_ROWS or how is not Drawn.STACKED
    assert sum(map(len, rows)) < 400_000


@given(well_formed)
def test_both_ways_read_the_same(text: str) -> None:
    assert (read_rows(text) is None) == (draw(text, 78).how is Drawn.SOURCE)
