"""Equal samples are found and told; sampling at temperature 0 is warned of before anything is asked."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from store import judgements, runs
from store.run_rows import NeighbourValue, Run, Utility
from store.workspace import Workspace
from tests.engine.runs.scripted import (
    ACCEPT,
    FAILED,
    MODEL,
    QUESTION,
    Said,
    Script,
    Scripted,
    add_candidates,
    add_neighbours,
    add_question,
    conduct,
    start,
)
from uq_tui.engine.protocol import EngineProblem
from uq_tui.engine.requests import CbuRequest, GenerateRequest, ModelChoice, Request, ValidateRequest
from uq_tui.engine.runs.draws import draws_of, note, sample_of
from uq_tui.engine.spec import Ask
from uq_tui.words import RunKind

SUM = {"What is 2 + 2?": "4"}


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    add_question(workspace)
    add_neighbours(workspace, SUM)
    (added,) = add_candidates(workspace, "Add the two numbers.")
    return added


@pytest.mark.parametrize(
    ("one", "other", "equal"),
    [
        (Said("x", "y"), Said("x", "y"), True),
        (Said("x", "y"), Said("y", "x"), False),
        (Said("x", "y"), Said("xy", ""), False),
        (Said("x"), Said("x "), False),
        (Said("\u00e9"), Said("e\u0301"), False),
        (Said("\ud83d\0"), Said("\ud83d\0"), True),
        (Said("x", finish_reason="length"), Said("x"), True),
    ],
)
def test_replies_are_equal_when_every_byte_of_reasoning_and_reply_is(one: Said, other: Said, equal: bool) -> None:
    draws = draws_of([[Scripted.call(one)], [Scripted.call(other)]])

    assert (draws.replies, draws.distinct) == (2, 1 if equal else 2)


def test_a_sample_is_all_its_calls_and_none_where_one_failed() -> None:
    x, y, failed = (Scripted.call(said) for said in (Said("x", temperature=0), Said("y"), FAILED))

    assert draws_of([[x, x], [y, x], [x, y], [x, x]]).distinct == 3
    assert draws_of([[x], [x, failed], [failed], []]).replies == 1
    assert [sample.temperature for sample in (sample_of([x]), sample_of([x, y])) if sample] == [0.0, None]


def test_the_note_says_why_samples_are_equal() -> None:
    at_zero, unset = (Scripted.call(Said("x", temperature=one)) for one in (0.0, None))

    assert note(draws_of([[unset], [unset], [Scripted.call(Said("y"))]])) == "3 samples, 2 distinct (not independent)"
    assert note(draws_of([[at_zero]] * 3)) == "3 samples, 1 distinct (temperature 0: one sample, repeated)"
    assert note(draws_of([[unset]])) == ""


async def measured(ws: Workspace, script: Script, rollouts: int) -> Utility:
    run = start(ws, RunKind.CBU, CbuRequest(QUESTION, MODEL, rollouts=rollouts))
    await conduct(Scripted(ws, script), run)
    (found,) = judgements.utilities_of_run(ws, run.id)
    return found


async def test_distinct_replies_are_counted_for_each_arm_and_neighbour(workspace: Workspace, candidate: str) -> None:
    replies = [r"\boxed{4}", r"\boxed{4}", r"\boxed{5}", "So \\boxed{4}"]
    odd = {4: FAILED, 5: Said("It may", finish_reason="length", temperature=0.7)}

    def script(ask: Ask) -> Said:
        if not ask.candidate_id:
            return Said(f"{ask.sample}: \\boxed{{4}}")
        return odd.get(ask.sample) or Said(replies[ask.sample], temperature=0.7)

    found = await measured(workspace, script, 6)

    (value,), (control,) = found.neighbours, found.control
    assert value == NeighbourValue(value.neighbour_id, 3, 4, 2, replies=5, distinct=4, cut_off=1, temperature=0.7)
    assert (control.replies, control.distinct, control.cut_off, control.temperature) == (6, 6, 0, None)


async def test_a_larger_run_counts_remembered_replies_too(workspace: Workspace, candidate: str) -> None:
    await measured(workspace, lambda ask: Said(r"\boxed{4}"), 2)
    found = await measured(workspace, lambda ask: Said(rf"{ask.sample}: \boxed{{4}}"), 4)

    assert [(value.replies, value.distinct) for value in (*found.neighbours, *found.control)] == [(4, 3)] * 2


async def reasons(ws: Workspace, script: Script, candidate: str) -> dict[str, str]:
    run = start(ws, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL, "3-iter-sampling"))
    await conduct(Scripted(ws, script), run)
    return {row.path: row.reason for row in judgements.outcomes_of_run(ws, run.id)}


def distinct_but(*templates: str) -> Script:
    """Replies all different, except those by these templates."""

    def script(ask: Ask) -> Said:
        number = "" if ask.template.name in templates else str(ask.sample)
        return replace(ACCEPT, reply=f"{number} {ACCEPT.reply}")

    return script


async def test_a_stage_says_that_its_samples_are_equal_and_the_whole_names_the_stage(
    workspace: Workspace, candidate: str
) -> None:
    found = await reasons(workspace, distinct_but("check.fact_logic"), candidate)

    vote = "3 of 3 accepted, 0 rejected, unanimous needs 3"
    assert found["fact_logic"] == f"{vote}; 3 samples, 1 distinct (not independent)"
    assert (found["correctness"], found["cycle_consistency"]) == (vote, vote)
    assert found[""] == "every stage accepted; equal samples in fact_logic"


async def test_samples_that_inferred_different_questions_are_different(workspace: Workspace, candidate: str) -> None:
    one = await reasons(workspace, distinct_but("check.cycle_compare"), candidate)
    assert "distinct" not in one["cycle_consistency"]


async def test_samples_are_equal_when_inference_and_judgement_are(workspace: Workspace, candidate: str) -> None:
    both = await reasons(workspace, distinct_but("check.cycle_infer", "check.cycle_compare"), candidate)
    assert both["cycle_consistency"].endswith("; 3 samples, 1 distinct (not independent)")


def sampling_at(ws: Workspace, kind: RunKind, request: Request, temperature: float | None) -> Run:
    run = start(ws, kind, request)
    return runs.create(ws, kind, run.title, {**run.spec, "sampling": {MODEL.id: {"temperature": temperature}}}, 1)


async def warnings(ws: Workspace, run: Run) -> Sequence[EngineProblem]:
    asked: list[Ask] = []
    before: list[EngineProblem] = []

    def script(ask: Ask) -> Said:
        asked.append(ask)
        return Said(rf"{ask.sample}: \boxed{{4}}")

    model = Scripted(ws, script)
    model.on_event = lambda event: before.append(event) if isinstance(event, EngineProblem) and not asked else None
    await conduct(model, run)
    assert asked
    assert before == [event for event in model.events if isinstance(event, EngineProblem)]
    return before


SEVERAL: list[tuple[RunKind, Request, str]] = [
    (RunKind.GENERATE, GenerateRequest((QUESTION,), MODEL, samples=2), "2 answers to each question"),
    (RunKind.CBU, CbuRequest(QUESTION, MODEL, rollouts=2), "2 rollouts on each neighbour"),
    (RunKind.VALIDATE, ValidateRequest((), MODEL, "3-iter-sampling"), "up to 3 samples a stage"),
]
SINGLE: list[tuple[RunKind, Request]] = [
    (RunKind.GENERATE, GenerateRequest((QUESTION,), MODEL)),
    (RunKind.CBU, CbuRequest(QUESTION, MODEL, rollouts=1)),
    (RunKind.VALIDATE, ValidateRequest((), MODEL, "3-iter")),
]


def about(request: Request, candidate: str) -> Request:
    return replace(request, candidate_ids=(candidate,)) if isinstance(request, ValidateRequest) else request


@pytest.mark.parametrize(("kind", "request_", "what"), SEVERAL)
async def test_sampling_at_temperature_0_is_warned_of_once_before_anything_is_asked(
    workspace: Workspace, candidate: str, kind: RunKind, request_: Request, what: str
) -> None:
    (problem,) = await warnings(workspace, sampling_at(workspace, kind, about(request_, candidate), 0.0))

    assert problem.warning
    assert problem.message.startswith(f"This run draws {what} from scripted/judge at temperature 0")
    assert "above 0" in problem.hint


@pytest.mark.parametrize("temperature", [0.1, None])
@pytest.mark.parametrize(("kind", "request_", "what"), SEVERAL)
async def test_other_temperatures_are_not_warned_of(
    workspace: Workspace, candidate: str, kind: RunKind, request_: Request, what: str, temperature: float | None
) -> None:
    assert await warnings(workspace, sampling_at(workspace, kind, about(request_, candidate), temperature)) == []


@pytest.mark.parametrize(("kind", "request_"), SINGLE)
async def test_one_draw_at_temperature_0_is_as_wanted(
    workspace: Workspace, candidate: str, kind: RunKind, request_: Request
) -> None:
    assert await warnings(workspace, sampling_at(workspace, kind, about(request_, candidate), 0.0)) == []


async def test_a_run_that_pinned_no_sampling_is_not_warned_of(workspace: Workspace, candidate: str) -> None:
    assert await warnings(workspace, start(workspace, RunKind.CBU, CbuRequest(QUESTION, MODEL, rollouts=2))) == []


async def test_each_model_that_samples_at_temperature_0_is_warned_of(workspace: Workspace, candidate: str) -> None:
    strategy = "correctness x2 majority @[1, 2, 3] majority => fact_logic"
    models = [ModelChoice(f"scripted/judge-{number}") for number in (1, 2, 3)]
    run = start(
        workspace, RunKind.VALIDATE, ValidateRequest((candidate,), models[0], strategy, more_models=tuple(models[1:]))
    )
    sampling = {model.id: {"temperature": 0.5 if model is models[1] else 0} for model in models}
    run = runs.create(workspace, RunKind.VALIDATE, run.title, {**run.spec, "sampling": sampling}, 1)

    found = await warnings(workspace, run)
    assert [one.message.partition(" at temperature")[0] for one in found] == [
        f"This run draws up to 2 samples a stage from {models[number].id}" for number in (0, 2)
    ]


async def test_equal_samples_of_a_composed_node_are_told(workspace: Workspace, candidate: str) -> None:
    strategy = "s: {fact_logic, correctness} unanimous x2 unanimous"
    run = start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL, strategy))
    await conduct(Scripted(workspace, lambda ask: ACCEPT), run)
    found = {row.path: row.reason for row in judgements.outcomes_of_run(workspace, run.id)}

    assert found["s"].endswith("; 2 samples, 1 distinct (not independent)")
    assert found["s/1"] == "2 of 2 accepted, 0 rejected, unanimous needs 2"
    assert found[""] == "every stage accepted; equal samples in s"
