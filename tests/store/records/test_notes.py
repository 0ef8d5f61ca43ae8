"""Scratch notes: kept at each pause, a statement when left, and none of two windows' texts lost."""

import pytest

from store import notes, reviewers, statements
from store.workspace import Workspace
from tests.store.records.samples import QUESTION_ID, REVIEWER
from tests.store.records.stock import put_question
from uq_tui.errors import NotFoundError
from uq_tui.words import StatementKind

HOSTILE = "\ud83d \0 \u2028 \x1b[2J"


@pytest.fixture(autouse=True)
def people(workspace: Workspace) -> None:
    put_question(workspace)
    reviewers.save(workspace, REVIEWER)


def left(ws: Workspace) -> list[str]:
    """The texts of all revisions of the note's statement."""
    found = statements.own(ws, REVIEWER.id, StatementKind.NOTE, QUESTION_ID)
    return [one.text for one in statements.history(ws, found.statement_id)] if found else []


def test_a_note_is_kept_as_it_is_written(workspace: Workspace) -> None:
    assert notes.get(workspace, REVIEWER, QUESTION_ID) == notes.Note("")
    first = notes.keep(workspace, REVIEWER, QUESTION_ID, "Look", "")
    second = notes.keep(workspace, REVIEWER, QUESTION_ID, HOSTILE, first.version)
    assert notes.get(workspace, REVIEWER, QUESTION_ID) == second
    assert (second.body, left(workspace)) == (HOSTILE, [])


def test_a_note_that_is_left_is_a_statement(workspace: Workspace) -> None:
    kept = notes.keep(workspace, REVIEWER, QUESTION_ID, "Look at [3].", "")
    notes.leave(workspace, REVIEWER, QUESTION_ID, "Look at [3] and [4].", kept.version)
    assert notes.get(workspace, REVIEWER, QUESTION_ID) == notes.Note("Look at [3] and [4].")
    notes.leave(workspace, REVIEWER, QUESTION_ID, "Look at [3] and [4].", "")
    assert left(workspace) == ["Look at [3] and [4]."]
    notes.leave(workspace, REVIEWER, QUESTION_ID, "", "")
    assert left(workspace) == ["Look at [3] and [4].", ""]
    assert notes.get(workspace, REVIEWER, QUESTION_ID) == notes.Note("")


def test_leaving_without_a_word_says_nothing(workspace: Workspace) -> None:
    notes.leave(workspace, REVIEWER, QUESTION_ID, " \n", "")
    assert left(workspace) == []


def test_what_another_window_wrote_is_in_the_history(workspace: Workspace) -> None:
    mine = notes.keep(workspace, REVIEWER, QUESTION_ID, "Mine.", "")
    theirs = notes.keep(workspace, REVIEWER, QUESTION_ID, "Theirs.", mine.version)
    notes.keep(workspace, REVIEWER, QUESTION_ID, "Mine, longer.", mine.version)
    assert left(workspace) == ["Theirs."]
    notes.leave(workspace, REVIEWER, QUESTION_ID, "Theirs, longer.", theirs.version)
    assert left(workspace) == ["Theirs.", "Mine, longer.", "Theirs, longer."]


def test_there_is_no_note_on_what_is_not_there(workspace: Workspace) -> None:
    for write in (notes.keep, notes.leave):
        with pytest.raises(NotFoundError):
            write(workspace, REVIEWER, "math.stackexchange.com:99", "Hm.", "")
