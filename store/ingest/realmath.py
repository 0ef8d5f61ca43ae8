"""RealMath-Eval: exam problems, solutions by students and models, and the marks that teachers gave.

A row has `problem_statement`, `reference_answer`, `student_response`, `gt` (marks) and `full_score`; a `model_score`,
where a judge gave one, becomes a score. `student_id` is a student's pseudonym, or a model's name with settings:
`NAME_t_TEMPERATURE_SAMPLE`. The parts of `gt` are `sub_question_scores`; where they don't add up, that is said.

Two more files speak of these solutions, by `student_id` and the problem's place in the exam: what kind of error a
judge made, and segments of solutions with the marks each got. They are kept beside the solutions, by line.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from store.external_scores import ExternalScore
from store.identity import candidate_id
from store.ingest import fields
from store.ingest.graded import GradedFile, Work, an_object, import_graded, problem, reference, rest
from store.ingest.jsonl import Row
from store.ingest.report import OnProgress, RowError
from store.rows import ImportReport, NewCandidate, Origin
from store.workspace import Workspace
from uq_tui.words import AuthorKind, TextFormat

NAME = "RealMath-Eval"
KEYS = frozenset(("problem_statement", "reference_answer", "student_response", "gt", "full_score"))

SCORER = "model_score"
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
        StoreError: the workspace cannot be written.
        Whatever reading `rows` raises.
    """
    return import_graded(ws, path, NAME, rows, _work, on_progress)


def _work(row: Mapping[str, Any], file: GradedFile) -> Work:
    question = problem(
        fields.text(row, "problem_statement"),
        file.source,
        source_id=fields.identifier(row, "question_location"),
        extra=rest({name: row.get(name) for name in _OF_PROBLEM}),
    )
    response = fields.text(row, "student_response")
    if not response.strip():
        raise RowError("no `student_response`")
    marks = fields.number(row, "gt")
    _check_parts(an_object(row, "sub_question_scores"), marks, file)
    attempt = NewCandidate(
        question_id=question.id,
        answer=response,
        format=TextFormat.MARKDOWN,
        origin=_author(fields.identifier(row, "student_id"), file.source),
        known_label=file.marked(marks, fields.number(row, "full_score")),
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
