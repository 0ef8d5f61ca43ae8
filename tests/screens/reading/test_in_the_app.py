"""The tools in the app itself, from the keys of the workbench to the dialog or the file."""

from pathlib import Path

import pytest

from tests.screens.waiting import screen_text, wait_until
from tests.test_app import _home as _home
from tests.test_app import read_an_answer, running
from uq_tui import paths
from uq_tui.screens.reading.go_to import GoToPrompt
from uq_tui.widgets.document import Document


async def test_a_documents_keys_reach_their_tools(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("BROWSER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    async with running(tmp_path) as (app, pilot):
        await wait_until(pilot, lambda: "commuting triples" in screen_text(pilot))
        document = next(one for one in app.screen.query(Document) if one.source)
        document.focus()
        await pilot.press("number_sign")
        await wait_until(pilot, lambda: isinstance(app.screen, GoToPrompt))
        await pilot.press("escape")
        await wait_until(pilot, lambda: not isinstance(app.screen, GoToPrompt))
        await pilot.press("o")
        await wait_until(pilot, lambda: "Page written" in screen_text(pilot))

        (page,) = (paths.cache_dir() / "pages").iterdir()
        assert "<main" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("key", ["number_sign", "slash", "M"])
async def test_one_leaves_from_a_dialog_of_a_document(tmp_path: Path, key: str) -> None:
    async with running(tmp_path) as (app, pilot):
        await read_an_answer(app, pilot)
        await pilot.press(key)
        await wait_until(pilot, lambda: app.screen.is_modal)
        await pilot.press("ctrl+q")
        await wait_until(pilot, lambda: not app.is_running)
        assert app.failure is None
        assert app.return_code == 0
