"""Marks of calls in flight, and what a run has used: nothing is lost between a mark and its end."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import calls, marks
from store.marks import NOTHING, End, Mark, Used
from store.workspace import Workspace
from tests.store.records.stock import call, put_run
from uq_tui.words import CallErrorKind, CallState

CUT_OFF = call("k", state=CallState.FAILED, error_kind=CallErrorKind.CANCELLED)


def test_an_end_keeps_the_call_and_takes_back_its_own_mark(workspace: Workspace) -> None:
    run_id, other = put_run(workspace), put_run(workspace)
    marks.put(workspace, [Mark(run_id, "k"), Mark(run_id, "j"), Mark(other, "k", Used(0.5, 70))])

    marks.put(workspace, [End(run_id, "k", call=call("k"))])

    assert calls.get(workspace, "k") == call("k")
    assert marks.count_left(workspace, run_id) == 1
    assert marks.count_left(workspace, other) == 1, "the other run may have paid for it too"
    assert marks.used(workspace, other) == Used(0.5, 70)


def test_a_call_that_was_cut_off_stays_marked_and_its_use_is_counted_once(workspace: Workspace) -> None:
    run_id = put_run(workspace)
    marks.put(workspace, [Mark(run_id, "k", Used(0.5, 70))])

    marks.put(workspace, [End(run_id, "k", Used(0.5, 70), CUT_OFF)])

    assert marks.count_left(workspace, run_id) == 1
    assert marks.used(workspace, run_id) == Used(0.5, 70)


def test_an_end_without_a_call_leaves_nothing(workspace: Workspace) -> None:
    run_id = put_run(workspace)

    marks.put(workspace, [End(run_id, "k"), Mark(run_id, "k", Used(0.5, 70))])

    assert calls.get(workspace, "k") is None
    assert marks.count_left(workspace, run_id) == 0


def test_notes_are_stored_whole_or_not_at_all(workspace: Workspace) -> None:
    run_id = put_run(workspace)
    broken = call("k", parameters={"temperature": float("nan")})

    with pytest.raises(ValueError, match="JSON compliant"):
        marks.put(workspace, [Mark(run_id, "k", Used(0.5, 70)), End(run_id, "k", Used(0.1, 1), broken)])

    assert marks.count_left(workspace, run_id) == 0
    assert marks.used(workspace, run_id) == NOTHING


def test_no_notes_are_nothing(workspace: Workspace) -> None:
    run_id = put_run(workspace)
    marks.put(workspace, [])
    assert marks.count_left(workspace, run_id) == 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=40)
@given(st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), max_size=5), st.booleans())
def test_a_stop_after_any_note_leaves_all_use_counted(
    workspace: Workspace, requests: list[list[int]], answered: bool
) -> None:
    """For each call what its requests have used, of at most 10 tokens each; the last note may be missing."""
    run_id = put_run(workspace)
    least = 0
    for n, used in enumerate(requests):
        before = 0
        for tokens in used:
            marks.put(workspace, [Mark(run_id, f"{run_id} {n}", Used(0.0, 10), Used(0.0, before))])
            before = tokens
        if answered or n + 1 < len(requests):
            marks.put(workspace, [End(run_id, f"{run_id} {n}", Used(0.0, before), call(f"{run_id} {n}"))])
        least += sum(used)
    stopped = bool(requests) and not answered

    assert marks.count_left(workspace, run_id) == stopped
    assert marks.used(workspace, run_id).tokens == least + (10 - requests[-1][-1] if stopped else 0)
