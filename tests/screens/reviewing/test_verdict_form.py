"""The verdict form in the app: quotes, errors opened, a second window, history, undo."""

from dataclasses import replace
from pathlib import Path

from textual.pilot import Pilot
from textual.widgets import TextArea

from store import candidates, drafts, verdicts
from tests.screens.waiting import shown, wait_until
from tests.test_app import _home as _home
from tests.test_app import read_an_answer, running
from uq_tui.app import UqApp
from uq_tui.screens.reviewing.draft_conflict import DraftConflictModal
from uq_tui.screens.reviewing.error import ErrorModal
from uq_tui.screens.reviewing.history import HistoryModal
from uq_tui.screens.reviewing.quote import QuoteModal
from uq_tui.state.desk import Desk
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.widgets.document import Document
from uq_tui.widgets.error_list import ErrorList
from uq_tui.widgets.verdict_form import VerdictFormView


async def until(pilot: Pilot[None], app: UqApp, screen: type) -> None:
    await wait_until(pilot, lambda: isinstance(app.screen, screen))


async def closed(pilot: Pilot[None], app: UqApp) -> None:
    await wait_until(pilot, lambda: not app.screen.is_modal)


async def quote_two_words(app: UqApp, pilot: Pilot[None], text: Document) -> tuple[int, int]:
    """Select by keys, and choose a kind by one letter."""
    await pilot.press("q", "space", "l", "q")
    await until(pilot, app, QuoteModal)
    place = text.selected
    assert place is not None
    await pilot.press("r")
    await wait_until(pilot, lambda: place in text.highlights.ranges(Layer.REMARK))
    return place


def drafted(desk: Desk, candidate_id: str) -> list[tuple[str, list[int | None]]]:
    """The errors of the draft: what is wrong, and where the quotes begin."""
    draft = drafts.get(desk.workspace, desk.reviewer.id, candidate_id)
    errors = () if draft is None else draft.form.errors
    return [(error.problem, [quote.start for quote in error.quotes]) for error in errors]


async def test_words_are_quoted_and_the_error_grows_until_it_is_recorded(tmp_path: Path) -> None:
    async with running(tmp_path) as (app, pilot):
        text = await read_an_answer(app, pilot)
        desk = app.desk
        assert desk is not None
        candidate = candidates.get(desk.workspace, text.readable.key)
        place = await quote_two_words(app, pilot, text)

        await pilot.press("enter")
        await shown(pilot, "Your draft, as you left it", "1 error", "ledger: 0 of")
        app.screen.query_one(ErrorList).focus()
        await wait_until(pilot, lambda: isinstance(app.screen.focused, ErrorList))
        assert not any(app.screen.check_action(costs, ()) for costs in ("validate", "generate"))
        await pilot.press("enter")
        await until(pilot, app, ErrorModal)
        await pilot.press(*"why", "ctrl+s")
        await closed(pilot, app)

        # With the form open the words go into it, and may join an error that is there.
        text.focus()
        text.select(place[1] + 1, place[1] + 9)
        await pilot.press("q")
        await until(pilot, app, QuoteModal)
        await shown(pilot, "1  one more quote of: incorrect reasoning")
        await pilot.press("1")
        places = [place[0], place[1] + 1]
        await wait_until(pilot, lambda: drafted(desk, candidate.id)[-1:] == [("why", places)])
        draft = drafts.get(desk.workspace, desk.reviewer.id, candidate.id)
        assert draft is not None

        # Another window writes; this one is told, and both texts stay.
        theirs = replace(draft.form, rationale="Their words.")
        drafts.save(desk.workspace, desk.reviewer.id, candidate.id, theirs, based_on=draft.version)
        rationale = app.screen.query_one("#rationale", TextArea)
        rationale.focus()
        await pilot.press("m")
        await until(pilot, app, DraftConflictModal)
        await shown(pilot, "Their words.", "mine:")
        await pilot.press(*"ine", "tab", "down", "enter")  # letters do nothing here
        await closed(pilot, app)
        await shown(pilot, "stays among your copies")
        (copy,) = drafts.copies(desk.workspace, desk.reviewer.id, candidate.id)
        assert (copy.form.rationale, rationale.text) == ("Their words.", "m")

        await pilot.press("ctrl+t")
        await wait_until(pilot, lambda: app.screen.query_one("#preview", Document).source == "m")
        await pilot.press("escape", "shift+tab")
        app.screen.query_one("#label").focus()
        await pilot.press("x", "ctrl+s")
        await shown(pilot, "you: incorrect")
        app.screen.query_one(VerdictFormView).action_save()  # the key held down

        await pilot.press("h")
        await until(pilot, app, HistoryModal)
        await shown(pilot, "incorrect, revision 1", "problem: why", "is   m")
        await pilot.press("escape")
        await closed(pilot, app)
        await pilot.press("ctrl+z")
        await shown(pilot, "you: retracted")
        await pilot.press("ctrl+y")
        await shown(pilot, "you: incorrect")
        kept = verdicts.latest(desk.workspace, desk.reviewer.id, candidate.id)
        assert kept is not None
        assert (kept.revision, kept.record["rationale"]) == (3, "m")
