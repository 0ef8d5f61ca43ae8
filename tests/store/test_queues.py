"""Queues: how they are made, whose item is next, how far one is, and that none of it grows with the queue."""

import sqlite3
from contextlib import closing
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import event

from store import blindness, decisions, queue_making, queues
from store.review_rows import NewItem, Progress, Queue
from store.workspace import Workspace
from tests.store.records.stock import put_candidate
from tests.store.reviewing import ADA, BOB, RIGHT, people, plain, practice, problems, queue, share
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import ItemRole, ItemState, Label, NotJudged, QueueMode


@pytest.fixture(autouse=True)
def _people(workspace: Workspace) -> None:
    people(workspace)


def test_a_queue_comes_back_as_it_was_made(workspace: Workspace) -> None:
    keys = problems(workspace, 2)
    made = queue(workspace, {ADA: plain(*keys), BOB: [NewItem("q1", keys[1][0], ItemRole.GOLD, 3)]}, name=" one ")
    assert queues.all_of(workspace) == (made,)
    assert queues.get(workspace, made.id) == queues.by_name(workspace, "one") == made
    assert (made.name, made.mode, made.spec, made.guideline) == ("one", QueueMode.BLIND, {"seed": 1}, "Be *kind*.")
    assert [item.candidate_id for item in share(workspace, made)] == [*keys[0], *keys[1]]
    assert [item.position for item in share(workspace, made)] == [0, 1, 2, 3]
    (gold,) = share(workspace, made, BOB)
    assert (gold.role, gold.answer_group, gold.state, gold.verdict_id) == (ItemRole.GOLD, 3, ItemState.OPEN, "")
    assert queues.item(workspace, gold.id) == gold
    assert queues.items(workspace, made.id, ADA.id, after=1, limit=1) == (share(workspace, made)[2],)
    assert [item.question_id for item in queues.of_problem(workspace, made.id, ADA.id, "q1")] == ["q1", "q1"]


def bad_shares(one: str, two: str, reference: str) -> dict[str, dict[Any, list[NewItem]]]:
    return {
        "Nobody": {},
        "Nothing is left": {ADA: [NewItem("q0", one)], BOB: []},
        "stands twice": {ADA: [NewItem("q0", one), NewItem("q0", one, ItemRole.GOLD)]},
        "answers another question": {ADA: [NewItem("q1", one)]},
        "can't count": {ADA: [NewItem("q0", one), NewItem("q0", two, linked_to=1)]},
        "linked to item 1": {ADA: [NewItem("q0", one, linked_to=1), NewItem("q0", two, linked_to=0)]},
        "linked to item 7": {ADA: [NewItem("q0", one, linked_to=7)]},
        "is linked to item 0": {ADA: [NewItem("q0", one, ItemRole.PRACTICE), NewItem("q0", two, linked_to=0)]},
        "no reviewer": {type(ADA)("nobody", "", "", ()): [NewItem("q0", one)]},
        "reference": {ADA: [NewItem("q0", one), NewItem("q0", reference)]},
    }


@pytest.mark.parametrize("words", list(bad_shares("", "", "")))
def test_what_makes_no_queue_is_refused_as_a_whole(workspace: Workspace, words: str) -> None:
    one, two = problems(workspace, 1)[0]
    reference = put_candidate(workspace, "The solution.", "q0")
    with closing(sqlite3.connect(workspace.path)) as db, db:
        db.execute("UPDATE candidate SET reference = 1 WHERE id = ?", (reference,))
    with pytest.raises(UqError, match=words):
        queue(workspace, bad_shares(one, two, reference)[words])
    assert queues.all_of(workspace) == ()
    with workspace.read() as conn:
        assert conn.exec_driver_sql("SELECT count(*) FROM queue_item").scalar_one() == 0


def test_a_name_is_taken_once(workspace: Workspace) -> None:
    keys = problems(workspace, 1)
    queue(workspace, {ADA: plain(*keys)})
    with pytest.raises(UqError, match="already"):
        queue(workspace, {ADA: plain(*keys)}, name="one  ")
    with pytest.raises(UqError, match="needs a name"):
        queue(workspace, {ADA: plain(*keys)}, name=" ")


def test_unknown_ones_are_not_found(workspace: Workspace) -> None:
    for ask in (queues.get, queues.by_name, queues.item, queues.close, queues.reopen):
        with pytest.raises(NotFoundError):
            ask(workspace, "none")


# A queue that is half written.


class KilledError(Exception):
    """The process ends here, as far as the store can tell."""


def half_written(ws: Workspace, monkeypatch: pytest.MonkeyPatch, *, chunks: int) -> tuple[tuple[str, ...], ...]:
    """Make a queue of six items by two, and end after so many writes of items."""
    keys = problems(ws, 3)
    put = queue_making._put
    written: list[list[dict[str, Any]]] = []

    def dying(rows: list[dict[str, Any]], conn: Any) -> None:
        if len(written) == chunks:
            raise KilledError
        written.append(rows)
        put(rows, conn)

    with monkeypatch.context() as patch:
        patch.setattr(queue_making, "_AT_ONCE", 2)
        patch.setattr(queue_making, "_put", dying)
        with pytest.raises(KilledError):
            queue(ws, {ADA: plain(*keys)})
    return keys


@pytest.mark.parametrize("chunks", [0, 1, 2])
def test_a_half_written_queue_is_none_for_anybody(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, chunks: int
) -> None:
    keys = half_written(workspace, monkeypatch, chunks=chunks)
    assert queues.all_of(workspace) == ()
    assert blindness.masked_questions(workspace, ADA.id) == frozenset()
    assert not blindness.is_masked(workspace, ADA.id, "q0")
    made = queue(workspace, {ADA: plain(*keys)})
    assert queues.all_of(workspace) == (made,)
    assert blindness.masked_questions(workspace, ADA.id) == {"q0", "q1", "q2"}


def test_all_chunks_make_one_queue(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue_making, "_AT_ONCE", 2)
    made = queue(workspace, {ADA: plain(*problems(workspace, 3, 3))})
    assert len(share(workspace, made)) == 9
    with workspace.read() as conn:
        assert conn.exec_driver_sql("SELECT name FROM queue").scalars().all() == ["one"]


def test_what_was_never_finished_goes_away_after_a_day(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = half_written(workspace, monkeypatch, chunks=1)
    queue(workspace, {ADA: plain(*keys)})
    left = "SELECT count(*) FROM queue WHERE NOT ready"
    with workspace.read() as conn:
        assert conn.exec_driver_sql(left).scalar_one() == 1
    old = (datetime.now(UTC) - timedelta(days=2)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    with closing(sqlite3.connect(workspace.path)) as db, db:
        db.execute("UPDATE queue SET created_at = ? WHERE NOT ready", (old,))
    queue(workspace, {ADA: plain(*keys)}, name="two")
    with workspace.read() as conn:
        assert conn.exec_driver_sql(left).scalar_one() == 0
        assert conn.exec_driver_sql("SELECT count(*) FROM queue_item").scalar_one() == 12


# Whose turn it is.


def test_next_goes_on_behind_then_back_then_to_what_was_put_off(workspace: Workspace) -> None:
    made = queue(workspace, {ADA: plain(*problems(workspace, 2))})
    zero, one, two, three = share(workspace, made)

    def following(after: int = -1) -> int | None:
        found = queues.next_item(workspace, made.id, ADA.id, after=after)
        return None if found is None else found.position

    assert [following(), following(0), following(3)] == [0, 1, 0]
    assert queues.put_off(workspace, zero.id).state is ItemState.PUT_OFF
    queues.put_off(workspace, two.id)
    assert [following(), following(1), following(3)] == [1, 3, 1]
    for item in (one, three):
        decisions.decide(workspace, ADA, item.id, RIGHT)
    assert [following(), following(0), following(2)] == [0, 2, 0]
    with pytest.raises(UqError, match="decided"):
        queues.put_off(workspace, one.id)
    for item in (zero, two):
        decisions.decide(workspace, ADA, item.id, RIGHT)
    assert following() is None
    assert queues.next_item(workspace, made.id, BOB.id) is None


def test_progress_counts_each_state_and_linked_ones_apart(workspace: Workspace) -> None:
    keys = problems(workspace, 1, 5)[0]
    items = [NewItem("q0", key) for key in keys]
    items[1] = NewItem("q0", keys[1], linked_to=0)
    made = queue(workspace, {ADA: items})
    first, _, second, third, _ = share(workspace, made)
    decisions.decide(workspace, ADA, first.id, RIGHT)
    decisions.decide(workspace, ADA, second.id, type(RIGHT)(not_judged=NotJudged.OUT_OF_DEPTH))
    queues.put_off(workspace, third.id)
    far = queues.progress(workspace, made.id, ADA.id)
    assert far == Progress(total=4, decided=1, skipped=1, put_off=1, linked=1)
    assert far.left == 2
    assert queues.shares(workspace, made.id) == ((ADA.id, far),)
    assert queues.progress(workspace, made.id, BOB.id) == Progress(0, 0, 0, 0, 0)


def test_practice_is_answered_and_has_no_verdict(workspace: Workspace) -> None:
    one, two = problems(workspace, 1)[0]
    made = queue(workspace, {ADA: [practice("q0", one), NewItem("q0", two)]})
    first, second = share(workspace, made)
    answered = queues.answer_practice(workspace, first.id, Label.CORRECT)
    assert (answered.state, answered.given, answered.verdict_id) == (ItemState.DECIDED, "correct", "")
    assert blindness.is_masked(workspace, ADA.id, "q0")
    with pytest.raises(UqError, match="no practice"):
        queues.answer_practice(workspace, second.id, Label.CORRECT)
    assert decisions.undo(workspace, ADA, made.id) is None


def test_a_problem_whose_last_item_is_practice_is_revealed_by_it(workspace: Workspace) -> None:
    (one,) = problems(workspace, 1, 1)[0]
    (item,) = share(workspace, queue(workspace, {ADA: [practice("q0", one)]}))
    queues.answer_practice(workspace, item.id, Label.CORRECT)
    assert not blindness.is_masked(workspace, ADA.id, "q0")


def test_a_closed_queue_stands_still_and_masks_nothing_until_it_is_reopened(workspace: Workspace) -> None:
    made = queue(workspace, {ADA: plain(*problems(workspace, 1))})
    first, second = share(workspace, made)
    decisions.decide(workspace, ADA, first.id, RIGHT)
    queues.close(workspace, made.id)
    closed_at = queues.get(workspace, made.id).closed_at
    queues.close(workspace, made.id)
    assert queues.get(workspace, made.id).closed_at == closed_at
    assert not blindness.is_masked(workspace, ADA.id, "q0")
    with pytest.raises(UqError, match="closed"):
        queues.put_off(workspace, second.id)
    with pytest.raises(UqError, match="closed"):
        decisions.undo(workspace, ADA, made.id)
    queues.reopen(workspace, made.id)
    assert blindness.is_masked(workspace, ADA.id, "q0")
    assert decisions.undo(workspace, ADA, made.id) is not None


def test_durations_are_of_the_last_verdicts_that_stand(workspace: Workspace) -> None:
    made = queue(workspace, {ADA: plain(*problems(workspace, 2))})
    for seconds, item in enumerate(share(workspace, made), start=1):
        decisions.decide(workspace, ADA, item.id, type(RIGHT)(label=Label.CORRECT, seconds_active=float(seconds)))
    decisions.undo(workspace, ADA, made.id)
    assert queues.durations(workspace, made.id, ADA.id, 2) == (3.0, 2.0)
    assert queues.durations(workspace, made.id, BOB.id, 2) == ()


# Nothing grows with the queue.


SCANS = tuple(
    f"SCAN {table}"
    for table in ("queue", "reveal", "step", "verdict", "draft", "statement", "exposure", "candidate", "question")
)
"""What would take longer with each item. Lists that a query brings along are scanned too."""


def plans(ws: Workspace, work: Any) -> list[str]:
    """How SQLite goes about each statement that `work` runs, without what the store's writes of rows need."""
    asked: list[tuple[str, Any]] = []

    def note(conn: Any, cursor: Any, statement: str, parameters: Any, context: Any, many: bool) -> None:
        asked.append((statement, parameters))

    for engine in (ws._reading, ws._writing):
        event.listen(engine, "before_cursor_execute", note)
    work()
    for engine in (ws._reading, ws._writing):
        event.remove(engine, "before_cursor_execute", note)
    found = []
    with closing(sqlite3.connect(ws.path)) as db:
        for statement, parameters in asked:
            if statement.startswith(("SELECT", "UPDATE", "DELETE", "INSERT")):
                found += [row[3] for row in db.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)]
    return found


@pytest.fixture
def busy(workspace: Workspace) -> Queue:
    """Two queues, so that no index is as good as another, and a verdict that can be undone."""
    keys = problems(workspace, 4)
    made = queue(workspace, {ADA: plain(*keys), BOB: plain(*keys)})
    queue(workspace, {ADA: plain(*keys)}, name="two")
    decisions.decide(workspace, ADA, share(workspace, made)[0].id, RIGHT)
    return made


@pytest.mark.parametrize(
    "what", ["next", "progress", "decide", "undo", "redo", "retract", "put off", "masked", "problem", "durations"]
)
def test_no_table_of_reviewing_is_scanned(workspace: Workspace, busy: Queue, what: str) -> None:
    item = share(workspace, busy)[1]
    if what == "redo":
        decisions.undo(workspace, ADA, busy.id)
    works: dict[str, Any] = {
        "next": lambda: queues.next_item(workspace, busy.id, ADA.id, after=5),
        "progress": lambda: queues.progress(workspace, busy.id, ADA.id),
        "decide": lambda: decisions.decide(workspace, ADA, item.id, RIGHT),
        "undo": lambda: decisions.undo(workspace, ADA, busy.id),
        "redo": lambda: decisions.redo(workspace, ADA, None),
        "retract": lambda: decisions.retract(workspace, ADA, share(workspace, busy)[0].candidate_id),
        "put off": lambda: queues.put_off(workspace, item.id),
        "masked": lambda: [
            blindness.is_masked(workspace, ADA.id, "q1"),
            blindness.hides_own_verdict(workspace, ADA.id, item.candidate_id),
            blindness.queues_of(workspace, ADA.id, "q1"),
        ],
        "problem": lambda: queues.of_problem(workspace, busy.id, ADA.id, "q1"),
        "durations": lambda: queues.durations(workspace, busy.id, ADA.id, 20),
    }
    found = plans(workspace, works[what])
    assert any("queue_item" in line or "step" in line for line in found)
    assert [line for line in found if line.startswith(SCANS) or "AUTOMATIC" in line] == []


def test_next_and_progress_read_their_own_index_alone(workspace: Workspace, busy: Queue) -> None:
    next_item = plans(workspace, lambda: queues.next_item(workspace, busy.id, ADA.id))
    key = "(queue_id=? AND reviewer_id=? AND linked_to=? AND state=? AND position>?)"
    assert next_item == [f"SEARCH queue_item USING INDEX queue_item_next {key}"]
    counts = plans(workspace, lambda: queues.progress(workspace, busy.id, ADA.id))
    assert all("USING COVERING INDEX queue_item_next" in line for line in counts)
