"""Utility together with a judge, and how fast both settle, from what is stored."""

import pytest

from store.workspace import Workspace
from tests.found_runs import judged_by
from tests.scored import measured, put_labelled, put_rollouts, scored_outside
from uq_tui.analysis.convergence import Size
from uq_tui.errors import NotFoundError
from uq_tui.state.reports import candidate_scores, combined, convergence, replies, utility_tables
from uq_tui.state.reports.combined import Combined, Wanted
from uq_tui.state.reports.convergence import Convergence
from uq_tui.words import Exposure, Label

RIGHT, WRONG = Label.CORRECT, Label.INCORRECT


def put_questions(ws: Workspace, count: int = 6) -> None:
    """Utilities tell right from wrong, the judge knows nothing, and a reference stands beside."""
    for number in range(1, count + 1):
        question_id, (right, wrong, reference) = put_labelled(ws, number, [RIGHT, WRONG, "reference"])
        low = number % 2
        counts = {right: [(7, 8), (8 - low, 8)], wrong: [(low, 8), (1, 8)], reference: [(8, 8), (8, 8)]}
        measured(ws, question_id, counts, [(1, 8), (1, 8)])
        judged_by(ws, right, [8.0 + low, 9.0, 7.0, 8.0])
        judged_by(ws, wrong, [8.0, 9.0 - low, 7.0, 8.0])


def together(ws: Workspace, **wanted: str) -> Combined:
    return combined.combine(ws, candidate_scores.read(ws), Wanted(**wanted))  # type: ignore[arg-type]


def settled(ws: Workspace, **wanted: object) -> Convergence:
    return convergence.settle(candidate_scores.read(ws), convergence.Wanted(**wanted))  # type: ignore[arg-type]


def test_utility_and_judge_apart_and_together(workspace: Workspace) -> None:
    put_questions(workspace)
    found = together(workspace)
    assert (found.solver, found.judge, found.references) == ("CBU openai/solver", "scale_10 openai/o3", 6)
    it = found.comparison
    assert (it.n, it.questions, it.correct, it.folds, it.missing) == (12, 6, 6, 6, 0)
    assert it.majority.value == 0.5
    judge, utility, both = it.results
    assert (judge.features, utility.features, both.features) == (("J",), ("U",), ("J", "U"))
    assert utility.accuracy.value == 1.0
    assert judge.accuracy.value is not None
    assert judge.accuracy.value < 1.0
    assert [(one.name, one.calibration.n) for one in found.calibrated] == [(found.solver, 12), (found.judge, 12)]


def test_scorers_are_taken_by_name_else_those_with_most(workspace: Workspace) -> None:
    put_questions(workspace, 2)
    question_id, (one,) = put_labelled(workspace, 9, [RIGHT])
    measured(workspace, question_id, {one: [(1, 8), (1, 8)]}, solver="openai/another")
    assert together(workspace).solver == "CBU openai/solver"
    found = together(workspace, solver="another")
    assert (found.solver, found.comparison.n) == ("CBU openai/another", 0)
    assert found.comparison.undefined
    assert "No regression" in "\n".join(utility_tables.combined_intro(found))
    with pytest.raises(NotFoundError, match="Nobody called"):
        together(workspace, judge="solver")


def test_one_without_the_other_is_said(workspace: Workspace) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [RIGHT])
    measured(workspace, question_id, {one: [(1, 8), (1, 8)]})
    found = together(workspace)
    assert (found.judge, found.comparison.results) == ("", ())
    assert "J: no judge yet." in utility_tables.combined_intro(found)[0]
    assert found.told == {
        Exposure.UTILITY: {(question_id, one)},
        Exposure.KNOWN_LABEL: {(question_id, one)},
    }


def test_replies_are_compared_among_those_to_one_prompt(workspace: Workspace) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [RIGHT])
    run_id = measured(workspace, question_id, {one: [(2, 3), (0, 1)]})
    put_rollouts(workspace, run_id, one, [["so it is four", "so it is four", "so it is five"], ["no"]])
    judged_by(workspace, one, [8.0, "!gone", 7.0])
    solver, judge = together(workspace).replies
    assert (solver.candidates, solver.prompts, solver.replies, solver.distinct) == (1, 2, 4, 3)
    assert (solver.mean_tokens, solver.tokens_known) == (20.0, 4)
    assert solver.compared == 1
    assert solver.similarity == pytest.approx((1 + 1 / 3 + 1 / 3) / 3)
    assert (judge.prompts, judge.replies, judge.distinct) == (1, 2, 2)


@pytest.mark.parametrize(("most", "candidates"), [(100, 3), (32, 2), (1, 1)])
def test_of_many_long_replies_some_are_read(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, most: int, candidates: int
) -> None:
    question_id, ids = put_labelled(workspace, 1, [RIGHT, WRONG, WRONG])
    measured(workspace, question_id, {one: [(2, 8), (0, 8)] for one in ids})
    monkeypatch.setattr(replies, "MOST_REPLIES", most)
    (solver,) = together(workspace).replies
    assert (solver.candidates, solver.of) == (candidates, 3)


def test_lengths_that_nobody_reported_are_unknown(workspace: Workspace) -> None:
    _, (one,) = put_labelled(workspace, 1, [RIGHT])
    judged_by(workspace, one, [8.0])
    (judge,) = together(workspace).replies
    assert (judge.mean_tokens, judge.tokens_known, judge.similarity) == (None, 0, None)


def test_tables_of_both_together(workspace: Workspace) -> None:
    put_questions(workspace)
    regression, *calibrations, drawn = utility_tables.combined_sections(together(workspace))
    assert [row[:2] for row in regression.rows] == [("J", "12"), ("U", "12"), ("J+U", "12")]
    assert len(regression.notes) == 3
    assert [one.title for one in calibrations] == [
        "Calibration of CBU openai/solver",
        "Calibration of scale_10 openai/o3",
    ]
    assert sum(int(row[1]) for row in calibrations[0].rows) == 12
    assert [row[0] for row in drawn.rows] == ["scale_10 openai/o3"]  # no rollout's call is stored


def test_curves_are_drawn_from_stored_samples(workspace: Workspace) -> None:
    put_questions(workspace)
    scored_outside(workspace, "rm", {one.place.candidate_id: 1.0 for one in candidate_scores.read(workspace).rows})
    solver, judge = settled(workspace).curves
    assert [(point.n, point.pools) for point in solver.points] == [(4, 18), (8, 18), (16, 18)]
    assert solver.points[0].error > solver.points[1].error > solver.points[2].error == 0.0
    assert [(point.n, point.exhausted) for point in judge.points] == [(4, 12)]
    each = settled(workspace, size=Size.EACH).curves[0]
    assert [point.n for point in each.points] == [4, 8]
    (section,) = utility_tables.convergence_sections(settled(workspace))
    assert section.rows[0][:3] == ("1", "CBU openai/solver", "18")
    assert section.rows[0][5] == ".000* (.00)"
    assert section.rows[0][6:] == ("–", "–")


def test_few_pools_tell_of_each(workspace: Workspace) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [RIGHT])
    measured(workspace, question_id, {one: [(1, 8), (0, 0)]})
    judged_by(workspace, one, [8.0, 9.0])
    found = settled(workspace)  # a neighbour without a decided rollout leaves the utility unknown
    assert [curve.points for curve in found.curves] == [()]
    assert found.told == {Exposure.SCORES: {(question_id, one)}}


def test_nothing_settles_where_nothing_is_sampled(workspace: Workspace) -> None:
    put_labelled(workspace, 1, [RIGHT])
    assert settled(workspace).curves == ()
    assert utility_tables.convergence_sections(settled(workspace)) == ()
