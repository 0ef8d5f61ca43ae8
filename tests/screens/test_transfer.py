import json
from pathlib import Path

from textual.widgets import Input, Static

from exports.verdicts import export_verdicts
from store import candidates, questions
from store.ingest.under_way import Progress
from store.rows import ImportReport, QuestionFilter, RejectedRow, Reviewer, VerdictForm
from tests.screens.conftest import first_question
from tests.screens.dialog_host import DialogHost
from tests.screens.waiting import screen_text, shown, wait_until
from tests.store.records.giving import give
from uq_tui.screens.transfer import SHOWN_REJECTED, ImportModal, summary
from uq_tui.state.desk import Desk
from uq_tui.words import Label


async def test_an_import_reports_what_came_in_and_which_rows_did_not(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    good = json.dumps({"question_id": "q9", "title": "A third", "body": "Body.", "site": "a.example"})
    path.write_text(f"{good}\nnot json\n", encoding="utf-8")
    host = DialogHost(ImportModal(desk.workspace))
    async with host.run_test(size=(100, 30)) as pilot:
        host.screen.query_one("#path", Input).value = str(path)
        await pilot.press("ctrl+t")
        await wait_until(pilot, lambda: "A dry run" in screen_text(pilot) and "1 new" in screen_text(pilot))
        assert questions.count(desk.workspace, QuestionFilter()).n == 2
        await pilot.press("enter")
        await wait_until(pilot, lambda: "A dry run" not in screen_text(pilot) and "line 2" in screen_text(pilot))
        assert "questions: 2 rows read, 1 new" in screen_text(pilot)
        await pilot.press("escape")
        await wait_until(pilot, lambda: host.results == [True])
    assert questions.count(desk.workspace, QuestionFilter()).n == 3


async def test_progress_that_comes_late_does_not_replace_the_report(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "more.jsonl"
    path.write_text(json.dumps({"question_id": "q9", "title": "A third", "body": "Body."}) + "\n", encoding="utf-8")
    dialog = ImportModal(desk.workspace)
    host = DialogHost(dialog)
    async with host.run_test(size=(100, 30)) as pilot:
        dialog.query_one("#path", Input).value = str(path)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "1 new" in screen_text(pilot))
        dialog._later(Progress("questions", 1, None, None))
        await pilot.pause()
        assert "1 new" in screen_text(pilot)


async def test_a_missing_file_is_an_error_not_an_import(desk: Desk, tmp_path: Path) -> None:
    host = DialogHost(ImportModal(desk.workspace))
    async with host.run_test(size=(100, 30)) as pilot:
        host.screen.query_one("#path", Input).value = str(tmp_path / "nothing.jsonl")
        await pilot.press("enter")
        await wait_until(pilot, lambda: len(host.errors) == 1)
        assert "nothing.jsonl" in host.errors[0]
        note = str(host.screen.query_one("#note", Static).content)
        assert "nothing.jsonl" in note, "what went wrong stays until something else is tried"


async def test_files_that_came_back_are_merged_and_told_of_together(desk: Desk, tmp_path: Path) -> None:
    chosen = candidates.of_question(desk.workspace, first_question(desk.workspace))[0]
    for person in ("ann", "bob"):
        give(desk.workspace, Reviewer(f"r-{person}", person, "", ()), chosen.id, VerdictForm(label=Label.UNSURE))
        export_verdicts(desk.workspace, tmp_path / f"{person}.jsonl")
    (tmp_path / "broken.jsonl").write_text("neither\n", encoding="utf-8")
    host = DialogHost(ImportModal(desk.workspace))
    async with host.run_test(size=(100, 40)) as pilot:
        host.screen.query_one("#path", Input).value = str(tmp_path / "*.jsonl")
        await pilot.press("enter")
        await shown(pilot, "3 rows of 2 files: 0 new, 3 the same.")
        assert "broken.jsonl is in no format" in str(host.screen.query_one("#note", Static).content)


def test_a_report_counts_in_words_that_fit() -> None:
    rejected = tuple(RejectedRow("f", line, "no `answer`") for line in range(2, SHOWN_REJECTED + 2))
    counts = {"neighbours": 1, "questions": 0}
    report = ImportReport("f", "neighbours", 1, 1, 0, 0, 0, rejected, SHOWN_REJECTED + 1, counts, ())
    first, second, *_, last = summary(report).splitlines()
    assert first.startswith("neighbours: 1 row read, 1 new, 0 changed")
    assert (second, last) == ("neighbours: 1", "and 1 more rejected row")
