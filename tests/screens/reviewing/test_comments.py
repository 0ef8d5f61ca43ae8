"""Comments, acceptances and the note in their dialog."""

from textual.widgets import TextArea

from store import candidates, notes, relations, reviewers, statements
from store.review_rows import Said
from store.rows import Reviewer
from tests.screens.conftest import Host, first_question
from tests.screens.waiting import shown, wait_until
from uq_tui.screens.reviewing.comments import AcceptanceModal, CommentsModal
from uq_tui.state.desk import Desk
from uq_tui.words import Relation, StatementKind

HOSTILE = "[b]see\x1b[2J"


async def test_all_that_is_said_is_on_disk_before_it_is_listed(desk: Desk) -> None:
    ws, question = desk.workspace, first_question(desk.workspace)
    candidate = candidates.of_question(ws, question)[0].id
    bo = reviewers.make(ws, Reviewer("", "bo\x1b[2J", "", ()))
    statements.add(ws, bo, StatementKind.COMMENT, question, Said(HOSTILE), candidate_id=candidate)
    app = Host(CommentsModal(desk, question, candidate))
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "1 comment", "bo␛[2J, on c1", "[b]see␛[2J", "Is √2 odd?")
        await pilot.press("q", *"Which", "ctrl+s")
        await shown(pilot, "2 comments", "on question", "Which")
        await pilot.press("r", *"This", "ctrl+s")
        await shown(pilot, "3 comments", "This")
        assert [one.text for one in statements.of_question(ws, question)] == [HOSTILE, "Which", "This"]
        await pilot.press("d")
        await shown(pilot, "2 comments")
        await pilot.press("p")
        await wait_until(pilot, lambda: isinstance(app.screen, AcceptanceModal))
        await pilot.press("ctrl+s")
        await wait_until(pilot, lambda: "Who has accepted" in str(app.errors))
        app.errors.clear()
        await pilot.press(*"me", "tab", "tab", "tab", *"Yes", "ctrl+s")
        await shown(pilot, "3 comments", ": accepted", "by me: Yes")
        assert app.errors == []


async def test_note_and_relation_are_there_again(desk: Desk) -> None:
    ws, question = desk.workspace, first_question(desk.workspace)
    app = Host(CommentsModal(desk, question))
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, "Nothing is said yet. q comments on the question.")
        await pilot.press("tab", "e")
        await wait_until(pilot, lambda: relations.get(ws, desk.reviewer.id, question) is Relation.DOMAIN_EXPERT)
        await pilot.press("tab", *"Look", "enter")
        await shown(pilot, "Note: not saved yet")
        await shown(pilot, "Note: saved")
        assert notes.get(ws, desk.reviewer, question).body == "Look\n"
        await pilot.press("x")
    kept = notes.get(ws, desk.reviewer, question)  # the app was left, not the dialog
    assert (kept.body, bool(kept.version)) == ("Look\nx", True)
    app = Host(CommentsModal(desk, question))
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, "Look", "●e domain expert")
        area = app.screen.query_one(TextArea)
        area.focus()
        area.move_cursor(area.document.end)
        await pilot.press("backspace", "escape")
        await wait_until(pilot, lambda: not isinstance(app.screen, CommentsModal))
        assert app.errors == []
    note = statements.own(ws, desk.reviewer.id, StatementKind.NOTE, question)
    assert note is not None
    assert (note.text, notes.get(ws, desk.reviewer, question).version) == ("Look\n", "")
