"""Comments, acceptances and notes as a reviewer may see them."""

import json
from dataclasses import replace
from functools import partial

import pytest

from store import exposures, queues, reviewers, statements
from store.frozen_rows import sealed
from store.merging import put_record
from store.review_rows import NewItem, Said
from store.rows import Reviewer
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import UqError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.comments import Comments, checked_acceptance, read
from uq_tui.words import Exposure, QueueMode, Relation, StatementKind

HOSTILE = "[b]\x1b[2J\ud83d\nignore all"


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    add_question(workspace)
    (added,) = add_candidates(workspace, "It is so.")
    return added


@pytest.fixture
def other(workspace: Workspace) -> Reviewer:
    return reviewers.make(workspace, Reviewer("", "bo", "", ()))


async def opened(ws: Workspace, candidate_id: str = "") -> Comments:
    desk = await Desk.sit_down(ws, ScriptedEngine(ws.path), ModelChoice("replay/none"))
    state = Comments(desk, QUESTION, candidate_id)
    await state.load()
    return state


def lines(state: Comments) -> list[tuple[int, str, str]]:
    assert state.talk is not None
    return [(one.depth, one.about, one.text) for one in state.talk.entries]


async def test_answers_stand_beneath_what_they_answer(workspace: Workspace, candidate: str) -> None:
    state = await opened(workspace, candidate)
    first = await state.comment("Which maps?")
    await state.comment(HOSTILE, on_answer=True)
    await state.comment("Continuous ones.", reply_to=state.entry(first))
    assert lines(state) == [
        (0, "question", "Which maps?"),
        (1, "question", "Continuous ones."),
        (0, "c1", HOSTILE),
    ]
    assert state.called == "c1"
    await state.revise(first, "Which maps exactly?")
    entry = state.entry(first)
    assert entry is not None
    assert ", revised" in entry.head
    await state.take_back(first)
    assert lines(state)[0] == (0, "question", "(taken back)")
    await state.take_back(lines_keys(state)[1])
    assert lines(state) == [(0, "c1", HOSTILE)]


def lines_keys(state: Comments) -> list[str]:
    assert state.talk is not None
    return [one.key for one in state.talk.entries]


async def test_others_on_answers_are_hidden_while_blind(workspace: Workspace, candidate: str, other: Reviewer) -> None:
    me = reviewers.current(workspace)
    accepted = Said("Thanks!", accepted_by="asker")
    for kind, said, about in (
        (StatementKind.COMMENT, Said("Of the question."), ""),
        (StatementKind.COMMENT, Said("Step 2 is wrong."), candidate),
        (StatementKind.ACCEPTANCE, accepted, candidate),
    ):
        statements.add(workspace, other, kind, QUESTION, said, candidate_id=about)
    mine = Said("I wonder.")
    statements.add(workspace, me, StatementKind.COMMENT, QUESTION, mine, candidate_id=candidate)
    share = {me.id: [NewItem(QUESTION, candidate)]}
    queue = queues.make(workspace, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=share)
    state = await opened(workspace, candidate)
    assert lines(state) == [(0, "question", "Of the question."), (0, "A", "I wonder.")]
    assert state.talk is not None
    assert state.talk.is_hidden
    assert exposures.of_candidate(workspace, me.id, candidate) == ()
    queues.close(workspace, queue.id)
    state = await opened(workspace, candidate)
    assert [text for _, _, text in lines(state)] == [
        "Of the question.",
        "Step 2 is wrong.",
        "by asker: Thanks!",
        "I wonder.",
    ]
    (shown,) = exposures.of_candidate(workspace, me.id, candidate)
    assert (shown.what, shown.where) == (Exposure.OTHER_VERDICTS, "comments")


async def test_an_answer_to_what_is_hidden_is_hidden_too_unless_it_is_mine(
    workspace: Workspace, candidate: str, other: Reviewer
) -> None:
    me = reviewers.current(workspace)
    first = statements.add(workspace, other, StatementKind.COMMENT, QUESTION, Said("Wrong."), candidate_id=candidate)
    for who in (me, other):
        said = Said(f"Says {who.id}.", in_reply_to=first.statement_id)
        statements.add(workspace, who, StatementKind.COMMENT, QUESTION, said, candidate_id=candidate)
    share = {me.id: [NewItem(QUESTION, candidate)]}
    queues.make(workspace, name="q", mode=QueueMode.BLIND, spec={}, guideline="", shares=share)
    assert lines(await opened(workspace)) == [(0, "A", f"Says {me.id}.")]


async def test_only_what_others_say_of_answers_is_an_exposure(
    workspace: Workspace, candidate: str, other: Reviewer
) -> None:
    me = reviewers.current(workspace)
    state = await opened(workspace, candidate)
    await state.comment("Mine.", on_answer=True)
    statements.add(workspace, other, StatementKind.COMMENT, QUESTION, Said("Of the question."))
    await state.load()
    assert exposures.of_candidate(workspace, me.id, candidate) == ()


async def test_comments_that_answer_each_other_in_a_ring_are_all_listed(workspace: Workspace, candidate: str) -> None:
    state = await opened(workspace)
    await state.comment("First.")
    row = json.loads(next(statements.records(workspace)))
    for own, answered in (("a", "b"), ("b", "c"), ("c", "a"), ("d", "d")):
        ring = json.loads(sealed({**row, "statement_id": own, "in_reply_to": answered, "text": own}))
        workspace.write(partial(put_record, record=ring))
    await state.load()
    assert sorted(text for _, _, text in lines(state)) == ["First.", "a", "b", "c", "d"]


async def test_an_acceptance_names_who_and_shows_it(workspace: Workspace, candidate: str) -> None:
    state = await opened(workspace, candidate)
    said = checked_acceptance(" as\x1bker ", "2026-01-30", "https://x.y/1", "")
    await state.accept(said)
    await state.accept(replace(said, text="Thanks, this is it."))
    assert lines(state) == [(0, "c1", "by as␛ker, 2026-01-30, https://x.y/1: Thanks, this is it.")]
    with pytest.raises(UqError, match="Who has accepted"):
        checked_acceptance(" ", "", "https://x.y", "")
    with pytest.raises(UqError, match="What shows"):
        checked_acceptance("asker", "2026", " ", "")


async def test_a_relation_is_kept_and_stands_in_what_is_said_after(workspace: Workspace, candidate: str) -> None:
    me = reviewers.current(workspace)
    state = await opened(workspace)
    assert read(workspace, me, QUESTION).relation is None
    await state.relate(Relation.DOMAIN_EXPERT)
    assert read(workspace, me, QUESTION).relation is Relation.DOMAIN_EXPERT
    key = await state.comment("I work on this.")
    assert statements.get(workspace, key).record["reviewer"]["relation"] == "domain_expert"


async def test_a_note_is_there_again_after_a_kill(workspace: Workspace, candidate: str) -> None:
    state = await opened(workspace)
    await state.keep_note("Half a tho")
    again = await opened(workspace)
    assert again.talk is not None
    assert again.talk.note.body == "Half a tho"
    await again.keep_note("Half a thought.")
    await again.leave_note("A thought.")
    assert read(workspace, reviewers.current(workspace), QUESTION).note.body == "A thought."
    note = statements.own(workspace, reviewers.current(workspace).id, StatementKind.NOTE, QUESTION)
    assert note is not None
    assert [one.text for one in statements.history(workspace, note.statement_id)] == ["A thought."]
