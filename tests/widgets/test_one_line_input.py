"""The input for one line shows no sign that a terminal obeys, and keeps what it holds."""

import re
from pathlib import Path

from textual import events
from textual.app import App, ComposeResult
from textual.keys import _character_to_key, key_to_character
from textual.suggester import SuggestFromList

import uq_tui
from tests.screens.waiting import screen_text, wait_until
from uq_tui.widgets.clean_text_area import CleanTextArea
from uq_tui.widgets.one_line_input import OneLineInput

HOSTILE = "one\x1b[2Jtwo\u202e\x9b31m\nthree\tfour"


class Host(App[None]):
    def compose(self) -> ComposeResult:
        yield OneLineInput(HOSTILE, select_on_focus=False)


async def test_what_is_filled_in_or_pasted_is_drawn_harmless_and_held_as_it_is() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await wait_until(pilot, lambda: "three" in screen_text(pilot))
        shown, field = screen_text(pilot), app.query_one(OneLineInput)
        assert "one\u241b[2Jtwo\ufffd\ufffd31m\u240athree\u2409four" in shown
        assert field.value == HOSTILE
        assert field.content_width == len(HOSTILE) + 1
        field.post_message(events.Paste("\x07five\nsix\n"))
        await wait_until(pilot, lambda: "four\u2407five six" in screen_text(pilot))
        assert field.value == f"{HOSTILE}\x07five six"


def test_a_key_that_is_typed_does_nothing_else() -> None:
    signs = "".join(chr(code) for code in range(32, 127))
    for field in (OneLineInput(), CleanTextArea()):
        assert all(field.check_consume_key(key := _character_to_key(sign), key_to_character(key)) for sign in signs)
        assert not field.check_consume_key("f1", None)


async def test_a_click_goes_to_the_character_that_is_drawn_there() -> None:
    app = Host()
    async with app.run_test() as pilot:
        await wait_until(pilot, lambda: "three" in screen_text(pilot))
        field = app.query_one(OneLineInput)
        at = HOSTILE.index("three")
        await pilot.click(OneLineInput, offset=(field.content_region.x + at, field.content_region.y))
        await pilot.press("X")
        assert field.value == HOSTILE.replace("three", "Xthree")


async def test_a_hint_is_drawn_harmless_and_no_completion_is_hidden() -> None:
    app = Host()
    async with app.run_test() as pilot:
        field = app.query_one(OneLineInput)
        field.value, field.placeholder = "", HOSTILE
        await wait_until(pilot, lambda: "one\u241b[2Jtwo\ufffd" in screen_text(pilot))
        field.suggester = SuggestFromList(["harm\x1b[2J", "harmless"])
        await pilot.press("h", "a")
        await wait_until(pilot, lambda: field.value == "ha")
        await pilot.pause()
        assert "harm" not in screen_text(pilot)
        await pilot.press("r", "m", "l")
        await wait_until(pilot, lambda: "harmless" in screen_text(pilot))


def test_the_app_has_no_other_input() -> None:
    plain = re.compile(r"(?<!OneLine)\bInput\(")
    modules = (path for path in Path(uq_tui.__path__[0]).rglob("*.py") if path.name != "one_line_input.py")
    assert [str(path) for path in modules if plain.search(path.read_text("utf-8"))] == []
