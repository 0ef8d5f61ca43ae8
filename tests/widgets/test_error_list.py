"""The errors of a verdict as a list: added by a letter, gone through, taken out, opened."""

from textual import on
from textual.app import App, ComposeResult
from textual.widgets import Input

from store.rows import MarkedError, Quote
from tests.screens.waiting import screen_text
from uq_tui.widgets.choice_row import ChoiceRow
from uq_tui.widgets.error_list import ErrorList

LONG = MarkedError("misread_question", (Quote("words " * 40, 0, 3, "", ""),), problem="[red]no\x1b[2J")


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.said: list[object] = []

    def compose(self) -> ComposeResult:
        yield ErrorList("Errors", id="errors")
        yield Input()

    @on(ChoiceRow.Changed)
    def _changed(self, event: ChoiceRow.Changed) -> None:
        self.said.append(tuple(error.category for error in self.query_one(ErrorList).errors))

    @on(ErrorList.Opened)
    def _opened(self, event: ErrorList.Opened) -> None:
        self.said.append(event.at)


async def test_errors_by_keys_and_what_is_seen_of_them() -> None:
    app = Host()
    async with app.run_test(size=(40, 20)) as pilot:
        listed = app.query_one(ErrorList)
        listed.focus()
        await pilot.press("enter", "backspace")  # nothing to open or to take out
        assert app.said == []
        await pilot.press("r", "r", "w")
        assert app.said[-1] == ("incorrect_reasoning", "incorrect_reasoning", "wrong_final_answer")
        await pilot.press("up", "enter", "up", "up", "backspace")
        assert app.said[-2:] == [1, ("incorrect_reasoning", "wrong_final_answer")]
        listed.errors = (*listed.errors, LONG)
        await pilot.pause()
        text = screen_text(pilot)
        assert "▸1 incorrect reasoning" in text
        assert "●w wrong final answer" in text
        assert "3 misread question  “words" in text
        assert max(len(line.rstrip()) for line in text.splitlines()) <= 40
        app.query_one(Input).focus()
        await pilot.pause()
        text = screen_text(pilot)
        assert "Errors      3 errors" in text
        assert "unjustified" not in text
        assert "3 misread question" in text
        assert "\x1b[2J" not in text
