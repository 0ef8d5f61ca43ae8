"""Plots of agreement hold the figures of the tables."""

from collections import Counter

from uq_tui.analysis.agreement_figures import kappa_of, share_of
from uq_tui.state.reports.agreement_people import LABEL, GoldFigures, Overall, Pair
from uq_tui.state.reports.agreement_plots import gold_plot, kappa_plot, label_plots, overall_plot
from uq_tui.words import Label

C, B, I = Label.CORRECT, Label.CORRECT_BORDERLINE, Label.INCORRECT  # noqa: E741
PEOPLE = {"a": "ada", "b": "bob"}
TABLE = Counter({(C, C): 12, (C, B): 3, (I, C): 2, (I, I): 8})
PAIR = Pair(("a", "b"), TABLE, 4, share_of(23, 25), share_of(20, 25), kappa_of(TABLE))
ALIKE = Pair(("a", "b"), {(C, C): 30}, 0, share_of(30, 30), share_of(30, 30), kappa_of({(C, C): 30}))


def test_kappas_stand_on_one_axis_and_undefined_ones_don_t() -> None:
    found = kappa_plot([PAIR, ALIKE], PEOPLE)
    assert found is not None
    (row,) = found.rows
    assert (row.name, row.value, row.low, row.n) == ("ada / bob", PAIR.kappa.value, PAIR.kappa.low, 25)
    assert found.width == (-0.2, 1.0)
    assert kappa_plot([ALIKE], PEOPLE) is None


def test_a_matrix_counts_what_both_said() -> None:
    (found,) = label_plots([PAIR], PEOPLE)
    assert (found.down, found.across) == ("ada", "bob")
    assert found.rows == found.columns == ("correct", "correct borderline", "incorrect")
    assert found.cells == ((12, 3, 0), (0, 0, 0), (2, 0, 8))
    assert found.note == "4 more, where one of both is undecided"


def test_figures_without_a_value_are_not_drawn() -> None:
    shown = overall_plot([Overall(LABEL, "share", share_of(3, 4)), Overall(LABEL, "other", share_of(0, 0))])
    assert shown is not None
    assert [row.name for row in shown.rows] == ["label: share"]
    assert overall_plot([]) is None
    gold = gold_plot([GoldFigures("a", share_of(9, 10), 0), GoldFigures("b", share_of(0, 0), 2)], PEOPLE)
    assert gold is not None
    assert [(row.name, row.value) for row in gold.rows] == [("ada", 0.9)]


def test_an_axis_reaches_down_to_the_lowest_figure() -> None:
    table = {(C, I): 20, (I, C): 20}
    apart = Pair(("a", "b"), table, 0, share_of(0, 40), share_of(0, 40), kappa_of(table))
    found = kappa_plot([apart], PEOPLE)
    assert found is not None
    assert found.width == (-1.0, 1.0)
