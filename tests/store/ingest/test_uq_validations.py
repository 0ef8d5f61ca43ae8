"""Results of UQ's validators as imported runs."""

import json
from pathlib import Path
from typing import Any

import pytest

from store import calls, candidates, evaluation, judgements, runs
from store.ingest.candidates_jsonl import import_candidates
from store.ingest.uq_jsonl import import_questions
from store.ingest.uq_validations import NAIVE, import_validations, tells
from store.run_rows import Run
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from uq_tui.state.ladder.judged import runs_that_judged
from uq_tui.words import Outcome, RunKind, RunState

MATH = "math.stackexchange.com:358423"
PUZZLE = "puzzling.stackexchange.com:17"
FILE = FIXTURES / "uq-validations.jsonl"


@pytest.fixture
def ws(workspace: Workspace) -> Workspace:
    """A workspace with the questions and answers that were judged."""
    import_questions(workspace, FIXTURES / "uq-questions.jsonl")
    import_candidates(workspace, FIXTURES / "uq-answers.jsonl")
    return workspace


def by_judge(ws: Workspace) -> dict[str, Run]:
    return {run.spec["model"]["id"]: run for run in runs.recent(ws)}


def outcomes(ws: Workspace, question: str, judge: str) -> dict[str, Outcome]:
    (candidate,) = candidates.of_question(ws, question)
    found = judgements.outcomes_of_run(ws, by_judge(ws)[judge].id, candidate.id)
    return {one.path: one.outcome for one in found}


def write(folder: Path, *rows: Any) -> Path:
    path = folder / "results.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def row(**changes: Any) -> dict[str, Any]:
    given = {"strategy": "vanilla", "judge_model": "j", "evaluation": "[[Y]]", "is_accepted": True}
    return {"question_id": 358423, "model_name": "o3-like", "evaluation": given, **changes}


def test_results_become_runs_that_are_done(ws: Workspace) -> None:
    report = import_validations(ws, FILE)
    assert (report.read, report.new, report.counts) == (5, 4, {"results": 4})
    assert [(one.line, one.reason) for one in report.rejected] == [
        (5, f"no answer by 'nobody' to question {PUZZLE} is here; import the answers first")
    ]
    assert report.notes == (NAIVE,)
    strict = by_judge(ws)["o3"]
    assert (strict.kind, strict.state, strict.done, strict.total) == (RunKind.VALIDATE, RunState.DONE, 2, 2)
    assert strict.title.startswith("imported from uq-validations.jsonl: cycle_consistency r3 unanimous => ")
    assert (strict.created_at, strict.finished_at) == ("2025-07-01T10:00:00.000Z", "2025-07-01T10:02:00.500Z")
    assert strict.cost_usd is None
    assert runs.interrupted(ws) == ()


def test_a_pipeline_that_was_cut_belongs_to_the_whole_one(ws: Workspace) -> None:
    import_validations(ws, FILE)
    found = outcomes(ws, MATH, "o3")
    assert [(path, found[path].value) for path in ("", "cycle_consistency", "fact_logic", "correctness")] == [
        ("", "reject"),
        ("cycle_consistency", "accept"),
        ("fact_logic", "reject"),
        ("correctness", "skipped"),
    ]
    assert [found[f"fact_logic/{turn}"].value for turn in (1, 2, 3)] == ["reject", "unparsed", "reject"]
    assert outcomes(ws, PUZZLE, "o3")[""] is Outcome.UNPARSED
    assert outcomes(ws, MATH, "gpt-4o") == {"": Outcome.UNPARSED, "correctness": Outcome.UNPARSED}


def test_ladders_and_figures_show_them_as_imported(ws: Workspace) -> None:
    import_validations(ws, FILE)
    (candidate,) = candidates.of_question(ws, MATH)
    oldest, _ = runs_that_judged(ws, candidate.id)
    assert oldest.ladder.tally() == (1, 3)
    assert oldest.ladder.whole.label.startswith("imported: cycle_consistency r3")
    rung = oldest.ladder.rung("cycle_consistency/1")
    assert rung is not None
    replies = [calls.get(ws, key) for key in rung.call_keys]
    assert [call.reply for call in replies if call] == ["When is it surjective?", "The same. [[Y]]"]
    assert [one.models for one in evaluation.finished_validations(ws)] == [("o3",), ("gpt-4o",)]
    assert len(evaluation.judged(ws)) == 4


def test_importing_twice_changes_nothing(ws: Workspace) -> None:
    import_validations(ws, FILE)
    before = runs.recent(ws)
    again = import_validations(ws, FILE)
    assert (again.new, again.changed, again.same) == (0, 0, 4)
    assert runs.recent(ws) == before


def test_a_changed_result_replaces_the_old_one(ws: Workspace, tmp_path: Path) -> None:
    import_validations(ws, write(tmp_path, row()))
    other = {"strategy": "vanilla", "judge_model": "j", "evaluation": "[[N]]"}
    report = import_validations(ws, write(tmp_path, row(evaluation=other)))
    assert report.changed == 1
    assert outcomes(ws, MATH, "j") == {"": Outcome.REJECT, "vanilla": Outcome.REJECT}


def test_two_results_on_one_answer_are_two_runs_and_a_repeated_row_is_none(ws: Workspace, tmp_path: Path) -> None:
    other = {"strategy": "vanilla", "judge_model": "j", "evaluation": "[[N]]"}
    report = import_validations(ws, write(tmp_path, row(), row(evaluation=other), row()))
    assert (report.new, report.same) == (2, 1)
    assert len(runs.recent(ws)) == 2


def test_which_answer_was_judged_must_be_clear(ws: Workspace, tmp_path: Path) -> None:
    more = tmp_path / "more.jsonl"
    more.write_text('{"question_id": 358423, "model_name": "o3-like", "answer": "Another."}')
    import_candidates(ws, more)
    report = import_validations(ws, write(tmp_path, row(), row(answer="Another.")))
    assert (report.new, report.rejected_total) == (1, 1)
    assert "several answers by 'o3-like' to question" in report.rejected[0].reason


def test_failures_count_as_failed(ws: Workspace, tmp_path: Path) -> None:
    failure = {"question_id": 17, "model_name": "o3-like", "metadata": {"site": "puzzling"}, "error": "timed out"}
    report = import_validations(ws, write(tmp_path, row(), failure))
    assert report.new == 2
    (run,) = runs.recent(ws)
    assert (run.done, run.failed) == (2, 1)
    alone = import_validations(ws, write(tmp_path, failure))
    assert "doesn't say by which" in alone.rejected[0].reason


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"evaluation": None}, "no `evaluation`"),
        ({"evaluation": "x"}, "`evaluation` is not an object"),
        ({"question_id": 404}, "question 404 is not in this workspace"),
        ({"question_id": None}, "no `question_id`"),
        ({"model_name": 7}, "`model_name` is not text"),
    ],
)
def test_bad_rows_say_why_and_cost_no_good_one(ws: Workspace, tmp_path: Path, given: Any, reason: str) -> None:
    report = import_validations(ws, write(tmp_path, row(**given), row()))
    assert (report.new, report.rejected_total) == (1, 1)
    assert reason in report.rejected[0].reason


def test_hostile_words_are_kept_as_they_are(ws: Workspace, tmp_path: Path) -> None:
    given = {
        "strategy": "\ud800\x1b[2J",
        "judge_model": "j\ud800",
        "evaluation": "\ud800 [[N]]",
        "timestamp": "9999-99",
    }
    assert import_validations(ws, write(tmp_path, row(evaluation=given))).new == 1
    assert import_validations(ws, write(tmp_path, row(evaluation=given))).same == 1


def test_the_form_is_told() -> None:
    assert tells(row())
    assert not tells({"question_id": 1, "evaluation": {}})
    assert not tells({"evaluation": {"strategy": "x"}})
    assert not tells({"question_id": 1, "model_name": "m", "answer": "a"})
