"""Two windows on one store write a draft of the same verdict: both texts survive, and the later is told."""

import asyncio
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from threading import Barrier

import pytest

from store import candidates, drafts, queues, reviewers, verdicts
from store.rows import VerdictForm
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION
from tests.state.reviewing.laid_out import add_problem, desk_of, make_queue, reviewing
from tests.store.stock import candidate, question, take
from uq_tui.errors import DraftMovedError, VerdictMovedError
from uq_tui.state.reviewing.review import ReviewState
from uq_tui.state.verdict.editor import Side, VerdictEditor
from uq_tui.words import Label


@pytest.fixture
def other(workspace: Workspace) -> Iterator[Workspace]:
    """The same file, opened once more, as another process does."""
    opened = Workspace.open(workspace.path)
    yield opened
    opened.close()


def judged_candidate(ws: Workspace) -> tuple[str, str]:
    """The reviewer's id and the id of a candidate that is theirs to judge."""
    take(ws, question(1))
    (key,) = candidates.add(ws, [candidate("It is so.")])
    return reviewers.current(ws).id, key


def texts(ws: Workspace, reviewer_id: str, candidate_id: str) -> set[str]:
    """The rationales that are kept of a candidate, as its draft and beside it."""
    draft = drafts.get(ws, reviewer_id, candidate_id)
    kept = {copy.form.rationale for copy in drafts.copies(ws, reviewer_id, candidate_id)}
    return kept | ({draft.form.rationale} if draft is not None else set())


def write(editor: VerdictEditor, text: str) -> None:
    editor.edit(lambda form: replace(form, rationale=text))


def test_of_drafts_written_at_the_same_moment_one_is_told_and_all_are_kept(
    workspace: Workspace, other: Workspace
) -> None:
    reviewer_id, key = judged_candidate(workspace)
    first = drafts.save(workspace, reviewer_id, key, VerdictForm(rationale="Begun."), based_on=0)
    ready = Barrier(2)

    def keep(ws: Workspace, text: str) -> str:
        """What another window has written in its place; empty where none has."""
        ready.wait()
        try:
            drafts.save(ws, reviewer_id, key, VerdictForm(rationale=text), based_on=first)
        except DraftMovedError as moved:
            return str(moved.theirs.form.rationale)
        return ""

    with ThreadPoolExecutor(2) as threads:
        told = list(threads.map(keep, (workspace, other), ("Mine.", "Theirs.")))
    assert told in (["Theirs.", ""], ["", "Mine."])
    assert texts(workspace, reviewer_id, key) == {"Mine.", "Theirs."}


async def two(workspace: Workspace, other: Workspace) -> tuple[ReviewState, ReviewState]:
    """Two windows at the same item of a queue."""
    desk = await desk_of(workspace)
    queue = make_queue(workspace, desk, add_problem(workspace, QUESTION, "It is 1.", "It is 2."))
    here, _ = await reviewing(desk, queue)
    there, _ = await reviewing(await desk_of(other), queue)
    assert here.item == there.item
    return here, there


def kept_of(state: ReviewState, candidate_id: str) -> set[str]:
    return texts(state.desk.workspace, state.desk.reviewer.id, candidate_id)


async def test_the_window_that_pauses_later_is_told_and_may_choose_either_text(
    workspace: Workspace, other: Workspace
) -> None:
    here, there = await two(workspace, other)
    assert here.item is not None
    write(here.editor, "Mine.")
    write(there.editor, "Theirs.")
    await there.editor.save_draft()
    with pytest.raises(DraftMovedError):
        await here.editor.save_draft()
    assert kept_of(here, here.item.candidate_id) == {"Mine.", "Theirs."}
    assert here.editor.form.rationale == "Mine."

    await here.editor.keep(Side.MINE)
    draft = drafts.get(other, there.desk.reviewer.id, here.item.candidate_id)
    assert draft is not None
    assert draft.form.rationale == "Mine."
    assert kept_of(here, here.item.candidate_id) == {"Mine.", "Theirs."}

    write(there.editor, "Theirs, longer.")
    with pytest.raises(DraftMovedError):
        await there.editor.save_draft()
    await there.editor.keep(Side.THEIRS)
    assert there.editor.form.rationale == "Mine."
    assert kept_of(here, here.item.candidate_id) == {"Mine.", "Theirs.", "Theirs, longer."}


async def go_to_last(state: ReviewState) -> None:
    assert state.queue is not None
    *_, last = queues.items(state.desk.workspace, state.queue.id, state.desk.reviewer.id)
    await state.go_to(last.id)


WAYS = {
    "go to another item": go_to_last,
    "put off": ReviewState.put_off,
    "undo": ReviewState.undo,
}


@pytest.mark.parametrize("way", WAYS)
async def test_whoever_moves_on_from_a_draft_that_another_window_moved_is_told(
    workspace: Workspace, other: Workspace, way: str
) -> None:
    desk = await desk_of(workspace)
    queue = make_queue(workspace, desk, add_problem(workspace, QUESTION, "It is 1.", "It is 2.", "It is 3."))
    here, clock = await reviewing(desk, queue)
    await here.give(Label.CORRECT)
    there, _ = await reviewing(await desk_of(other), queue)
    assert here.item is not None
    assert here.item == there.item
    key = here.item.candidate_id
    write(here.editor, "Mine.")
    write(there.editor, "Theirs.")
    await there.editor.save_draft()
    clock.wait()
    await WAYS[way](here)
    assert here.item.candidate_id != key
    assert kept_of(here, key) == {"Mine.", "Theirs."}
    assert "Another window" in here.note


async def test_a_verdict_given_in_one_window_leaves_the_words_of_the_other(
    workspace: Workspace, other: Workspace
) -> None:
    here, there = await two(workspace, other)
    assert here.item is not None
    key = here.item.candidate_id
    write(there.editor, "Theirs.")
    await there.give(Label.CORRECT)
    write(here.editor, "Mine.")
    here.editor.edit(lambda form: replace(form, label=Label.INCORRECT))
    with pytest.raises(VerdictMovedError):
        await here.editor.save(key)
    standing = verdicts.latest(workspace, here.desk.reviewer.id, key)
    assert standing is not None
    assert (standing.label, standing.record["rationale"]) == (Label.CORRECT, "Theirs.")
    assert kept_of(here, key) == {"Mine."}
    await here.editor.save(key)
    standing = verdicts.latest(workspace, here.desk.reviewer.id, key)
    assert standing is not None
    assert (standing.revision, standing.label, standing.record["rationale"]) == (2, Label.INCORRECT, "Mine.")


async def test_what_another_window_has_undone_is_told_once_then_undo_goes_on(
    workspace: Workspace, other: Workspace
) -> None:
    desk = await desk_of(workspace)
    queue = make_queue(workspace, desk, add_problem(workspace, QUESTION, "It is 1.", "It is 2.", "It is 3."))
    here, clock = await reviewing(desk, queue)
    for _ in range(2):
        await here.give(Label.CORRECT)
        clock.wait()
    there, _ = await reviewing(await desk_of(other), queue)
    await there.undo()
    with pytest.raises(VerdictMovedError, match="Undo again"):
        await here.undo()
    assert here.recorded == ""
    clock.wait()
    assert await here.undo()
    assert queues.progress(workspace, queue.id, desk.reviewer.id).decided == 0


@pytest.mark.parametrize("seed", range(4))
async def test_no_word_that_was_kept_is_lost_whoever_writes_when(
    workspace: Workspace, other: Workspace, seed: int
) -> None:
    chance = random.Random(seed)
    windows = await two(workspace, other)
    assert windows[0].item is not None
    key = windows[0].item.candidate_id
    kept: list[str] = []
    for number in range(12):
        editor = chance.choice(windows).editor
        write(editor, f"{number}: {editor.form.rationale}")
        kept.append(editor.form.rationale)
        try:
            await editor.save_draft()
        except DraftMovedError:
            await editor.keep(chance.choice(list(Side)))
        await asyncio.sleep(0)
        held = kept_of(windows[0], key)
        assert any(text.startswith(kept[-1]) for text in held)
    # A text that a longer one was made of is in that; every other one is kept by itself.
    assert all(any(one in other_text for other_text in kept_of(windows[0], key)) for one in kept)
