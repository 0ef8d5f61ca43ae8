"""What machines found about one candidate, against a real store: nothing is there to be seen before it is recorded."""

import asyncio

import pytest

from store import candidates, exposures, runs
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from tests.found_elsewhere import judge_row, put_row, put_validated, utility_row
from tests.found_runs import audited_by, begun_judging, judged_by, put_samples
from uq_tui.citations.checking import Existence
from uq_tui.engine.protocol import (
    AuditRead,
    CallStarted,
    EngineProblem,
    Event,
    EventsLost,
    RunFinished,
    RunStarted,
    ScoreRead,
    WorkerLost,
)
from uq_tui.engine.requests import AuditRequest, JudgeRequest, ModelChoice
from uq_tui.errors import StoreError
from uq_tui.state.desk import Desk
from uq_tui.state.findings.screen import FindingsState, Section
from uq_tui.words import ErrorCategory, Exposure, Reading, RunKind, RunState

ANSWER = "By arXiv:2613.04412 it is so. Clearly it is 7, see doi:10.1090/noti1380."
MODEL = ModelChoice("openai/o3")


async def opened(workspace: Workspace) -> FindingsState:
    add_question(workspace)
    (chosen,) = add_candidates(workspace, ANSWER)
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), MODEL)
    state = FindingsState(desk, candidates.get(workspace, chosen))

    def receive(event: Event) -> None:
        state.apply(event)

    desk.subscribe(receive)
    return state


def engine(state: FindingsState) -> ScriptedEngine:
    assert isinstance(state.desk.engine, ScriptedEngine)
    return state.desk.engine


def recorded(state: FindingsState) -> set[tuple[Exposure, str]]:
    rows = exposures.of_candidate(state.desk.workspace, state.desk.reviewer.id, state.candidate.id)
    return {(row.what, row.where) for row in rows if row.what is not Exposure.MODEL}


def scored(state: FindingsState) -> list[tuple[float, ...]]:
    """The scores that can be seen, by judge."""
    return [one.values for one in state.scorings]


def audited(state: FindingsState) -> list[str]:
    """What came of the audits that can be seen."""
    return [one.outcome_text() for one in state.audits]


def elsewhere(state: FindingsState) -> set[str]:
    """The runs elsewhere whose findings can be seen."""
    return {one.run_id for one in state.elsewhere}


async def test_references_are_read_and_are_no_exposure(workspace: Workspace) -> None:
    state = await opened(workspace)
    await state.load()
    await state.uncover(Section.CITATIONS)
    assert [one.reference.key for one in state.citations or ()] == ["2613.04412", "10.1090/noti1380"]
    assert recorded(state) == set()


async def test_scores_are_there_once_it_is_recorded_that_they_are_seen(workspace: Workspace) -> None:
    state = await opened(workspace)
    judged_by(workspace, state.candidate.id, [8, 9])
    await state.load()
    assert scored(state) == []
    await state.uncover(Section.AUDIT)
    assert scored(state) == []
    assert recorded(state) == set()
    await state.uncover(Section.JUDGES)
    assert scored(state) == [(8, 9)]
    assert recorded(state) == {(Exposure.SCORES, "findings")}


async def test_claims_are_there_once_it_is_recorded_that_they_are_seen(workspace: Workspace) -> None:
    state = await opened(workspace)
    audited_by(workspace, state.candidate.id, ANSWER, [(ErrorCategory.UNJUSTIFIED_COMPRESSION, "Clearly")])
    await state.load()
    assert audited(state) == []
    await state.uncover(Section.AUDIT)
    assert audited(state) == ["1 claim"]
    assert recorded(state) == {(Exposure.CLAIMS, "findings")}


async def test_who_wrote_the_answer_is_told_once_that_is_recorded(workspace: Workspace) -> None:
    state = await opened(workspace)
    await state.load()
    assert state.authors == ""
    await state.uncover(Section.CITATIONS)
    rows = exposures.of_candidate(workspace, state.desk.reviewer.id, state.candidate.id)
    assert [row.what for row in rows] == [Exposure.MODEL]
    assert state.authors == ", ".join(origin.name for origin in state.candidate.origins)


async def test_nothing_to_see_is_no_exposure(workspace: Workspace) -> None:
    state = await opened(workspace)
    judged_by(workspace, state.candidate.id, ["!status 500"])
    audited_by(workspace, state.candidate.id, ANSWER, state=Reading.FAILED, reason="status 500")
    await state.load()
    for section in Section:
        await state.uncover(section)
    assert recorded(state) == set()
    assert [one.failed for one in state.scorings] == [1]
    assert audited(state) == ["failed: status 500"]


async def test_what_could_not_be_recorded_stays_unseen(workspace: Workspace) -> None:
    state = await opened(workspace)
    judged_by(workspace, state.candidate.id, [8, 9])
    await state.load()
    workspace.close()
    with pytest.raises(StoreError):
        await state.uncover(Section.JUDGES)
    assert scored(state) == []


async def test_the_first_score_of_a_running_judge_is_recorded_before_it_is_seen(workspace: Workspace) -> None:
    state = await opened(workspace)
    await state.load()
    await state.uncover(Section.JUDGES)
    assert recorded(state) == set()
    run = begun_judging(workspace, 8)
    put_samples(workspace, run, state.candidate.id, [9])
    assert state.apply(ScoreRead(run.id, state.candidate.id, 0, 9.0, Reading.READ))
    assert state.stale
    await state.load()
    assert scored(state) == []
    await state.uncover(Section.JUDGES)
    assert scored(state) == [(9,)]


async def test_runs_started_here_are_known_from_their_start_to_their_end(workspace: Workspace) -> None:
    state = await opened(workspace)
    state.judge(JudgeRequest((state.candidate.id,), MODEL))
    state.audit()
    assert engine(state).requests == [
        JudgeRequest((state.candidate.id,), MODEL),
        AuditRequest((state.candidate.id,), MODEL),
    ]
    engine(state).tell(
        RunStarted("ticket-1", "r1", RunKind.JUDGE, "x"),
        RunStarted("ticket-2", "r2", RunKind.AUDIT, "x"),
        RunStarted("another", "r3", RunKind.AUDIT, "x"),
    )
    assert (state.runs(RunKind.JUDGE), state.runs(RunKind.AUDIT)) == (1, 1)
    state.cancel()
    assert engine(state).cancelled == ["r1", "r2"]
    engine(state).tell(RunFinished("r1", RunState.CANCELLED, ""))
    assert (state.runs(RunKind.JUDGE), state.runs(RunKind.AUDIT)) == (0, 1)
    assert state.stale


async def test_runs_started_elsewhere_are_met_by_their_calls_for_this_candidate(workspace: Workspace) -> None:
    state = await opened(workspace)
    engine(state).tell(
        RunStarted("t", "r1", RunKind.JUDGE, "x"),
        RunStarted("t", "r2", RunKind.VALIDATE, "x"),
        CallStarted("r1", "k1", "another candidate", "0", "m"),
        CallStarted("r2", "k2", state.candidate.id, "", "m"),
    )
    assert state.running == {}
    engine(state).tell(CallStarted("r1", "k3", state.candidate.id, "0", "m"))
    assert state.running == {"r1": RunKind.JUDGE}


async def test_a_judge_at_work_when_the_place_is_opened_is_known(workspace: Workspace) -> None:
    state = await opened(workspace)
    run = begun_judging(workspace, 8)
    put_samples(workspace, run, state.candidate.id, [9])
    runs.set_state(workspace, run.id, RunState.RUNNING)
    engine(state).tell(RunStarted("t", run.id, RunKind.JUDGE, "x"))
    await state.load()
    assert state.running == {run.id: RunKind.JUDGE}


async def test_events_about_other_candidates_change_nothing(workspace: Workspace) -> None:
    state = await opened(workspace)
    assert not state.apply(ScoreRead("r", "another", 0, 9.0, Reading.READ))
    assert not state.apply(AuditRead("r", "another", Reading.READ, 2))
    assert not state.apply(RunFinished("r", RunState.DONE, ""))
    assert not state.apply(EngineProblem("t", "a", "b", "c"))
    assert not state.stale


async def test_an_audit_that_ended_is_to_be_read(workspace: Workspace) -> None:
    state = await opened(workspace)
    assert state.apply(AuditRead("r", state.candidate.id, Reading.READ, 2))
    assert state.stale


@pytest.mark.parametrize("lost", [WorkerLost("gone"), EventsLost()])
async def test_what_was_lost_is_read_again_and_nothing_runs_that_is_not_known(
    workspace: Workspace, lost: WorkerLost | EventsLost
) -> None:
    state = await opened(workspace)
    state.running = {"r1": RunKind.JUDGE, "r2": RunKind.AUDIT}
    state.desk.active = {"r2": "x"}
    assert state.apply(lost)
    assert state.stale
    assert state.running == ({"r2": RunKind.AUDIT} if isinstance(lost, EventsLost) else {})


async def test_checkers_are_asked_about_what_can_exist_and_what_fails_is_unknown(workspace: Workspace) -> None:
    state = await opened(workspace)
    await state.load()
    assert [one.key for one in state.askable] == ["10.1090/noti1380"]
    state.checkers = ("never-installed",)
    looking = asyncio.create_task(state.look_up())
    await asyncio.sleep(0)
    meanwhile = state.looking_up
    await looking
    assert (meanwhile, state.looking_up) == (True, False)
    ((reference, said),) = state.checks.items()
    assert reference.key == "10.1090/noti1380"
    assert said["never-installed"].existence is Existence.UNKNOWN
    assert "never-installed" in said["never-installed"].note


async def test_what_was_found_elsewhere_is_there_once_each_kind_of_it_is_recorded(workspace: Workspace) -> None:
    state = await opened(workspace)
    key = state.candidate.id
    put_validated(workspace, key)
    put_row(workspace, key, "measured", RunKind.CBU, utilities=[utility_row("measured")])
    await state.load()
    await state.uncover(Section.JUDGES)
    assert elsewhere(state) == set()
    assert recorded(state) == set()
    await state.uncover(Section.ELSEWHERE)
    assert elsewhere(state) == {"elsewhere-run", "measured"}
    assert recorded(state) == {(Exposure.OUTCOMES, "findings"), (Exposure.UTILITY, "findings")}
    put_row(workspace, key, "judged", RunKind.JUDGE, judges=[judge_row("judged")])
    await state.load()
    assert elsewhere(state) == set(), "more has come, which isn't recorded yet"
