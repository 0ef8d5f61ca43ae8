"""Whose answer is read: told by the text, and by its key where several candidates have the same answer."""

import pytest

from store import candidates, questions
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from tests.engine.runs.scripted import QUESTION, add_candidates, add_question
from tests.fakes.scripted_engine import ScriptedEngine
from uq_tui.engine.requests import ModelChoice
from uq_tui.state.desk import Desk
from uq_tui.state.reading.readable import own_words, readable_question, readable_text, readable_words
from uq_tui.state.verdict.errors import QuoteError
from uq_tui.state.verdict.quotable import answer_of
from uq_tui.words import AuthorKind, TextFormat


async def test_answers_can_be_quoted_and_nothing_else(workspace: Workspace) -> None:
    add_question(workspace)
    (one,) = add_candidates(workspace, "It is so.")
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))
    answer = candidates.get(workspace, one).answer
    assert answer_of(desk, readable_text(answer, one)).id == one
    assert answer_of(desk, readable_text(answer)).id == one
    question = questions.get(workspace, QUESTION)
    for other in (readable_question(question), readable_words("Let me think.", f"r{one}"), own_words("ours")):
        with pytest.raises(QuoteError, match="Only a candidate's answer"):
            answer_of(desk, other)


async def test_of_two_with_the_same_answer_the_one_that_is_shown_is_meant(workspace: Workspace) -> None:
    add_question(workspace)
    add_question(workspace, "tests:2")
    (one,) = add_candidates(workspace, "It is so.")
    (two,) = add_candidates(workspace, "It is so.", question_id="tests:2")
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))
    answer = candidates.get(workspace, one).answer
    assert [answer_of(desk, readable_text(answer, f"a{key}")).id for key in (one, two)] == [one, two]
    with pytest.raises(QuoteError):
        answer_of(desk, readable_text(answer, "elsewhere"))


async def test_the_reference_is_not_quoted(workspace: Workspace) -> None:
    add_question(workspace)
    by = Origin(AuthorKind.PERSON, person="An expert")
    (key,) = candidates.add(workspace, [NewCandidate(QUESTION, "So.", TextFormat.MARKDOWN, by, reference=True)])
    desk = await Desk.sit_down(workspace, ScriptedEngine(workspace.path), ModelChoice("replay/none"))
    with pytest.raises(QuoteError, match="is the reference"):
        answer_of(desk, readable_text(candidates.get(workspace, key).answer, key))
