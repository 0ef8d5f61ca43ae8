"""The footer shows the keys that work now, and is made anew for no other reason."""

from textual.app import App, ComposeResult
from textual.binding import Binding

from tests.screens.waiting import wait_until
from uq_tui.widgets.key_footer import KeyFooter


class Offering(App[None]):
    """Has one key at all times, and one at times."""

    BINDINGS = [Binding("a", "stay", "Always"), Binding("s", "come", "Sometimes")]
    sometimes = False
    asked = 0

    def compose(self) -> ComposeResult:
        yield KeyFooter()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        self.asked += 1
        return self.sometimes or action != "come"

    def action_stay(self) -> None:
        pass

    def action_come(self) -> None:
        pass


async def test_the_footer_is_made_anew_only_of_other_keys() -> None:
    app = Offering()
    async with app.run_test() as pilot:
        footer = app.screen.query_one(KeyFooter)
        await wait_until(pilot, lambda: len(footer.children) == 1)
        (always,) = footer.children
        app.refresh_bindings()
        await pilot.pause()
        await pilot.pause()
        assert list(footer.children) == [always]
        app.sometimes = True
        app.refresh_bindings()
        await wait_until(pilot, lambda: len(footer.children) == 2)
        app.sometimes = False
        app.refresh_bindings()
        await wait_until(pilot, lambda: len(footer.children) == 1)


async def test_a_footer_that_is_going_asks_nothing() -> None:
    app = Offering()
    async with app.run_test() as pilot:
        footer = app.screen.query_one(KeyFooter)
        await wait_until(pilot, lambda: len(footer.children) == 1)
        going = footer.remove()
        before = app.asked
        await footer.recompose()
        assert app.asked == before
        await going
