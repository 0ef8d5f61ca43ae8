"""Words on questions under review that nobody has recorded yet."""

from dataclasses import replace

import pytest

from store import curation_drafts, curations, reviewers
from store.curation_drafts import ParaphraseDraft
from store.workspace import Workspace
from tests.store.stock import question, take

QUESTION = "a.example:1"
WORDS = ParaphraseDraft("A title", "A *text*\n", "why\u2028not")


@pytest.fixture
def key(workspace: Workspace) -> tuple[str, str, str]:
    """A reviewer, a curation, a question."""
    take(workspace, question(1, id=QUESTION))
    return reviewers.current(workspace).id, curations.begin(workspace, "pilot", "").id, QUESTION


def test_a_draft_stands_as_it_was_written_last(workspace: Workspace, key: tuple[str, str, str]) -> None:
    assert not curation_drafts.get(workspace, *key)
    curation_drafts.keep(workspace, *key, ParaphraseDraft(reason="first"))
    curation_drafts.keep(workspace, *key, WORDS)
    assert curation_drafts.get(workspace, *key) == WORDS


def test_an_empty_draft_is_forgotten(workspace: Workspace, key: tuple[str, str, str]) -> None:
    curation_drafts.keep(workspace, *key, WORDS)
    curation_drafts.keep(workspace, *key, ParaphraseDraft())
    assert curation_drafts.get(workspace, *key) == ParaphraseDraft()


def test_others_have_drafts_of_their_own(workspace: Workspace, key: tuple[str, str, str]) -> None:
    curation_drafts.keep(workspace, *key, WORDS)
    _, curation_id, question_id = key
    other = reviewers.make(workspace, replace(reviewers.current(workspace), id="", handle="other"))
    assert not curation_drafts.get(workspace, other.id, curation_id, question_id)
