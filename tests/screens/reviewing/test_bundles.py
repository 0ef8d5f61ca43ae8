"""The shares of a queue on the screen: bundles written, what is out of depth handed on, what was said sent back."""

import asyncio
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, OptionList

from exports.bundles import BundleReport, write_work
from store import decisions, queues, reviewers
from store.bundles import note
from store.review_rows import NewItem, Queue
from store.rows import Reviewer, VerdictForm
from store.workspace import Workspace
from tests.screens.conftest import Host
from tests.screens.waiting import screen_text, shown, wait_until
from tests.state.reviewing.laid_out import add_problem, desk_of
from uq_tui.screens.reviewing.bundles import BundlesScreen
from uq_tui.screens.reviewing.queues import QueuesScreen
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing import bundles
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import BundleDirection, NotJudged, QueueMode

ANN = Reviewer("0199aaaa-0000-7000-8000-0000000000aa", "ann [b]", "", ())
BEN = Reviewer("0199aaaa-0000-7000-8000-0000000000bb", "ben", "", ())


async def laid_out(ws: Workspace) -> tuple[Desk, Queue]:
    """Ann, who sits here, has two problems, and Ben another."""
    shares: dict[str, list[NewItem]] = {ANN.id: [], BEN.id: []}
    for number, one in enumerate((ANN, ANN, BEN)):
        shares[one.id] += add_problem(ws, f"source:{number}", f"It is {number}.")
    reviewers.make(ws, BEN)
    reviewers.save(ws, ANN)
    return await desk_of(ws), queues.make(
        ws, name="pilot [b]", mode=QueueMode.BLIND, spec={}, guideline="", shares=shares
    )


async def enter(pilot: Pilot[None], text: str) -> None:
    """Answer what is asked, without a key for each sign: these take most of the time."""
    pilot.app.screen.query_one("#asked", Input).value = text
    await pilot.press("enter")


async def test_bundles_are_written_and_what_is_out_of_depth_goes_to_another(
    workspace: Workspace, tmp_path: Path
) -> None:
    desk, queue = await laid_out(workspace)
    first = queues.items(workspace, queue.id, ANN.id)[0]
    decisions.decide(workspace, ANN, first.id, VerdictForm(not_judged=NotJudged.OUT_OF_DEPTH))
    host = Host(BundlesScreen(desk, queue, TitleBar()))
    async with host.run_test(size=(110, 30)) as pilot:
        await shown(pilot, "Shares of pilot [b]", "ann [b]   not sent", "1 of 2   1 missing   1 out of depth")
        await shown(pilot, "1 item out of somebody's depth")
        await pilot.press("w")
        await shown(pilot, "Write bundles", "uq-bundles/pilot-b")
        await enter(pilot, str(tmp_path / "out"))
        await shown(pilot, "ann [b]: 2 items in", "ben: 1 item in", "sent 20")
        assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
            "pilot-b-ann-b.bundle.zip",
            "pilot-b-ben.bundle.zip",
        ]
        await pilot.press("h")
        await shown(pilot, "Public name")
        await enter(pilot, "ben")
        await shown(pilot, "1 item handed on to ben", "0 of 2   2 missing")
        await shown(pilot, "nothing is to be handed on")
        assert not host.screen.check_action("hand_on", ())
        await pilot.press("b")
        await shown(pilot, "Send back what you have said", "pilot-b-ann-b.returned.zip")
        await enter(pilot, str(tmp_path / "back.zip"))
        await shown(pilot, "1 verdict row and 0 statements written to", "1 item left to decide.")
    assert (tmp_path / "back.zip").exists()
    assert host.errors == []


async def test_writing_is_stopped_by_the_key_that_leaves(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, queue = await laid_out(workspace)
    begun, go_on = Event(), Event()

    def held(*given: Any, **named: Any) -> BundleReport:
        begun.set()
        assert go_on.wait(60)
        return write_work(*given, **named)

    monkeypatch.setattr(bundles, "write_work", held)
    host = Host(BundlesScreen(desk, queue, TitleBar()))
    async with host.run_test(size=(110, 30)) as pilot:
        await shown(pilot, "ann [b]   not sent")
        await pilot.press("w")
        await shown(pilot, "Write bundles")
        await enter(pilot, str(tmp_path / "out"))
        await shown(pilot, "Writing bundles: 0 rows ... esc stops.")
        await asyncio.to_thread(begun.wait, 60)
        offered = ("send", "hand_on", "give_back", "reload")
        assert not any(host.screen.check_action(action, ()) for action in offered)
        await pilot.press("escape")
        go_on.set()
        await shown(pilot, "Stopped: 0 bundles written.", "ann [b]   not sent")
        assert host.screen.check_action("send", ())
    assert [*(tmp_path / "out").iterdir()] == []
    assert host.errors == []


async def test_a_share_that_was_opened_here_says_so_and_only_goes_back(workspace: Workspace) -> None:
    desk, queue = await laid_out(workspace)
    first = queues.items(workspace, queue.id, ANN.id)[0]
    decisions.decide(workspace, ANN, first.id, VerdictForm(not_judged=NotJudged.OUT_OF_DEPTH))
    note(workspace, BundleDirection.OPENED, queue.id, ANN.id, "pilot.zip", "", 2)
    host = Host(BundlesScreen(desk, queue, TitleBar()))
    async with host.run_test(size=(110, 30)) as pilot:
        await shown(pilot, "ann [b]   opened 20", "1 of 2   1 left   1 out of depth")
        found = [bool(host.screen.check_action(action, ())) for action in ("send", "hand_on", "give_back")]
        assert found == [False, False, True]
        assert "out of somebody's depth" not in screen_text(pilot)
    listing = Host(QueuesScreen(desk))
    async with listing.run_test(size=(110, 30)) as pilot:
        await shown(pilot, "goes on where you left it. b sends back what you have said.")


async def test_who_has_no_share_in_a_queue_is_told_where_its_shares_are(workspace: Workspace) -> None:
    desk, _ = await laid_out(workspace)
    elsewhere = desk.for_reviewer(Reviewer("0199aaaa-0000-7000-8000-0000000000cc", "cy", "", ()))
    host = Host(QueuesScreen(elsewhere))
    async with host.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "Nothing in it is for cy. b shows whose it is, and how far they are.")


async def test_what_cannot_be_done_is_told_or_not_offered(workspace: Workspace, tmp_path: Path) -> None:
    desk, queue = await laid_out(workspace)
    queues.close(workspace, queue.id)
    elsewhere = desk.for_reviewer(Reviewer("0199aaaa-0000-7000-8000-0000000000cc", "cy", "", ()))
    host = Host(BundlesScreen(elsewhere, queues.get(workspace, queue.id), TitleBar()))
    async with host.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "ben   not sent")
        assert [host.screen.check_action(action, ()) for action in ("send", "hand_on", "give_back")] == [False] * 3
        await pilot.press("w", "h", "b")
        listing = host.screen.query_one(OptionList)
        await pilot.press("down", "r")
        await wait_until(pilot, lambda: listing.highlighted == 1)
        assert host.screen.is_current
        assert isinstance(host.screen, BundlesScreen)
    open_ones = Host(BundlesScreen(desk, queue, TitleBar()))
    (tmp_path / "file").write_text("in the way")
    async with open_ones.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "ann [b]   not sent")
        await pilot.press("w")
        await shown(pilot, "Write bundles")
        await enter(pilot, str(tmp_path / "file"))
        await wait_until(pilot, lambda: bool(open_ones.errors))
    assert "can't be made" in str(open_ones.errors[0])
