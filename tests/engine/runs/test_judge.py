"""Judge runs: samples in one round, their scores, retries, pinning and resuming."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from prompts.loader import Output
from store import runs, scores
from store.judge_rows import Score, Scoring
from store.run_rows import Run
from store.workspace import Workspace
from tests.engine.runs.scripted import (
    FAILED,
    MODEL,
    QUESTION,
    Said,
    Script,
    Scripted,
    add_candidates,
    add_question,
    add_stub,
    conduct,
    start,
)
from uq_tui.analysis.scale import Scale
from uq_tui.engine.judging.judges import JUDGES, MOST_SAMPLES
from uq_tui.engine.protocol import EngineProblem, Event, ScoreRead
from uq_tui.engine.requests import JudgeRequest, ModelChoice, ValidateRequest
from uq_tui.engine.runs import judge
from uq_tui.engine.spec import Ask
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import DecisionForm, Reading, RunKind, RunState

GRADE = '<grade code="{tag}"><score>%s</score><assessment>A try.</assessment><errors>%s</errors></grade>'
UNREADABLE = Said("Somewhere between 7 and 8.")


def scoring(*values: float | str) -> Script:
    """The samples' scores in turn."""
    return lambda ask: Said(f"Weighed.\n{{tag}}: {values[ask.sample]}")


def begin(ws: Workspace, *candidates: str, **options: Any) -> Run:
    return start(ws, RunKind.JUDGE, replace(JudgeRequest(candidates, MODEL), **options))


async def judged(ws: Workspace, script: Script, *candidates: str, **options: Any) -> Scripted:
    """A model that has done a whole run, which is recorded as done."""
    model = Scripted(ws, script)
    run = begin(ws, *candidates, **options)
    await conduct(model, run)
    runs.set_state(ws, run.id, RunState.DONE)
    return model


def found(ws: Workspace) -> Scoring:
    """The only scoring of the newest run."""
    (only,) = scores.of_run(ws, runs.recent(ws, 1)[0].id)
    return only


def states(ws: Workspace) -> list[tuple[float | None, Reading]]:
    return [(one.score, one.state) for one in found(ws).scores]


async def test_each_candidate_is_scored_as_often_as_asked(workspace: Workspace, candidate: str) -> None:
    model = await judged(workspace, scoring(8, 8.5, 10), candidate, samples=3)

    assert model.batches == [3]
    assert [ask.sample for ask in model.asks] == [0, 1, 2]
    one = found(workspace)
    assert list(one.values) == [8, 8.5, 10]
    assert (one.judge, one.model, one.lowest, one.highest) == ("scale_10", "scripted/judge", 1, 10)
    assert (one.planned, one.finished, one.unparsed, one.failed) == (3, True, 0, 0)
    assert (one.candidate_id, one.question_id, one.number) == (candidate, QUESTION, 1)
    assert one.prompt_sha256 == model.asks[0].template.sha256
    assert model.progress == [(3, 3)]


async def test_the_default_is_eight_samples_on_the_scale_of_ten(workspace: Workspace, candidate: str) -> None:
    model = await judged(workspace, scoring(*range(1, 9)), candidate)

    assert [(ask.template.name, ask.form, ask.scale) for ask in model.asks] == [
        ("judge.scale_10", Output.SCORE, Scale(1, 10))
    ] * 8


@pytest.mark.parametrize(
    ("judge", "said", "score"),
    [
        ("scale_10", "{tag}: 9", 9.0),
        ("pairwise", "{tag}: 4", 4.0),
        ("uq_binary", "{tag}: accept", 1.0),
        ("uq_binary", "{tag}: reject", 0.0),
        ("proof_grader", GRADE % (3, "Step 2 is a guess."), 3.0),
        ("proof_grader", GRADE % (7, ""), 7.0),
    ],
)
async def test_every_judge_is_read_in_its_form(
    workspace: Workspace, candidate: str, judge: str, said: str, score: float
) -> None:
    model = await judged(workspace, lambda ask: Said(f"Weighed.\n{said}"), candidate, judge=judge, samples=1)

    assert states(workspace) == [(score, Reading.READ)]
    (ask,) = model.asks
    assert ask.template.name == JUDGES[judge].template
    assert "How many are there?" in ask.messages[0].content
    assert "There are 12, by counting." in ask.messages[0].content
    assert (found(workspace).lowest, found(workspace).highest) == (
        JUDGES[judge].scale.lowest,
        JUDGES[judge].scale.highest,
    )


@pytest.mark.parametrize(
    ("judge", "said", "score"),
    [
        ("scale_10", "### Score: 9", 9.0),
        ("pairwise", "Score: **4**/5", 4.0),
        ("uq_binary", "So: [[Y]]", 1.0),
        ("proof_grader", (GRADE % (3, "A guess.")).replace(' code="{tag}"', ""), 3.0),
    ],
)
async def test_every_judge_has_the_papers_exact_form(
    workspace: Workspace, candidate: str, judge: str, said: str, score: float
) -> None:
    model = await judged(
        workspace, lambda ask: Said(f"Weighed.\n{said}"), candidate, judge=judge, samples=1, form=DecisionForm.EXACT
    )

    assert states(workspace) == [(score, Reading.READ)]
    assert model.asks[0].tag == ""


async def test_the_pairwise_judge_sees_the_candidate_first_and_a_dummy_second(
    workspace: Workspace, candidate: str
) -> None:
    model = await judged(workspace, scoring(4), candidate, judge="pairwise", samples=1)

    text = model.asks[0].messages[0].content
    first, second = text.index("There are 12, by counting."), text.index("\nN/A\n")
    assert text.index("RESPONSE 1") < first < text.index("RESPONSE 2") < second


@pytest.mark.parametrize(("score", "errors"), [(7, "Step 2 is a guess."), (6, " ")])
async def test_a_grade_whose_errors_do_not_fit_its_score_is_no_score(
    workspace: Workspace, candidate: str, score: int, errors: str
) -> None:
    await judged(workspace, lambda ask: Said(GRADE % (score, errors)), candidate, judge="proof_grader", samples=1)

    (sample,) = found(workspace).scores
    assert (sample.score, sample.state) == (None, Reading.UNPARSED)
    assert "errors are listed" in sample.reason
    assert sample.reason.endswith(", asked twice")


async def test_an_unreadable_reply_is_asked_again_once_in_its_own_conversation(
    workspace: Workspace, candidate: str
) -> None:
    def script(ask: Ask) -> Said:
        if ask.template.name == "retry.score":
            return Said("{tag}: 7")
        return Said(f"In between, {ask.sample}.", reasoning="SECRET THOUGHTS") if ask.sample else Said("{tag}: 3")

    model = await judged(workspace, script, candidate, samples=3)

    assert model.batches == [3, 2]
    assert found(workspace).values == (3, 7, 7)
    assert model.progress == [(1, 3), (3, 3)]
    first, again = model.asks[2], model.asks[4]
    assert again.messages[0] == first.messages[0]
    assert again.messages[1].content == "In between, 2."
    assert (again.sample, again.form, again.scale) == (2, Output.SCORE, Scale(1, 10))
    assert again.tag != first.tag
    assert not any("SECRET" in message.content for ask in model.asks for message in ask.messages)


async def test_samples_without_a_score_stay_without_one(workspace: Workspace, candidate: str) -> None:
    odd = {0: UNREADABLE, 1: FAILED, 2: Said("")}

    model = await judged(workspace, lambda ask: odd.get(ask.sample, Said("{tag}: 2")), candidate, samples=4)

    assert states(workspace) == [
        (None, Reading.UNPARSED),
        (None, Reading.FAILED),
        (None, Reading.UNPARSED),
        (2, Reading.READ),
    ]
    reasons = [one.reason for one in found(workspace).scores]
    assert reasons[0] == "no tagged score line, asked twice"
    assert reasons[1] == "call failed (timeout): it took too long"
    assert reasons[2] == "the reply is empty, asked twice"
    assert reasons[3] == ""
    assert model.progress[-1] == (4, 4)
    assert [ask.template.name for ask in model.asks].count("retry.score") == 2


async def test_a_failed_retry_is_a_failed_sample(workspace: Workspace, candidate: str) -> None:
    def script(ask: Ask) -> Said:
        return FAILED if ask.template.name == "retry.score" else UNREADABLE

    await judged(workspace, script, candidate, samples=1)

    assert states(workspace) == [(None, Reading.FAILED)]


@pytest.mark.parametrize("form", DecisionForm)
async def test_a_reply_that_was_cut_gives_no_score(workspace: Workspace, candidate: str, form: DecisionForm) -> None:
    cut = Said("Weighed.\n{tag}: 1" if form is DecisionForm.TAGGED else "Score: 1", finish_reason="length")

    await judged(workspace, lambda ask: cut, candidate, samples=1, form=form)

    (sample,) = found(workspace).scores
    assert (sample.score, sample.reason) == (None, "the reply was cut at the length limit, asked twice")
    assert found(workspace).cut_off == 1


async def test_what_is_told_is_stored(workspace: Workspace) -> None:
    add_question(workspace)
    ids = add_candidates(workspace, "One.", "Two.")
    told: list[ScoreRead] = []

    def check(event: Event) -> None:
        if isinstance(event, ScoreRead):
            kept = {
                (one.candidate_id, one.sample): (one.score, one.state)
                for scoring_ in scores.of_run(workspace, event.run_id)
                for one in scoring_.scores
            }
            assert kept[event.candidate_id, event.sample] == (event.score, event.state)
            told.append(event)

    def script(ask: Ask) -> Said:
        return Said("{tag}: 5") if ask.template.name == "retry.score" or ask.sample else UNREADABLE

    model = Scripted(workspace, script, on_event=check)
    await conduct(model, begin(workspace, *ids, samples=3))

    assert sorted((one.candidate_id, one.sample) for one in told) == sorted((key, n) for key in ids for n in range(3))
    assert model.progress[-1] == (6, 6)


@pytest.mark.parametrize("sent", [0, 1, 4, 5, 7])
async def test_a_run_cut_off_anywhere_is_completed_without_asking_anything_again(
    workspace: Workspace, sent: int
) -> None:
    add_question(workspace)
    ids = add_candidates(workspace, "One.", "Two.")

    def script(ask: Ask) -> Said:
        return Said("{tag}: 5") if ask.template.name == "retry.score" or ask.sample else UNREADABLE

    run = begin(workspace, *ids, samples=3)
    first = Scripted(workspace, script, die_after=sent)
    with pytest.raises(asyncio.CancelledError):
        await conduct(first, run)
    second = Scripted(workspace, script)
    await conduct(second, runs.get(workspace, run.id))

    assert len(first.asks) == sent
    assert len(first.asks) + len(second.asks) == 8
    assert [one.values for one in scores.of_run(workspace, run.id)] == [(5, 5, 5)] * 2


async def test_a_failed_sample_is_asked_again_when_the_run_is_resumed(workspace: Workspace, candidate: str) -> None:
    run = begin(workspace, candidate, samples=2)
    await conduct(Scripted(workspace, lambda ask: FAILED if ask.sample else Said("{tag}: 4")), run)
    await conduct(Scripted(workspace, scoring(4, 6)), runs.get(workspace, run.id))

    assert states(workspace) == [(4, Reading.READ), (6, Reading.READ)]


async def test_a_larger_run_remembers_the_samples_of_a_smaller_one(workspace: Workspace, candidate: str) -> None:
    await judged(workspace, scoring(1, 2, 3, 4), candidate, samples=2)
    more = await judged(workspace, scoring(1, 2, 3, 4), candidate, samples=4)

    assert [ask.sample for ask in more.asks] == [2, 3]
    assert found(workspace).values == (1, 2, 3, 4)


async def test_a_fresh_run_asks_anew_also_where_a_validation_has_asked_the_same(
    workspace: Workspace, candidate: str
) -> None:
    await judged(workspace, lambda ask: Said("{tag}: accept"), candidate, judge="uq_binary", samples=1)
    for number in range(3):
        start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL, "1-iter", fresh=bool(number)))

    fresh = await judged(
        workspace, lambda ask: Said("{tag}: accept"), candidate, judge="uq_binary", samples=1, fresh=True
    )

    assert len(fresh.asks) == 1
    assert runs.recent(workspace, 1)[0].spec["epoch"] == 3


async def test_equal_replies_are_counted(workspace: Workspace, candidate: str) -> None:
    def script(ask: Ask) -> Said:
        return Said(f"Weighed {ask.sample % 2}.\n{{tag}}: 9", temperature=0.7, constrained=ask.sample == 2)

    await judged(workspace, script, candidate, samples=5)

    one = found(workspace)
    assert (one.replies, one.distinct, one.temperature, one.constrained) == (5, 2, 0.7, True)


async def test_sampling_at_temperature_0_is_warned_of(workspace: Workspace, candidate: str) -> None:
    title, spec, total = judge.pin(workspace, JudgeRequest((candidate,), MODEL, samples=2))
    run = runs.create(workspace, RunKind.JUDGE, title, {**spec, "sampling": {MODEL.id: {"temperature": 0}}}, total)
    model = Scripted(workspace, scoring(5, 5))
    await conduct(model, run)

    (problem,) = [event for event in model.events if isinstance(event, EngineProblem)]
    assert problem.warning
    assert "2 scores of each candidate" in problem.message


def test_the_spec_is_json_and_pins_the_judge(workspace: Workspace, candidate: str) -> None:
    run = begin(workspace, candidate, judge="proof_grader", samples=3, form=DecisionForm.EXACT)

    assert json.loads(json.dumps(run.spec)) == run.spec
    assert run.total == 3
    assert run.title == "Proof grader, 0 to 7: 1 candidate by scripted/judge"
    assert set(run.spec["templates"]) == {"judge.proof_grader", "ending.grade_exact", "retry.grade"}
    judge = run.spec["judge"]
    assert (judge["name"], judge["lowest"], judge["highest"]) == ("proof_grader", 0, 7)
    assert judge["prompt_sha256"] == run.spec["templates"]["judge.proof_grader"]["sha256"]


async def test_a_changed_candidate_question_stops_the_run(workspace: Workspace, candidate: str) -> None:
    run = begin(workspace, candidate)
    add_question(workspace, body="How many were there?")

    with pytest.raises(UqError, match="reads differently"):
        await conduct(Scripted(workspace, scoring(*range(8))), run)


def test_requests_that_cannot_be_done_are_refused(workspace: Workspace, candidate: str) -> None:
    add_stub(workspace, QUESTION, "f" * 64)

    with pytest.raises(UqError, match="No candidate is named"):
        begin(workspace)
    for samples in (0, MOST_SAMPLES + 1):
        with pytest.raises(UqError, match=f"{samples:,} samples") as refused:
            begin(workspace, candidate, samples=samples)
        assert f"1 to {MOST_SAMPLES:,}" in refused.value.hint
    with pytest.raises(NotFoundError, match="no judge 'scale_5'") as caught:
        begin(workspace, candidate, judge="scale_5")
    assert "scale_10, proof_grader, uq_binary, pairwise" in caught.value.hint
    with pytest.raises(NotFoundError):
        begin(workspace, "e" * 64)
    with pytest.raises(UqError, match="text is not in this workspace"):
        begin(workspace, "f" * 64)


def test_a_candidate_named_twice_is_scored_once(workspace: Workspace, candidate: str) -> None:
    assert begin(workspace, candidate, candidate, model=ModelChoice("a/b")).total == 8


def test_scores_are_rows_of_a_sample(workspace: Workspace, candidate: str) -> None:
    run = begin(workspace, candidate, samples=2)
    row = Score(run.id, candidate, 0, "scale_10", 5.5, Reading.READ, "", "", "2026-01-31T12:00:00.000000Z")
    scores.save(workspace, [row])

    assert (found(workspace).scores, found(workspace).finished) == ((row,), False)
