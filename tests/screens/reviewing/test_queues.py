"""All queues on the screen."""

from store import queues
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION
from tests.screens.conftest import Host
from tests.screens.waiting import screen_text, shown, wait_until
from tests.state.reviewing.laid_out import add_problem, desk_of, make_queue, reviewing
from uq_tui.screens.reviewing.queues import QueueList, QueuesScreen
from uq_tui.words import Label


class Listening(Host):
    """Notes which queues were opened."""

    def __init__(self, screen: QueuesScreen) -> None:
        super().__init__(screen)
        self.opened: list[str] = []

    def on_queues_screen_opened(self, message: QueuesScreen.Opened) -> None:
        self.opened.append(message.queue_id)


async def test_queues_are_listed_with_progress_and_opened(workspace: Workspace) -> None:
    desk = await desk_of(workspace)
    items = add_problem(workspace, QUESTION, "It is 1.", "It is 2.")
    closed = make_queue(workspace, desk, items, name="closed [bold]")
    queues.close(workspace, closed.id)
    queue = make_queue(workspace, desk, items, name="pilot", guideline="Read *closely*.")
    state, _ = await reviewing(desk, queue)
    await state.give(Label.INCORRECT)
    await state.settled()
    host = Listening(QueuesScreen(desk))
    async with host.run_test(size=(100, 24)) as pilot:
        await shown(pilot, "pilot   blind   guideline", "█████·····  1 of 2", "× closed  closed [bold]", "goes on")
        await pilot.press("i")
        await shown(pilot, "Read closely", "Guideline of pilot")
        await pilot.press("i")
        await wait_until(pilot, lambda: "Read closely" not in screen_text(pilot))
        await pilot.press("enter")
        await wait_until(pilot, lambda: host.opened == [queue.id])
        await pilot.press("down")
        await shown(pilot, "Its verdicts stand")
        await pilot.press("enter", "i")
        await pilot.pause()
        await host.screen.query_one(QueueList).remove()  # the first to go when another place takes over
        assert host.screen.check_action("guideline", ())
    assert host.opened == [queue.id]
    assert host.errors == []
