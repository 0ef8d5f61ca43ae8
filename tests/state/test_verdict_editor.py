"""A verdict being written: what reaches the store, in which order, and what survives."""

import asyncio
import json
import threading

import pytest

from store import candidates, drafts, verdicts
from store.rows import MarkedError, Quote, VerdictForm
from store.verdict_form import form_from_plain
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from uq_tui.engine.requests import ModelChoice
from uq_tui.errors import UqError
from uq_tui.state.desk import Desk
from uq_tui.state.verdict_editor import VerdictEditor, with_error_categories
from uq_tui.words import ErrorCategory, Label


async def editing(workspace: Workspace) -> tuple[Desk, VerdictEditor, tuple[str, ...]]:
    """An editor open on the first of two candidates, with a label chosen."""
    add_question(workspace)
    ids = add_candidates(workspace, "It is so.", "It is not.")
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))
    editor = VerdictEditor(desk)
    await editor.open(candidates.get(workspace, ids[0]))
    editor.edit(lambda form: VerdictForm(label=Label.CORRECT))
    return desk, editor, ids


async def test_a_draft_written_beside_a_verdict_does_not_outlive_it(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, editor, (first, _) = await editing(workspace)
    recorded, save = threading.Event(), drafts.save

    def late(ws: Workspace, reviewer_id: str, candidate_id: str, form: VerdictForm, *, based_on: int) -> int:
        recorded.wait(0.2)
        return save(ws, reviewer_id, candidate_id, form, based_on=based_on)

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


def test_two_errors_of_one_category_both_stay() -> None:
    reasoning = ErrorCategory.INCORRECT_REASONING
    errors = tuple(MarkedError(reasoning, (Quote(words, None, None, "", ""),)) for words in ("one", "two"))
    changed = with_error_categories(VerdictForm(errors=errors), frozenset({reasoning, ErrorCategory.OTHER}))
    assert changed.errors == (*errors, MarkedError(ErrorCategory.OTHER))
    assert with_error_categories(changed, frozenset()).errors == ()


def test_a_row_with_keys_of_a_later_version_can_be_revised() -> None:
    quote = {"quote": "q", "start": 0, "end": 1, "prefix": "", "suffix": "", "page": 3}
    error = {"category": "other", "quotes": [quote], "claim": "", "problem": "", "fix": "", "weight": 2}
    plain = {
        **dict.fromkeys(("label", "not_judged", "rationale"), ""),
        **dict.fromkeys(("score_0_7", "confidence")),
        **dict.fromkeys(("seconds_active", "seconds_total"), 0.0),
        "errors": [error],
        "question_flags": [],
        "relation": "other",
    }
    assert form_from_plain(json.loads(json.dumps(plain))).errors == (MarkedError("other", (Quote("q", 0, 1, "", ""),)),)
