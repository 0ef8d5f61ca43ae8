"""What the workbench keeps of engine events and of the store, without a screen."""

import asyncio
import threading

import pytest

from store import candidates, decisions, exposures, failed_answers, queues
from store.failed_answers import FailedAnswer
from store.review_rows import NewItem
from store.rows import VerdictForm
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from tests.judged_runs import THREE_ITER, begun_run, judged_run, three_iter
from tests.measured_runs import add_neighbours, measured_by
from tests.state.reviewing.laid_out import make_queue
from uq_tui.engine.protocol import CallStarted, OutcomeDecided, RunFinished, RunStarted, StageStarted, WorkerLost
from uq_tui.engine.requests import GenerateRequest, ModelChoice, ValidateRequest
from uq_tui.errors import StoreError, UqError
from uq_tui.state.by_hand import Author, candidate_by_hand
from uq_tui.state.desk import Desk
from uq_tui.state.strategy.choice import StrategyChoice
from uq_tui.state.workbench import Change, WorkbenchState
from uq_tui.words import AuthorKind, Exposure, ItemRole, Label, Outcome, RunKind, RunState


async def opened(workspace: Workspace) -> tuple[WorkbenchState, str]:
    """The state of a question with one candidate, and that candidate's id."""
    add_question(workspace)
    (chosen,) = add_candidates(workspace, "It is so.")
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))
    state = WorkbenchState(desk)
    await state.load(QUESTION)
    return state, chosen


def shown(state: WorkbenchState, candidate_id: str) -> set[Exposure]:
    rows = exposures.of_candidate(state.desk.workspace, state.desk.reviewer.id, candidate_id)
    return {row.what for row in rows} - {Exposure.MODEL}


async def test_the_end_of_one_run_leaves_what_another_is_writing(workspace: Workspace) -> None:
    state, _ = await opened(workspace)
    state.apply(CallStarted("writes", "k", "", f"{QUESTION}/0", "m"))
    state.apply(RunFinished("judges", RunState.DONE, ""))
    assert list(state.pending.values()) == ["k"]
    state.apply(RunFinished("writes", RunState.CANCELLED, ""))
    assert not state.pending


async def test_rungs_that_come_while_the_store_is_read_stay(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, chosen = await opened(workspace)
    reading, go_on, of_question = threading.Event(), threading.Event(), candidates.of_question

    def slow(ws: Workspace, question_id: str) -> object:
        reading.set()
        go_on.wait(5)
        return of_question(ws, question_id)

    monkeypatch.setattr(candidates, "of_question", slow)
    reload = asyncio.create_task(state.reload())
    await asyncio.to_thread(reading.wait)
    state.apply(StageStarted("r", chosen, "correctness"))
    go_on.set()
    await reload
    assert state.ladder is not None
    assert [rung.path for rung in state.ladder.rungs()] == ["", "correctness"]


def rungs(state: WorkbenchState) -> dict[str, tuple[bool, Outcome | None]]:
    """What is running and what was decided, by path."""
    assert state.ladder is not None
    return {rung.path: (rung.running, rung.outcome) for rung in state.ladder.rungs()}


async def test_of_two_runs_on_a_candidate_the_later_is_shown_and_neither_loses_a_rung(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    for run, path in (("a", ""), ("a", "relevance"), ("b", ""), ("a", "correctness"), ("b", "relevance")):
        state.apply(StageStarted(run, chosen, path))
    state.apply(OutcomeDecided("a", chosen, "relevance", Outcome.REJECT, "", ""))
    state.apply(StageStarted("b", chosen, "correctness"))
    state.apply(OutcomeDecided("b", chosen, "relevance", Outcome.ACCEPT, "", ""))
    assert state.ladder is not None
    assert state.ladder.run_id == "b"
    assert rungs(state) == {"": (True, None), "correctness": (True, None), "relevance": (False, Outcome.ACCEPT)}

    state.apply(RunFinished("b", RunState.CANCELLED, ""))
    await state.reload()  # the store has an outcome of neither
    state.apply(OutcomeDecided("a", chosen, "correctness", Outcome.ACCEPT, "", ""))
    assert rungs(state) == {
        "": (True, None),
        "correctness": (False, Outcome.ACCEPT),
        "relevance": (False, Outcome.REJECT),
    }


async def test_the_earlier_of_two_runs_that_is_kept_in_part_goes_on_where_it_stood(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    kept = judged_run(workspace, chosen, THREE_ITER, three_iter("aar"))
    state.apply(StageStarted(kept.id, chosen, ""))
    state.apply(StageStarted(kept.id, chosen, "correctness"))
    state.apply(StageStarted("later", chosen, "relevance"))
    state.apply(RunFinished("later", RunState.FAILED, ""))
    await state.reload()
    assert state.ladder is not None
    assert state.ladder.run_id == kept.id
    assert rungs(state)["correctness"] == (True, None)
    state.apply(RunFinished(kept.id, RunState.DONE, ""))
    await state.reload()
    assert not state.ladder.running


def is_running(state: WorkbenchState) -> bool:
    return state.ladder is not None and state.ladder.running


async def test_a_question_opened_in_the_middle_of_a_run_says_that_it_goes_on(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    half = {path: outcome for path, outcome in three_iter("aaa").items() if path.startswith("cycle_consistency")}
    run = judged_run(workspace, chosen, THREE_ITER, half)
    state.desk.active[run.id] = "3-Iter"
    await state.load(QUESTION)
    assert is_running(state)
    state.apply(RunFinished(run.id, RunState.CANCELLED, ""))
    assert not is_running(state)
    del state.desk.active[run.id]
    await state.load(QUESTION)
    assert not is_running(state)


async def test_a_utility_is_no_longer_being_measured_once_the_engine_is_lost(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    add_neighbours(workspace, QUESTION, 1)
    run = measured_by(workspace, {chosen: ["1"]}, complete=False)
    state.desk.active[run.id], state.desk.kinds[run.id] = "Utility", RunKind.CBU
    await state.reload()
    assert state.measured[chosen].under_way
    state.desk.active.clear()
    assert state.needs_reload(WorkerLost("It ended."))
    await state.reload()
    assert not state.measured[chosen].under_way


async def test_a_run_that_began_while_watched_gets_its_strategys_places(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    run = begun_run(workspace, "fact_logic r2 unanimous => correctness")
    state.apply(StageStarted(run.id, chosen, ""))
    assert state.unshaped == {run.id}
    await state.learn()
    assert state.ladder is not None
    assert [rung.path for rung in state.ladder.rungs()] == ["", "fact_logic", "correctness"]
    assert not state.unshaped


async def test_a_run_that_the_store_does_not_have_is_looked_for_once(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    state.apply(StageStarted("gone", chosen, "correctness"))
    await state.learn()
    assert not state.unshaped


async def test_calls_of_runs_that_do_not_judge_by_stages_make_no_ladder(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    engine = state.desk.engine
    assert isinstance(engine, ScriptedEngine)
    engine.tell(RunStarted("t", "scores", RunKind.JUDGE, "scale_10"))
    assert state.apply(CallStarted("scores", "k", chosen, "scale_10/1", "m")) is Change.NOTHING
    assert state.ladder is None


async def test_stored_judgements_come_with_what_they_took(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    judged_run(workspace, chosen, THREE_ITER, three_iter("ars"))
    await state.reload()
    assert state.ladder is not None
    usage = state.ladder.whole.usage
    assert (usage.calls, usage.tokens, usage.remembered) == (6, 6 * 1204, 0)


async def test_a_candidate_is_judged_by_the_strategy_that_was_chosen(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    second = ModelChoice("b/two")
    state.desk.strategy = StrategyChoice("correctness @[1, 2] majority", "two", more_models=(second,), exact=True)
    assert state.validate_request() == ValidateRequest(
        (chosen,), state.desk.model, "correctness @[1, 2] majority", exact=True, more_models=(second,)
    )


async def test_a_judges_words_are_an_exposure_before_its_outcome_is(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    await state.note_exposures(answer=False, reasoning=False)
    assert shown(state, chosen) == set()
    state.apply(CallStarted("r", "k", chosen, "correctness/1", "m"))
    await state.note_exposures(answer=False, reasoning=False)
    assert shown(state, chosen) == {Exposure.OUTCOMES}


async def test_a_reference_that_is_here_by_a_model_is_refused(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    by_model, expert = Author(AuthorKind.MODEL, "m"), Author(AuthorKind.PERSON, "Eve")
    await state.add(candidate_by_hand(QUESTION, "Ten.", by_model))
    with pytest.raises(UqError, match="here already as a candidate"):
        await state.add(candidate_by_hand(QUESTION, "Ten.", expert, reference=True))
    assert await state.add(candidate_by_hand(QUESTION, "It is so.", expert, reference=True)) == chosen
    assert [one.reference for one in state.candidates] == [True, False]


async def test_an_exposure_that_could_not_be_recorded_is_recorded_later(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    state, chosen = await opened(workspace)
    state.apply(OutcomeDecided("r", chosen, "", Outcome.ACCEPT, "", ""))

    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr(exposures, "record", full)
        with pytest.raises(StoreError):
            await state.note_exposures(answer=False, reasoning=False)
    await state.note_exposures(answer=False, reasoning=False)
    assert shown(state, chosen) == {Exposure.OUTCOMES}


async def test_nothing_tells_which_answer_comes_again(workspace: Workspace) -> None:
    add_question(workspace)
    first, second = add_candidates(workspace, "It is so.", "It is not.")
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))
    items = [NewItem(QUESTION, first), NewItem(QUESTION, second), NewItem(QUESTION, first, role=ItemRole.REPEAT)]
    queue = make_queue(workspace, desk, items)
    state = WorkbenchState(desk)
    plain, other, again = queues.items(workspace, queue.id, desk.reviewer.id)
    for item in (plain, other):
        decisions.decide(workspace, desk.reviewer, item.id, VerdictForm(label=Label.CORRECT))
    await state.load(QUESTION)
    assert state.verdicts == {}
    decisions.decide(workspace, desk.reviewer, again.id, VerdictForm(label=Label.UNSURE))
    await state.reload()
    assert set(state.verdicts) == {first, second}


async def test_answers_that_failed_are_listed_and_asked_for_again(workspace: Workspace) -> None:
    state, chosen = await opened(workspace)
    with pytest.raises(UqError, match="No answer to this question has failed"):
        state.retry_requests()
    failed = [FailedAnswer(QUESTION, name, "timed out", "f.jsonl") for name in ("", "none", "openai/o3")]
    workspace.write(lambda db: failed_answers.put(db, failed))
    await state.reload()
    assert [one.model for one in state.failed] == ["", "none", "openai/o3"]
    assert state.retry_requests() == (
        GenerateRequest((QUESTION,), state.desk.model),
        GenerateRequest((QUESTION,), ModelChoice("openai/o3")),
    )
    make_queue(workspace, state.desk, [NewItem(QUESTION, chosen)])
    await state.reload()
    assert state.failed == ()
    with pytest.raises(UqError, match="blind"):
        state.retry_requests()
