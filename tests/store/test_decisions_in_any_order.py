"""Decisions in any order, by the rules that must hold after each."""

import sqlite3
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from store import blindness, decisions, queues
from store.review_rows import Decision, NewItem
from store.rows import VerdictForm
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.records.stock import put_candidate
from tests.store.reviewing import ADA, RIGHT, WRONG, people, queue
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import UNDECIDED, ItemRole, NotJudged

FORMS = st.sampled_from([RIGHT, WRONG, VerdictForm(not_judged=NotJudged.OUT_OF_DEPTH)])
NUMBERS = st.integers(0, 5)

Standing = tuple[dict[str, tuple[str, str]], frozenset[str]]
"""What stands: of each verdict label and reason, and the items that are decided."""


class Deciding(RuleBasedStateMachine):
    """One reviewer with two queues: identical answers, a repeat, and an answer that is in both."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.ws = new_workspace(Path(self.folder.name) / "w")
        people(self.ws)
        self.lines: dict[tuple[str, int], str] = {}
        self.before: list[Standing] = []
        self.undone: list[Standing] = []

    @initialize()
    def lay_out(self) -> None:
        texts = ("It holds.", "It  holds.", "It fails.")
        one, same, other = (put_candidate(self.ws, text, "q0") for text in texts)
        third = put_candidate(self.ws, "Perhaps.", "q1")
        first_share = [
            NewItem("q0", one),
            NewItem("q0", same, linked_to=0),
            NewItem("q0", other),
            NewItem("q0", one, ItemRole.REPEAT),
        ]
        self.queues = [
            queue(self.ws, {ADA: first_share}, name="one"),
            queue(self.ws, {ADA: [NewItem("q0", one), NewItem("q1", third)]}, name="two"),
        ]
        self.candidates = [one, same, other, third]

    def teardown(self) -> None:
        self.ws.close()
        self.folder.cleanup()

    def rows(self, query: str) -> list[Any]:
        """Read from outside, so that what the store says is held against what it holds."""
        with closing(sqlite3.connect(self.ws.path)) as db:
            db.row_factory = sqlite3.Row
            return db.execute(query).fetchall()

    def items(self) -> list[Any]:
        return self.rows("SELECT * FROM queue_item JOIN queue ON queue.id = queue_id ORDER BY queue.name, position")

    def newest(self) -> dict[str, Any]:
        return {row["verdict_id"]: row for row in self.rows("SELECT * FROM verdict ORDER BY revision")}

    def standing(self) -> Standing:
        said = {
            key: (row["label"] or "", row["not_judged"] or "")
            for key, row in self.newest().items()
            if row["status"] == "submitted"
        }
        return said, frozenset(item[0] for item in self.items() if item["state"] not in UNDECIDED)

    def step(self, work: Callable[[], object]) -> None:
        """Do something that can be undone."""
        before = self.standing()
        work()
        self.before.append(before)
        self.undone = []

    @rule(number=NUMBERS, form=FORMS)
    def decide(self, number: int, form: VerdictForm) -> None:
        item = self.items()[number]
        if not item["linked_to"] and item["closed_at"] is None:
            self.step(lambda: decisions.decide(self.ws, ADA, item[0], form))
            assert queues.item(self.ws, item[0]).state not in UNDECIDED

    @rule(number=st.integers(0, 3), form=FORMS)
    def record(self, number: int, form: VerdictForm) -> None:
        key = self.candidates[number]
        self.step(lambda: decisions.record(self.ws, ADA, key, form, based_on=None))

    @rule(number=st.integers(0, 3))
    def retract(self, number: int) -> None:
        try:
            self.step(lambda: decisions.retract(self.ws, ADA, self.candidates[number]))
        except NotFoundError:
            return

    @rule(number=NUMBERS)
    def put_off(self, number: int) -> None:
        try:
            queues.put_off(self.ws, self.items()[number][0])
        except UqError:
            return

    def move(self, work: Callable[..., Decision | None]) -> bool:
        """Undo or redo; false when it is refused because a queue is closed."""
        try:
            return work(self.ws, ADA, None) is not None
        except UqError as error:
            if "closed" not in error.message:
                raise
            return False

    @rule()
    def undo(self) -> None:
        now = self.standing()
        if self.move(decisions.undo):
            assert self.standing() == self.before.pop()
            self.undone.append(now)
        else:
            assert self.standing() == now

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        now = self.standing()
        if self.move(decisions.redo):
            assert self.standing() == self.undone.pop()
            self.before.append(now)

    @rule(which=st.integers(0, 1))
    def close_or_reopen(self, which: int) -> None:
        made = queues.get(self.ws, self.queues[which].id)
        (queues.close if made.closed_at is None else queues.reopen)(self.ws, made.id)

    @rule()
    def restart(self) -> None:
        self.ws.close()
        self.ws = Workspace.open(self.ws.path)

    @invariant()
    def an_item_is_decided_while_its_verdict_stands(self) -> None:
        newest = self.newest()
        for item in self.items():
            verdict = newest.get(item["verdict_id"])
            stands = verdict is not None and verdict["status"] == "submitted"
            assert stands == (item["state"] not in UNDECIDED)
            assert stands == (item["decided_at"] is not None)

    @invariant()
    def what_is_masked_is_what_is_undecided(self) -> None:
        undecided = {
            item["question_id"] for item in self.items() if item["state"] in UNDECIDED and item["closed_at"] is None
        }
        assert blindness.masked_questions(self.ws, ADA.id) == undecided
        assert {key for key in ("q0", "q1") if blindness.is_masked(self.ws, ADA.id, key)} == undecided

    @invariant()
    def no_row_ever_changes(self) -> None:
        lines = {(row["verdict_id"], row["revision"]): row["record"] for row in self.rows("SELECT * FROM verdict")}
        assert self.lines.items() <= lines.items()
        self.lines = lines


TestDecidingInAnyOrder = Deciding.TestCase
TestDecidingInAnyOrder.settings = settings(max_examples=6, stateful_step_count=14)
