from textual.app import App
from textual.widgets import Input

from tests.screens.waiting import screen_text, wait_until
from uq_tui.engine.models import ModelInfo, ModelKind
from uq_tui.engine.requests import ModelChoice
from uq_tui.keys import KeyPlace, KeySource
from uq_tui.screens.model import ModelModal

MODELS = (
    ModelInfo("local/tiny", ModelKind.EMBEDDED, True, "means [nothing]"),
    ModelInfo("openai/big", ModelKind.HOSTED, False, "needs SOME_KEY"),
    ModelInfo(
        "openai/kept", ModelKind.HOSTED, True, "at https://h/v1", key=KeySource(KeyPlace.KEYRING, "https://h/v1")
    ),
)


class Host(App[None]):
    def __init__(self, present: str) -> None:
        super().__init__()
        self._present = present
        self.chosen: list[ModelChoice | None] = []

    def on_mount(self) -> None:
        self.push_screen(ModelModal(MODELS, ModelChoice(self._present)), self.chosen.append)


async def test_a_listed_model_is_chosen_and_what_is_missing_is_said() -> None:
    host = Host("local/tiny")
    async with host.run_test(size=(100, 30)) as pilot:
        await wait_until(pilot, lambda: "means [nothing]" in screen_text(pilot))
        assert "not ready" in screen_text(pilot)
        assert "needs SOME_KEY" in screen_text(pilot)
        assert "at https://h/v1; key: keyring, for https://h/v1" in screen_text(pilot)
        await pilot.press("down", "enter")
        await wait_until(pilot, lambda: host.chosen == [ModelChoice("openai/big")])


async def test_any_id_is_taken_with_its_address() -> None:
    host = Host("local/tiny")
    async with host.run_test(size=(100, 30)) as pilot:
        host.screen.query_one("#id", Input).value = "openai/mine"
        host.screen.query_one("#api_base", Input).value = "http://127.0.0.1:9/v1"
        host.screen.query_one("#id", Input).focus()
        await pilot.press("enter")
        await wait_until(pilot, lambda: host.chosen == [ModelChoice("openai/mine", "http://127.0.0.1:9/v1")])


async def test_escape_keeps_the_present_one() -> None:
    host = Host("openai/big")
    async with host.run_test(size=(100, 30)) as pilot:
        await pilot.press("escape")
        await wait_until(pilot, lambda: host.chosen == [None])
