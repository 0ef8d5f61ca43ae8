"""What the verdict form and its documents ask the app for: quotes, errors opened, two drafts to choose from."""

import asyncio

from textual.app import App

from store.rows import Candidate
from uq_tui.screens.reading.tools import ask
from uq_tui.screens.reviewing.draft_conflict import DraftConflictModal
from uq_tui.screens.reviewing.error import ErrorModal
from uq_tui.screens.reviewing.quote import QuoteModal, kept_words
from uq_tui.state.desk import Desk
from uq_tui.state.verdict.editor import VerdictEditor
from uq_tui.state.verdict.errors import QuoteError, open_errors, raw_place
from uq_tui.state.verdict.quotable import answer_of
from uq_tui.widgets.reading.messages import Wanted
from uq_tui.widgets.verdict_dock import VerdictDock

TOLD_S = 2.0
"""Seconds for which it is told that words were quoted: the message lies over keys that come next."""


async def quote(app: App[None], desk: Desk, wanted: Wanted) -> Candidate | None:
    """Quote what is selected in the reviewer's verdict on the answer that is shown; None where they gave that up.

    It goes into the form that is open on this candidate, be it on a screen below, else into its draft.

    Raises:
        QuoteError: what is selected is of no answer that can be judged.
        UqError: it could not be kept.
    """
    document, selected = wanted.document, wanted.selected
    if selected is None:
        raise QuoteError("Nothing is selected.", hint="q selects words by keys; the mouse does too.")
    candidate = await asyncio.to_thread(answer_of, desk, wanted.readable)
    place = raw_place(wanted.readable, selected, candidate.answer.sha256)
    dock = _dock_of(app, candidate)
    if dock is not None:
        dock.take_in()
        editor = dock.editor
    else:
        editor = VerdictEditor(desk)
        await editor.open(candidate)
    dialog = QuoteModal(document.source[slice(*selected)], open_errors(editor.form))
    quoted = await ask(app, document, dialog)
    if quoted is None:
        return None
    if dock is not None:
        dock.take_in()
    editor.add_quote(
        quoted.category, *place, to=quoted.to, claim=quoted.claim, problem=quoted.problem, fix=quoted.fix, of=candidate
    )
    if dock is not None:
        await dock.keep_quote()
    else:
        await editor.save_draft()
    app.notify(kept_words(quoted), title=f"Your verdict on {candidate.called}", timeout=TOLD_S, markup=False)
    if document.is_attached and document.selected == selected:
        document.clear_selection()
    return candidate


def _dock_of(app: App[None], candidate: Candidate) -> VerdictDock | None:
    """The form that is open on this candidate, on whatever screen."""
    docks = (dock for screen in reversed(app.screen_stack) for dock in screen.query(VerdictDock))
    return next((dock for dock in docks if dock.judges(candidate)), None)


async def open_error(app: App[None], opened: VerdictDock.ErrorOpened) -> None:
    """Have an error of the form shown and changed. Raises UqError."""
    edited = await app.push_screen_wait(ErrorModal(opened.at + 1, opened.error))
    if edited is not None:
        await opened.dock.put_error(opened.candidate_id, opened.at, opened.error, edited.error)


async def choose_draft(app: App[None], torn: VerdictDock.Torn) -> None:
    """Have the reviewer choose between the drafts of two windows. Raises UqError."""
    conflict = torn.dock.editor.conflict
    if conflict is None or isinstance(app.screen, DraftConflictModal):
        return
    side = await app.push_screen_wait(DraftConflictModal(conflict))
    if side is not None:
        await torn.dock.keep(side)
