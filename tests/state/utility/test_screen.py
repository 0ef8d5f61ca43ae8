"""What the utility screen keeps of store and events, without a screen."""

import pytest

from store import candidates, exposures, external_scores, questions
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates
from tests.fakes.scripted_engine import ScriptedEngine
from tests.measured_runs import measured_by, question_with
from tests.scored import scored_outside
from uq_tui.engine.protocol import CandidateAdded, EventsLost, RolloutDecided, RunFinished, RunStarted, UtilityUpdated
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import StoreError
from uq_tui.state.desk import Desk
from uq_tui.state.utility.rollouts import Filter, key_of
from uq_tui.state.utility.screen import CONTROL, Beside, UtilityState
from uq_tui.words import DecidedBy, Exposure, RunKind, RunState


async def opened(ws: Workspace, chosen: str = "") -> UtilityState:
    """The state on a question that has candidates, read."""
    desk = await Desk.sit_down(ws, ScriptedEngine(ws.path), ModelChoice("m"))
    state = UtilityState(desk, questions.get(ws, QUESTION), candidates.of_question(ws, QUESTION), chosen)
    await state.load()
    return state


def listed(state: UtilityState) -> list[tuple[int, int]]:
    """Neighbour and sample of each rollout that is listed."""
    return [
        (group.neighbour.number, one.sample) for group in state.groups for _, found in group.by_kind for one in found
    ]


async def test_the_best_is_read_first_unless_another_is_chosen(workspace: Workspace) -> None:
    worse, better = question_with(workspace, 2)
    measured_by(workspace, {worse: ["0"], better: ["1"]})
    assert (await opened(workspace)).chosen == better
    assert (await opened(workspace, worse)).chosen == worse


async def test_rollouts_of_the_chosen_arm_are_listed_and_sifted(workspace: Workspace) -> None:
    first, second = question_with(workspace, 2, neighbours=2)
    measured_by(workspace, {first: ["10c", "1"], second: ["1", "0"]}, control=["0", "0"])
    state = await opened(workspace, first)
    assert listed(state) == [(1, 0), (1, 1), (1, 2), (2, 0)]
    state.sift()
    assert (state.filter, listed(state)) == (Filter.UNSOLVED, [(1, 1)])
    state.sift()
    assert (state.filter, listed(state)) == (Filter.UNDECIDED, [(1, 2)])
    state.sift()
    await state.choose(second)
    assert listed(state) == [(1, 0), (2, 0)]
    await state.choose(CONTROL)
    assert [one.solved for one in state.groups] == [0, 0]


async def test_the_control_beside_a_rollout_is_on_the_same_neighbour_with_the_same_number(workspace: Workspace) -> None:
    (first,) = question_with(workspace, 1, neighbours=2)
    measured_by(workspace, {first: ["11", "11"]}, control=["00", "0"])
    state = await opened(workspace, first)
    assert state.choices == (Beside.ANSWER, Beside.CONTROL, Beside.NEIGHBOUR)
    last = state.rollout(f"{state.neighbours[1].id}/0")
    assert last is not None
    other = state.counterpart(last, Beside.CONTROL)
    assert other is not None
    assert (other.candidate_id, key_of(other), other.value) == ("", key_of(last), 0)
    missing = state.rollout(f"{state.neighbours[1].id}/1")
    assert missing is not None
    assert state.counterpart(missing, Beside.CONTROL) is None


async def test_what_stands_beside_goes_round_what_there_is(workspace: Workspace) -> None:
    (first,) = question_with(workspace, 1)
    measured_by(workspace, {first: ["1"]})
    state = await opened(workspace, first)
    seen = []
    for _ in range(3):
        state.turn()
        seen.append(state.beside)
    assert seen == [Beside.NEIGHBOUR, Beside.ANSWER, Beside.NEIGHBOUR]


async def test_utilities_are_recorded_as_seen_before_they_can_be(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen, unseen = question_with(workspace, 2)
    measured_by(workspace, {seen: ["1"]})
    at_the_write: list[int] = []
    state = await opened(workspace)
    fresh = UtilityState(state.desk, state.question, state.candidates, "")
    record_all = exposures.record_all

    def watched(ws: Workspace, reviewer: str, shown: list[tuple[str, str]], what: Exposure, where: str) -> None:
        at_the_write.append(len(fresh.ranking.ranked))
        record_all(ws, reviewer, shown, what, where)

    monkeypatch.setattr(exposures, "record_all", watched)
    await fresh.load()

    assert (at_the_write, len(fresh.ranking.ranked)) == ([0, 0], 1)
    rows = [exposures.of_candidate(workspace, state.desk.reviewer.id, key) for key in (seen, unseen)]
    assert [[(row.what, row.where) for row in found] for found in rows] == [[(Exposure.UTILITY, "utility")], []]


async def test_what_could_not_be_read_is_read_next(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    (first,) = question_with(workspace, 1)
    state = await opened(workspace)
    scored_outside(workspace, "rm", {first: 1.5})
    state.apply(EventsLost())

    def busy(*_: object) -> tuple[()]:
        raise StoreError("The workspace is busy.")

    with monkeypatch.context() as patched:
        patched.setattr(external_scores, "of_question", busy)
        with pytest.raises(StoreError, match="busy"):
            await state.load()
    assert not state.others
    await state.load()
    assert [one.name for one in state.others] == ["rm"]


async def test_a_run_under_way_is_read_again_as_it_goes_on(workspace: Workspace) -> None:
    (first,) = question_with(workspace, 1)
    run = measured_by(workspace, {first: ["1"]}, complete=False)
    state = await opened(workspace)
    state.desk.engine.tell(RunStarted("t", run.id, RunKind.CBU, "x"))  # type: ignore[attr-defined]
    assert state.apply(RunStarted("t", run.id, RunKind.CBU, "x"))
    await state.load()
    assert state.under_way
    assert not state.stale
    assert state.apply(RolloutDecided(run.id, "", "n", 0, 1, DecidedBy.EXACT))
    await state.load()
    assert state.apply(UtilityUpdated(run.id, first, 1.0, False))
    await state.load()
    assert not state.apply(RolloutDecided("another", "stranger", "n", 0, 1, DecidedBy.EXACT))
    for event in (RunFinished(run.id, RunState.DONE, ""), EventsLost()):
        assert state.apply(event)
        await state.load()


async def test_a_candidate_that_is_added_meanwhile_appears(workspace: Workspace) -> None:
    (first,) = question_with(workspace, 1)
    measured_by(workspace, {first: ["0"]})
    state = await opened(workspace)
    (late,) = add_candidates(workspace, "An answer that came later.")
    assert not state.apply(CandidateAdded("r", "another question", late))
    assert state.apply(CandidateAdded("r", QUESTION, late))
    await state.load()
    assert [one.number for one in state.candidates] == [1, 2]
    (later,) = add_candidates(workspace, "One of another program.")
    run = measured_by(workspace, {later: ["1"]})
    assert state.apply(RunStarted("t", run.id, RunKind.CBU, "x"))
    await state.load()
    assert [one.candidate.number for one in state.ranking.ranked] == [3, 1]
