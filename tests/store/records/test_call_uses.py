from dataclasses import replace

from store import call_uses, calls
from store.call_uses import CallUse
from store.workspace import Workspace
from tests.kept_calls import stored_call
from uq_tui.words import CallState


def test_what_calls_took_is_read_without_their_texts(workspace: Workspace) -> None:
    kept = replace(stored_call("k", "r", "A reply."), tokens_in=10, tokens_out=2, cost_usd=0.5, attempts=3)
    calls.save(workspace, [kept, stored_call("other", "r", "")])
    assert call_uses.of_keys(workspace, ["k", "unknown"]) == {
        "k": CallUse("k", "m", "check.correctness", CallState.DONE, 10, 2, 0.5, 3, "r")
    }


def test_what_nobody_reported_is_unknown(workspace: Workspace) -> None:
    calls.save(workspace, [stored_call("k", "r", "half", CallState.FAILED)])
    use = call_uses.of_keys(workspace, ["k"])["k"]
    assert (use.state, use.tokens_in, use.cost_usd) == (CallState.FAILED, None, None)


def test_thousands_of_keys_are_one_query(workspace: Workspace) -> None:
    calls.save(workspace, [stored_call(f"k{n}", "r", "") for n in range(300)])
    assert len(call_uses.of_keys(workspace, [f"k{n}" for n in range(100_000)])) == 300
