"""Outcomes, rollouts and utilities: kept by what they are about."""

import json
from dataclasses import replace

import pytest
from sqlalchemy import update

from store import judgements, neighbours
from store.rows import Neighbour
from store.run_rows import NeighbourValue
from store.run_tables import UtilityTable
from store.workspace import Workspace
from tests.store.records.samples import QUESTION_ID
from tests.store.records.stock import outcome, put_candidate, put_neighbour, put_run, rollout, utility
from uq_tui.words import DecidedBy, Outcome, RunKind

LATER = "2026-02-01T00:00:00.000000Z"


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    return put_candidate(workspace)


def test_outcomes_come_back_by_round_and_path(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace)
    whole = outcome(run_id, candidate, "", outcome=Outcome.REJECT, reason="1 of 3 \ud83d\0", round=2)
    stages = [outcome(run_id, candidate, path, round=1) for path in ("b", "a/2", "a")]
    judgements.save_outcomes(workspace, [whole, *stages])
    stored = judgements.outcomes_of_run(workspace, run_id)
    assert [found.path for found in stored] == ["a", "a/2", "b", ""]
    assert stored[-1] == whole


def test_an_outcome_saved_again_stays_as_it_is(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace)
    judgements.save_outcomes(workspace, [outcome(run_id, candidate)])
    judgements.save_outcomes(workspace, [outcome(run_id, candidate, created_at=LATER)])
    assert judgements.outcomes_of_run(workspace, run_id) == (outcome(run_id, candidate),)


def test_a_failed_outcome_is_replaced_when_the_run_gets_further(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace)
    judgements.save_outcomes(workspace, [outcome(run_id, candidate, outcome=Outcome.FAILED)])
    accepted = outcome(run_id, candidate, created_at=LATER)
    judgements.save_outcomes(workspace, [accepted])
    assert judgements.outcomes_of_run(workspace, run_id) == (accepted,)


def test_outcomes_of_a_run_can_be_of_one_candidate(workspace: Workspace, candidate: str) -> None:
    other, run_id = put_candidate(workspace, "Another answer."), put_run(workspace)
    judgements.save_outcomes(workspace, [outcome(run_id, candidate), outcome(run_id, other)])
    assert judgements.outcomes_of_run(workspace, run_id, other) == (outcome(run_id, other),)
    assert len(judgements.outcomes_of_run(workspace, run_id)) == 2


def test_outcomes_of_a_candidate_come_from_all_runs_oldest_first(workspace: Workspace, candidate: str) -> None:
    made = [put_run(workspace) for _ in range(3)]
    for run_id in reversed(made):
        judgements.save_outcomes(workspace, [outcome(run_id, candidate, path) for path in ("", "a")])
    found = judgements.outcomes_of_candidate(workspace, candidate)
    assert [(stored.run_id, stored.path) for stored in found] == [
        (run_id, path) for run_id in made for path in ("", "a")
    ]


def test_saving_nothing_is_nothing(workspace: Workspace, candidate: str) -> None:
    judgements.save_outcomes(workspace, [])
    judgements.save_rollouts(workspace, [])
    assert judgements.outcomes_of_candidate(workspace, candidate) == ()


def test_rollouts_come_back_with_the_control_arm_first(workspace: Workspace, candidate: str) -> None:
    put_neighbour(workspace)
    run_id = put_run(workspace, RunKind.CBU)
    undecided = rollout(run_id, candidate, 1, value=None, decided_by=DecidedBy.CUT_OFF, answer="\ud83d")
    control = rollout(run_id, "")
    saved = [undecided, rollout(run_id, candidate, 0), control]
    judgements.save_rollouts(workspace, saved)
    judgements.save_rollouts(workspace, saved)
    assert judgements.rollouts_of_run(workspace, run_id) == (control, rollout(run_id, candidate, 0), undecided)


def test_an_undecided_rollout_is_replaced_when_it_is_decided(workspace: Workspace, candidate: str) -> None:
    put_neighbour(workspace)
    run_id = put_run(workspace, RunKind.CBU)
    failed = rollout(run_id, candidate, value=None, decided_by=DecidedBy.CALL_FAILED)
    for row in (failed, rollout(run_id, candidate)):
        judgements.save_rollouts(workspace, [row])
    assert judgements.rollouts_of_run(workspace, run_id) == (rollout(run_id, candidate),)


def test_rollouts_of_some_arms_on_one_neighbour(workspace: Workspace, candidate: str) -> None:
    put_neighbour(workspace)
    neighbours.add(workspace, QUESTION_ID, [Neighbour("", "What is 9 + 9?", "18", "us")])
    _, second = (one.id for one in neighbours.of_question(workspace, QUESTION_ID))
    run_id = put_run(workspace, RunKind.CBU)
    control, own, other = (rollout(run_id, arm, neighbour_id=second) for arm in ("", candidate, "f" * 64))
    saved = [control, own, other, rollout(run_id, candidate)]
    judgements.save_rollouts(workspace, saved)
    found = judgements.rollouts_of_run(workspace, run_id, candidate_ids=(candidate, ""), neighbour_id=second)
    assert found == (control, own)
    assert judgements.rollouts_of_run(workspace, run_id, candidate_ids=()) == ()
    assert set(judgements.rollouts_of_run(workspace, run_id, candidate_ids=(candidate,))) == {own, saved[3]}


@pytest.mark.parametrize("size", [1, 2, 3, 7])
def test_rollouts_come_in_pages(workspace: Workspace, candidate: str, size: int) -> None:
    put_neighbour(workspace)
    run_id = put_run(workspace, RunKind.CBU)
    judgements.save_rollouts(workspace, [rollout(run_id, arm, n) for arm in ("", candidate) for n in range(3)])
    pages = [judgements.rollouts_of_run(workspace, run_id, limit=size)]
    while pages[-1]:
        pages.append(judgements.rollouts_of_run(workspace, run_id, limit=size, after=pages[-1][-1]))
    assert tuple(one for page in pages for one in page) == judgements.rollouts_of_run(workspace, run_id)
    assert max(len(page) for page in pages) <= size


def test_a_utility_comes_back_and_is_updated_in_place(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace, RunKind.CBU)
    started = utility(run_id, candidate, mean=None, low=None, high=None, neighbours=(), control=(), complete=False)
    judgements.save_utilities(workspace, [started])
    assert judgements.utilities_of_question(workspace, QUESTION_ID) == (started,)
    judgements.save_utilities(workspace, [utility(run_id, candidate)])
    assert judgements.utilities_of_question(workspace, QUESTION_ID) == (utility(run_id, candidate),)


def test_a_utility_written_before_replies_were_counted_is_read(workspace: Workspace, candidate: str) -> None:
    run_id = put_run(workspace, RunKind.CBU)
    judgements.save_utilities(workspace, [utility(run_id, candidate)])
    older = json.dumps([{"neighbour_id": "n", "solved": 3, "decided": 4, "undecided": 1}])
    workspace.write(lambda conn: conn.execute(update(UtilityTable).values(neighbours=older, control="[]")))
    (found,) = judgements.utilities_of_run(workspace, run_id)
    assert found.neighbours == (NeighbourValue("n", 3, 4, 1, replies=None, distinct=None, cut_off=None),)


def test_each_candidate_has_the_utility_of_its_newest_run(workspace: Workspace, candidate: str) -> None:
    other = put_candidate(workspace, "Another answer.")
    first, second, third = (put_run(workspace, RunKind.CBU) for _ in range(3))
    newest = utility(third, candidate, mean=0.1)
    for row in (newest, utility(second, other), utility(first, candidate)):
        judgements.save_utilities(workspace, [row])
    assert judgements.utilities_of_question(workspace, QUESTION_ID) == (newest, utility(second, other))
    assert judgements.utilities_of_question(workspace, "elsewhere:1") == ()


def test_a_run_that_has_only_begun_does_not_replace_a_finished_one(workspace: Workspace, candidate: str) -> None:
    first, second, third = (put_run(workspace, RunKind.CBU) for _ in range(3))
    finished, begun = utility(first, candidate), utility(second, candidate, mean=1.0, complete=False)
    nothing = utility(third, candidate, mean=None, low=None, high=None)
    for row in (begun, finished, nothing):
        judgements.save_utilities(workspace, [row])
    assert judgements.utilities_of_question(workspace, QUESTION_ID) == (finished,)
    judgements.save_utilities(workspace, [replace(begun, complete=True)])
    assert judgements.utilities_of_question(workspace, QUESTION_ID) == (replace(begun, complete=True),)


def test_a_finished_run_without_a_figure_does_not_replace_an_unfinished_one_with_one(
    workspace: Workspace, candidate: str
) -> None:
    begun = utility(put_run(workspace, RunKind.CBU), candidate, complete=False)
    nothing = utility(put_run(workspace, RunKind.CBU), candidate, mean=None, low=None, high=None)
    for row in (begun, nothing):
        judgements.save_utilities(workspace, [row])
    assert judgements.utilities_of_question(workspace, QUESTION_ID) == (begun,)


def test_utilities_of_a_run_come_in_the_order_of_the_candidates(workspace: Workspace, candidate: str) -> None:
    other, run_id = put_candidate(workspace, "Another answer."), put_run(workspace, RunKind.CBU)
    rows = [utility(run_id, candidate, complete=False), utility(run_id, other)]
    for row in (*reversed(rows), utility(put_run(workspace, RunKind.CBU), candidate)):
        judgements.save_utilities(workspace, [row])
    assert judgements.utilities_of_run(workspace, run_id) == tuple(rows)
