"""Storing the questions of a file, with the neighbours they bring, chunk by chunk."""

from collections.abc import Iterable, Sequence
from functools import partial

from sqlalchemy import Connection

from store import intake, neighbours
from store.ingest.report import OnProgress, Tally, chunks
from store.intake import NewQuestion, Taken
from store.workspace import Workspace
from uq_tui.words import QuestionStatus


def store_questions(
    ws: Workspace, questions: Iterable[NewQuestion], tally: Tally, on_progress: OnProgress | None
) -> None:
    """Store questions and their neighbours as they come and count them, questions in all and by status."""
    for chunk in chunks(questions, _characters):
        results, around = ws.write(partial(_put, questions=chunk))
        for question, taken in zip(chunk, results, strict=True):
            tally.take(taken, "questions", (question.status or QuestionStatus.UNANSWERED).value)
        for taken in around:
            tally.take(taken, "neighbours")
        if on_progress is not None:
            on_progress(tally.seen)


def _put(db: Connection, questions: Sequence[NewQuestion]) -> tuple[list[Taken], list[Taken]]:
    """What became of each question, and of each neighbour."""
    taken = intake.put(db, questions)
    return taken, [one for each in questions if each.neighbours for one in neighbours.put(db, each.id, each.neighbours)]


def _characters(question: NewQuestion) -> int:
    return len(question.body) + sum(len(one.statement) for one in question.neighbours)
