"""A verdict being written: what reaches the store, in which order, and what survives."""

import asyncio
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest
from sqlalchemy import Connection

from store import blindness, candidates, drafts, ledger, queues, relations, verdicts
from store.reading_rows import LedgerMark
from store.review_rows import NewItem
from store.rows import VerdictForm
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import BlindError, DraftMovedError, StoreError, UqError, VerdictFormError, VerdictMovedError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.completeness import Rules
from uq_tui.state.verdict.editor import Side, VerdictEditor
from uq_tui.words import ErrorCategory, ItemRole, Label, LedgerState, QueueMode, Relation, VerdictStatus


async def sitting(workspace: Workspace) -> tuple[Desk, tuple[str, ...]]:
    """A desk, and two candidates."""
    add_question(workspace)
    ids = add_candidates(workspace, "It is so.", "It is not.")
    return await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none")), ids


async def opened(desk: Desk, candidate_id: str) -> VerdictEditor:
    editor = VerdictEditor(desk)
    await editor.open(candidates.get(desk.workspace, candidate_id))
    return editor


async def editing(workspace: Workspace) -> tuple[Desk, VerdictEditor, tuple[str, ...]]:
    """An editor open on the first of two candidates, with a label chosen."""
    desk, ids = await sitting(workspace)
    editor = await opened(desk, ids[0])
    editor.edit(lambda form: VerdictForm(label=Label.CORRECT))
    return desk, editor, ids


def saying(words: str) -> Callable[[VerdictForm], VerdictForm]:
    return lambda form: replace(form, label=Label.INCORRECT, rationale=words)


async def test_a_draft_written_beside_a_verdict_does_not_outlive_it(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, editor, (first, _) = await editing(workspace)
    recorded, save = threading.Event(), drafts.save

    def late(ws: Workspace, reviewer_id: str, candidate_id: str, form: VerdictForm, **based: int) -> int:
        recorded.wait(0.2)
        return save(ws, reviewer_id, candidate_id, form, based_on=based["based_on"])

    monkeypatch.setattr(drafts, "save", late)
    draft = asyncio.create_task(editor.save_draft())
    await asyncio.sleep(0)
    await editor.save(first)
    recorded.set()
    await draft
    assert drafts.get(workspace, desk.reviewer.id, first) is None


async def test_a_draft_after_the_verdict_is_not_written(workspace: Workspace) -> None:
    desk, editor, (first, _) = await editing(workspace)
    saving = asyncio.create_task(editor.save(first))
    await asyncio.sleep(0)
    assert not await editor.save_draft()
    await saving
    assert drafts.get(workspace, desk.reviewer.id, first) is None


async def test_a_verdict_is_recorded_on_the_candidate_it_was_seen_under_or_not_at_all(workspace: Workspace) -> None:
    desk, editor, (first, second) = await editing(workspace)
    await editor.save_draft()
    opening = asyncio.create_task(editor.open(candidates.get(workspace, second)))
    await asyncio.sleep(0)
    with pytest.raises(UqError, match="another candidate"):
        await editor.save(first)
    await opening
    assert [verdicts.latest(workspace, desk.reviewer.id, one) for one in (first, second)] == [None, None]
    assert drafts.get(workspace, desk.reviewer.id, first) is not None


async def test_what_the_rules_ask_for_is_missing_until_it_is_there(workspace: Workspace) -> None:
    desk, editor, (first, _) = await editing(workspace)
    editor.rules = Rules(score=True)
    with pytest.raises(VerdictFormError, match="score from 0 to 7"):
        await editor.save(first)
    assert verdicts.latest(workspace, desk.reviewer.id, first) is None
    editor.edit(lambda form: replace(form, score_0_7=5))
    assert (await editor.save(first)).verdict.record["score_0_7"] == 5


@pytest.mark.parametrize("side", list(Side))
async def test_of_two_windows_drafts_both_texts_stay_and_the_later_is_told(workspace: Workspace, side: Side) -> None:
    desk, (first, _) = await sitting(workspace)
    mine, theirs = await opened(desk, first), await opened(desk, first)
    theirs.edit(saying("Their words."))
    await theirs.save_draft()
    mine.edit(saying("My words."))
    with pytest.raises(DraftMovedError):
        await mine.save_draft()
    assert mine.conflict is not None
    assert (mine.conflict.mine.rationale, mine.conflict.theirs.form.rationale) == ("My words.", "Their words.")

    mine.edit(saying("My words, and more."))  # before one is chosen
    assert await mine.save_draft()
    assert [copy.form.rationale for copy in drafts.copies(workspace, desk.reviewer.id)] == ["My words, and more."]
    with pytest.raises(DraftMovedError):  # nor is one recorded over the other
        await mine.save(first)
    assert verdicts.latest(workspace, desk.reviewer.id, first) is None

    await mine.keep(side)
    texts = ("My words, and more.", "Their words.")
    kept, other = texts if side is Side.MINE else texts[::-1]
    assert mine.form.rationale == kept
    draft = drafts.get(workspace, desk.reviewer.id, first)
    assert draft is not None
    assert draft.form.rationale == kept
    assert [copy.form.rationale for copy in drafts.copies(workspace, desk.reviewer.id, first)] == [other]
    decision = await mine.save(first)
    assert decision.verdict.record["rationale"] == kept


async def test_a_verdict_that_another_window_recorded_meanwhile_is_told_once(workspace: Workspace) -> None:
    desk, (first, _) = await sitting(workspace)
    mine, theirs = await opened(desk, first), await opened(desk, first)
    theirs.edit(saying("Their words."))
    await theirs.save(first)
    mine.edit(saying("My words."))
    with pytest.raises(VerdictMovedError):
        await mine.save(first)
    draft = drafts.get(workspace, desk.reviewer.id, first)
    assert draft is not None
    assert draft.form.rationale == "My words."
    decision = await mine.save(first)
    assert (decision.verdict.revision, decision.verdict.record["rationale"]) == (2, "My words.")


def limit(workspace: Workspace, more: int | None) -> None:
    """Have the disk be full after so many more pages; `None`: after very many."""

    def set_pages(conn: Connection) -> None:
        there = conn.exec_driver_sql("pragma page_count").scalar_one()
        conn.exec_driver_sql(f"pragma max_page_count = {2**30 if more is None else there + more}")

    workspace.write(set_pages)


async def test_what_can_not_be_recorded_stays_a_draft_and_what_can_not_be_kept_stays_in_the_form(
    workspace: Workspace,
) -> None:
    """The disk has room for the draft anew, but not for the verdict on four answers that are the same.

    One verdict would fit wherever its draft did: recording forgets the draft, and takes its pages.
    """
    desk, (first, _) = await sitting(workspace)
    same = [NewItem(QUESTION, key, linked_to=0) for key in add_candidates(workspace, "So.", "So it is.", "It is.")]
    shares = {desk.reviewer.id: (NewItem(QUESTION, first), *same)}
    queue = queues.make(workspace, name="q", mode=QueueMode.OPEN, spec={}, guideline="", shares=shares)
    editor = VerdictEditor(desk)
    item, *_ = queues.items(workspace, queue.id, desk.reviewer.id)
    await editor.open(candidates.get(workspace, first), item=item)
    words = "long " * 20_000  # 25 pages
    editor.edit(saying(words))
    await editor.save_draft()
    limit(workspace, 40)
    with pytest.raises(StoreError, match="disk is full"):
        await editor.save(first)
    assert not unsaved(editor)
    draft = drafts.get(workspace, desk.reviewer.id, first)
    assert draft is not None
    assert draft.form.rationale == words
    assert draft.form == editor.form

    editor.edit(saying(words * 4))
    with pytest.raises(StoreError, match="disk is full"):
        await editor.save(first)
    assert verdicts.latest(workspace, desk.reviewer.id, first) is None
    assert editor.form.rationale == words * 4
    assert unsaved(editor)

    limit(workspace, None)
    decision = await editor.save(first)
    assert decision.verdict.record["rationale"] == words * 4
    assert len(decision.linked) == 3


def unsaved(editor: VerdictEditor) -> bool:
    return editor.unsaved


async def test_the_relation_is_said_once_for_all_answers_of_a_question(workspace: Workspace) -> None:
    desk, editor, (first, second) = await editing(workspace)
    editor.edit(lambda form: replace(form, relation=Relation.DOMAIN_EXPERT))
    await editor.save(first)
    assert relations.get(workspace, desk.reviewer.id, QUESTION) is Relation.DOMAIN_EXPERT
    await editor.open(candidates.get(workspace, second))
    assert editor.form.relation is Relation.DOMAIN_EXPERT
    editor.edit(lambda form: replace(form, relation=Relation.OTHER))
    await editor.save_draft()
    assert relations.get(workspace, desk.reviewer.id, QUESTION) is Relation.OTHER


async def test_the_ledger_of_the_answer_stands_beside_the_form(workspace: Workspace) -> None:
    desk, (first, _) = await sitting(workspace)
    raw = candidates.get(workspace, first).answer.raw
    ledger.put(workspace, desk.reviewer.id, raw, [LedgerMark(0, len(raw), LedgerState.WRONG, "")])
    assert (await opened(desk, first)).ledger == "ledger: 0 of 1 unit checked, 1 wrong"


async def test_quotes_go_into_the_form_of_their_candidate_alone(workspace: Workspace) -> None:
    _, editor, (first, second) = await editing(workspace)
    editor.add_quote(ErrorCategory.MISREAD_QUESTION, 3, 5)
    editor.add_quote(ErrorCategory.OTHER, 6, 8, to=0, problem="no")
    (error,) = editor.form.errors
    assert ([quote.quote for quote in error.quotes], error.problem) == (["is", "so"], "no")
    with pytest.raises(UqError, match="gone on to another"):
        editor.add_quote(ErrorCategory.OTHER, 0, 2, of=candidates.get(editor._desk.workspace, second))
    decision = await editor.save(first)
    assert [quote["start"] for quote in decision.verdict.record["errors"][0]["quotes"]] == [3, 6]


async def test_an_item_is_decided_and_a_repeat_knows_nothing_of_what_was_said_before(workspace: Workspace) -> None:
    desk, (first, _) = await sitting(workspace)
    roles = (ItemRole.PLAIN, ItemRole.REPEAT)
    share = tuple(NewItem(QUESTION, first, role) for role in roles)
    queue = queues.make(
        workspace, name="q", mode=QueueMode.OPEN, spec={}, guideline="", shares={desk.reviewer.id: share}
    )
    items = queues.items(workspace, queue.id, desk.reviewer.id)
    editor, candidate = VerdictEditor(desk), candidates.get(workspace, first)
    await editor.open(candidate, item=items[0])
    editor.edit(saying("The first time."))
    decision = await editor.save(first)
    assert decision.item is not None
    assert decision.item.verdict_id == decision.verdict.verdict_id

    assert blindness.hides_own_verdict(workspace, desk.reviewer.id, first)
    with pytest.raises(BlindError):
        await editor.open(candidate)
    await editor.open(candidate, item=items[1])
    assert (editor.standing, editor.form) == (None, VerdictForm())
    editor.edit(lambda form: replace(form, label=Label.CORRECT))
    again = await editor.save(first)
    assert again.verdict.verdict_id != decision.verdict.verdict_id
    assert again.item is not None
    await editor.open(candidate, item=again.item)
    assert editor.standing is not None
    assert editor.form.label is Label.CORRECT


async def test_a_step_is_undone_and_redone_and_the_form_follows(workspace: Workspace) -> None:
    _, editor, (first, _) = await editing(workspace)
    assert await editor.step(-1) is None
    await editor.save(first)
    undone = await editor.step(-1)
    assert undone is not None
    assert undone.verdict.status is VerdictStatus.RETRACTED
    assert editor.form.label is Label.CORRECT  # as a draft, to go on with
    redone = await editor.step(1)
    assert redone is not None
    assert (redone.verdict.label, editor.from_draft) == (Label.CORRECT, False)
    assert await editor.step(1) is None


async def test_no_clock_makes_a_time_that_can_not_be_recorded(workspace: Workspace) -> None:
    desk, (first, _) = await sitting(workspace)
    now = 1_000.0
    editor = VerdictEditor(desk, clock=lambda: now)
    await editor.open(candidates.get(workspace, first))
    for step in (5.0, -3_600.0, 7.0, 3e7, -1e9, 0.0):  # set back, a laptop that slept for a year
        now += step
        editor.touch()
    assert (editor.form.seconds_active, editor.form.seconds_total) == (12.0, 12.0 + 3e7)
    editor.edit(saying("All the same."))
    decision = await editor.save(first)
    assert decision.verdict.record["seconds_active"] == 12.0
