"""The report of a question, written from the workbench."""

from pathlib import Path

from textual.widgets import Input

from tests.screens.conftest import bench, opened
from tests.screens.waiting import screen_text, wait_until
from uq_tui.screens.question_report import QuestionReportModal
from uq_tui.state.desk import Desk


async def test_it_is_written_where_the_reader_says(desk: Desk, tmp_path: Path) -> None:
    host = bench(desk)
    async with host.run_test(size=(120, 50)) as pilot:
        await opened(pilot)
        await pilot.press("B")
        await wait_until(pilot, lambda: isinstance(host.screen, QuestionReportModal))
        path = host.screen.query_one("#path", Input)
        path.value = str(tmp_path / "report.pdf")
        await pilot.press("enter")
        await wait_until(pilot, lambda: "End it in .html" in screen_text(pilot))
        path.value = str(tmp_path / "report.html")
        await pilot.press("enter")
        await wait_until(pilot, lambda: "Wrote" in screen_text(pilot))
    assert "<h2" in (tmp_path / "report.html").read_text(encoding="utf-8")
