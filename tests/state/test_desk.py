"""When the app is new to somebody: the tour begins by itself then, and only then."""

from store import decisions, runs
from store.review_rows import NewItem
from store.rows import VerdictForm
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.state.reviewing.laid_out import desk_of, make_queue
from uq_tui.words import Label, RunKind


async def test_a_workspace_where_nothing_was_done_is_new(workspace: Workspace) -> None:
    add_question(workspace)
    add_candidates(workspace, "It is so.")
    assert await (await desk_of(workspace)).is_new()


async def test_after_a_verdict_it_is_not(workspace: Workspace) -> None:
    add_question(workspace)
    (key,) = add_candidates(workspace, "It is so.")
    desk = await desk_of(workspace)
    decisions.record(workspace, desk.reviewer, key, VerdictForm(label=Label.CORRECT), based_on=None)
    assert not await desk.is_new()


async def test_with_a_queue_it_is_not(workspace: Workspace) -> None:
    add_question(workspace)
    (key,) = add_candidates(workspace, "It is so.")
    desk = await desk_of(workspace)
    make_queue(workspace, desk, [NewItem(QUESTION, key)])
    assert not await desk.is_new()


async def test_after_a_run_it_is_not(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    runs.create(workspace, RunKind.VALIDATE, "Checks", {}, 0)
    assert not await desk.is_new()
