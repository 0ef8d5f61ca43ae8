"""Plots in rows of characters: what is there is seen, at every width, and what is undefined says so."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console, RenderableType

from uq_tui.state.reports.plots import Bars, Matrix, Range, Ranges, Series
from uq_tui.widgets.plot_rows import SIGNS, bars, matrix, ranges

HOSTILE = "[bold]o3\x1b[2J"


def drawn(plot: RenderableType, width: int = 80) -> list[str]:
    file = io.StringIO()
    Console(width=width, color_system=None, file=file).print(plot)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_parts_of_a_bar_have_signs_and_lengths_of_their_own() -> None:
    plot = Bars("What became", "answers", ("1 o3", HOSTILE), (Series("in", (3, 1)), Series("out", (1, 1))), ("4", "2"))
    lines = drawn(bars(plot))
    assert lines[:2] == ["What became", "answers"]
    assert lines[2].split() == [SIGNS[0] * 2, "in", SIGNS[1] * 2, "out"]
    first, second = lines[3:]
    unit = first.count(SIGNS[1])
    assert unit > 5
    assert abs(first.count(SIGNS[0]) - 3 * unit) <= 1
    assert abs(second.count(SIGNS[0]) - unit) <= 1
    assert abs(second.count(SIGNS[1]) - unit) <= 1
    assert first.rstrip().endswith(" 4")
    assert "[bold]o3␛[2J" in second
    for width in range(50, 100):  # nothing of a total is cut off
        long = Bars("Cost", "", ("a model of some length", "b"), (Series("$", (3, 1)),), ("≥ $1,234.56", "≥ $4"))
        assert sum("≥ $1,234.56" in line for line in drawn(bars(long), width)) == 1


@given(
    st.lists(st.lists(st.integers(0, 10**9), min_size=3, max_size=3), min_size=1, max_size=5),
    st.integers(50, 200),
)
def test_a_bar_takes_no_more_room_than_there_is_and_shows_what_is_there(rows: list[list[int]], width: int) -> None:
    names = tuple(f"row {number}" for number in range(len(rows)))
    series = tuple(Series(f"s{at}", tuple(float(row[at]) for row in rows)) for at in range(3))
    lines = drawn(bars(Bars("t", "", names, series, tuple(f"{sum(row)}" for row in rows))), width)
    assert all(cell_len(line) <= width for line in lines)
    for name, row in zip(names, rows, strict=True):
        line = next(line for line in lines[1:] if line.startswith(name))
        if sum(row):
            assert any(sign in line for sign in SIGNS)
        else:
            assert not any(sign in line for sign in SIGNS)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_figures_stand_on_one_axis_and_the_undefined_have_a_dash(width: int) -> None:
    rows = (Range("1 two", 0.5, 0.25, 0.75, 4), Range("2 shy", None, None, None, 0), Range("3", 1.0, 0.9, 1.0, 1200))
    lines = drawn(ranges(Ranges("Accuracy", "share", rows, (0.0, 1.0), "1 more validator in the table")), width)
    axis, one, shy, last = lines[2:6]
    assert axis.split() == [".00", ".50", "1.00", "n"]
    assert abs(one.index("●") - axis.index(".50")) <= 1
    assert one.index("├") < one.index("●") < one.index("┤")
    assert one.split()[-3:] == [".50", "[.25,.75]", "4"]
    assert "●" not in shy
    assert shy.split()[-2:] == ["–", "0"]
    assert last.split()[-1] == "1,200"
    assert lines[-1].strip() == "1 more validator in the table"


def test_an_axis_shows_its_ends_and_0_where_it_lies_between_them() -> None:
    figure = Range("kappa", 0.0, -0.2, 0.2, 9)
    axis, row = drawn(ranges(Ranges("", "", (figure,), (-0.5, 1.0))))[1:3]
    assert axis.split() == ["-.50", "0", "1.00", "n"]
    assert row.index("●") == axis.index(" 0 ") + 1
    (crowded,) = [line for line in drawn(ranges(Ranges("", "", (figure,), (-0.01, 1.0))), 50) if line.endswith(" n")]
    assert crowded.split() == ["-.01", "1.00", "n"]  # no room for 0


def test_cells_of_a_matrix_have_their_counts_and_a_bar_of_their_share() -> None:
    plot = Matrix(
        "Confusion", "decision", "label", ("accept", "reject"), ("correct", "incorrect"), ((6, 0), (1, 1)), "x"
    )
    title, head, accept, reject, note = drawn(matrix(plot))
    assert title.strip() == "Confusion"
    assert head.split() == ["decision", "↓", "label", "→", "correct", "incorrect"]
    assert accept.split() == ["accept", "6", "█████████···", "0", "············"]
    assert reject.split() == ["reject", "1", "██··········", "1", "██··········"]
    assert note.strip() == "x"
    empty = Matrix("Confusion", "a", "b", ("r",), ("c",), ((0,),))
    assert drawn(matrix(empty))[-1].split() == ["r", "0", "············"]
