"""Runs: what they pin and count, and who holds them."""

from functools import partial

import pytest

from store import marks, runs
from store.marks import Mark
from store.workspace import Workspace
from tests.store.records.race import together
from tests.store.records.stock import SPEC, put_run
from uq_tui.errors import NotFoundError
from uq_tui.words import RunKind, RunState


class Clock:
    """A wall clock that stands until it is moved."""

    def __init__(self) -> None:
        self.at = 1_800_000_000.0

    def time(self) -> float:
        return self.at


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(runs, "time", made)
    return made


def test_a_new_run_is_queued_with_what_it_pins(workspace: Workspace) -> None:
    made = runs.create(workspace, RunKind.CBU, "utility of c1", {**SPEC, "odd": "\ud83d\0"}, 8)
    assert (made.kind, made.state, made.title, made.total) == (RunKind.CBU, RunState.QUEUED, "utility of c1", 8)
    assert made.spec == {**SPEC, "odd": "\ud83d\0"}
    assert (made.done, made.asked, made.cost_usd, made.finished_at) == (0, 0, None, None)
    assert runs.get(workspace, made.id) == made


def test_an_unknown_run_is_not_found(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError, match="no run r9"):
        runs.get(workspace, "r9")
    with pytest.raises(NotFoundError):
        runs.set_state(workspace, "r9", RunState.DONE)
    with pytest.raises(NotFoundError):
        runs.add_counts(workspace, "r9", done=1, total=1)
    with pytest.raises(NotFoundError):
        marks.count_left(workspace, "r9")


def test_the_newest_runs_come_first(workspace: Workspace) -> None:
    made = [put_run(workspace) for _ in range(3)]
    assert [run.id for run in runs.recent(workspace, limit=2)] == made[:0:-1]


@pytest.mark.parametrize("state", [RunState.DONE, RunState.FAILED, RunState.CANCELLED])
def test_a_finished_run_says_when_and_why(workspace: Workspace, state: RunState) -> None:
    run_id = put_run(workspace)
    runs.set_state(workspace, run_id, state, "the budget is spent")
    finished = runs.get(workspace, run_id)
    assert (finished.state, finished.message) == (state, "the budget is spent")
    assert finished.finished_at is not None


def test_a_resumed_run_is_no_longer_finished(workspace: Workspace) -> None:
    run_id = put_run(workspace)
    runs.set_state(workspace, run_id, RunState.CANCELLED, "by the user")
    runs.set_state(workspace, run_id, RunState.RUNNING)
    resumed = runs.get(workspace, run_id)
    assert (resumed.state, resumed.message, resumed.finished_at) == (RunState.RUNNING, "", None)


def test_units_are_set_and_the_rest_adds_up(workspace: Workspace) -> None:
    run_id = put_run(workspace)
    runs.add_counts(workspace, run_id, done=1, total=9, asked=3, remembered=1, cost_usd=0.25, unknown_costs=1)
    runs.add_counts(workspace, run_id, done=2, total=9, asked=2, failed=1, cost_usd=0.5)
    run = runs.get(workspace, run_id)
    assert (run.done, run.total, run.asked, run.remembered, run.failed, run.unknown_costs) == (2, 9, 5, 1, 1, 1)
    assert run.cost_usd == 0.75


def test_counts_alone_leave_the_units(workspace: Workspace) -> None:
    run_id = put_run(workspace)
    runs.add_counts(workspace, run_id, done=4, total=5)
    runs.add_counts(workspace, run_id, asked=1)
    run = runs.get(workspace, run_id)
    assert (run.done, run.total, run.asked) == (4, 5, 1)


def test_unknown_costs_stay_unknown(workspace: Workspace) -> None:
    run_id = put_run(workspace)
    runs.add_counts(workspace, run_id, unknown_costs=2)
    assert runs.get(workspace, run_id).cost_usd is None
    runs.add_counts(workspace, run_id, cost_usd=0.0)
    assert runs.get(workspace, run_id).cost_usd == 0.0


def test_calls_in_flight_at_a_kill_are_counted_once(workspace: Workspace) -> None:
    run_id, other = put_run(workspace), put_run(workspace)
    marks.put(workspace, [Mark(run_id, key) for key in ["a", "b", "a"]])
    marks.put(workspace, [Mark(run_id, key) for key in ["b"]])
    marks.put(workspace, [Mark(other, key) for key in ["a"]])
    assert marks.count_left(workspace, run_id) == 2
    assert runs.get(workspace, run_id).repeated == 2
    assert marks.count_left(workspace, run_id) == 0
    assert marks.count_left(workspace, other) == 1


def test_each_kill_counts_its_own(workspace: Workspace) -> None:
    run_id = put_run(workspace)
    for _ in range(2):
        marks.put(workspace, [Mark(run_id, key) for key in ["a"]])
        assert marks.count_left(workspace, run_id) == 1
    assert runs.get(workspace, run_id).repeated == 2


def test_one_owner_holds_a_lease(workspace: Workspace, clock: Clock) -> None:
    run_id = put_run(workspace)
    assert runs.claim(workspace, run_id, "a")
    assert not runs.claim(workspace, run_id, "b")
    assert runs.claim(workspace, run_id, "a")


def test_a_lease_runs_out(workspace: Workspace, clock: Clock) -> None:
    run_id = put_run(workspace)
    runs.claim(workspace, run_id, "a")
    clock.at += runs.LEASE_SECONDS - 0.1
    assert not runs.claim(workspace, run_id, "b")
    clock.at += 0.1
    assert runs.claim(workspace, run_id, "b")
    assert not runs.renew(workspace, run_id, "a")


def test_what_is_held_is_told_with_the_end_of_its_lease(workspace: Workspace, clock: Clock) -> None:
    run_id, other = put_run(workspace), put_run(workspace)
    finished = put_run(workspace)
    for one in (other, finished, run_id):
        runs.claim(workspace, one, "a")
    runs.set_state(workspace, finished, RunState.DONE)
    until = clock.at + runs.LEASE_SECONDS
    assert [(run.id, at) for run, at in runs.held(workspace)] == [(run_id, until), (other, until)]

    clock.at = until
    assert runs.held(workspace) == ()
    assert {run.id for run in runs.interrupted(workspace)} == {run_id, other}


def test_renewing_prolongs_a_lease(workspace: Workspace, clock: Clock) -> None:
    run_id = put_run(workspace)
    runs.claim(workspace, run_id, "a")
    for _ in range(3):
        clock.at += runs.LEASE_SECONDS - 1
        assert runs.renew(workspace, run_id, "a")
    assert not runs.claim(workspace, run_id, "b")


def test_a_released_lease_is_free(workspace: Workspace, clock: Clock) -> None:
    run_id = put_run(workspace)
    runs.claim(workspace, run_id, "a")
    runs.release(workspace, run_id, "b")
    assert not runs.claim(workspace, run_id, "b")
    runs.release(workspace, run_id, "a")
    assert runs.claim(workspace, run_id, "b")


def test_a_lease_from_the_future_is_void(workspace: Workspace, clock: Clock) -> None:
    run_id = put_run(workspace)
    runs.claim(workspace, run_id, "a")
    clock.at -= 3_600
    assert runs.claim(workspace, run_id, "b")


def test_an_unknown_run_has_no_lease(workspace: Workspace) -> None:
    assert not runs.claim(workspace, "r9", "a")


def test_unfinished_runs_that_nobody_holds_were_interrupted(workspace: Workspace, clock: Clock) -> None:
    queued, running, held, done = (put_run(workspace) for _ in range(4))
    runs.set_state(workspace, running, RunState.RUNNING)
    runs.set_state(workspace, done, RunState.DONE)
    runs.claim(workspace, running, "dead")
    clock.at += runs.LEASE_SECONDS
    runs.claim(workspace, held, "alive")
    assert [run.id for run in runs.interrupted(workspace)] == [queued, running]
    assert runs.cut_short(workspace) == runs.interrupted(workspace)


def test_a_run_that_was_stopped_was_not_cut_short(workspace: Workspace) -> None:
    run_id = put_run(workspace)
    runs.set_state(workspace, run_id, RunState.INTERRUPTED)
    assert [run.id for run in runs.interrupted(workspace)] == [run_id]
    assert runs.cut_short(workspace) == ()


def test_a_process_finds_what_it_works_on(workspace: Workspace, clock: Clock) -> None:
    first, ended, others, _ = (put_run(workspace) for _ in range(4))
    for run_id in (first, ended):
        runs.claim(workspace, run_id, "a")
        runs.set_state(workspace, run_id, RunState.RUNNING)
    runs.claim(workspace, others, "b")
    runs.set_state(workspace, ended, RunState.DONE)
    assert [run.id for run in runs.held_by(workspace, "a")] == [first]
    clock.at += runs.LEASE_SECONDS
    assert runs.held_by(workspace, "a") == ()


def test_of_two_threads_one_gets_the_lease(workspace: Workspace) -> None:
    for _ in range(20):
        claim = partial(runs.claim, workspace, put_run(workspace))
        assert sorted(together(partial(claim, "a"), partial(claim, "b"))) == [False, True]


def test_of_two_processes_one_gets_the_lease(workspace: Workspace) -> None:
    # A second opening has its own writer and connection, as a second process has.
    other = Workspace.open(workspace.path)
    try:
        for _ in range(10):
            run_id = put_run(workspace)
            claims = [partial(runs.claim, ws, run_id, owner) for ws, owner in ((workspace, "a"), (other, "b"))]
            assert sorted(together(*claims)) == [False, True]
    finally:
        other.close()
