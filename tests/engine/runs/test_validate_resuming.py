"""That a validation survives an interruption, and stops when what it is about has changed."""

import asyncio
from pathlib import Path

import pytest

from prompts.loader import load_template
from store import runs
from store.workspace import Workspace
from tests.engine.runs.judged import following, judged, outcomes
from tests.engine.runs.scripted import (
    ACCEPT,
    FAILED,
    MODEL,
    QUESTION,
    REJECT,
    UNREADABLE,
    Said,
    Scripted,
    add_candidates,
    add_question,
    conduct,
    start,
)
from uq_tui.engine.requests import ValidateRequest
from uq_tui.engine.spec import Ask
from uq_tui.errors import UqError
from uq_tui.words import Outcome, RunKind

A, R, F = Outcome.ACCEPT, Outcome.REJECT, Outcome.FAILED


@pytest.mark.parametrize("sent", range(11))
async def test_a_run_cut_off_anywhere_is_completed_without_asking_anything_again(
    workspace: Workspace, candidate: str, sent: int
) -> None:
    script = following({"fact_logic/2": UNREADABLE, "fact_logic/2!": ACCEPT, "correctness/3": REJECT})
    run = start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL))
    first = Scripted(workspace, script, die_after=sent)
    with pytest.raises(asyncio.CancelledError):
        await conduct(first, run)
    second = Scripted(workspace, script)
    await conduct(second, runs.get(workspace, run.id))

    assert len(first.asks) == sent
    assert len(first.asks) + len(second.asks) == 11
    keys = [Scripted.key(ask, 0) for ask in (*first.asks, *second.asks)]
    assert len(set(keys)) == 11
    found = outcomes(workspace)
    assert (found["fact_logic/2"], found["correctness"], found[""]) == (A, R, R)


async def test_resuming_replaces_what_a_failed_call_had_left_undecided(workspace: Workspace, candidate: str) -> None:
    run = start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL))
    await conduct(Scripted(workspace, following({"fact_logic/2": FAILED})), run)
    assert outcomes(workspace)[""] is F
    await conduct(Scripted(workspace, following({})), run)

    assert set(outcomes(workspace).values()) == {A}


async def test_resuming_uses_the_pinned_prompts(workspace: Workspace, candidate: str, home: Path) -> None:
    run = start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL, "1-iter"))
    folder = home / "config" / "templates"
    folder.mkdir(parents=True, exist_ok=True)
    source = load_template("check.correctness").source.replace("You check whether", "OVERRIDE: you check whether")
    (folder / "check.correctness.md").write_text(source, encoding="utf-8")
    model = Scripted(workspace, following({}))
    await conduct(model, run)
    later = await judged(workspace, following({}), [candidate], "1-iter")

    assert not any("OVERRIDE" in ask.messages[0].content for ask in model.asks)
    assert [ask.template.name for ask in later.asks] == ["check.correctness"]
    assert "OVERRIDE" in later.asks[0].messages[0].content
    assert later.asks[0].template.sha256 != model.asks[-1].template.sha256


async def test_a_changed_question_stops_the_run(workspace: Workspace, candidate: str) -> None:
    run = start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL))
    add_question(workspace, body="How many are there now?")
    model = Scripted(workspace, following({}))

    with pytest.raises(UqError, match=f"Question {QUESTION} reads differently"):
        await conduct(model, run)
    assert model.asks == []


async def test_one_error_stops_all_candidates(workspace: Workspace) -> None:
    add_question(workspace)
    found = add_candidates(workspace, "One.", "Two.", "Three.")

    def script(ask: Ask) -> Said:
        if ask.candidate_id == found[1]:
            raise UqError("no such model")
        return following({})(ask)

    with pytest.raises(UqError, match="no such model"):
        await judged(workspace, script, found)
    waiting = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
    assert waiting == []


async def test_a_fresh_run_asks_anew_and_a_plain_one_remembers(workspace: Workspace, candidate: str) -> None:
    async def run_again(fresh: bool) -> tuple[int, int]:
        model = Scripted(workspace, following({}))
        run = start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL, fresh=fresh))
        await conduct(model, run)
        return run.spec["epoch"], len(model.asks)

    assert await run_again(False) == (0, 10)
    assert await run_again(False) == (0, 0)
    assert await run_again(True) == (1, 10)
    assert await run_again(True) == (2, 10)
    assert await run_again(False) == (0, 0)


async def test_a_fresh_epoch_is_counted_on_the_same_candidates_only(workspace: Workspace, candidate: str) -> None:
    (other,) = add_candidates(workspace, "Other.")
    start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL, fresh=True))
    start(workspace, RunKind.VALIDATE, ValidateRequest((candidate,), MODEL, fresh=True))

    first = start(workspace, RunKind.VALIDATE, ValidateRequest((other,), MODEL, fresh=True))
    both = start(workspace, RunKind.VALIDATE, ValidateRequest((other, candidate), MODEL, fresh=True))

    assert (first.spec["epoch"], both.spec["epoch"]) == (0, 2)
