"""A reviewer who goes through a queue in a process of their own, and tells what the screen shows as saved.

They type, pause, decide, change their mind, undo and redo, as chance has it, until they are killed. Nothing but the
states behind the screen and the store is imported, so that a process is ready within milliseconds of being forked.
"""

import asyncio
import random
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path

from store import candidates, queues
from store.review_rows import NewItem, Queue
from store.rows import Reviewer, VerdictForm
from store.workspace import Workspace
from tests.fakes.scripted_engine import ScriptedEngine
from tests.store.stock import candidate, question, take
from uq_tui.engine.requests import ModelChoice
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.giving import Given
from uq_tui.state.reviewing.guard import GUARD_S, HELD_S
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.state.reviewing.review import ReviewState
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.words import ItemState, Label, QueueMode

LABELS = (Label.CORRECT, Label.CORRECT_BORDERLINE, Label.INCORRECT, Label.UNSURE)


class Act(StrEnum):
    """What a reviewer does."""

    PAUSE = "pause"
    """After some words of the rationale."""
    GIVE = "give"
    PUT_OFF = "put_off"
    GO_TO = "go_to"
    UNDO = "undo"
    REDO = "redo"


WEIGHTS = {Act.PAUSE: 4, Act.GIVE: 5, Act.PUT_OFF: 1, Act.GO_TO: 2, Act.UNDO: 3, Act.REDO: 1}


@dataclass(frozen=True, slots=True)
class Told:
    """What is told before something is done, and once the screen shows it as done.

    Attributes:
        done: the screen shows it.
        act: what it is.
        item_id: the item before the reviewer when it was begun.
        text: the rationale in its form then.
        label: that is given.
        now: the item before the reviewer when it is done; empty at the end of the queue.
        words: the rationale in its form.
        happened: it was done at all; there may be nothing to undo.
    """

    done: bool
    act: Act
    item_id: str
    text: str
    label: Label | None = None
    now: str = ""
    words: str = ""
    happened: bool = True


def work(workspace: Path, queue_id: str, seed: int, told: Connection) -> None:
    """Work until killed."""
    asyncio.run(_work(Workspace.open(workspace), queue_id, random.Random(seed), told))


async def _work(ws: Workspace, queue_id: str, chance: random.Random, told: Connection) -> None:
    desk = await Desk.sit_down(ws, ScriptedEngine(ws.path), ModelChoice("replay/none"))
    clock = _Clock()
    state = ReviewState(desk, VerdictEditor(desk, clock=clock), clock=clock)
    await state.open(queue_id)
    reviewer = _Reviewer(state, clock, chance, told)
    while True:
        await reviewer.act()


def _with_word(form: VerdictForm, word: str) -> VerdictForm:
    return replace(form, rationale=form.rationale + word)


def make_queue(ws: Workspace, reviewer: Reviewer, problems: int, answers: int) -> Queue:
    """A blind queue of some problems with as many answers each, and with one share."""
    asked = [question(number) for number in range(1, problems + 1)]
    take(ws, *asked)
    items = []
    for one in asked:
        new = [candidate(f"Answer {number} to {one.id}.", one.id) for number in range(1, answers + 1)]
        items += [NewItem(one.id, key) for key in candidates.add(ws, new)]
    spec = QueueSpec(mode=QueueMode.BLIND).as_json()
    shares = {reviewer.id: tuple(items)}
    return queues.make(ws, name="at work", mode=QueueMode.BLIND, spec=spec, guideline="", shares=shares)


class _Clock:
    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class _Reviewer:
    def __init__(self, state: ReviewState, clock: _Clock, chance: random.Random, told: Connection) -> None:
        self._state = state
        self._clock = clock
        self._chance = chance
        self._told = told
        self._words = 0

    @property
    def _item_id(self) -> str:
        return self._state.item.id if self._state.item is not None else ""

    @property
    def _text(self) -> str:
        return self._state.editor.form.rationale if self._state.item is not None else ""

    async def act(self) -> None:
        """Do one thing, and tell it before and after."""
        self._clock.now += max(GUARD_S, HELD_S) + 0.01
        (act,) = self._chance.choices(list(WEIGHTS), list(WEIGHTS.values()))
        if self._state.item is None and act in (Act.PAUSE, Act.GIVE, Act.PUT_OFF):
            act = Act.UNDO
        if act in (Act.PAUSE, Act.GIVE) or self._chance.random() < 0.3:
            self._type()
        label = self._chance.choice(LABELS) if act is Act.GIVE else None
        begun = Told(False, act, self._item_id, self._text, label)
        self._told.send(begun)
        happened = await self._do(act, label)
        self._told.send(replace(begun, done=True, now=self._item_id, words=self._text, happened=happened))

    def _type(self) -> None:
        if self._state.item is None:
            return
        for _ in range(self._chance.randrange(1, 4)):
            self._words += 1
            self._state.editor.edit(partial(_with_word, word=f" w{self._words}"))

    async def _do(self, act: Act, label: Label | None) -> bool:
        match act:
            case Act.PAUSE:
                return await self._state.editor.save_draft()
            case Act.GIVE:
                assert label is not None
                done = await self._state.give(label)
                assert (done, self._state.recorded) == (Given.RECORDED, label.replace("_", " "))
                return True
            case Act.PUT_OFF:
                item = self._state.item
                if item is None or item.state not in (ItemState.OPEN, ItemState.PUT_OFF):
                    return False
                return await self._state.put_off()
            case Act.GO_TO:
                await self._state.go_to(await self._any_item())
                return True
            case Act.UNDO:
                return await self._state.undo()
            case Act.REDO:
                return await self._state.redo()

    async def _any_item(self) -> str:
        assert self._state.queue is not None
        desk = self._state.desk
        listed = await asyncio.to_thread(queues.items, desk.workspace, self._state.queue.id, desk.reviewer.id)
        return self._chance.choice(listed).id
