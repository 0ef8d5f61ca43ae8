"""The dialog that saves plots and tables of Insights: what is chosen is written, and what is wrong is said."""

import sys
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot

from tests.screens.waiting import screen_text, wait_until
from tests.state.reports.test_saving import PAGE
from uq_tui.screens import saving
from uq_tui.screens.saving import SaveModal
from uq_tui.state.reports.saving import items


class Host(App[None]):
    def on_mount(self) -> None:
        self.push_screen(SaveModal(items("work", PAGE)))


async def shown(pilot: Pilot[None], text: str) -> None:
    await wait_until(pilot, lambda: text in " ".join(screen_text(pilot).split()))


async def test_what_is_chosen_is_written_as_what_is_chosen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "saved"
    monkeypatch.setattr(saving, "DEFAULT", str(folder))
    async with Host().run_test(size=(100, 40)) as pilot:
        await shown(pilot, "^s writes 14 files.")
        assert "table Cost" in " ".join(screen_text(pilot).split())
        await pilot.press("tab", "s", "p")  # neither SVG nor PNG
        await shown(pilot, "^s writes 6 files.")
        await pilot.press("tab", "space")  # not the first plot
        await shown(pilot, "^s writes 5 files.")
        await pilot.press("ctrl+s")
        await shown(pilot, "Wrote 5 files to")
        names = sorted(path.name for path in folder.iterdir())
        assert names == [
            "work-plot-confusion.csv",
            "work-plot-cost.csv",
            "work-plot-kappa.csv",
            "work-table-cost-2.csv",
            "work-table-cost.csv",
        ]
        await pilot.press("escape")
        await wait_until(pilot, lambda: not isinstance(pilot.app.screen, SaveModal))


async def test_without_the_library_only_numbers_are_offered_and_plots_say_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saving, "DEFAULT", str(tmp_path))
    monkeypatch.setattr(saving, "can_draw", lambda: False)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    async with Host().run_test(size=(100, 40)) as pilot:
        await shown(pilot, "^s writes 6 files.")
        await pilot.press("tab", "s", "shift+tab", "enter")
        await shown(pilot, 'pip install "uq-tui[plots]"')
