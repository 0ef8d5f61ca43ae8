"""Answers that a file reports as failed."""

import pytest

from store import candidates, failed_answers
from store.failed_answers import FailedAnswer
from store.intake import Taken
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from tests.store.stock import QUESTION, question, take
from uq_tui.errors import NotFoundError
from uq_tui.words import AuthorKind, TextFormat


def failure(model: str = "o3", error: str = "rate limited", question_id: str = QUESTION.id) -> FailedAnswer:
    return FailedAnswer(question_id, model, error, "f.jsonl")


def put(ws: Workspace, *given: FailedAnswer) -> list[Taken]:
    return ws.write(lambda db: failed_answers.put(db, given))


def answer_by(ws: Workspace, model: str, question_id: str = QUESTION.id) -> None:
    origin = Origin(AuthorKind.MODEL, model=model, source="f.jsonl")
    candidates.add(ws, [NewCandidate(question_id, f"By {model}.", TextFormat.MARKDOWN, origin)])


def standing(ws: Workspace) -> list[tuple[str, str, str]]:
    return [(one.question_id, one.model, one.error) for one in failed_answers.every(ws)]


def test_a_failure_is_kept_once_with_the_last_message(workspace: Workspace) -> None:
    take(workspace, QUESTION)
    assert put(workspace, failure(), failure(), failure(error="timed out")) == [Taken.NEW, Taken.SAME, Taken.CHANGED]
    (kept,) = failed_answers.of_question(workspace, QUESTION.id)
    assert (kept.model, kept.error, kept.source) == ("o3", "timed out", "f.jsonl")


def test_failures_come_in_the_questions_order_then_by_model(workspace: Workspace) -> None:
    take(workspace, question(2), question(1))
    put(workspace, failure("b", "x", "source:1"), failure("b", "x", "source:2"), failure("a", "x", "source:1"))
    assert [(q, m) for q, m, _ in standing(workspace)] == [("source:2", "b"), ("source:1", "a"), ("source:1", "b")]


@pytest.mark.parametrize(
    ("model", "still"),
    [
        ("o3", False),
        ("openai/o3", False),
        ("azure/eu/o3", False),
        ("pro3", True),
        ("openai/o3-mini", True),
        ("O3", True),
    ],
)
def test_a_success_of_the_same_model_takes_its_place(workspace: Workspace, model: str, still: bool) -> None:
    take(workspace, QUESTION)
    put(workspace, failure())
    answer_by(workspace, model)
    assert bool(standing(workspace)) is still


def test_a_success_at_another_question_changes_nothing(workspace: Workspace) -> None:
    take(workspace, QUESTION, question(2))
    put(workspace, failure())
    answer_by(workspace, "o3", "source:2")
    assert len(standing(workspace)) == 1


def test_a_failure_of_nobody_in_particular_stands(workspace: Workspace) -> None:
    take(workspace, QUESTION)
    put(workspace, failure(""))
    answer_by(workspace, "")
    assert standing(workspace) == [(QUESTION.id, "", "rate limited")]


def test_names_are_no_patterns(workspace: Workspace) -> None:
    take(workspace, QUESTION)
    put(workspace, failure("%"), failure("o_"), failure("\ud800"))
    answer_by(workspace, "openai/o3")
    assert len(standing(workspace)) == 3


def test_a_failure_belongs_to_a_question(workspace: Workspace) -> None:
    with pytest.raises(NotFoundError):
        put(workspace, failure())
