"""Plots of validators: the numbers of the tables beside them."""

from dataclasses import replace

from store.workspace import Workspace
from tests.state.reports.test_insights import OUTCOMES, judged
from tests.store.evaluated import put_validation, spec
from uq_tui.analysis.evaluation import evaluate
from uq_tui.state.reports.insights import Wanted, read
from uq_tui.state.reports.plots import MOST_ROWS
from uq_tui.state.reports.validator_plots import (
    MOST_MATRICES,
    MOST_STAGES,
    OTHER_STAGES,
    balanced_plot,
    confusion_plots,
    failing_plot,
)


def test_a_matrix_counts_decisions_and_says_what_is_in_no_cell(workspace: Workspace) -> None:
    ids = judged(workspace)
    put_validation(workspace, {ids[name]: OUTCOMES["f"] for name in "abcd"}, spec("shy"))
    report = read(workspace, Wanted()).report
    (matrix,) = confusion_plots(report.validators)  # the shy one decided nothing
    assert matrix.title == "Confusion of 2 two"
    assert (matrix.rows, matrix.columns) == (("accept", "reject"), ("correct", "incorrect"))
    assert matrix.cells == ((1, 1), (1, 1))
    assert matrix.note == ""
    put_validation(workspace, {ids["a"]: OUTCOMES["f"], ids["b"]: OUTCOMES["a"]})
    (matrix,) = confusion_plots(read(workspace, Wanted()).report.validators)
    assert matrix.cells == ((0, 1), (1, 1))
    assert matrix.note == "1 unparsed one in no cell"


def test_balanced_accuracy_has_its_interval_and_n(workspace: Workspace) -> None:
    judged(workspace)
    report = read(workspace, Wanted()).report
    plot = balanced_plot(report.validators)
    assert plot is not None
    figure = report.validators[0].quality.balanced_accuracy
    (row,) = plot.rows
    assert (row.value, row.low, row.high, row.n) == (0.5, figure.low, figure.high, 4)
    many = balanced_plot(report.validators * (MOST_ROWS + 2))
    assert many is not None
    assert (len(many.rows), many.rest) == (MOST_ROWS, "2 more validators in the table")
    assert len(confusion_plots(report.validators * 20)) == MOST_MATRICES


def test_each_bar_is_all_that_an_author_had_judged(workspace: Workspace) -> None:
    judged(workspace)
    report = read(workspace, Wanted()).report
    plot = failing_plot(report)
    assert plot is not None
    assert plot.rows == ("1 claude-3-7-sonnet", "1 gpt-4o", "1 o3")
    assert {one.name: one.values for one in plot.series} == {
        "accepted": (0, 0, 2),
        "fact logic": (1, 2, 0),
        "undecided": (1, 0, 0),
    }
    assert plot.totals == ("2", "2", "2")


def test_stages_beyond_the_commonest_are_one_part(workspace: Workspace) -> None:
    judged(workspace)
    report = read(workspace, Wanted()).report
    stages = {f"stage_{number}": 9 - number for number in range(6)}
    some = (replace(report.failing[0], judged=39, accepted=0, undecided=0, stages=stages),)
    plot = failing_plot(replace(report, failing=some))
    assert plot is not None
    assert [one.name for one in plot.series] == [
        "accepted", *(f"stage {number}" for number in range(MOST_STAGES)), OTHER_STAGES, "undecided"
    ]  # fmt: skip
    assert sum(one.values[0] for one in plot.series) == 39


def test_nothing_is_drawn_of_no_validators() -> None:
    assert balanced_plot(()) is None
    assert confusion_plots(()) == ()
    assert failing_plot(evaluate([])) is None
