"""Things to put into a workspace."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from store import intake
from store.intake import NewQuestion, Taken
from store.rows import NewCandidate, Origin
from store.workspace import Workspace
from uq_tui.words import AuthorKind, TextFormat

QUESTION = NewQuestion(
    id="source:1", title="Is every graph small?", body="What holds?", format=TextFormat.MARKDOWN, source="f.jsonl"
)


def question(number: int, **changes: Any) -> NewQuestion:
    """A question of its own for each number."""
    made = replace(QUESTION, id=f"source:{number}", title=f"Question {number}", body=f"Body {number}")
    return replace(made, **changes)


def take(ws: Workspace, *questions: NewQuestion) -> Sequence[Taken]:
    """Store questions in one transaction."""
    return ws.write(lambda db: intake.put(db, questions))


def candidate(answer: str, question_id: str = QUESTION.id) -> NewCandidate:
    """An answer by a model."""
    return NewCandidate(question_id, answer, TextFormat.MARKDOWN, Origin(AuthorKind.MODEL, model="m", source="f.jsonl"))
