"""Reviewers in their dialog, and what follows when another one sits down."""

from pathlib import Path

import pytest

from store import candidates, drafts, exposures, reviewers
from tests.fakes.scripted_engine import ScriptedEngine
from tests.screens.waiting import shown, wait_until
from uq_tui.app import UqApp
from uq_tui.engine.requests import ModelChoice
from uq_tui.screens.reviewing.reviewer import ParticularsModal, ReviewerModal
from uq_tui.widgets.one_line_input import OneLineInput
from uq_tui.words import Exposure, Label


async def test_who_sits_down_takes_over_nothing_of_who_sat_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("uq_tui.engine.client.EngineClient", lambda workspace, log: ScriptedEngine(workspace))
    app = UqApp(tmp_path / "w.uq.sqlite", ModelChoice("replay/tour"))
    async with app.run_test(size=(140, 40), notifications=True) as pilot:
        await shown(pilot, "26 questions")
        await pilot.press("end", "colon")
        await shown(pilot, "Comments and notes: 0 comments")
        await pilot.press("escape", "enter")
        await shown(pilot, "Candidates", "c1")
        assert app.desk is not None
        ws, before = app.desk.workspace, app.desk.reviewer
        question = app.question_id
        candidate = candidates.of_question(ws, question)[0].id
        await pilot.press("enter", "x", "P")  # the draft is not a pause old
        await wait_until(pilot, lambda: isinstance(app.screen, ReviewerModal))
        await pilot.press("n")
        await wait_until(pilot, lambda: isinstance(app.screen, ParticularsModal))
        fields = app.screen.query(OneLineInput)
        fields[0].value, fields[2].value = "b\x1b[2Jo", "0000-0002-1825-0096"
        await pilot.press("enter")
        await shown(pilot, "no ORCID iD")
        fields[2].value = "0000-0002-1825-0097"
        await pilot.press("enter")
        await shown(pilot, "b␛[2Jo, ORCID 0000-0002-1825-0097", f"● sits here  {before.handle}")
        await pilot.press("enter")
        await shown(pilot, "You are b␛[2Jo now.", "Candidates")
        assert app.desk.reviewer == reviewers.current(ws)
        assert app.desk.reviewer.id != before.id
        await wait_until(pilot, lambda: drafts.get(ws, before.id, candidate) is not None)
        kept = drafts.get(ws, before.id, candidate)
        assert kept is not None
        assert kept.form.label is Label.INCORRECT
        assert drafts.get(ws, app.desk.reviewer.id, candidate) is None
        await wait_until(
            pilot,
            lambda: (
                Exposure.MODEL in {row.what for row in exposures.of_candidate(ws, reviewers.current(ws).id, candidate)}
            ),
        )
