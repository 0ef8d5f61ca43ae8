"""A text area shows no sign that a terminal obeys, and keeps what it holds."""

from textual.app import App, ComposeResult

from tests.screens.waiting import screen_text, wait_until
from uq_tui.widgets.clean_text_area import CleanTextArea

HOSTILE = "one\x1b[2Jtwo\u202e\x9b31m\nthree"


class Host(App[None]):
    def compose(self) -> ComposeResult:
        yield CleanTextArea(HOSTILE)


async def test_what_is_shown_is_harmless_and_what_is_held_stays() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await wait_until(pilot, lambda: "three" in screen_text(pilot))
        shown = screen_text(pilot)
        assert "one\u241b[2Jtwo" in shown
        assert not any(sign in shown for sign in "\x1b\x9b\u202e")
        area = app.query_one(CleanTextArea)
        assert area.text == HOSTILE
        area.insert("\x07", (1, 5))
        await wait_until(pilot, lambda: "three\u2407" in screen_text(pilot))
