"""TheoremQA: questions with typed short answers, and answers by models that were found wrong.

A question has `Question`, `Answer`, `Answer_type`, `Picture`, `id`, `theorem`, `subfield`, `field`; the answer is kept
to compare final answers with. A picture is part of the statement, as two questions differ in nothing else.

A wrong answer has `id`, `question`, `rationale`, `source` (the model), `error_type`. It goes to the question with that
id, or, where that isn't here, to one made of its own words.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from store.ingest import fields
from store.ingest.graded import GradedFile, Work, import_graded, problem, rest, short_answer
from store.ingest.jsonl import Row
from store.ingest.question_ids import QuestionFinder
from store.ingest.report import OnProgress, RowError
from store.intake import NewQuestion
from store.rows import ImportReport, KnownLabel, NewCandidate, Origin
from store.workspace import Workspace
from uq_tui.words import AuthorKind, Label, TextFormat

NAME = "TheoremQA"
QUESTION_KEYS = frozenset(("Question", "Answer", "Answer_type"))
ERROR_KEYS = frozenset(("id", "question", "rationale", "error_type"))

_PLAIN_PATH = re.compile(r"[\w./-]+")
_OF_QUESTION = ("Question", "Answer", "id", "theorem", "subfield", "field")
_OF_ANSWER = ("id", "question", "rationale", "source")


def tells(keys: Iterable[str]) -> bool:
    """Whether a row with these keys is of this form."""
    names = frozenset(keys)
    return names >= QUESTION_KEYS or names >= ERROR_KEYS


def import_theoremqa(
    ws: Workspace, path: Path, rows: Iterable[Row], on_progress: OnProgress | None = None
) -> ImportReport:
    """Import questions, or answers that were found wrong. Importing a file again changes nothing.

    Raises:
        StoreError: the workspace cannot be written.
        Whatever reading `rows` raises.
    """
    finder = QuestionFinder(ws)

    def work(row: Mapping[str, Any], file: GradedFile) -> Work:
        return Work(_question(row, file.source)) if "Question" in row else _error(row, file, finder)

    return import_graded(ws, path, NAME, rows, work, on_progress)


def _question(row: Mapping[str, Any], source: str) -> NewQuestion:
    field = fields.text(row, "field")
    return problem(
        _with_picture(fields.text(row, "Question"), fields.text(row, "Picture").strip()),
        source,
        source_id=fields.identifier(row, "id"),
        category=field,
        tags=(field, fields.text(row, "subfield"), fields.text(row, "theorem")),
        answer=short_answer(row.get("Answer")),
        extra=rest(row, *_OF_QUESTION),
    )


def _with_picture(statement: str, picture: str) -> str:
    if not picture or not statement.strip():
        return statement
    shown = f"![Picture]({picture})" if _PLAIN_PATH.fullmatch(picture) else f"Picture: {picture}"
    return f"{statement}\n\n{shown}"


def _error(row: Mapping[str, Any], file: GradedFile, finder: QuestionFinder) -> Work:
    name, answer = fields.identifier(row, "id"), fields.text(row, "rationale")
    if not answer.strip():
        raise RowError("no `rationale`")
    question_id, question = "", None
    try:
        question_id = finder.find(name)
    except RowError:
        stated = short_answer(row.get("answer"))
        question = problem(fields.text(row, "question"), file.source, source_id=name, answer=stated, extra={})
        question_id = question.id
        file.note("no question here has its id, so one is made of its own words")
    error = fields.text(row, "error_type").strip()
    flaw = f"error type {error}" if error else ""
    wrong = KnownLabel(Label.INCORRECT, flaw, file.source)
    attempt = NewCandidate(
        question_id=question_id,
        answer=answer,
        format=TextFormat.MARKDOWN,
        origin=Origin(AuthorKind.MODEL, model=fields.text(row, "source").strip(), source=file.source),
        known_label=KnownLabel(Label.CORRECT, "", file.source) if row.get("correct") is True else wrong,
        extra=rest(row, *_OF_ANSWER),
    )
    return Work(question, (attempt,))
