"""Waiting for what a screen will show, instead of sleeping."""

import time
from collections.abc import Callable

from textual.pilot import Pilot


async def wait_until(pilot: Pilot[None], holds: Callable[[], bool], seconds: float = 30.0) -> None:
    """Let the app go on until `holds`; fails with what was on the screen."""
    until = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > until:
            raise AssertionError(f"It never held. The screen:\n{screen_text(pilot)}")
        await pilot.pause(0.02)


async def shown(pilot: Pilot[None], *texts: str) -> None:
    """Wait until all of these stand on the screen."""
    await wait_until(pilot, lambda: all(text in screen_text(pilot) for text in texts))


def screen_text(pilot: Pilot[None]) -> str:
    """The screen as lines of text."""
    return "\n".join(strip.text for strip in pilot.app.screen._compositor.render_strips())
