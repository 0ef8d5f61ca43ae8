"""Resolving a question and getting an answer ready for posting, from the workbench."""

from pathlib import Path

from textual.widgets import Input, TextArea

from store import candidates, intake, resolutions
from tests.screens.conftest import bench, first_question, opened
from tests.screens.waiting import screen_text, wait_until
from tests.store.stock import question
from uq_tui.screens.posting import PostingModal
from uq_tui.screens.resolution import ResolutionModal, StateRow
from uq_tui.state.desk import Desk
from uq_tui.words import Resolution


async def test_a_question_is_resolved_and_it_is_taken_back(desk: Desk) -> None:
    asked = first_question(desk.workspace)
    host = bench(desk)
    async with host.run_test(size=(120, 50)) as pilot:
        await opened(pilot)
        await pilot.press("r")
        await wait_until(pilot, lambda: "Nobody has said anything of it yet." in screen_text(pilot))
        await pilot.press("tab", "ctrl+s")
        await wait_until(pilot, lambda: isinstance(host.focused, StateRow))
        await pilot.press("m", "tab", "tab", "e")
        host.screen.query_one("#why", TextArea).text = "By parity.\x1b[2J"
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: "resolved by a model (a-model, c1), on the word of" in screen_text(pilot))
        assert "By parity.␛[2J" in screen_text(pilot)
        await pilot.press("escape")
        await wait_until(pilot, lambda: "(resolved by a model)" in screen_text(pilot))
        assert resolutions.of_question(desk.workspace, asked).state is Resolution.RESOLVED_BY_MODEL
        await pilot.press("r")
        await wait_until(pilot, lambda: "By parity." in screen_text(pilot))
        assert isinstance(host.screen, ResolutionModal)
        await pilot.press("ctrl+t")
        await wait_until(pilot, lambda: "took back: resolved by a model" in screen_text(pilot))
        assert resolutions.of_question(desk.workspace, asked).state is Resolution.OPEN


async def test_what_a_site_says_stands_before_the_file(desk: Desk, tmp_path: Path) -> None:
    asked = first_question(desk.workspace)
    site = "math.stackexchange.com"
    chosen = candidates.of_question(desk.workspace, asked)[0]
    desk.workspace.write(lambda db: intake.put(db, [question(1, id=asked, site=site, link=f"https://{site}/q/1")]))
    host = bench(desk)
    file = tmp_path / "answer.md"
    async with host.run_test(size=(120, 50)) as pilot:
        await opened(pilot)
        await pilot.press("b")
        await wait_until(pilot, lambda: "Mathematics, answers by machines: forbidden." in screen_text(pilot))
        assert isinstance(host.screen, PostingModal)
        assert "the model a-model" in screen_text(pilot)
        host.screen.query_one("#path", Input).value = str(file)
        await pilot.press("enter")
        await wait_until(pilot, lambda: "does not take it" in screen_text(pilot))
        assert not file.exists()
        await pilot.press("ctrl+o")
        await wait_until(pilot, lambda: "Wrote" in screen_text(pilot))
    assert file.read_text(encoding="utf-8").startswith(chosen.answer.raw)
