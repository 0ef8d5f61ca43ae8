"""How well scorers pick the correct candidates, from what is stored."""

import pytest

from store.workspace import Workspace
from tests.found_runs import judged_by
from tests.scored import measured, put_labelled, scored_outside
from tests.store.evaluated import put_validation
from uq_tui.analysis.selection import NO_WRONG
from uq_tui.state.reports import candidate_scores, selection, utility_tables
from uq_tui.state.reports.labels import Labels, LabelSource
from uq_tui.state.reports.selection import Per, Selection, Wanted
from uq_tui.words import Exposure, Label, Outcome

RIGHT, WRONG = Label.CORRECT, Label.INCORRECT


def selected(ws: Workspace, per: Per = Per.ORIGINAL, *, reference_counts: bool = True) -> Selection:
    return selection.select(candidate_scores.read(ws), Wanted(Labels(), per, reference_counts))


def put_two_questions(ws: Workspace) -> None:
    """The first question's reference does best; the second one's wrong candidate does, on one of its neighbours."""
    first, (wrong, right, reference) = put_labelled(ws, 1, [WRONG, RIGHT, "reference"])
    solved = {wrong: [(0, 8), (2, 8)], right: [(6, 8), (6, 8)], reference: [(8, 8), (8, 8)]}
    measured(ws, first, solved, [(2, 8), (4, 8)])
    judged_by(ws, wrong, [9.0])
    judged_by(ws, right, [9.0])
    second, (other, good, unlabelled) = put_labelled(ws, 2, [WRONG, RIGHT, None])
    measured(ws, second, {other: [(8, 8), (0, 8)], good: [(4, 8), (6, 8)], unlabelled: [(1, 8), (1, 8)]})
    put_validation(ws, {other: Outcome.REJECT, good: Outcome.UNPARSED})


def test_metrics_of_each_scorer_over_labelled_questions(workspace: Workspace) -> None:
    put_two_questions(workspace)
    found = selected(workspace)
    assert (found.candidates, found.labelled, found.questions) == (6, 5, 2)
    assert found.labels == {LabelSource.KNOWN: 4, LabelSource.REFERENCE: 1}
    cbu, judge, validator = found.qualities
    assert (cbu.metrics.units, cbu.metrics.candidates, cbu.metrics.left_out) == (2, 5, 1)
    assert cbu.metrics.acc1.value == 1.0  # .625 against .5 in the second question
    assert (cbu.metrics.human_win.value, cbu.metrics.human_win.n) == (1.0, 1)
    assert cbu.metrics.base_rate.value == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert cbu.metrics.acc1.chance == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert (judge.metrics.acc1.value, judge.metrics.auc.value, judge.metrics.units) == (0.5, 0.5, 1)
    # What is undecided is no score: one wrong candidate is left, and nothing to be told from it.
    assert (validator.metrics.candidates, validator.metrics.left_out) == (1, 2)
    assert validator.metrics.auc.value is None


def test_units_are_questions_or_their_neighbours(workspace: Workspace) -> None:
    put_two_questions(workspace)
    values = {per: selected(workspace, per).qualities[0].metrics.acc1 for per in Per}
    assert {per: one.n for per, one in values.items()} == {Per.ORIGINAL: 2, Per.AVERAGED: 2, Per.VARIANT: 4}
    assert values[Per.VARIANT].value == 0.75
    assert values[Per.AVERAGED].value == 0.75
    judge = selected(workspace, Per.VARIANT).qualities[1]
    assert (judge.metrics.units, judge.metrics.originals) == (2, 1)  # the same score on both neighbours


def test_the_reference_can_be_left_unranked(workspace: Workspace) -> None:
    put_two_questions(workspace)
    cbu = selected(workspace, reference_counts=False).qualities[0].metrics
    assert cbu.base_rate.value == 0.5
    assert cbu.human_win.value == 1.0


def test_difficulty_is_that_of_the_control_arm(workspace: Workspace) -> None:
    put_two_questions(workspace)
    cbu, judge, _ = selected(workspace).qualities
    assert cbu.separation is not None
    assert [(point.difficulty, point.gap) for point in cbu.separation.points] == [(0.625, 0.75)]
    assert cbu.separation.undefined == {"no known accuracy": 1}
    assert judge.separation is not None
    assert [(point.difficulty, point.gap) for point in judge.separation.points] == [(0.625, 0.0)]
    variants = selected(workspace, Per.VARIANT).qualities[0].separation
    assert variants is not None
    assert [point.difficulty for point in variants.points] == [0.75, 0.5]


def test_outside_scores_are_scaled_by_their_range(workspace: Workspace) -> None:
    question_id, (wrong, right, other) = put_labelled(workspace, 1, [WRONG, RIGHT, WRONG])
    measured(workspace, question_id, {right: [(8, 8), (8, 8)]}, [(0, 8), (0, 8)])
    scored_outside(workspace, "rm", {wrong: -10.0, right: 10.0, other: 0.0})
    scored_outside(workspace, "same", {wrong: 1.0, right: 1.0})
    rm, same = selected(workspace).qualities[1:]
    assert rm.separation is not None
    assert [point.gap for point in rm.separation.points] == [0.75]
    assert same.separation is None
    assert same.metrics.auc.value == 0.5


def test_what_figures_give_away_is_told(workspace: Workspace) -> None:
    put_two_questions(workspace)
    told = selected(workspace).told
    assert {what: len(places) for what, places in told.items()} == {
        Exposure.KNOWN_LABEL: 3,  # of the judge's two, and the validator's one
        Exposure.SCORES: 2,
        Exposure.OUTCOMES: 1,
    }


def test_tables_say_units_chance_and_what_is_undefined(workspace: Workspace) -> None:
    put_two_questions(workspace)
    found = selected(workspace)
    intro = "\n".join(utility_tables.selection_intro(found))
    assert "5 candidates of 2 questions held correct or incorrect, of 6: 4 known labels, 1 reference solution." in intro
    scorers, metrics, above, separation = utility_tables.selection_sections(found)
    assert scorers.rows[0] == ("1", "CBU openai/solver", "2", "5", "1", "0", ".58")
    assert metrics.rows[0] == ("1", "1.00 (1)", "1.00 (2)", "1.00 (2)", "1.00 (2)", "1.00 (2)")
    assert metrics.rows[1][3] == "chance .58"
    assert any(NO_WRONG in note or "no correct candidate" in note for note in metrics.notes)
    assert above.rows[0][0] == "1"
    assert [row[0] for row in separation.rows] == ["1", "2"]


def test_without_labels_there_is_nothing(workspace: Workspace) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [None])
    measured(workspace, question_id, {one: [(8, 8), (8, 8)]})
    assert selected(workspace).qualities == ()
    assert utility_tables.selection_sections(selected(workspace)) == ()
