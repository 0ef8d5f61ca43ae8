"""Storing the questions of a file, chunk by chunk."""

from collections.abc import Iterable
from functools import partial

from store import intake
from store.ingest.report import OnProgress, Tally, chunks
from store.intake import NewQuestion
from store.workspace import Workspace
from uq_tui.words import QuestionStatus


def store_questions(
    ws: Workspace, questions: Iterable[NewQuestion], tally: Tally, on_progress: OnProgress | None
) -> None:
    """Store questions as they come and count them, in all and by status."""
    for chunk in chunks(questions, lambda question: len(question.body)):
        results = ws.write(partial(intake.put, questions=chunk))
        for question, taken in zip(chunk, results, strict=True):
            tally.take(taken, "questions", (question.status or QuestionStatus.UNANSWERED).value)
        if on_progress is not None:
            on_progress(tally.seen)
