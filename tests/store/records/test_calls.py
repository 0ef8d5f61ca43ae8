"""Calls are kept whole, and a finished one for good."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store import calls
from store.run_rows import Message
from store.workspace import Workspace
from tests.store.records.stock import call
from uq_tui.errors import StoreError
from uq_tui.words import CallErrorKind, CallState

FAILED: dict[str, Any] = {
    "state": CallState.FAILED,
    "error_kind": CallErrorKind.TIMEOUT,
    "error": "no chunk for 60 s",
    "reply": "X: acc",
    "cost_usd": None,
    "tokens_in": None,
    "tokens_out": None,
    "latency_s": None,
}


def test_a_call_comes_back_as_it_was(workspace: Workspace) -> None:
    calls.save(workspace, [call()])
    assert calls.get(workspace, "k1") == call()


def test_a_failed_call_comes_back_with_what_had_arrived(workspace: Workspace) -> None:
    calls.save(workspace, [call(**FAILED)])
    assert calls.get(workspace, "k1") == call(**FAILED)


def test_an_unknown_key_is_none(workspace: Workspace) -> None:
    assert calls.get(workspace, "k1") is None


def test_only_stored_keys_are_found(workspace: Workspace) -> None:
    keys = [f"k{n}" for n in range(1_200)]
    calls.save(workspace, [call(key) for key in keys[::2]])
    assert sorted(calls.find(workspace, keys)) == sorted(keys[::2])


def test_saving_nothing_is_nothing(workspace: Workspace) -> None:
    calls.save(workspace, [])
    assert calls.find(workspace, []) == {}


def test_a_done_call_is_never_overwritten(workspace: Workspace) -> None:
    calls.save(workspace, [call()])
    calls.save(workspace, [call(reply="X: reject", attempts=3)])
    calls.save(workspace, [call(**FAILED)])
    assert calls.get(workspace, "k1") == call()


def test_a_failed_call_is_replaced_and_attempts_add_up(workspace: Workspace) -> None:
    calls.save(workspace, [call(**FAILED, attempts=3, run_id="first")])
    calls.save(workspace, [call(**{**FAILED, "error": "again"}, attempts=2, run_id="second")])
    stored = calls.get(workspace, "k1")
    assert stored is not None
    assert (stored.error, stored.attempts) == ("again", 5)
    calls.save(workspace, [call(run_id="third")])
    assert calls.get(workspace, "k1") == call(attempts=6, run_id="third")


def test_one_batch_may_hold_a_call_twice(workspace: Workspace) -> None:
    calls.save(workspace, [call(**FAILED), call(reply="first"), call(reply="second")])
    stored = calls.get(workspace, "k1")
    assert stored is not None
    assert (stored.reply, stored.attempts) == ("first", 2)


def test_a_batch_is_stored_whole_or_not_at_all(workspace: Workspace) -> None:
    with pytest.raises(ValueError, match="JSON compliant"):
        calls.save(workspace, [call("a"), call("b", parameters={"temperature": float("nan")})])
    assert calls.find(workspace, ["a", "b"]) == {}


def test_a_closed_workspace_says_so(workspace: Workspace) -> None:
    workspace.close()
    with pytest.raises(StoreError, match="closed"):
        calls.save(workspace, [call()])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
@given(st.text(alphabet=st.sampled_from('a\0\n\r\x85\u2028é𝔘\ud83d"\\'), max_size=12))
def test_any_text_survives(workspace: Workspace, text: str) -> None:
    odd = call(text.encode("utf-8", "surrogatepass").hex(), messages=(Message("user", text),), reply=text)
    odd = call(odd.key, messages=odd.messages, reply=text, reasoning=text, error=text, model=text, endpoint=text)
    calls.save(workspace, [odd])
    assert calls.get(workspace, odd.key) == odd
