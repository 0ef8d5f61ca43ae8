"""What a document points at is marked and in sight, also once there is room for it."""

from textual.app import App, ComposeResult

from tests.screens.waiting import wait_until
from uq_tui.widgets.pointed_document import PointedDocument

SOURCE = "\n\n".join(f"Paragraph {number} says **much** of $x_{number}$." for number in range(60))
WANTED = "says **much** of $x_40$"


class Host(App[None]):
    CSS = "PointedDocument { height: 1fr; }"

    def __init__(self, *, hidden: bool = False) -> None:
        super().__init__()
        self.view = PointedDocument(id="text")
        self.view.display = not hidden

    def compose(self) -> ComposeResult:
        yield self.view


def point(view: PointedDocument) -> None:
    start = SOURCE.index(WANTED)
    view.point_at(start, start + len(WANTED))


def marked(view: PointedDocument) -> str:
    selection = view.text_selection
    return selection.extract(view.text) if selection is not None else ""


async def test_the_stretch_is_marked_and_scrolled_into_sight() -> None:
    app = Host()
    async with app.run_test(size=(60, 20)) as pilot:
        app.view.show(SOURCE, key="a")
        point(app.view)
        await wait_until(pilot, lambda: marked(app.view) == "says much of x₄0")
        assert app.view.scroll_offset.y == app.view.text.split("\n").index("Paragraph 40 says much of x₄0.") - 3


async def test_it_stays_marked_when_the_lines_change() -> None:
    app = Host()
    async with app.run_test(size=(60, 20)) as pilot:
        app.view.show(SOURCE, key="a")
        point(app.view)
        await wait_until(pilot, lambda: bool(marked(app.view)))
        await pilot.resize_terminal(22, 20)
        await wait_until(pilot, lambda: marked(app.view).split() == ["says", "much", "of", "x₄0"])


async def test_it_is_marked_once_a_hidden_document_is_shown() -> None:
    app = Host(hidden=True)
    async with app.run_test(size=(60, 20)) as pilot:
        app.view.show(SOURCE, key="a")
        point(app.view)
        await pilot.pause()
        assert not marked(app.view)
        app.view.display = True
        await wait_until(pilot, lambda: marked(app.view) == "says much of x₄0")


async def test_another_text_has_nothing_marked() -> None:
    app = Host()
    async with app.run_test(size=(60, 20)) as pilot:
        app.view.show(SOURCE, key="a")
        point(app.view)
        await wait_until(pilot, lambda: bool(marked(app.view)))
        app.view.show("Another text.", key="b")
        await wait_until(pilot, lambda: app.view.text == "Another text.")
        assert not marked(app.view)


async def test_what_is_marked_can_still_be_read() -> None:
    app = Host()
    async with app.run_test(size=(60, 20)) as pilot:
        app.view.show("Some *words* here.", key="a")
        app.view.point_at(5, 12)
        await wait_until(pilot, lambda: marked(app.view) == "words")
        (word,) = (style for text, style, _ in app.view.render_line(0) if text == "words")
        assert word is not None
        assert word.italic
        assert word.color != word.bgcolor
