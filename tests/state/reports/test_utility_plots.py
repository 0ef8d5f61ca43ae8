"""What plots show: the numbers of the tables beside them."""

from store.workspace import Workspace
from tests.scored import measured, put_labelled
from tests.state.reports.test_combined import put_questions, settled, together
from tests.state.reports.test_selection import put_two_questions, selected
from uq_tui.state.reports.plots import MOST_LINES
from uq_tui.state.reports.utility_plots import calibration_plot, convergence_plot, separation_plot
from uq_tui.words import Label


def test_errors_stand_at_doublings(workspace: Workspace) -> None:
    put_questions(workspace)
    found = settled(workspace)
    plot = convergence_plot(found)
    assert plot is not None
    solver, judge = plot.lines
    assert (solver.mark, solver.name, solver.xs) == ("1", "CBU openai/solver", (4.0, 8.0, 16.0))
    assert solver.ys == tuple(point.error for point in found.curves[0].points)
    assert judge.xs == (4.0,)
    assert plot.doublings
    assert plot.ticks[0] == (4.0, "4")
    assert plot.height[1] > max(solver.ys)


def test_shares_stand_at_mean_scores(workspace: Workspace) -> None:
    put_questions(workspace)
    found = together(workspace)
    plot = calibration_plot(found)
    assert plot is not None
    assert plot.diagonal
    bins = found.calibrated[0].calibration.bins
    assert plot.lines[0].xs == tuple(one.mean_score for one in bins)
    assert plot.lines[0].ys == (0.0, 1.0)


def test_gaps_stand_in_the_middle_of_their_bins(workspace: Workspace) -> None:
    put_two_questions(workspace)
    plot = separation_plot(selected(workspace))
    assert plot is not None
    assert [(line.mark, line.xs) for line in plot.lines] == [("1", (0.7,)), ("2", (0.7,))]
    assert plot.lines[0].ys == (0.75,)
    assert plot.height[0] < 0 < 0.75 < plot.height[1]


def test_no_more_lines_than_digits(workspace: Workspace) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [Label.CORRECT])
    for number in range(MOST_LINES + 2):
        measured(workspace, question_id, {one: [(1, 8), (4, 8)]}, solver=f"openai/{number:02}")
    plot = convergence_plot(settled(workspace))
    assert plot is not None
    assert [line.mark for line in plot.lines] == list("123456789")
    assert plot.rest == "2 more scorers in the table"


def test_nothing_is_drawn_of_nothing(workspace: Workspace) -> None:
    assert convergence_plot(settled(workspace)) is None
    assert calibration_plot(together(workspace)) is None
    assert separation_plot(selected(workspace)) is None
