"""Which scores stand, how they are told, and the judge that is asked next."""

import pytest

from store import scores
from store.judge_rows import Scoring
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates, add_question
from tests.found_runs import begun_judging, judged_by, put_samples
from uq_tui.config import DEFAULT_MODEL
from uq_tui.engine.requests import JudgeRequest, ModelChoice
from uq_tui.state.findings.judging import JudgeEditor, caution, judge_line, sample_text, standing, telling
from uq_tui.words import DecisionForm

MODEL = ModelChoice("openai/o3")


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    add_question(workspace)
    (added,) = add_candidates(workspace, "It is so.")
    return added


def read(workspace: Workspace, candidate: str) -> tuple[Scoring, ...]:
    return scores.of_candidate(workspace, candidate)


def runs_of(found: tuple[Scoring, ...]) -> list[str]:
    return [one.run_id for one in found]


def test_of_each_judge_and_model_the_newest_finished_run_stands(workspace: Workspace, candidate: str) -> None:
    judged_by(workspace, candidate, [3, 4])
    newest = judged_by(workspace, candidate, [8, 9])
    other = judged_by(workspace, candidate, [5, 5], model="a/first")
    assert runs_of(standing(read(workspace, candidate))) == [other.id, newest.id]


def test_runs_that_asked_otherwise_stand_beside_each_other(workspace: Workspace, candidate: str) -> None:
    tagged = judged_by(workspace, candidate, [3, 4])
    exact = judged_by(workspace, candidate, [8, 9], form=DecisionForm.EXACT)
    stand = standing(read(workspace, candidate))
    assert sorted(runs_of(stand)) == sorted([tagged.id, exact.id])
    assert {one.run_id: judge_line(one, running=False).remarks for one in stand} == {
        tagged.id: (),
        exact.id: ("bare score",),
    }


def test_a_run_that_has_begun_stands_beside_the_finished_one(workspace: Workspace, candidate: str) -> None:
    finished = judged_by(workspace, candidate, [3, 4])
    begun = begun_judging(workspace, 8)
    put_samples(workspace, begun, candidate, [9])
    assert runs_of(standing(read(workspace, candidate))) == [finished.id, begun.id]


def test_one_that_was_left_unfinished_goes_when_a_newer_one_finishes(workspace: Workspace, candidate: str) -> None:
    put_samples(workspace, begun_judging(workspace, 8), candidate, [9])
    finished = judged_by(workspace, candidate, [3, 4])
    assert runs_of(standing(read(workspace, candidate))) == [finished.id]


def test_a_run_of_which_every_call_failed_does_not_hide_scores(workspace: Workspace, candidate: str) -> None:
    scored = judged_by(workspace, candidate, [3, 4])
    judged_by(workspace, candidate, ["!status 500", "!status 500"])
    assert runs_of(standing(read(workspace, candidate))) == [scored.id]


def test_what_brought_no_score_is_told_apart_and_not_as_a_low_one(workspace: Workspace, candidate: str) -> None:
    judged_by(workspace, candidate, [8, 10, "no line with the code", "!status 500"])
    line = judge_line(read(workspace, candidate)[0], running=False)
    assert (line.mean, line.scored, line.ceiling) == ("9.00 ± 1.41", "2 of 4 scored", "at 10: 50 % (1/2)")
    assert line.remarks[:2] == ("1 unparsed", "1 failed")
    assert line.bars == "1 ·······█·█ 10"


def test_without_a_score_figures_are_undefined(workspace: Workspace, candidate: str) -> None:
    judged_by(workspace, candidate, ["no line with the code"])
    line = judge_line(read(workspace, candidate)[0], running=False)
    assert (line.mean, line.scored, line.ceiling, line.bars) == ("–", "0 of 1 scored", "at 10: –", "")


@pytest.mark.parametrize(("running", "word"), [(True, "running"), (False, "incomplete")])
def test_a_run_without_all_its_samples_says_so(workspace: Workspace, candidate: str, running: bool, word: str) -> None:
    put_samples(workspace, begun_judging(workspace, 8), candidate, [9])
    assert judge_line(read(workspace, candidate)[0], running=running).remarks == (word,)


def test_shares_of_yes_and_no_have_an_interval(workspace: Workspace, candidate: str) -> None:
    judged_by(workspace, candidate, [1, 1, 0, 1], judge="uq_binary", top=1)
    assert judge_line(read(workspace, candidate)[0], running=False).mean == "0.75 [0.30, 0.95]"


def test_of_small_and_of_no_models_it_is_said_what_to_think() -> None:
    assert "mean nothing" in caution(DEFAULT_MODEL)
    assert "mean nothing" in caution("local/qwen")
    assert "no model" in caution("replay/tour")
    assert caution("openai/o3") == ""


def test_a_sample_is_its_score_or_why_there_is_none(workspace: Workspace, candidate: str) -> None:
    judged_by(workspace, candidate, [8.5, 8, "two\nlines", "!status 500"])
    (found,) = read(workspace, candidate)
    assert [sample_text(one) for one in found.scores] == ["8.5", "8", "unparsed: two lines", "failed: status 500"]


def test_only_replies_tell_what_a_judge_thinks(workspace: Workspace, candidate: str) -> None:
    judged_by(workspace, candidate, ["!status 500"], model="a/failed")
    assert not telling(read(workspace, candidate))
    judged_by(workspace, candidate, ["a reason"])
    assert telling(read(workspace, candidate))


def test_the_run_and_its_calls_are_told_before_it_starts() -> None:
    editor = JudgeEditor(MODEL)
    assert editor.planned.startswith("8 calls to openai/o3, and one more for each unreadable score.")
    editor.chosen, editor.samples = editor.judges[1], " 1 "
    assert editor.planned.startswith("1 call to openai/o3,")
    assert editor.request(["c"]) == JudgeRequest(("c",), MODEL, "proof_grader", 1)


@pytest.mark.parametrize("entered", ["", "0", "-1", "2.5", "1001", "²", "eight", "1" * 5000])
def test_other_numbers_of_samples_start_nothing(entered: str) -> None:
    editor = JudgeEditor(MODEL)
    editor.samples = entered
    assert editor.request(["c"]) is None
    assert editor.planned == "Samples are a number from 1 to 1,000."
