"""The header of screens about a curation."""

from typing import Any

from textual.screen import Screen

from uq_tui.text import clean_line
from uq_tui.widgets.title_bar import TitleBar

PLACE = "Curation"


def begin_head(screen: Screen[Any]) -> None:
    """Go on with what the header of the screen below tells; to be called when this one is mounted."""
    bar = screen.query_one(TitleBar)
    bar.place = PLACE
    for before in screen.app.screen_stack[-2].query(TitleBar):
        bar.status, bar.busy = before.status, before.busy


def head(screen: Screen[Any], subject: str) -> None:
    """Say what the screen is about."""
    screen.query_one(TitleBar).subject = clean_line(subject)
