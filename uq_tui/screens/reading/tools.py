"""What a document asks the app for: dialogs, files and other programs, by the name of the tool."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import TypeVar

from textual.app import App, SuspendNotSupported
from textual.screen import ModalScreen

from uq_tui.document.links import links_of
from uq_tui.document.page.page import write_page
from uq_tui.screens.reading.find import FindPrompt
from uq_tui.screens.reading.go_to import GoToPrompt
from uq_tui.screens.reading.links import FollowModal, LinksModal
from uq_tui.screens.reading.outline import OutlineModal
from uq_tui.screens.reading.working import patiently
from uq_tui.state.reading.going import place_of
from uq_tui.state.reading.handed_out import Kind, hand_out
from uq_tui.state.reading.other_programs import NoProgramError, is_followed, open_in_browser, run_viewer, viewer
from uq_tui.state.reading.outline import current, outline
from uq_tui.text import clean, clean_line, counted
from uq_tui.widgets.document import Document
from uq_tui.widgets.reading.messages import Tool, Wanted

Answer = TypeVar("Answer")
Opener = Callable[[App[None], Document, str], Awaitable[None]]
"""Does what a tool is for. Gets the argument of the message. Raises UqError."""


async def open_tool(app: App[None], wanted: Wanted) -> None:
    """Do what a document asked for by one of `OPENERS`. Raises UqError."""
    await OPENERS[wanted.tool](app, wanted.document, wanted.argument)


async def ask(app: App[None], document: Document, dialog: ModalScreen[Answer]) -> Answer | None:
    """The answer of a dialog over a document; None where another dialog has come before it."""
    if app.screen is not document.screen:
        return None
    answer: Answer = await app.push_screen_wait(dialog)
    return answer


async def find_text(app: App[None], document: Document, _: str) -> None:
    """Search the text."""
    await ask(app, document, FindPrompt(document))


async def go_to_number(app: App[None], document: Document, _: str) -> None:
    """Go to a unit by its number, a share of the text or a line of the source."""
    units = document.units
    place = await ask(app, document, GoToPrompt(lambda typed: place_of(typed, document.source, units)))
    if place is not None:
        document.go_to(place)
        document.unit_at = next((index for index, unit in enumerate(units) if unit.start == place), document.unit_at)


async def show_outline(app: App[None], document: Document, _: str) -> None:
    """Go to a heading."""
    entries = outline(document.headings, len(document.source))
    if not entries:
        app.notify("This text has no headings.", title="Outline", markup=False)
        return
    chosen = await ask(app, document, OutlineModal(entries, first=current(entries, document.top_offset) or 0))
    if chosen is not None:
        document.go_to(chosen.start, above=0)


async def show_links(app: App[None], document: Document, _: str) -> None:
    """Open an address, after it was shown in full."""
    source = document.source
    links = await patiently(app, document, "Looking for links …", lambda: links_of(source))
    if links is None:
        return
    if not links:
        app.notify("This text has no links.", title="Links", markup=False)
        return
    link = await ask(app, document, LinksModal(links))
    if link is None:
        return
    if not is_followed(link.address):
        app.notify("Only http and https addresses are opened from here.", title="Links", markup=False)
    elif await ask(app, document, FollowModal(link.address)):
        open_in_browser(link.address)


async def keep_copy(app: App[None], document: Document, text: str) -> None:
    """Keep what was copied in a file too: a terminal that doesn't take the clipboard's sequence says nothing."""
    path = await asyncio.to_thread(hand_out, Kind.COPY, document.readable.name, text, ".txt")
    where = f"If your terminal keeps it from the clipboard, it is here too:\n{clean_line(str(path))}"
    app.notify(f"{counted(len(text), 'character')} of the source. {where}", title="Copied", markup=False)


async def show_page(app: App[None], document: Document, _: str) -> None:
    """Show the text as a page in the browser; say where it is."""
    name = document.readable.name
    source, counted_from = document.source, document.readable.counted_from
    title = name.replace("-", " ")
    page = await patiently(app, document, "Writing the page …", lambda: write_page(source, title, counted_from))
    if page is None:
        return
    path = await asyncio.to_thread(hand_out, Kind.PAGE, name, page, ".html")
    where = clean_line(str(path))
    try:
        open_in_browser(path.as_uri())
    except NoProgramError as error:
        app.notify(f"{clean(str(error))}\n{where}", title="Page written", severity="warning", timeout=20, markup=False)
    else:
        app.notify(f"If no browser shows it, it is here:\n{where}", title="Page opened", markup=False)


async def show_in_editor(app: App[None], document: Document, _: str) -> None:
    """Open a cleaned copy in the user's editor or pager, in this terminal; the app waits."""
    path = await asyncio.to_thread(hand_out, Kind.READING, document.readable.name, clean(document.source), ".md")
    command = viewer()
    try:
        with app.suspend():
            run_viewer(command, path)
    except SuspendNotSupported as error:
        raise NoProgramError(f"This terminal can't be handed over. The copy is {path}.") from error
    finally:
        app.refresh()


OPENERS: Mapping[Tool, Opener] = {
    Tool.FIND: find_text,
    Tool.NUMBER: go_to_number,
    Tool.OUTLINE: show_outline,
    Tool.LINKS: show_links,
    Tool.PAGE: show_page,
    Tool.EDITOR: show_in_editor,
    Tool.COPIED: keep_copy,
}
