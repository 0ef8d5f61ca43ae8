"""While the form is open or a caret selects words, letters are theirs: none of them records by itself."""

from dataclasses import replace

from store import drafts, queues, verdicts
from store.workspace import Workspace
from tests.screens.conftest import Host
from tests.screens.waiting import screen_text, shown, wait_until
from tests.state.reviewing.laid_out import Clock, add_problem, desk_of, make_queue
from uq_tui.screens.reviewing.review import ReviewScreen
from uq_tui.widgets.document import Document
from uq_tui.widgets.reviewing.review_text import ReviewText
from uq_tui.words import ItemRole


async def test_letters_of_the_form_and_of_the_caret_do_not_record(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    (item,) = add_problem(workspace, "count:1", "It is one, and so on.")
    queue = make_queue(workspace, desk, (item,))
    clock = Clock()
    host = Host(ReviewScreen(desk, queue.id, clock=clock))
    async with host.run_test(size=(180, 40)) as pilot:
        await shown(pilot, "It is one", "x incorrect")
        clock.wait()
        question = host.screen.query_one("#question", Document)
        question.focus()  # any text can have the caret
        await pilot.press("q")
        await wait_until(pilot, lambda: question.caret is not None)
        await pilot.press("x", "v", "escape")
        host.screen.query_one("#text", Document).focus()
        await pilot.press("q")
        await wait_until(pilot, lambda: host.screen.query_one(ReviewText).caret is not None)
        await wait_until(pilot, lambda: "x incorrect" not in screen_text(pilot))
        await pilot.press("v", "x", "c", "l")  # `v` begins a selection in other programs; `l` is the next word
        await pilot.press("escape")
        await shown(pilot, "x incorrect", "It is one")
        await pilot.press("enter")
        await wait_until(pilot, lambda: host.screen.has_class("-judging"))
        host.screen.query_one("#confidence").focus()
        await pilot.press("4", "x", "c", "l", "U")
        await shown(pilot, "●4 sure")
        assert "x incorrect" in screen_text(pilot)  # the form's own row
        await host.workers.wait_for_complete()
        assert host.errors == []
    assert verdicts.latest(workspace, desk.reviewer.id, item.candidate_id) is None
    assert queues.progress(workspace, queue.id, desk.reviewer.id).put_off == 0


async def test_the_form_of_a_practice_item_tells_the_known_label(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    practice, plain = add_problem(workspace, "count:1", "It is one.", "It is two.")
    queue = make_queue(workspace, desk, (replace(practice, role=ItemRole.PRACTICE), plain))
    clock = Clock()
    host = Host(ReviewScreen(desk, queue.id, clock=clock))
    async with host.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "It is one", "Practice")
        await pilot.press("enter")
        await wait_until(pilot, lambda: host.screen.has_class("-judging"))
        await pilot.press("c", "ctrl+s")
        await shown(pilot, "you said correct", "Any verdict key")
        assert not host.screen.has_class("-judging")
        clock.wait()
        await pilot.press("enter")
        await shown(pilot, "It is two")
        assert host.errors == []
    assert drafts.of_reviewer(workspace, desk.reviewer.id) == ()
