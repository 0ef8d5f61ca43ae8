"""Plug-ins as stages: the one that ships, in its real process, between checks by a scripted judge."""

from dataclasses import replace

import pytest

from store import runs
from store.run_rows import Run
from store.workspace import Workspace
from tests.engine.runs.judged import following, outcomes, rows
from tests.engine.runs.scripted import MODEL, REJECT, Scripted, add_candidates, add_question, conduct, start
from uq_tui.engine.requests import ValidateRequest
from uq_tui.errors import PluginError
from uq_tui.plugins import registry, running
from uq_tui.plugins.spec import Finding
from uq_tui.words import Outcome, RunKind

A, R, U, F, S = Outcome.ACCEPT, Outcome.REJECT, Outcome.UNPARSED, Outcome.FAILED, Outcome.SKIPPED
NAME = "numeric_identity"
STRATEGY = f"plugin({NAME}) => correctness"


def begun(ws: Workspace, answer: str, strategy: str = STRATEGY) -> Run:
    add_question(ws)
    (candidate,) = add_candidates(ws, answer)
    return start(ws, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL, strategy))


async def test_a_plugin_that_rejects_saves_the_calls_behind_it(workspace: Workspace) -> None:
    model = Scripted(workspace, following({}))
    await conduct(model, begun(workspace, "For all real $x$, $(x+1)^2 = x^2 + 1$."))

    assert outcomes(workspace) == {"": R, NAME: R, "correctness": S}
    assert model.asks == []


async def test_a_plugin_that_does_not_apply_leaves_the_count(workspace: Workspace) -> None:
    model = Scripted(workspace, following({}))
    await conduct(model, begun(workspace, "It is a matter of taste."))

    found = {row.path: (row.outcome, row.reason) for row in rows(workspace)}
    assert found[NAME][0] is S
    assert found[""] == (A, f"every other stage accepted, {NAME} didn't apply")
    assert [ask.path for ask in model.asks] == ["correctness"]


async def test_nothing_but_a_plugin_that_does_not_apply_decides_nothing(workspace: Workspace) -> None:
    await conduct(Scripted(workspace, following({})), begun(workspace, "It is a matter of taste.", f"plugin({NAME})"))

    assert outcomes(workspace) == {"": U, NAME: S}


async def test_a_vote_leaves_it_out_too(workspace: Workspace) -> None:
    strategy = f"{{plugin({NAME}), fact_logic, correctness}} majority"
    model = Scripted(workspace, following({"vote/fact_logic": REJECT}))
    await conduct(model, begun(workspace, "It is a matter of taste.", strategy))

    found = {row.path: (row.outcome, row.reason) for row in rows(workspace)}
    assert found["vote"] == (R, "0 of 2 accepted, 1 rejected, 1 didn't apply, majority needs 2")
    assert found["vote/correctness"] == (S, "decided by the votes before")


async def test_the_version_is_pinned_and_another_one_stops_the_run(workspace: Workspace) -> None:
    run = begun(workspace, "It is a matter of taste.")
    installed = registry.find(NAME).version
    other = runs.create(
        workspace, RunKind.VALIDATE, run.title, {**run.spec, "plugins": {NAME: f"{installed}.post1"}}, run.total
    )
    model = Scripted(workspace, following({}))

    assert run.spec["plugins"] == {NAME: installed}
    with pytest.raises(PluginError, match=f"version {installed}.post1 of the plug-in {NAME}; installed is {installed}"):
        await conduct(model, other)
    assert model.asks == []
    assert outcomes(workspace) == {}


async def test_a_plugin_that_is_gone_stops_the_run(workspace: Workspace) -> None:
    run = begun(workspace, "It is a matter of taste.")
    gone = replace(run, spec={**run.spec, "plugins": {"no_such": "1"}})

    with pytest.raises(PluginError, match="no_such"):
        await conduct(Scripted(workspace, following({})), gone)


@pytest.mark.parametrize(("first", "runs_again"), [(A, False), (R, False), (U, False), (S, True), (F, True)])
async def test_a_resumed_run_keeps_what_a_plugin_has_decided(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, first: Outcome, runs_again: bool
) -> None:
    found = [Finding(first, "first"), Finding(A, "second")]

    async def run(name: str, question: str, answer: str) -> Finding:
        assert (name, answer) == (NAME, "It is a matter of taste.")
        return found.pop(0)

    monkeypatch.setattr(running, "run", run)
    begun_run = begun(workspace, "It is a matter of taste.")
    for _ in range(2):
        await conduct(Scripted(workspace, following({})), begun_run)

    reason = {row.path: row.reason for row in rows(workspace)}[NAME]
    assert (reason, len(found)) == (("second", 0) if runs_again else ("first", 1))
