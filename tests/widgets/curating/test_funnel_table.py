"""The funnel as a table."""

import pytest
from textual.app import App, ComposeResult

from store.curation_rows import StageCount
from tests.screens.waiting import screen_text, shown
from uq_tui.state.curating.funnel_lines import FunnelLine, FunnelSection, sections
from uq_tui.widgets.curating.funnel_table import FunnelTable, heads, label_cells, line_content
from uq_tui.words import CurationStage, Rule

COUNTS = (
    StageCount(CurationStage.RULES, Rule.VIEWS.value, False, "mathoverflow.net", "Science", 1_234_567),
    StageCount(CurationStage.KEPT, "", False, "[bold]\x1b[2J", "", 1),
)
LINE = FunnelLine("k", "passed the rules", 1_234, 12_345_678, (), 33_916, 3_000_000, 1)


@pytest.mark.parametrize("width", [72, 80, 120, 200])
def test_columns_stand_below_their_heads(width: int) -> None:
    top, line = heads(width).plain, " " + line_content(LINE, label_cells(width)).plain
    assert len(line) <= width
    for head, cell in ((" n", "1,234"), ("the paper", "33,916"), (" share", " 1.1 %")):
        assert top.rindex(head) + len(head) == line.index(cell) + len(cell)
    assert line.index("0.01 % of 12,345,678") == top.index("share")


def test_where_the_paper_says_nothing_nothing_stands() -> None:
    bare = FunnelLine("k", "age", 3, None, ())
    assert line_content(bare, 20).plain.split() == ["age", "3"]


def test_a_long_label_is_cut() -> None:
    assert "…" in line_content(FunnelLine("k", "a" * 90, 3, None, ()), 20).plain


class Host(App[None]):
    def __init__(self, shown: tuple[FunnelSection, ...]) -> None:
        super().__init__()
        self._shown = shown

    def compose(self) -> ComposeResult:
        yield FunnelTable(id="funnel")

    def on_mount(self) -> None:
        self.query_one(FunnelTable).show(self._shown, empty="Nothing here.")
        self.query_one(FunnelTable).focus()


async def test_keys_go_from_section_to_section_and_the_place_is_kept() -> None:
    app = Host(sections(COUNTS))
    async with app.run_test(size=(80, 12)) as pilot:
        table = app.query_one(FunnelTable)
        await shown(pilot, "Stages", "3,000,000")
        assert table.key == "all looked_at"
        await pilot.press("right")
        await shown(pilot, "Fell at the rules")
        assert table.key == "rules views"
        await pilot.press("right", "down")
        assert table.key == "domain Science rules"
        table.show(sections(COUNTS), empty="")
        assert table.key == "domain Science rules"
        await pilot.press("left")
        assert table.key == "domain Science looked_at"
        await pilot.press("left", "left", "left")
        await shown(pilot, "[bold]")  # the last section: a site's name is never an instruction
        assert "\x1b" not in screen_text(pilot)


async def test_an_empty_funnel_says_so() -> None:
    app = Host(())
    async with app.run_test(size=(80, 12)) as pilot:
        await shown(pilot, "Nothing here.")
        await pilot.press("right")
        assert app.query_one(FunnelTable).key == ""
