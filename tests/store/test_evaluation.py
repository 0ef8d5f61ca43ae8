"""What reports on validators read from the store."""

from dataclasses import replace

import pytest

from store import candidates, evaluation, judgements, runs
from store.rows import NewCandidate, Origin, Reviewer, VerdictForm
from store.run_rows import StageOutcome
from store.workspace import Workspace
from tests.store.evaluated import AT, put_answers, put_validation, spec
from tests.store.records.giving import give, take_back
from tests.store.stock import QUESTION
from uq_tui.words import AuthorKind, DecisionForm, Label, NotJudged, Outcome, RunKind, RunState, TextFormat

ADA = Reviewer("0199aaaa-0000-7000-8000-000000000001", "ada", "", ())
BOB = Reviewer("0199aaaa-0000-7000-8000-000000000002", "bob", "", ())


@pytest.fixture
def one(workspace: Workspace) -> str:
    return put_answers(workspace, {"An answer.": ("openai/o3", Label.INCORRECT)})["An answer."]


def test_a_validation_says_how_it_judged(workspace: Workspace, one: str) -> None:
    run_id = put_validation(workspace, {one: Outcome.ACCEPT}, spec("two", "openai/o3", "gemini/gemini-2.5-pro"))
    (found,) = evaluation.finished_validations(workspace)
    assert (found.run_id, found.strategy, found.form) == (run_id, "two", DecisionForm.TAGGED)
    assert found.notation == "two: fact_logic => correctness"
    assert (found.models, found.endpoints) == (("openai/o3", "gemini/gemini-2.5-pro"), ("", ""))
    assert found.stages == ("fact_logic", "correctness")


def test_other_prompts_plugins_and_sampling_are_told_apart(workspace: Workspace, one: str) -> None:
    cooler = {"sampling": {"openai/o3": {"temperature": 0.2}}}
    different = (spec(prompt="b"), spec(plugins={"numeric": "1"}), spec(plugins={"numeric": "2"}), spec() | cooler)
    for pinned in (spec(), spec(), *different):
        put_validation(workspace, {one: Outcome.ACCEPT}, pinned)
    first, same, *others = (run.prompts for run in evaluation.finished_validations(workspace))
    assert first == same
    assert len({first, *others}) == 5


def test_runs_of_the_first_version_pinned_one_model_and_their_strategy_as_text(workspace: Workspace, one: str) -> None:
    old = {"strategy": {"name": "3-iter", "toml": "..."}, "model": {"id": "m", "api_base": "http://h/v1"}}
    put_validation(workspace, {one: Outcome.ACCEPT}, old)
    (found,) = evaluation.finished_validations(workspace)
    assert (found.strategy, found.notation, found.models, found.endpoints) == ("3-iter", "", ("m",), ("http://h/v1",))
    assert (found.form, found.stages) == (DecisionForm.TAGGED, ())


def test_a_candidates_nodes_come_together(workspace: Workspace, one: str) -> None:
    run_id = put_validation(workspace, {one: Outcome.REJECT})
    assert evaluation.judged(workspace) == (
        evaluation.Judged(run_id, one, Outcome.REJECT, ((1, "fact_logic"),), calls=1),
    )
    put_validation(workspace, {one: Outcome.ACCEPT})
    assert [found.calls for found in evaluation.judged(workspace)] == [1, 2]


def test_a_call_behind_two_nodes_is_counted_once(workspace: Workspace, one: str) -> None:
    run_id = runs.create(workspace, RunKind.VALIDATE, "v", spec(), 1).id
    node = StageOutcome(run_id, one, "fact_logic", Outcome.ACCEPT, "", "k2", 1, AT, ("k1", "k2"))
    whole = StageOutcome(run_id, one, "", Outcome.ACCEPT, "", "", 3, AT)
    judgements.save_outcomes(workspace, [node, replace(node, path="correctness", call_keys=("k2", "k3")), whole])
    runs.set_state(workspace, run_id, RunState.DONE)
    assert [found.calls for found in evaluation.judged(workspace)] == [3]


def test_how_many_calls_runs_of_the_first_version_made_is_unknown(workspace: Workspace, one: str) -> None:
    put_validation(workspace, {one: Outcome.ACCEPT}, spec(strategy={"name": "3-iter", "toml": "..."}))
    assert [found.calls for found in evaluation.judged(workspace)] == [None]


@pytest.mark.parametrize("state", [state for state in RunState if state is not RunState.DONE])
def test_runs_that_have_not_ended_well_are_left_out_and_counted(
    workspace: Workspace, one: str, state: RunState
) -> None:
    put_validation(workspace, {one: Outcome.ACCEPT}, state=state)
    assert evaluation.finished_validations(workspace) == ()
    assert evaluation.judged(workspace) == ()
    assert evaluation.unfinished_validations(workspace) == 1


def test_a_candidate_without_an_end_is_not_judged(workspace: Workspace, one: str) -> None:
    run_id = put_validation(workspace, {})
    node = StageOutcome(run_id, one, "fact_logic", Outcome.ACCEPT, "", "k", 1, AT, ("k",))
    judgements.save_outcomes(workspace, [node])
    assert evaluation.judged(workspace) == ()


def test_each_reviewer_has_one_opinion_their_newest(workspace: Workspace, one: str) -> None:
    give(workspace, ADA, one, VerdictForm(label=Label.CORRECT))
    give(workspace, ADA, one, VerdictForm(label=Label.INCORRECT))
    give(workspace, BOB, one, VerdictForm(not_judged=NotJudged.OUT_OF_DEPTH))
    found = evaluation.opinions(workspace)
    assert set(found[one]) == {
        evaluation.Opinion(ADA.id, Label.INCORRECT),
        evaluation.Opinion(BOB.id, None),
    }


def test_what_was_retracted_is_no_opinion(workspace: Workspace, one: str) -> None:
    give(workspace, ADA, one, VerdictForm(label=Label.CORRECT))
    take_back(workspace, ADA, one)
    assert evaluation.opinions(workspace) == {}


def test_known_labels_and_authors(workspace: Workspace, one: str) -> None:
    again = NewCandidate(
        QUESTION.id, "An answer.", TextFormat.MARKDOWN, Origin(AuthorKind.SYSTEM, system="s", base_model="b")
    )
    candidates.add(workspace, [again, again])
    assert evaluation.known_labels(workspace) == {one: Label.INCORRECT}
    assert evaluation.authors(workspace, [one, "absent"]) == {
        one: (
            evaluation.Author(AuthorKind.MODEL, "openai/o3", "", ""),
            evaluation.Author(AuthorKind.SYSTEM, "", "s", "b"),
        )
    }
    assert evaluation.authors(workspace, []) == {}
    assert evaluation.questions_of(workspace, [one, "absent"]) == {one: QUESTION.id}
    assert evaluation.candidates_of(workspace, [QUESTION.id, "absent"]) == {one}
    assert evaluation.candidates_of(workspace, []) == frozenset()


def test_labelled_candidates_are_those_that_came_with_a_label(workspace: Workspace) -> None:
    ids = put_answers(workspace, {"a": ("m", Label.UNSURE), "b": ("m", None), "c": ("m", Label.CORRECT)})
    assert evaluation.labelled(workspace) == (ids["a"], ids["c"])
