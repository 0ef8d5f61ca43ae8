"""The export dialog: what is chosen goes out, where one says; a file that can't be written is told of."""

import json
from pathlib import Path

from textual.widgets import Input

from store import candidates, statements
from store.review_rows import Said
from store.rows import VerdictForm
from tests.screens.conftest import first_question
from tests.screens.dialog_host import DialogHost
from tests.screens.waiting import screen_text, wait_until
from tests.store.records.giving import give
from uq_tui.screens.export import ExportModal
from uq_tui.state.desk import Desk
from uq_tui.words import Label, StatementKind


async def test_what_is_chosen_is_written_where_one_says(desk: Desk, tmp_path: Path) -> None:
    chosen = candidates.of_question(desk.workspace, first_question(desk.workspace))[0]
    give(desk.workspace, desk.reviewer, chosen.id, VerdictForm(label=Label.UNSURE))
    statements.add(desk.workspace, desk.reviewer, StatementKind.COMMENT, chosen.question_id, Said("Hm."))
    path = tmp_path / "out.jsonl"
    host = DialogHost(ExportModal(desk.workspace))
    async with host.run_test(size=(80, 24)) as pilot:
        field = host.screen.query_one("#path", Input)
        field.value = str(path)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Wrote 1 verdict" in screen_text(pilot))
        whole = json.loads(path.read_text(encoding="utf-8"))
        await pilot.press("tab", "tab", "tab", "a", "enter")
        await wait_until(pilot, lambda: whole != json.loads(path.read_text(encoding="utf-8")))
        await pilot.press("shift+tab", "shift+tab", "e")
        assert not host.screen.query_one("#parts").display
        assert field.value == str(path), "what was typed stays"
        field.value = "~/uq-verdicts.jsonl"
        await pilot.press("s")
        assert field.value == "~/uq-statements.jsonl"
        field.value = str(tmp_path / "said.jsonl")
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Wrote 1 statement" in screen_text(pilot))
        await pilot.press("escape")
        await wait_until(pilot, lambda: host.results == [True])
    left = json.loads(path.read_text(encoding="utf-8"))
    assert (left["label"], left["redaction"]["left_out"]) == ("unsure", ["reviewer"])
    assert json.loads((tmp_path / "said.jsonl").read_text(encoding="utf-8"))["redaction"]["left_out"] == ["reviewer"]


async def test_formats_of_other_tools_have_the_fields_that_fit_them(desk: Desk, tmp_path: Path) -> None:
    host = DialogHost(ExportModal(desk.workspace))
    async with host.run_test(size=(80, 24)) as pilot:
        field, shown = host.screen.query_one("#path", Input), host.screen.query_one
        await pilot.press("tab", "o", "tab")
        assert field.value == "~/uq-parquet.parquet"
        assert shown("#parts").display
        await pilot.press("a")
        assert field.value == "~/uq-answers.jsonl"
        assert not any(shown(f"#{name}").display for name in ("whose", "parts", "since-row", "key-row"))
        field.value = str(tmp_path / "answers.jsonl")
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Wrote 2 rows" in screen_text(pilot))


async def test_what_cannot_be_written_is_told_and_stays_to_be_read(desk: Desk, tmp_path: Path) -> None:
    host = DialogHost(ExportModal(desk.workspace))
    async with host.run_test(size=(80, 24)) as pilot:
        host.screen.query_one("#path", Input).value = str(tmp_path / "no-such-folder" / "out.jsonl")
        await pilot.press("enter")
        await wait_until(pilot, lambda: len(host.errors) == 1)
        assert "no-such-folder" in host.errors[0]
        host.screen.query_one("#since", Input).value = "yesterday"
        await pilot.press("enter")
        await wait_until(pilot, lambda: len(host.errors) == 2)
        assert "neither a day" in host.errors[1]
        assert "neither a day" in screen_text(pilot)
        await pilot.press("escape")
        await wait_until(pilot, lambda: host.results == [False])
