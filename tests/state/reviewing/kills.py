"""Kills a reviewer's process at moments drawn by chance, and holds the store against what the screen had shown."""

import copy
import multiprocessing
import random
import signal
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from store import decisions, queues, reviewers
from store.review_rows import Queue
from store.rows import Reviewer
from store.workspace import Workspace
from tests.state.reviewing import reviewer_at_work
from tests.state.reviewing.reviewer_at_work import Act, Told, make_queue
from uq_tui.words import ItemState, Label, VerdictStatus

PROBLEMS, ANSWERS = 8, 8
_MOST_TOLD = 16
"""Things told before a kill at most; each act is told before and after."""
_LATEST_S = 0.012
"""After the last thing told that is waited for; an act takes about as long."""
_PATIENCE_S = 60.0

processes = multiprocessing.get_context("forkserver")
"""Forked from one that has imported the states behind the screen already."""
processes.set_forkserver_preload([reviewer_at_work.__name__])

Said = tuple[Label, str]
"""A label and the rationale that was recorded with it."""


@dataclass
class Shown:
    """What the screen has shown as saved, by item, and may so be asked of the store."""

    standing: dict[str, list[Said]] = field(default_factory=dict)
    """The revisions of its verdict that stand, the newest last."""
    put_off: set[str] = field(default_factory=set)
    words: dict[str, str] = field(default_factory=dict)
    """The rationale that its form opens with."""
    steps: list[str] = field(default_factory=list)
    """Items of the steps that can be undone, the last one last."""
    undone: list[tuple[str, Said]] = field(default_factory=list)

    def take(self, told: Told) -> None:
        """What was told is done, if there was anything to do."""
        match told.act:
            case Act.GIVE:
                assert told.label is not None
                self.standing.setdefault(told.item_id, []).append((told.label, told.text))
                self.steps.append(told.item_id)
                self.undone.clear()
                self.put_off.discard(told.item_id)
            case Act.PUT_OFF if told.happened:
                self.put_off.add(told.item_id)
            case Act.UNDO if self.steps:
                item = self.steps.pop()
                self.undone.append((item, self.standing[item].pop()))
            case Act.REDO if self.undone:
                item, said = self.undone.pop()
                self.standing[item].append(said)
                self.steps.append(item)
                self.put_off.discard(item)
            case _:
                pass

    def said(self, item: str) -> Said | None:
        """What its verdict says that stands."""
        revisions = self.standing.get(item)
        return revisions[-1] if revisions else None

    def state(self, item: str) -> ItemState:
        if self.standing.get(item):
            return ItemState.DECIDED
        return ItemState.PUT_OFF if item in self.put_off else ItemState.OPEN


@dataclass(frozen=True)
class OnDisk:
    """What a store holds, by item."""

    states: dict[str, ItemState]
    standing: dict[str, Said]
    words: dict[str, str]

    def unlike(self, shown: Shown) -> list[tuple[object, ...]]:
        """Items whose state or verdict is not what was shown: what is there, and what should be."""
        pairs = (
            (item, (state, self.standing.get(item)), (shown.state(item), shown.said(item)))
            for item, state in self.states.items()
        )
        return [(item, there, wanted) for item, there, wanted in pairs if there != wanted]


class Killed:
    """A queue whose reviewer is killed again and again, each time going on where the last one was."""

    def __init__(self, workspace: Path, chance: random.Random) -> None:
        self._path = workspace
        self._chance = chance
        with self._open() as ws:
            self._reviewer = reviewers.current(ws)
            self._queue = make_queue(ws, self._reviewer, PROBLEMS, ANSWERS)
        self._shown = Shown()
        self.in_the_middle = 0
        """Kills between the beginning of something and its being shown as done."""
        self.recorded = 0
        """Verdicts that were shown as recorded."""
        self.drafts = 0
        """Drafts that were shown as kept."""

    @contextmanager
    def _open(self) -> Iterator[Workspace]:
        ws = Workspace.open(self._path)
        try:
            yield ws
        finally:
            ws.close()

    def once(self) -> None:
        """Let a reviewer work, kill them, hold what is left against what was shown, and undo what they did last."""
        told = self._work_and_kill()
        pending = told.pop() if told and not told[-1].done else None
        for one in told:
            if one.done:
                self._note(one)
        self.in_the_middle += pending is not None
        _check_file(self._path)
        with self._open() as ws:
            self._compare(_read(ws, self._queue, self._reviewer), pending)
            self._undo(ws)

    def _work_and_kill(self) -> list[Told]:
        receiving, sending = processes.Pipe(duplex=False)
        arguments = (self._path, self._queue.id, self._chance.getrandbits(32), sending)
        process = processes.Process(target=reviewer_at_work.work, args=arguments)
        process.start()
        sending.close()
        with receiving:
            told = [_next(receiving) for _ in range(self._chance.randrange(1, _MOST_TOLD))]
            time.sleep(self._chance.uniform(0.0, _LATEST_S))
            process.kill()
            process.join()
            told += _rest(receiving)
        assert process.exitcode == -signal.SIGKILL
        process.close()
        return told

    def _note(self, told: Told) -> None:
        """Something was shown as done: from now on the store has to have it."""
        self._shown.take(told)
        self.recorded += told.act is Act.GIVE
        self.drafts += told.act is Act.PAUSE
        if told.item_id and (told.happened or told.act is Act.PAUSE):
            self._shown.words[told.item_id] = told.text
        if told.now:
            self._shown.words[told.now] = told.words

    def _compare(self, found: OnDisk, pending: Told | None) -> None:
        """All that was shown is there. What was pending is there whole or not at all, but for its draft."""
        begun: set[str] = set()
        if pending is not None:
            after = copy.deepcopy(self._shown)
            after.take(pending)
            begun = {pending.item_id, *self._shown.steps[-1:], *(item for item, _ in self._shown.undone[-1:])}
            for item in begun:
                assert found.words.get(item, "") in self._words_of(item, pending), f"words of {item}"
            if found.unlike(self._shown):
                self._shown = after
        assert not (unlike := found.unlike(self._shown)), unlike
        for item in found.states.keys() - begun:
            assert found.words.get(item, "") == self._shown.words.get(item, ""), f"words of {item}"
        self._shown.words.update({item: found.words.get(item, "") for item in begun})

    def _words_of(self, item: str, pending: Told) -> set[str]:
        """What may be on disk of an item while something is being done: as it was, as it is to be, or a revision's."""
        said = [*self._shown.standing.get(item, []), *(one for other, one in self._shown.undone if other == item)]
        typed = {pending.text} if pending.item_id == item else set()
        return {self._shown.words.get(item, ""), *(text for _, text in said)} | typed

    def _undo(self, ws: Workspace) -> None:
        """Undo works on what a kill has left."""
        last = self._shown.steps[-1] if self._shown.steps else ""
        decision = decisions.undo(ws, self._reviewer, self._queue.id)
        assert (decision.item.id if decision is not None and decision.item is not None else "") == last
        self._shown.take(_UNDO)
        found = _read(ws, self._queue, self._reviewer)
        assert not (unlike := found.unlike(self._shown)), unlike
        if last:
            self._shown.words[last] = found.words.get(last, "")


_UNDO = Told(True, Act.UNDO, "", "")


def _next(receiving: Connection) -> Told:
    assert receiving.poll(_PATIENCE_S), "the reviewer does nothing"
    told = receiving.recv()
    assert isinstance(told, Told)
    return told


def _rest(receiving: Connection) -> Iterator[Told]:
    """What was told before the kill, and not taken yet."""
    with suppress(EOFError):
        while True:
            yield receiving.recv()


def _read(ws: Workspace, queue: Queue, reviewer: Reviewer) -> OnDisk:
    items = queues.items(ws, queue.id, reviewer.id)
    newest = "SELECT candidate_id, status, label, json_extract(record, '$.rationale') FROM verdict ORDER BY revision"
    with ws.read() as db:
        verdicts = {row[0]: row[1:] for row in db.exec_driver_sql(newest)}
        forms = db.exec_driver_sql("SELECT candidate_id, json_extract(form, '$.rationale') FROM draft")
        drafts: dict[str, str] = {row[0]: row[1] for row in forms}
    submitted = {key: (Label(row[1]), row[2]) for key, row in verdicts.items() if row[0] == VerdictStatus.SUBMITTED}
    standing = {item.id: submitted[item.candidate_id] for item in items if item.candidate_id in submitted}
    words = {item.id: drafts.get(item.candidate_id, standing.get(item.id, ("", ""))[1]) for item in items}
    return OnDisk({item.id: item.state for item in items}, standing, words)


def _check_file(workspace: Path) -> None:
    with closing(sqlite3.connect(workspace)) as db:
        assert db.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert db.execute("PRAGMA foreign_key_check").fetchall() == []
