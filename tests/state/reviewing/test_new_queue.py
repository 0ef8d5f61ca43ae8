"""A queue being put together: what is typed, what would come of it, and what is made."""

import asyncio
from pathlib import Path

import pytest
import pytest_asyncio

from store import candidates, queues, reviewers
from store.rows import NewCandidate, Origin, QuestionFilter, Reviewer
from store.workspace import Workspace
from tests.fakes.scripted_engine import ScriptedEngine
from tests.store.stock import question, take
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import QueueSpecError, UqError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.new_queue import NewQueueEditor
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.words import AuthorKind, QueueMode, Resolution, ScoreBand, TextFormat


@pytest_asyncio.fixture
async def desk(workspace: Workspace) -> Desk:
    """Ten questions with two answers each."""
    take(workspace, *(question(n, title="Odd" if n % 2 else "Even") for n in range(10)))
    origin = Origin(AuthorKind.MODEL, model="m", source="f.jsonl")
    new = [NewCandidate(f"source:{n}", text, TextFormat.MARKDOWN, origin) for n in range(10) for text in ("a", "b")]
    candidates.add(workspace, new)
    return await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))


async def test_it_begins_with_everything_and_follows_what_is_typed(desk: Desk) -> None:
    editor = NewQueueEditor(desk, QuestionFilter())
    assert editor.spec() == QueueSpec()
    assert await editor.look()
    assert (editor.told, editor.problem) == ("10 problems, 20 candidates: 20 items.", "")
    editor.repeats = "10 %"
    await editor.look()
    first, second = editor.told.splitlines()
    assert first == "10 problems, 20 candidates: 21 items, 1 repeat."
    assert second.startswith("Repeats: 1 of 2.")


async def test_the_list_s_filter_is_offered_and_can_be_left(desk: Desk) -> None:
    editor = NewQueueEditor(desk, QuestionFilter(text="odd"))
    await editor.look()
    assert editor.told.startswith("5 problems")
    editor.only_listed = False
    await editor.look()
    assert editor.told.startswith("10 problems")


async def test_all_filters_of_the_list_but_resolution_hold_for_a_queue(desk: Desk) -> None:
    unlike = QuestionFilter(tags=("none",), domain="Business", score_band=ScoreBand.MANY, year="1999")
    like = QuestionFilter(score_band=ScoreBand.UNKNOWN, year="unknown")
    for listed, told in ((like, "10 problems"), (unlike, "0 problems")):
        editor = NewQueueEditor(desk, listed)
        assert QueueSpec.of(editor.spec().as_json()) == editor.spec()
        await editor.look()
        assert editor.told.startswith(told) or (told == "0 problems" and not editor.told)
    editor = NewQueueEditor(desk, QuestionFilter(resolution=Resolution.OPEN))
    with pytest.raises(QueueSpecError, match="resolution"):
        editor.spec()


@pytest.mark.parametrize("typed", ["x", "1e999999999999999999", "--", "5 5"])
def test_all_numbers_that_are_none_are_told_at_once(desk: Desk, typed: str) -> None:
    editor = NewQueueEditor(desk, QuestionFilter())
    editor.seed = editor.gold = typed
    with pytest.raises(QueueSpecError) as caught:
        editor.spec()
    assert caught.value.problems == ("The seed is no number.", "The share of gold items is no number.")


async def test_what_will_not_do_is_told_and_nothing_planned(desk: Desk) -> None:
    editor = NewQueueEditor(desk, QuestionFilter())
    editor.overlap = "20"
    await editor.look()
    assert editor.problem.startswith("One reviewer can't overlap with nobody.")
    assert (editor.planned, editor.told) == (None, "")
    editor.overlap, editor.gold = "0", "nan"
    await editor.look()
    assert editor.problem == "The share of gold items is a number from 0 to 0.5, not nan."
    editor.gold, editor.people = "0", "ann, nobody"
    await editor.look()
    assert "'ann'" in editor.problem


async def test_a_newer_look_overtakes_an_older_one(desk: Desk) -> None:
    editor = NewQueueEditor(desk, QuestionFilter())
    older = asyncio.create_task(editor.look())
    await asyncio.sleep(0)
    editor.gold = "much"
    assert await editor.look()
    assert not await older
    assert editor.problem == "The share of gold items is no number."


async def test_it_is_made_for_those_named_with_its_guideline(desk: Desk, tmp_path: Path) -> None:
    ann = reviewers.make(desk.workspace, Reviewer("", "ann", "", ()))
    file = tmp_path / "guideline.md"
    file.write_text("Read all of it.", encoding="utf-8")
    editor = NewQueueEditor(desk, QuestionFilter())
    editor.people, editor.overlap, editor.name = f"ann, {desk.reviewer.handle}, ann", "20", " two "
    editor.mode, editor.guideline = QueueMode.OPEN, f" {file} "
    editor.set_rule("score", True)
    made = queues.get(desk.workspace, await editor.make())
    assert (made.name, made.mode, made.guideline) == ("two", QueueMode.OPEN, "Read all of it.")
    assert QueueSpec.of(made.spec).rules.score
    totals = {one: progress.total for one, progress in queues.shares(desk.workspace, made.id)}
    assert totals == {ann.id: 12, desk.reviewer.id: 12}
    with pytest.raises(UqError, match="already"):
        await editor.make()
    editor.guideline = str(tmp_path / "none.md")
    with pytest.raises(UqError, match=r"none\.md"):
        await editor.make()
