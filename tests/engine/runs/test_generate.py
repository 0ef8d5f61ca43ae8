"""Generation runs: candidates out of replies, and sample indices that are never used twice."""

import asyncio
import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from prompts.loader import Output, load_template, render
from store import calls, candidates, runs
from store.rows import Candidate
from store.run_rows import Run
from store.workspace import Workspace
from tests.engine.runs.scripted import FAILED, MODEL, QUESTION, Said, Scripted, add_question, add_stub, conduct, start
from uq_tui.engine.protocol import CandidateAdded, EngineProblem
from uq_tui.engine.requests import GenerateRequest, ModelChoice
from uq_tui.engine.spec import Ask
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import AuthorKind, RunKind, TextFormat


@pytest.fixture
def question(workspace: Workspace) -> str:
    return add_question(workspace)


def numbered(ask: Ask) -> Said:
    return Said(f"\nAnswer {ask.sample}.\n", reasoning=f"Thought {ask.sample}.")


def begin(ws: Workspace, *question_ids: str, samples: int = 1, model: ModelChoice = MODEL) -> Run:
    return start(ws, RunKind.GENERATE, GenerateRequest(question_ids, model, samples))


async def generated(ws: Workspace, script: Callable[[Ask], Said], run: Run) -> Scripted:
    model = Scripted(ws, script)
    await conduct(model, run)
    return model


def of_question(ws: Workspace) -> dict[str, Candidate]:
    return {one.answer.raw: one for one in candidates.of_question(ws, QUESTION)}


async def test_each_reply_becomes_a_candidate_with_its_origin(workspace: Workspace, question: str) -> None:
    run = begin(workspace, question, samples=2)
    model = await generated(workspace, numbered, run)

    found = of_question(workspace)
    assert set(found) == {"Answer 0.", "Answer 1."}
    one = found["Answer 1."]
    assert (one.reasoning, one.cut_off, one.answer.format) == ("Thought 1.", False, TextFormat.MARKDOWN)
    (origin,) = one.origins
    assert (origin.kind, origin.model, origin.source) == (AuthorKind.MODEL, "scripted/judge", run.id)
    (ask,) = [ask for ask in model.asks if ask.sample == 1]
    assert origin.call_key == Scripted.key(ask, 0)
    assert origin.prompt == ask.messages[0].content
    assert model.progress == [(1, 2), (2, 2)]
    assert {event.candidate_id for event in model.events if isinstance(event, CandidateAdded)} == {
        candidate.id for candidate in found.values()
    }


async def test_the_prompt_is_the_template_with_title_body_and_site(workspace: Workspace, question: str) -> None:
    model = await generated(workspace, numbered, begin(workspace, question))
    (ask,) = model.asks

    text = "# A count\n\nHow many are there?\n\n(Asked on math.stackexchange.com)"
    assert [message.role for message in ask.messages] == ["user"]
    assert ask.messages[0].content == render(load_template("generate.answer"), {"question": text})
    assert (ask.form, ask.tag, ask.path, ask.template.name) == (Output.FREE, "", f"{QUESTION}/0", "generate.answer")


async def test_a_reply_that_hit_the_length_limit_is_marked(workspace: Workspace, question: str) -> None:
    await generated(workspace, lambda ask: Said("Half an", finish_reason="length"), begin(workspace, question))

    assert of_question(workspace)["Half an"].cut_off


async def test_failed_and_empty_replies_are_no_candidates(workspace: Workspace, question: str) -> None:
    said = [Said("Good."), FAILED, Said(" \n "), Said("", reasoning="Only thoughts.")]
    model = await generated(workspace, lambda ask: said[ask.sample], begin(workspace, question, samples=4))

    assert set(of_question(workspace)) == {"Good."}
    assert model.progress == [(1, 4)]
    (problem,) = [event for event in model.events if isinstance(event, EngineProblem)]
    assert problem.message == "2 of 4 replies by scripted/judge held no answer."


async def test_generating_again_takes_the_next_samples(workspace: Workspace, question: str) -> None:
    first = await generated(workspace, numbered, begin(workspace, question, samples=2))
    second = await generated(workspace, numbered, begin(workspace, question, samples=2))

    assert {ask.sample for ask in first.asks} == {0, 1}
    assert {ask.sample for ask in second.asks} == {2, 3}
    assert len(of_question(workspace)) == 4


async def test_generating_again_asks_anew_after_empty_and_equal_replies(workspace: Workspace, question: str) -> None:
    said = [Said(""), Said("Same."), Said("Same."), Said("Other.")]
    for samples in (1, 2, 1):
        run = begin(workspace, question, samples=samples)
        model = await generated(workspace, lambda ask: said[ask.sample], run)
        assert len(model.asks) == samples

    found = of_question(workspace)
    assert set(found) == {"Same.", "Other."}
    assert len(found["Same."].origins) == 2


async def test_samples_are_counted_by_question_and_by_model(workspace: Workspace, question: str) -> None:
    add_question(workspace, "tests:2", body="And here?")
    begin(workspace, question, samples=3)
    elsewhere = replace(MODEL, api_base="http://127.0.0.1:9/v1")

    assert begin(workspace, question, "tests:2").spec["first_sample"] == {question: 3, "tests:2": 0}
    assert begin(workspace, question).spec["first_sample"] == {question: 4}
    assert begin(workspace, question, model=ModelChoice("scripted/other")).spec["first_sample"] == {question: 0}
    assert begin(workspace, question, model=elsewhere).spec["first_sample"] == {question: 0}


@pytest.mark.parametrize("sent", range(4))
async def test_a_run_cut_off_anywhere_is_completed_once(workspace: Workspace, question: str, sent: int) -> None:
    run = begin(workspace, question, samples=4)
    first = Scripted(workspace, numbered, die_after=sent)
    with pytest.raises(asyncio.CancelledError):
        await conduct(first, run)
    kept = calls.find(workspace, [Scripted.key(ask, 0) for ask in first.asks])
    second = await generated(workspace, numbered, runs.get(workspace, run.id))

    assert {ask.sample for ask in second.asks} == {0, 1, 2, 3} - {call.sample for call in kept.values()}
    assert len(second.asks) == 4 - len(kept)
    assert len(of_question(workspace)) == 4
    assert all(len(one.origins) == 1 for one in of_question(workspace).values())


async def test_several_questions_are_answered_in_one_run(workspace: Workspace, question: str) -> None:
    add_question(workspace, "tests:2", body="And here?")
    run = begin(workspace, question, "tests:2", question, samples=2)
    model = await generated(workspace, numbered, run)

    assert (run.total, run.title) == (4, "4 answers by scripted/judge")
    assert run.spec["question_ids"] == [question, "tests:2"]
    assert len(candidates.of_question(workspace, "tests:2")) == 2
    assert model.progress[-1] == (4, 4)


async def test_a_changed_question_stops_the_run(workspace: Workspace, question: str) -> None:
    run = begin(workspace, question)
    add_question(workspace, title="Another count")

    with pytest.raises(UqError, match="reads differently"):
        await generated(workspace, numbered, run)


def test_a_question_without_its_text_is_refused(workspace: Workspace) -> None:
    add_stub(workspace, "tests:2", "f" * 64)

    with pytest.raises(UqError, match="Question tests:2 is known from a verdict only"):
        begin(workspace, "tests:2")


def test_the_spec_is_json(workspace: Workspace, question: str) -> None:
    run = begin(workspace, question)

    assert json.loads(json.dumps(run.spec)) == run.spec
    assert (run.spec["epoch"], run.title) == (0, "1 answer by scripted/judge")


@pytest.mark.parametrize(
    ("request_", "error", "message"),
    [
        (GenerateRequest((), MODEL), UqError, "No question is named"),
        (GenerateRequest(("tests:9",), MODEL), NotFoundError, "tests:9"),
        (GenerateRequest((QUESTION,), MODEL, samples=0), UqError, "0 answers were asked for"),
    ],
)
def test_a_request_that_cannot_be_done_is_refused(
    workspace: Workspace, question: str, request_: GenerateRequest, error: type[UqError], message: str
) -> None:
    with pytest.raises(error, match=message):
        start(workspace, RunKind.GENERATE, request_)
