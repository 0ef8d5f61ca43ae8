"""The dialog that lays out a queue: it says what would come of it, and makes it."""

from textual.app import App

from store import queues
from tests.screens.waiting import shown, wait_until
from uq_tui.screens.reviewing.new_queue import NewQueueModal
from uq_tui.state.desk import Desk
from uq_tui.state.reviewing.queue_spec import QueueSpec
from uq_tui.words import QueueMode, QueueOrder


class Asking(App[None]):
    """Shows the dialog, and keeps what it returns."""

    def __init__(self, desk: Desk) -> None:
        super().__init__()
        self._desk = desk
        self.made: list[str | None] = []

    def on_mount(self) -> None:
        self.push_screen(NewQueueModal(self._desk), self.made.append)


async def test_a_queue_is_put_together_with_keys_alone(desk: Desk) -> None:
    app = Asking(desk)
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "1 problem, 2 candidates: 2 items.")
        await pilot.press("enter")
        await shown(pilot, "A queue needs a name.")
        for keys in ((*"all[", "tab"), ("tab",), ("m", "tab"), ("o", "tab"), ("r", "tab"), (*"7", "tab")):
            for key in keys:
                await pilot.press(key)
        await pilot.press("tab", "tab", "tab", "tab")
        await pilot.press("5")
        await shown(pilot, "One reviewer can't overlap with nobody.", "two judge these")
        await pilot.press("0", "home", "delete")
        await shown(pilot, "1 problem, 2 candidates: 2 items.")
        await pilot.press("tab", "t", "tab", "s", "q", "enter")
        await wait_until(pilot, lambda: bool(app.made))
    (made,) = queues.all_of(desk.workspace)
    assert app.made == [made.id]
    spec = QueueSpec.of(made.spec)
    assert (made.name, spec.mode, spec.order, spec.seed) == ("all[", QueueMode.OPEN, QueueOrder.RANDOM, 7)
    assert (spec.two_steps, spec.rules.score, spec.rules.quote_if_incorrect, spec.rules.rationale) == (
        True,
        True,
        True,
        False,
    )
    assert str(spec.candidates.unjudged) == "mine"
