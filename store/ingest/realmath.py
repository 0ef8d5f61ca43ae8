"""RealMath-Eval: exam problems, solutions by students and models, and the marks that teachers gave.

A row has `problem_statement`, `reference_answer`, `student_response`, `gt` (marks) and `full_score`; a `model_score`,
where a judge gave one, becomes a score. `student_id` is a student's pseudonym, or a model's name with settings:
`NAME_t_TEMPERATURE_SAMPLE`. The parts of `gt` are `sub_question_scores`; where they don't add up, that is said.

In one of the published files the `full_score` of two problems is too small, 1 where up to 13 were given. So a file is
looked through first: full marks that a row of the problem exceeds are none for its other rows, either.

Two more files speak of these solutions, by `student_id` and the problem's place in the exam: what kind of error a
judge made, and segments of solutions with the marks each got. They are kept beside the solutions, by line.
"""

import re
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from store.external_scores import ExternalScore
from store.identity import candidate_id, text_sha256
from store.ingest import fields
from store.ingest.graded import GradedFile, Work, an_object, import_graded, problem, reference, rest
from store.ingest.jsonl import Row, read_rows
from store.ingest.report import OnProgress, RowError
from store.rows import ImportReport, NewCandidate, Origin
from store.workspace import Workspace
from uq_tui.words import AuthorKind, TextFormat

NAME = "RealMath-Eval"
KEYS = frozenset(("problem_statement", "reference_answer", "student_response", "gt", "full_score"))

SCORER = "model_score"
_LOOKED_AT_ONCE = 500
_MODEL = re.compile(r"(?P<name>.+?)_t_[0-9].*")
_OF_PROBLEM = ("question_location", "question_type", "question_level")
_USED = (*KEYS, "student_id")


def tells(keys: Iterable[str]) -> bool:
    """Whether a row with these keys is a solution with marks."""
    return frozenset(keys) >= KEYS


def import_realmath(
    ws: Workspace, path: Path, rows: Iterable[Row], on_progress: OnProgress | None = None
) -> ImportReport:
    """Import solutions with marks. Importing a file again changes nothing.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read.
        StoreError: the workspace cannot be written.
    """
    exceeded = _exceeded(path, on_progress)

    def work(row: Mapping[str, Any], file: GradedFile) -> Work:
        return _work(row, file, exceeded)

    return import_graded(ws, path, NAME, rows, work, on_progress)


def _exceeded(path: Path, on_progress: OnProgress | None) -> frozenset[tuple[str, float]]:
    """Hashes of problems with full marks that one of their rows exceeds."""
    found = set()
    for number, row in enumerate(read_rows(path)):
        if on_progress is not None and number % _LOOKED_AT_ONCE == 0:
            on_progress(0)
        with suppress(RowError):  # told when the row is read for good
            marks, full = fields.number(row.value, "gt"), fields.number(row.value, "full_score")
            if marks is not None and full is not None and marks > full:
                found.add((text_sha256(fields.text(row.value, "problem_statement")), full))
    return frozenset(found)


def _work(row: Mapping[str, Any], file: GradedFile, exceeded: Container[tuple[str, float]]) -> Work:
    question = problem(
        fields.text(row, "problem_statement"),
        file.source,
        source_id=fields.identifier(row, "question_location"),
        extra=rest({name: row.get(name) for name in _OF_PROBLEM}),
    )
    response = fields.text(row, "student_response")
    if not response.strip():
        raise RowError("no `student_response`")
    marks, full = fields.number(row, "gt"), fields.number(row, "full_score")
    if marks is not None and full is not None and marks <= full and (text_sha256(question.body), full) in exceeded:
        file.note("no label is taken from marks where another solution of the problem has more than full marks")
        marks = None
    _check_parts(an_object(row, "sub_question_scores"), fields.number(row, "gt"), file)
    attempt = NewCandidate(
        question_id=question.id,
        answer=response,
        format=TextFormat.MARKDOWN,
        origin=_author(fields.identifier(row, "student_id"), file.source),
        known_label=file.marked(marks, full),
        extra={**rest(row, *_USED, *_OF_PROBLEM), **rest({name: row.get(name) for name in ("gt", "full_score")})},
    )
    solution = fields.text(row, "reference_answer")
    solutions: Sequence[NewCandidate] = [reference(question.id, solution, file.source)] if solution.strip() else []
    score = fields.number(row, SCORER)
    key = candidate_id(question.id, response)
    scores = () if score is None else (ExternalScore(key, SCORER, score, file.source),)
    return Work(question, (*solutions, attempt), scores)


def _check_parts(parts: Mapping[str, Any], marks: float | None, file: GradedFile) -> None:
    given = [fields.number(parts, name) for name in parts]
    total = sum(part for part in given if part is not None)
    if given and None not in given and marks is not None and abs(total - marks) > 1e-9:
        file.note("marks that are not the sum of their parts", f"{marks:g}, and the parts make {total:g}")


def _author(name: str, source: str) -> Origin:
    model = _MODEL.fullmatch(name)
    if model is None:
        return Origin(AuthorKind.PERSON, person=name, source=source)
    return Origin(AuthorKind.MODEL, model=model["name"], source=source)
