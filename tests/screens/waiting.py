"""Waiting for what a screen will show, instead of sleeping."""

import asyncio
import time
from collections.abc import Callable
from contextlib import suppress

from textual.pilot import Pilot, WaitForScreenTimeout


async def wait_until(pilot: Pilot[None], holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Let the app go on until `holds`; fails with what was on the screen."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            raise AssertionError(f"It never held. The screen:\n{screen_text(pilot)}")
        with suppress(WaitForScreenTimeout):  # what is removed just then never answers
            await pilot._wait_for_screen(timeout=2)
        await asyncio.sleep(0.02)


async def shown(pilot: Pilot[None], *texts: str) -> None:
    """Wait until all of these stand on the screen."""

    def all_there() -> bool:
        screen = screen_text(pilot)
        return all(text in screen for text in texts)

    await wait_until(pilot, all_there)


def screen_text(pilot: Pilot[None]) -> str:
    """The screen as lines of text."""
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())
