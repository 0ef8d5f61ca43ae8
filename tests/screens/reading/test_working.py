"""Jobs that take their time."""

import threading

from textual.app import App, ComposeResult

from tests.screens.waiting import shown, wait_until
from uq_tui.screens.reading.working import WorkingModal, patiently
from uq_tui.widgets.document import Document


class Reader(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.go_on = threading.Event()
        self.made: list[str | None] = []

    def compose(self) -> ComposeResult:
        yield Document()

    def begin(self) -> None:
        self.run_worker(self._work())

    async def _work(self) -> None:
        self.made.append(await patiently(self, self.query_one(Document), "Doing [it] …", self._job))

    def _job(self) -> str:
        self.go_on.wait(30)
        return "made"


async def test_a_short_job_is_not_shown() -> None:
    reader = Reader()
    async with reader.run_test() as pilot:
        reader.go_on.set()
        reader.begin()
        await wait_until(pilot, lambda: reader.made == ["made"])
        assert len(reader.screen_stack) == 1


async def test_a_long_job_is_shown_until_it_ends() -> None:
    reader = Reader()
    async with reader.run_test() as pilot:
        reader.begin()
        await shown(pilot, "Doing [it] …", "Give up")
        reader.go_on.set()
        await wait_until(pilot, lambda: reader.made == ["made"])
        assert not isinstance(reader.screen, WorkingModal)


async def test_a_long_job_can_be_given_up() -> None:
    reader = Reader()
    async with reader.run_test() as pilot:
        reader.begin()
        await shown(pilot, "Doing [it] …")
        await pilot.press("escape")
        await wait_until(pilot, lambda: reader.made == [None])
        assert not isinstance(reader.screen, WorkingModal)
        reader.go_on.set()
