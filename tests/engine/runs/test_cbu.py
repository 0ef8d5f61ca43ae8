"""Utility runs: rollouts in rounds, their values, utilities, and resuming."""

import asyncio
import json
from dataclasses import replace
from typing import Any

import pytest

from prompts.loader import Output
from store import judgements, neighbours, runs
from store.run_rows import Call, Rollout, Run, Utility
from store.workspace import Workspace
from tests.engine.runs.scripted import (
    FAILED,
    MODEL,
    QUESTION,
    Said,
    Script,
    Scripted,
    add_candidates,
    add_neighbours,
    add_question,
    add_stub,
    conduct,
    start,
)
from uq_tui.analysis.intervals import difference, mean_of_proportions
from uq_tui.engine.protocol import Event, RolloutDecided, UtilityUpdated
from uq_tui.engine.requests import CbuRequest
from uq_tui.engine.spec import Ask
from uq_tui.engine.verification.verifier import Verified, Verifier
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import DecidedBy, RunKind

SUMS = {"What is 2 + 2?": "4", "What is 3 + 3?": "6"}
GOOD, BAD = "Add the two numbers.", "Multiply the two numbers."


@pytest.fixture
def stocked(workspace: Workspace) -> tuple[str, ...]:
    """Ids of a good and a bad candidate to a question with two neighbours."""
    add_question(workspace)
    add_neighbours(workspace, SUMS)
    return add_candidates(workspace, GOOD, BAD)


def adding(ask: Ask) -> Said:
    """Solves a neighbour with the good candidate as example; without any, every second time."""
    text = ask.messages[0].content
    answer = next(known for statement, known in SUMS.items() if statement in text)
    solves = GOOD in text or (BAD not in text and ask.sample % 2 == 0)
    return Said(f"So \\boxed{{{answer if solves else 5}}}")


def begin(ws: Workspace, **options: Any) -> Run:
    return start(ws, RunKind.CBU, replace(CbuRequest(QUESTION, MODEL), **options))


async def measured(ws: Workspace, script: Script = adding, **options: Any) -> Scripted:
    model = Scripted(ws, script)
    await conduct(model, begin(ws, **options))
    return model


def utilities(ws: Workspace) -> dict[str, Utility]:
    return {one.candidate_id: one for one in judgements.utilities_of_question(ws, QUESTION)}


def rollouts(ws: Workspace) -> tuple[Rollout, ...]:
    return judgements.rollouts_of_run(ws, runs.recent(ws, 1)[0].id)


async def test_utility_is_the_mean_over_neighbours_and_lift_its_distance_from_the_control(
    workspace: Workspace, stocked: tuple[str, ...]
) -> None:
    good, bad = stocked
    await measured(workspace)

    found = utilities(workspace)
    expected = mean_of_proportions([(8, 8), (8, 8)])
    control = mean_of_proportions([(4, 8), (4, 8)])
    assert expected is not None
    assert control is not None
    lift = difference(expected, control)
    one = found[good]
    assert (one.mean, one.low, one.high) == (expected.value, expected.low, expected.high) == (1.0, expected.low, 1.0)
    assert (one.control_mean, one.lift, one.lift_low, one.lift_high) == (0.5, 0.5, lift.low, lift.high)
    assert [(value.solved, value.decided, value.undecided) for value in one.neighbours] == [(8, 8, 0)] * 2
    assert [(value.solved, value.decided) for value in one.control] == [(4, 8)] * 2
    assert (one.solver, one.rollouts, one.complete, one.constrained) == ("scripted/judge", 8, True, False)
    assert (found[bad].mean, found[bad].lift) == (0.0, -0.5)


async def test_each_round_asks_one_sample_of_every_arm_on_every_neighbour(
    workspace: Workspace, stocked: tuple[str, ...]
) -> None:
    model = await measured(workspace, rollouts=3)

    assert model.batches == [6, 6, 6]
    assert [ask.sample for ask in model.asks] == [0] * 6 + [1] * 6 + [2] * 6
    around = [one.id for one in neighbours.of_question(workspace, QUESTION)]
    assert {(ask.candidate_id, ask.path) for ask in model.asks[6:12]} == {
        (arm, f"{key}/1") for arm in (*stocked, "") for key in around
    }
    assert model.progress == [(6, 18), (12, 18), (18, 18)]


async def test_prompts_have_the_neighbour_last_and_the_control_has_no_example(
    workspace: Workspace, stocked: tuple[str, ...]
) -> None:
    model = await measured(workspace, rollouts=1)

    for ask in model.asks:
        (message,) = ask.messages
        assert message.content.endswith(tuple(SUMS))
        assert (ask.form, ask.tag) == (Output.BOXED, "")
        shown = "How many are there?" in message.content
        assert shown is bool(ask.candidate_id)
        assert ask.template.name == ("cbu.rollout" if ask.candidate_id else "cbu.control")


async def test_without_a_control_arm_there_is_no_lift(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    model = await measured(workspace, rollouts=2, control=False)

    assert len(model.asks) == 8
    one = utilities(workspace)[stocked[0]]
    assert (one.control, one.control_mean, one.lift, one.lift_low, one.lift_high) == ((), None, None, None, None)


async def test_named_candidates_only(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    await measured(workspace, rollouts=1, candidate_ids=(stocked[1],))

    assert set(utilities(workspace)) == {stocked[1]}


async def test_what_is_told_is_stored_and_utilities_narrow_round_by_round(
    workspace: Workspace, stocked: tuple[str, ...]
) -> None:
    good = stocked[0]
    widths: list[float] = []
    complete: list[bool] = []

    def check(event: Event) -> None:
        if isinstance(event, RolloutDecided):
            places = {(one.candidate_id, one.neighbour_id, one.sample): one.value for one in rollouts(workspace)}
            assert places[event.candidate_id, event.neighbour_id, event.sample] == event.value
        if isinstance(event, UtilityUpdated):
            one = utilities(workspace)[event.candidate_id]
            assert (one.mean, one.complete) == (event.mean, event.complete)
            if event.candidate_id == good and one.low is not None and one.high is not None:
                widths.append(one.high - one.low)
                complete.append(one.complete)

    model = Scripted(workspace, adding, on_event=check)
    await conduct(model, begin(workspace, rollouts=4))

    assert widths == sorted(widths, reverse=True)
    assert len(set(widths)) == 4
    assert complete == [False, False, False, True]
    assert sum(isinstance(event, RolloutDecided) for event in model.events) == 24


async def test_utilities_of_a_round_are_stored_together(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    seen: list[set[int]] = []
    model, run = Scripted(workspace, adding), begin(workspace, rollouts=2)

    def look(event: Event) -> None:
        if isinstance(event, UtilityUpdated):
            seen.append({one.neighbours[0].decided for one in judgements.utilities_of_run(workspace, run.id)})

    model.on_event = look
    await conduct(model, run)

    assert seen == [{1}, {1}, {2}, {2}]


async def test_undecided_rollouts_are_counted_apart(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    good = stocked[0]
    odd = {1: FAILED, 2: Said("So far", finish_reason="length"), 3: Said("I do not know.")}

    def script(ask: Ask) -> Said:
        return odd.get(ask.sample, adding(ask)) if ask.candidate_id == good else adding(ask)

    model = await measured(workspace, script)

    one = utilities(workspace)[good]
    assert [(value.solved, value.decided, value.undecided) for value in one.neighbours] == [(5, 6, 2)] * 2
    assert one.mean == pytest.approx(5 / 6)
    assert one.complete
    assert model.progress[-1] == (44, 48)
    decided_by = {row.sample: (row.value, row.decided_by) for row in rollouts(workspace) if row.candidate_id == good}
    assert decided_by[0] == (1, DecidedBy.EXACT)
    assert decided_by[1] == (None, DecidedBy.CALL_FAILED)
    assert decided_by[2] == (None, DecidedBy.CUT_OFF)
    assert decided_by[3] == (0, DecidedBy.NO_ANSWER)


async def test_a_utility_is_unknown_while_a_neighbour_has_no_decided_rollout(
    workspace: Workspace, stocked: tuple[str, ...]
) -> None:
    model = await measured(workspace, lambda ask: FAILED if "2 + 2" in ask.messages[0].content else adding(ask))

    one = utilities(workspace)[stocked[0]]
    assert (one.mean, one.low, one.high, one.lift, one.control_mean) == (None, None, None, None, None)
    assert sorted(value.decided for value in one.neighbours) == [0, 8]
    assert [event.mean for event in model.events if isinstance(event, UtilityUpdated)] == [None] * 16


async def test_a_grammar_in_any_call_that_counts_marks_the_utility(
    workspace: Workspace, stocked: tuple[str, ...]
) -> None:
    good, bad = stocked
    await measured(workspace, lambda ask: replace(adding(ask), constrained=ask.candidate_id == good), rollouts=1)

    assert utilities(workspace)[good].constrained
    assert not utilities(workspace)[bad].constrained


@pytest.mark.parametrize("sent", [0, 1, 5, 6, 7, 17])
async def test_a_run_cut_off_anywhere_is_completed_without_asking_anything_again(
    workspace: Workspace, stocked: tuple[str, ...], sent: int
) -> None:
    run = begin(workspace, rollouts=3)
    first = Scripted(workspace, adding, die_after=sent)
    with pytest.raises(asyncio.CancelledError):
        await conduct(first, run)
    second = Scripted(workspace, adding)
    await conduct(second, runs.get(workspace, run.id))

    assert len(first.asks) == sent
    assert len(first.asks) + len(second.asks) == 18
    assert len({Scripted.key(ask, 0) for ask in (*first.asks, *second.asks)}) == 18
    assert len(rollouts(workspace)) == 18
    assert all(one.complete for one in utilities(workspace).values())


async def test_a_larger_run_remembers_the_rollouts_of_a_smaller_one(
    workspace: Workspace, stocked: tuple[str, ...]
) -> None:
    await measured(workspace, rollouts=2)
    more = await measured(workspace, rollouts=3)
    fresh = await measured(workspace, rollouts=1, fresh=True)

    assert [ask.sample for ask in more.asks] == [2] * 6
    assert len(fresh.asks) == 6
    assert runs.recent(workspace, 1)[0].spec["epoch"] == 1


async def test_a_comparison_that_cannot_be_made_ends_the_others_with_the_run(
    workspace: Workspace, stocked: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    ends: list[str] = []

    async def no_process(verifier: Verifier, expected: str, call: Call) -> Verified:
        if expected == "4":
            raise UqError("The process that compares final answers did not start.")
        try:
            await asyncio.Event().wait()
        finally:
            ends.append(expected)
        raise AssertionError

    monkeypatch.setattr(Verifier, "verify", no_process)
    with pytest.raises(UqError, match="did not start"):
        await measured(workspace, rollouts=1)

    assert ends == ["6", "6", "6"]


async def test_a_changed_question_stops_the_run(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    run = begin(workspace)
    add_question(workspace, body="How many were there?")

    with pytest.raises(UqError, match="reads differently"):
        await conduct(Scripted(workspace, adding), run)


async def test_neighbours_that_came_later_are_not_used(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    run = begin(workspace, rollouts=1)
    add_neighbours(workspace, {"What is 9 + 9?": "18"})
    model = Scripted(workspace, adding)
    await conduct(model, run)

    assert len(model.asks) == 6


def test_the_spec_is_json(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    run = begin(workspace)

    assert json.loads(json.dumps(run.spec)) == run.spec
    assert run.total == 3 * 2 * 8
    assert run.title == "Utility of 2 candidates by scripted/judge"
    assert run.spec["question_id"] == QUESTION
    assert run.spec["neighbour_ids"] == [one.id for one in neighbours.of_question(workspace, QUESTION)]


def test_without_neighbours_the_reason_and_the_next_step_are_given(workspace: Workspace) -> None:
    add_question(workspace)
    add_candidates(workspace, GOOD)

    with pytest.raises(UqError, match="has no neighbours") as caught:
        begin(workspace)
    assert "Write related questions" in caught.value.hint


def test_candidates_without_a_text_are_left_out_unless_named(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    add_stub(workspace, QUESTION, "f" * 64)

    assert [one["id"] for one in begin(workspace).spec["candidates"]] == list(stocked)
    with pytest.raises(UqError, match="text is not in this workspace"):
        begin(workspace, candidate_ids=("f" * 64,))


def test_requests_that_cannot_be_done_are_refused(workspace: Workspace, stocked: tuple[str, ...]) -> None:
    add_question(workspace, "tests:2")
    (stranger,) = add_candidates(workspace, "Elsewhere.", question_id="tests:2")
    add_neighbours(workspace, SUMS, question_id=add_question(workspace, "tests:3"))

    with pytest.raises(UqError, match="0 rollouts"):
        begin(workspace, rollouts=0)
    with pytest.raises(UqError, match="answers another question"):
        begin(workspace, candidate_ids=(stranger,))
    with pytest.raises(NotFoundError):
        begin(workspace, candidate_ids=("f" * 64,))
    with pytest.raises(NotFoundError):
        begin(workspace, question_id="tests:9")
    with pytest.raises(UqError, match="has no candidate"):
        begin(workspace, question_id="tests:3")
