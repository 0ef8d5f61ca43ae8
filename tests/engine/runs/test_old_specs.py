"""Runs that uq-tui 0.1.0 pinned go on as they began: the same prompts, the same calls."""

import json
from pathlib import Path
from typing import Any

import pytest

from store import runs
from store.run_rows import Run
from store.workspace import Workspace
from tests.engine.runs.judged import following, outcomes
from tests.engine.runs.scripted import REJECT, Scripted, conduct
from uq_tui.words import Outcome, RunKind

OLD: dict[str, Any] = json.loads(Path(__file__).with_name("specs_of_0_1_0.json").read_text(encoding="utf-8"))
"""A spec of 0.1.0, and for each of its strategies what it pinned of it and the keys of all its calls."""
SECRET = b"workspace secret of these tests"


def stored(ws: Workspace, strategy: str) -> Run:
    """A run as 0.1.0 has left it, before its first call."""
    ws.secret = SECRET
    kept = OLD["strategies"][strategy]
    spec = {**OLD["spec"], "strategy": kept["strategy"], "stages": kept["stages"]}
    return runs.create(ws, RunKind.VALIDATE, "kept", spec, 1)


@pytest.mark.parametrize("strategy", OLD["strategies"])
async def test_an_old_run_asks_what_it_would_have_asked(workspace: Workspace, candidate: str, strategy: str) -> None:
    run = stored(workspace, strategy)
    model = Scripted(workspace, following({}))
    await conduct(model, run)

    assert sorted(Scripted.key(ask, 0) for ask in model.asks) == sorted(OLD["strategies"][strategy]["keys"])
    assert set(outcomes(workspace).values()) == {Outcome.ACCEPT}


async def test_an_old_run_decides_as_it_would_have_decided(workspace: Workspace, candidate: str) -> None:
    run = stored(workspace, "3-iter")
    await conduct(Scripted(workspace, following({"fact_logic/2": REJECT})), run)

    found = outcomes(workspace)
    assert (found["cycle_consistency"], found["fact_logic"], found["fact_logic/3"]) == (
        Outcome.ACCEPT,
        Outcome.REJECT,
        Outcome.SKIPPED,
    )
    assert (found["correctness"], found[""]) == (Outcome.SKIPPED, Outcome.REJECT)
