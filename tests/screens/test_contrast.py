"""In the theme for it, all text that is drawn has a contrast of 7 to its ground or more (WCAG 2.2, 1.4.6)."""

import unicodedata

from textual.color import Color
from textual.pilot import Pilot

from tests.judged_runs import THREE_ITER, judged_run
from tests.screens.conftest import SIZE, bench, ids, opened
from tests.screens.waiting import shown, wait_until
from uq_tui.screens.commands import CommandsModal, commands_of
from uq_tui.screens.keys import KeysModal, key_lines
from uq_tui.screens.reading.find import FindPrompt
from uq_tui.screens.works_here import works_here
from uq_tui.state.desk import Desk
from uq_tui.themes import BY_NAME
from uq_tui.widgets.document import Document
from uq_tui.words import Outcome

LEAST = 7.0


def pale(pilot: Pilot[None], inside: str = "Screen") -> set[tuple[str, str, float]]:
    """What is drawn with too little contrast: the text, its colours, the contrast.

    `inside` chooses what is looked at; what lies behind a dialog can't be used, and is dim.
    """
    found = set()
    screen = pilot.app.screen
    region = screen.region if inside == "Screen" else screen.query_one(inside).region
    for strip in screen._compositor.render_strips()[region.y : region.bottom]:
        for segment in strip.crop(region.x, region.right):
            style = segment.style
            if not any(unicodedata.category(sign)[0] in "LNPS" and not is_drawing(sign) for sign in segment.text):
                continue
            assert style is not None
            assert style.color is not None
            assert style.bgcolor is not None
            text, ground = Color.from_rich_color(style.color), Color.from_rich_color(style.bgcolor)
            if style.reverse:
                text, ground = ground, text
            contrast = ratio(text, ground)
            if contrast < LEAST:
                found.add((segment.text.strip(), f"{text.hex} on {ground.hex}", round(contrast, 2)))
    return found


def ratio(text: Color, ground: Color) -> float:
    """The contrast of two colours, 1 to 21 (WCAG 2.2, "contrast ratio" and "relative luminance")."""

    def luminance(colour: Color) -> float:
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in colour.normalized
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    dark, light = sorted((luminance(text), luminance(ground)))
    return (light + 0.05) / (dark + 0.05)


def is_drawing(sign: str) -> bool:
    """Whether a sign is part of a line or a bar."""
    return 0x2500 <= ord(sign) <= 0x259F


async def test_all_text_on_the_workbench_and_in_its_dialogs_has_contrast(desk: Desk) -> None:
    outcomes = {
        "cycle_consistency": Outcome.ACCEPT,
        "cycle_consistency/1": Outcome.ACCEPT,
        "cycle_consistency/2": Outcome.UNPARSED,
        "cycle_consistency/3": Outcome.FAILED,
        "fact_logic": Outcome.REJECT,
        "fact_logic/1": Outcome.REJECT,
        "fact_logic/2": Outcome.SKIPPED,
    }
    judged_run(desk.workspace, ids(desk)[0], THREE_ITER, outcomes)
    host = bench(desk)
    theme = BY_NAME["high-contrast"]
    host.register_theme(theme)
    host.theme = theme.name
    async with host.run_test(size=SIZE) as pilot:
        await opened(pilot)
        await shown(pilot, "✓ accept", "✗ reject", "? unparsed", "! failed", "· skipped")
        assert pale(pilot) == set()

        text = host.screen.query_one("#text", Document)
        text.focus()
        await pilot.press("J", "1")
        await wait_until(pilot, lambda: text.has_focus)
        assert pale(pilot) == set()
        host.push_screen(FindPrompt(text))
        await shown(pilot, "Find in the source")
        await pilot.press(*"even")
        assert pale(pilot, "#find") == set()
        await pilot.press("escape")

        host.push_screen(KeysModal("Workbench", key_lines(works_here(host.screen))))
        await shown(pilot, "Keys in Workbench")
        assert pale(pilot, ".dialog") == set()
        await pilot.press("escape")
        host.push_screen(CommandsModal(commands_of(host.screen)))
        await shown(pilot, "type to make the list shorter")
        assert pale(pilot, ".dialog") == set()
        await pilot.press("escape", "enter")
        await shown(pilot, "Your verdict on")
        assert pale(pilot) == set()
