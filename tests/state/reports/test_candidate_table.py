"""The table of one question's candidates."""

from dataclasses import replace

import pytest

from store import judgements
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION
from tests.found_runs import judged_by
from tests.measured_runs import measured_by, question_with
from tests.scored import measured, put_labelled, scored_outside
from tests.store.evaluated import put_validation
from uq_tui.errors import NotFoundError
from uq_tui.state.reports import candidate_scores, candidate_table
from uq_tui.state.reports.candidate_table import chosen, ranked
from uq_tui.words import Interval, Label, Outcome

RIGHT, WRONG = Label.CORRECT, Label.INCORRECT


def test_candidates_are_ranked_by_utility_with_all_else_beside(workspace: Workspace) -> None:
    question_id, (one, two, three, four) = put_labelled(workspace, 1, [WRONG, RIGHT, "reference", None])
    utilities = {one: [(1, 64), (2, 64)], two: [(60, 64), (63, 64)], three: [(62, 64), (61, 64)]}
    measured(workspace, question_id, utilities, [(8, 64), (16, 64)], rollouts=64)
    judged_by(workspace, one, [9.0, 10.0, "no score"])
    put_validation(workspace, {two: Outcome.ACCEPT, one: Outcome.UNPARSED})
    scored_outside(workspace, "rm", {four: -0.01312})

    shown = candidate_table.section(candidate_scores.read(workspace, question_id))
    assert shown.columns == (
        "rank",
        "no.",
        "label",
        "CBU openai/solver",
        "lift openai/solver",
        "control openai/solver",
        "scale_10 openai/o3",
        "two openai/o3",
        "rm",
    )
    rows = {row[1]: row for row in shown.rows}
    assert [row[:3] for row in shown.rows] == [
        ("1=", "c2", "correct (known)"),
        ("1=", "c3", "reference"),
        ("3", "c1", "incorrect (known)"),
        ("–", "c4", "–"),
    ]
    assert rows["c2"][3].startswith(".96 [.")
    assert rows["c2"][3].endswith("] (128/128)")
    assert rows["c2"][4].startswith("+.77 [")
    assert rows["c2"][5:] == (".19 (128)", "–", "accept", "–")
    assert rows["c1"][6:] == ("9.5 (2/3)", "unparsed", "–")
    assert rows["c4"][3:] == ("–", "–", "–", "–", "–", "-0.01312")
    assert "= is tied: equal scores, or not told from the best by more than .10." in shown.notes


def test_intervals_of_runs_that_could_stop_early_are_named(workspace: Workspace) -> None:
    question_id, (one, two) = put_labelled(workspace, 1, [WRONG, RIGHT])
    run_id = measured(workspace, question_id, {one: [(1, 8), (2, 8)], two: [(8, 8), (7, 8)]})
    early, late = judgements.utilities_of_run(workspace, run_id)
    kept = [replace(early, interval=Interval.ANYTIME, stopped_early=True), replace(late, interval=Interval.ANYTIME)]
    judgements.save_utilities(workspace, kept)

    shown = candidate_table.section(candidate_scores.read(workspace, question_id))

    marks = {row[1]: row[3].partition(") ")[2] for row in shown.rows}
    assert marks == {"c1": "anytime early", "c2": "anytime"}
    assert [row[5] for row in shown.rows] == ["–", "–"]
    assert any(note.startswith("anytime: ") for note in shown.notes)


def test_equal_scores_are_tied_and_unknown_ones_have_no_rank(workspace: Workspace) -> None:
    question_id, ids = put_labelled(workspace, 1, [RIGHT] * 4)
    values: tuple[float | str, ...] = (3.0, 5.0, 3.0, "no score")
    for candidate_id, value in zip(ids, values, strict=True):
        judged_by(workspace, candidate_id, [value])
    found = candidate_scores.read(workspace, question_id)
    places = [(one.row.place.number, one.rank, one.tied) for one in ranked(found.rows, found.scorers[0])]
    assert places == [(2, 1, False), (1, 2, True), (3, 2, True), (4, None, False)]


def test_without_scores_the_table_says_what_brings_some(workspace: Workspace) -> None:
    question_id, _ = put_labelled(workspace, 1, [RIGHT, WRONG])
    shown = candidate_table.section(candidate_scores.read(workspace, question_id))
    assert [row[:2] for row in shown.rows] == [("–", "c1"), ("–", "c2")]
    assert "uq-tui cbu" in shown.notes[0]


def test_a_scorer_is_chosen_by_a_part_of_its_name(workspace: Workspace) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [RIGHT])
    for solver in ("openai/a", "openai/b"):
        measured(workspace, question_id, {one: [(1, 8), (1, 8)]}, solver=solver)
    scored_outside(workspace, "a", {one: 1.0})
    found = candidate_scores.read(workspace)
    assert chosen(found, "") == found.scorers[0]
    assert found.names[chosen(found, "OPENAI/B") or found.scorers[0]] == "CBU openai/b"
    assert found.names[chosen(found, "a") or found.scorers[0]] == "a"
    with pytest.raises(NotFoundError, match="Several scorers"):
        chosen(found, "CBU")
    with pytest.raises(NotFoundError, match="Nobody called 'z"):
        chosen(found, "z")


def test_undecided_rollouts_stand_beside_utilities(workspace: Workspace) -> None:
    first, _ = question_with(workspace, 2)
    measured_by(workspace, {first: ["111?"]}, control=["00e0"], planned=4)
    shown = candidate_table.section(candidate_scores.read(workspace, QUESTION))
    (row, _) = shown.rows
    assert row[3].endswith("] (3/4, 1 undecided)")
    assert row[5] == ".00 (3, 1 undecided)"
    said = "Undecided and left out: 1 of 4 rollouts, 1 of 4 rollouts of the control."
    assert any(note.startswith(f"c1, CBU solver: {said}") for note in shown.notes)
