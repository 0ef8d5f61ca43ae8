"""Cells of CSV that a spreadsheet shows and never runs."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exports import csv_text


@pytest.mark.parametrize("formula", ['=HYPERLINK("http://a.example")', "+1", "-1", "@SUM(A1)", "\tx", "\r=1"])
def test_what_looks_like_a_formula_is_text(formula: str) -> None:
    assert csv_text.cell(formula) == f"'{formula}"
    assert csv_text.cell(f"a {formula}") == f"a {formula}"


@given(st.lists(st.text(), min_size=1))
def test_any_cells_come_back_as_they_were_written(texts: list[str]) -> None:
    cells = [csv_text.cell(text) for text in texts]
    written = csv_text.line(cells).decode()
    assert written.endswith("\r\n")
    if cells != [""]:  # a row of one empty cell is read as no row
        assert list(csv.reader(io.StringIO(written, newline=""))) == [cells]


def test_what_csv_cant_hold_is_replaced() -> None:
    assert csv_text.cell("a\0b\ud800") == "a\ufffdb\ufffd"
