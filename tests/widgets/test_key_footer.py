"""The footer shows the keys that work now, and is made anew for no other reason."""

from textual.app import App, ComposeResult
from textual.binding import Binding

from tests.screens.waiting import wait_until
from uq_tui.widgets.key_footer import PANE_KEYS, KeyFooter

PANES = ("Panes", "Panes")


class Offering(App[None]):
    """Has one key at all times, and one at times."""

    BINDINGS = [
        Binding("a", "stay", "Always", tooltip="Stays"),
        Binding("s", "come", "Sometimes"),
        Binding("left", "pane(-1)", "Panes", group=PANE_KEYS),
        Binding("right", "pane(1)", "Panes", group=PANE_KEYS),
    ]
    sometimes = False
    asked = 0
    stayed = 0

    def compose(self) -> ComposeResult:
        yield KeyFooter()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        self.asked += 1
        return self.sometimes or action != "come"

    def action_stay(self) -> None:
        self.stayed += 1

    def action_come(self) -> None:
        pass


def names(footer: KeyFooter) -> list[str]:
    return [key.name for key in footer.keys]


async def test_the_footer_is_drawn_anew_only_of_other_keys() -> None:
    app = Offering()
    async with app.run_test() as pilot:
        footer = app.screen.query_one(KeyFooter)
        await wait_until(pilot, lambda: names(footer) == ["Always", *PANES])
        shown = footer.keys
        app.refresh_bindings()
        await pilot.pause()
        await pilot.pause()
        assert footer.keys is shown
        app.sometimes = True
        app.refresh_bindings()
        await wait_until(pilot, lambda: names(footer) == ["Always", "Sometimes", *PANES])
        app.sometimes = False
        app.refresh_bindings()
        await wait_until(pilot, lambda: names(footer) == ["Always", *PANES])


async def test_a_footer_that_is_going_asks_nothing() -> None:
    app = Offering()
    async with app.run_test() as pilot:
        footer = app.screen.query_one(KeyFooter)
        await wait_until(pilot, lambda: names(footer) == ["Always", *PANES])
        going = footer.remove()
        before = app.asked
        footer.look_again()
        assert app.asked == before
        await going


async def test_keys_are_clicked_explained_and_turned_into_sight() -> None:
    app = Offering()
    app.sometimes = True
    async with app.run_test(size=(14, 5), tooltips=True) as pilot:
        footer = app.screen.query_one(KeyFooter)
        await wait_until(pilot, lambda: len(footer.keys) == 4)
        assert str(footer.render()) == " a Always  s Sometimes  ←→ Panes "
        assert [key.key if (key := footer.key_at(x)) else "" for x in (0, 9, 10, 22, 23, 24, 25, 40)] == [
            *("a", "a", "s", "s", "left", "left", "right", ""),
        ]
        await pilot.hover(KeyFooter, offset=(1, 0))
        assert str(footer.tooltip) == "Stays"
        await pilot.hover(KeyFooter, offset=(12, 0))
        assert footer.tooltip is None
        await pilot.click(KeyFooter, offset=(1, 0))
        await wait_until(pilot, lambda: app.stayed == 1)
        for _ in range(9):
            footer.on_mouse_scroll_down()
        assert str(footer.render()) == "mes  ←→ Panes "
        assert footer.key_at(0) == footer.keys[1]
        for _ in range(9):
            footer.on_mouse_scroll_up()
        assert footer.key_at(0) == footer.keys[0]
