"""A tab of Insights on a workspace: read, recorded, then shown; and all tabs that there are."""

import asyncio
import threading

import pytest

from store import exposures, reviewers
from store.workspace import Workspace
from tests.scored import measured, put_labelled
from uq_tui.state.reports.page import Page, Words
from uq_tui.state.reports.tab import Option, Report, Tab
from uq_tui.state.reports.tabs import TABS
from uq_tui.words import Exposure, Label


def opened(name: str, ws: Workspace) -> Report:
    return next(tab for tab in TABS if tab.name == name).open(ws, reviewers.current(ws).id)


async def test_what_figures_give_away_is_recorded_before_it_is_shown(workspace: Workspace) -> None:
    question_id, (one,) = put_labelled(workspace, 1, [Label.CORRECT])
    measured(workspace, question_id, {one: [(1, 8), (4, 8)]})
    await opened("utility", workspace).load("somewhere")
    rows = exposures.of_candidate(workspace, reviewers.current(workspace).id, one)
    assert {row.what for row in rows} == {Exposure.UTILITY, Exposure.KNOWN_LABEL}
    assert {row.where for row in rows} == {"somewhere"}


async def test_a_reading_that_is_turned_away_from_is_not_recorded(workspace: Workspace) -> None:
    reading, go_on, recorded = threading.Event(), threading.Event(), []

    def slow(*_given: object) -> str:
        reading.set()
        go_on.wait(5)
        return "found"

    tab = Tab("slow", "Slow", str, slow, lambda *given: recorded.append(given), lambda found: Page((Words((found,)),)))
    loading = asyncio.create_task(tab.open(workspace, "me").load("somewhere"))
    await asyncio.to_thread(reading.wait)
    loading.cancel()
    go_on.set()
    await asyncio.get_running_loop().shutdown_default_executor()  # what was begun in threads is over
    assert recorded == []


def test_an_option_holds_from_the_next_reading_on_and_may_go_by_the_last(workspace: Workspace) -> None:
    tab = Tab(
        "counting",
        "Counting",
        int,
        lambda _ws, wanted, _reviewer_id, _left_out: wanted,
        lambda *_given: None,
        lambda found: Page((Words((str(found),)),)),
        {Option.UNIT: lambda wanted, found: wanted + (1 if found is None else 10)},
    )
    report = tab.open(workspace, "me")
    assert report.options == {Option.UNIT}
    report.turn(Option.UNIT)
    assert report.read("here") == Page((Words(("1",)),))
    report.turn(Option.UNIT)
    assert report.read("here") == Page((Words(("11",)),))


def test_tabs_are_told_apart() -> None:
    assert len({tab.name for tab in TABS}) == len({tab.title for tab in TABS}) == len(TABS)


@pytest.mark.parametrize("name", [tab.name for tab in TABS])
def test_a_tab_without_anything_to_show_says_what_to_do(workspace: Workspace, name: str) -> None:
    report = opened(name, workspace)
    for option in Option:
        if option in report.options:
            report.turn(option)
    page = report.read("here")
    assert (page.tables, page.drawings) == ((), ())
    assert any("1. " in line for part in page.parts if isinstance(part, Words) for line in part.lines)
