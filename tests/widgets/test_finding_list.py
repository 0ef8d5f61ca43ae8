"""A list that grows keeps its place, and tells when another entry is stood on."""

from textual.app import App, ComposeResult
from textual.content import Content

from tests.screens.waiting import screen_text, wait_until
from uq_tui.widgets.finding_list import Entry, FindingList


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.view = FindingList(id="list")
        self.stood: list[str] = []

    def compose(self) -> ComposeResult:
        yield self.view

    def on_finding_list_stood(self, event: FindingList.Stood) -> None:
        self.stood.append(event.key)


def entries(*keys: str) -> list[Entry]:
    """Entries that say their key; one without a key is a heading."""
    return [Entry(key, Content(f"says {key}" if key else "Heading")) for key in keys]


async def test_the_first_entry_is_stood_on_and_headings_are_passed_over() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.view.show(entries("", "a", "", "b"), empty="none")
        await wait_until(pilot, lambda: app.stood == ["a"])
        await pilot.press("down")
        await wait_until(pilot, lambda: app.stood == ["a", "b"])


async def test_the_place_is_kept_while_entries_come() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.view.show(entries("a", "b"), empty="none")
        await pilot.press("down")
        await wait_until(pilot, lambda: app.stood == ["a", "b"])
        app.view.show(entries("new", "a", "b"), empty="none")
        await pilot.pause()
        assert app.view.key == "b"
        app.view.show([Entry("b", Content("changed"))], empty="none")
        await wait_until(pilot, lambda: "changed" in screen_text(pilot))
        assert app.stood == ["a", "b"]


async def test_where_to_stand_can_be_said() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.view.show(entries("a", "b"), empty="none", stand_on=("gone", "b", "a"))
        await wait_until(pilot, lambda: app.stood == ["b"])


async def test_an_empty_list_says_why_and_markup_is_none() -> None:
    app = Host()
    async with app.run_test() as pilot:
        app.view.show((), empty="Nothing by [b]model[/b]\x1b[2J.")
        await wait_until(pilot, lambda: "Nothing by [b]model[/b]␛[2J." in screen_text(pilot))
        app.view.show(entries("a"), empty="none")
        await wait_until(pilot, lambda: app.stood == ["a"])
        app.view.show((), empty="none")
        await wait_until(pilot, lambda: app.stood == ["a", ""])
