"""A window of the app in a process of its own: writes on the answer that another one has open too.

It imports nothing that `reviewer_at_work` doesn't, which the process has when it is forked.
"""

import asyncio
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from pathlib import Path

from store.rows import VerdictForm
from store.workspace import Workspace
from tests.fakes.scripted_engine import ScriptedEngine
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import DraftMovedError, VerdictMovedError
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.giving import Given
from uq_tui.state.reviewing.guard import GUARD_S, HELD_S
from uq_tui.state.reviewing.review import ReviewState
from uq_tui.state.verdict.editor import Side, VerdictEditor
from uq_tui.words import Label

ROUNDS = 5
PATIENCE_S = 60.0


@dataclass(frozen=True, slots=True)
class Wrote:
    """What a window was told by the end."""

    texts: tuple[str, ...]
    """All that it had in its form when it kept a draft."""
    moved: int
    """How often it was told that the other one had written meanwhile."""
    given: Given | None
    """What the key did that gave the verdict; `None` where it was refused, which was told."""


def work(
    workspace: Path, queue_id: str, name: str, side: Side, label: Label, together: Barrier, told: Connection
) -> None:
    """Keep some drafts and give a verdict, each at the moment at which the other window does; tell what came of it."""
    ws = Workspace.open(workspace)
    try:
        told.send(asyncio.run(_work(ws, queue_id, name, side, label, together)))
    finally:
        ws.close()


async def _work(ws: Workspace, queue_id: str, name: str, side: Side, label: Label, together: Barrier) -> Wrote:
    desk = await Desk.sit_down(ws, ScriptedEngine(ws.path), ModelChoice("replay/none"))
    now = 0.0
    state = ReviewState(desk, VerdictEditor(desk, clock=lambda: now), clock=lambda: now)
    await state.open(queue_id)
    now += max(GUARD_S, HELD_S)
    texts, moved = [], 0
    for number in range(ROUNDS):
        _write(state.editor, f"{name}{number}")
        texts.append(state.editor.form.rationale)
        together.wait(PATIENCE_S)
        try:
            await state.editor.save_draft()
        except DraftMovedError:
            moved += 1
            await _choose(state.editor, side)
    together.wait(PATIENCE_S)
    try:
        given = await state.give(label)
    except (DraftMovedError, VerdictMovedError):
        given = None
    return Wrote(tuple(texts), moved, given)


def _write(editor: VerdictEditor, word: str) -> None:
    def more(form: VerdictForm) -> VerdictForm:
        return replace(form, rationale=f"{form.rationale} {word}")

    editor.edit(more)


async def _choose(editor: VerdictEditor, side: Side) -> None:
    """Go on with one side, however often the other window writes in between."""
    while editor.conflict is not None:
        try:
            await editor.keep(side)
        except DraftMovedError:
            continue
