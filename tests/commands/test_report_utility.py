"""report candidates, selection, convergence and combined, on stored runs."""

from pathlib import Path

import pytest

from store import exposures, reviewers
from tests.commands.conftest import LONELY, QUESTION, Desk, Run, document
from tests.found_runs import judged_by
from tests.scored import measured, scored_outside
from uq_tui.words import Exposure


@pytest.fixture
def scored(desk: Desk) -> Desk:
    """The right candidate solves more neighbours, the judge prefers the wrong one, a reward model knows one of them."""
    workspace = desk.open()
    try:
        counts = {desk.right: [(8, 8), (7, 8)], desk.wrong: [(1, 8), (0, 8)]}
        measured(workspace, QUESTION, counts, [(1, 8), (1, 8)], solver="openai/\x1b[2Jsolver")
        judged_by(workspace, desk.right, [6.0, 7.0, 5.0, 6.0])
        judged_by(workspace, desk.wrong, [9.0, 9.0, 9.0, 8.0])
        scored_outside(workspace, "rm", {desk.wrong: -1.25})
    finally:
        workspace.close()
    return desk


def exposed(desk: Desk, candidate_id: str) -> set[Exposure]:
    workspace = desk.open()
    try:
        reviewer = reviewers.current(workspace)
        return {row.what for row in exposures.of_candidate(workspace, reviewer.id, candidate_id)}
    finally:
        workspace.close()


def test_candidates_are_laid_side_by_side_and_recorded(uq: Run, scored: Desk) -> None:
    result = uq("report", "candidates", QUESTION)
    lines = result.stdout.splitlines()
    first = next(line for line in lines if line.startswith("1 "))
    second = next(line for line in lines if line.startswith("2 "))
    assert first.split()[:3] == ["1", "c1", "–"]
    assert "(16/16)" in first
    assert "6 (4/4)" in first
    assert "incorrect (known)" in second
    assert second.split()[-1] == "-1.25"
    assert "\x1b" not in result.stdout
    assert exposed(scored, scored.right) == {Exposure.UTILITY, Exposure.SCORES}
    assert exposed(scored, scored.wrong) == {Exposure.UTILITY, Exposure.SCORES, Exposure.KNOWN_LABEL}


def test_candidates_can_be_ranked_by_a_judge_and_written_as_json(uq: Run, scored: Desk) -> None:
    found = document(uq("report", "candidates", QUESTION, "--by", "scale", "--json"))
    names = {one["no"]: one["name"] for one in found["scorers"]}
    assert names == {1: "CBU", 2: "scale_10", 3: "rm"}
    assert found["ranked_by"] == 2
    wrong, right = found["candidates"]
    assert (wrong["candidate_id"], wrong["rank"], wrong["label_source"]) == (scored.wrong, 1, "known")
    assert (right["rank"], right["standing"], right["labels"]) == (2, "unlabelled", [])
    utility = right["scores"][0]
    assert (utility["value"], utility["n"], utility["utility"]["control_mean"]) == (0.9375, 16, 0.125)
    assert [one["value"] for one in wrong["scores"][1:]] == [8.75, -1.25]


def test_unknown_questions_and_scorers_end_with_3(uq: Run, scored: Desk) -> None:
    assert uq("report", "candidates", "nowhere:1").exit_code == 3
    result = uq("report", "candidates", QUESTION, "--by", "nobody")
    assert result.exit_code == 3
    assert "Those who have: CBU" in result.stderr
    assert "uq-tui cbu" in uq("report", "candidates", LONELY).stdout


def test_selection_is_over_labelled_questions(uq: Run, scored: Desk) -> None:
    assert "1 known label." in uq("report", "selection").stdout.replace("\n", " ")
    judged = uq("verdict", "give", scored.right, "--label", "correct")
    assert judged.exit_code == 0, judged.stderr
    found = document(uq("report", "selection", "--json"))
    assert (found["unit"], found["labelled"], found["questions"]) == ("original", 2, 1)
    cbu, judge, outside = found["scorers"]
    assert (cbu["metrics"]["acc1"]["value"], judge["metrics"]["acc1"]["value"]) == (1.0, 0.0)
    assert cbu["metrics"]["acc1"]["chance"] == 0.5
    assert (outside["metrics"]["units"], outside["metrics"]["left_out"]) == (1, 1)
    assert cbu["metrics"]["human_win"]["undefined"] == {"no human solution": 1}
    by_neighbour = document(uq("report", "selection", "--unit", "variant", "--reference-out", "--json"))
    assert by_neighbour["scorers"][0]["metrics"]["units"] == 2
    assert by_neighbour["reference_counts"] is False
    only = document(uq("report", "selection", "--against", "known", "--borderline", "incorrect", "--json"))
    assert (only["against"], only["borderline"], found["against"]) == ("known", "incorrect", None)
    assert only["labels"] == {"known": 1}


def test_a_selection_over_few_candidates_is_recorded(uq: Run, scored: Desk) -> None:
    uq("report", "selection")
    assert exposed(scored, scored.wrong) == {Exposure.UTILITY, Exposure.SCORES, Exposure.KNOWN_LABEL}
    assert exposed(scored, scored.right) == set()  # nothing labels it, so it is in no figure


def test_convergence_of_what_is_stored(uq: Run, scored: Desk) -> None:
    found = document(uq("report", "convergence", "--json"))
    cbu, judge = found["scorers"]
    assert [point["n"] for point in cbu["points"]] == [4, 8, 16]
    assert [point["n"] for point in judge["points"]] == [4]
    assert cbu["points"][-1]["error"] == 0.0
    assert cbu["points"][0]["error"] > cbu["points"][1]["error"] > 0.0
    shown = uq("report", "convergence", "--size", "each", "--replacement", "--from-zero", "--seed", "7").stdout
    assert "with replacement" in shown.replace("\n", " ")
    assert "over the top of the scale" in shown.replace("\n", " ")
    assert exposed(scored, scored.right) == {Exposure.UTILITY, Exposure.SCORES}


def test_utility_and_judge_together(uq: Run, scored: Desk) -> None:
    judged = uq("verdict", "give", scored.right, "--label", "correct")
    assert judged.exit_code == 0, judged.stderr
    found = document(uq("report", "combined", "--json"))
    assert found["judge"] == "scale_10 openai/o3"
    regression = found["regression"]
    assert (regression["n"], regression["correct"], regression["results"]) == (2, 1, [])
    assert regression["undefined"] == "all candidates are of one question"
    assert [one["n"] for one in found["calibration"]] == [2, 2]
    shown = uq("report", "combined", "--judge", "scale", "--folds", "2").stdout
    assert "No regression: all candidates are of one question." in shown
    assert "Calibration of scale_10 openai/o3" in shown
    assert uq("report", "combined", "--solver", "nobody").exit_code == 3


@pytest.mark.parametrize("report", ["selection", "convergence", "combined"])
def test_reports_on_nothing_say_what_to_do(uq: Run, desk: Desk, report: str) -> None:
    result = uq("report", report)
    assert result.exit_code == 0
    assert result.stdout == ""
    assert "utilit" in result.stderr
    assert uq("report", report, "--json").exit_code == 0


def test_scores_of_outside_scorers_come_by_import(uq: Run, desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "rewards.csv"
    file.write_text(f"candidate_id,scorer,value\n{desk.right[:8]},rm,0.5\n{desk.wrong},rm,NaN\n", encoding="utf-8")
    result = uq("import", str(file))
    assert result.exit_code == 1  # a row was refused
    assert "rewards.csv:3: `value` is 'NaN', not a number" in result.stderr
    found = document(uq("report", "candidates", QUESTION, "--json"))
    assert [(one["candidate_id"], one["rank"]) for one in found["candidates"]] == [(desk.right, 1), (desk.wrong, None)]
