"""IMO-Bench's CSV files: problems with a solution and how to grade it (ProofBench), or a short answer (AnswerBench).

Columns are `Problem ID`, `Problem`, `Category`, `Source`, and of ProofBench `Solution`, `Grading guidelines`, `Level`,
`Short Answer`, of AnswerBench `Short Answer`, `Subcategory`; in any order and case. Others are kept.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from store.grading import GRADING_SCHEME
from store.ingest import fields
from store.ingest.graded import GradedFile, Work, import_graded, problem, reference, rest
from store.ingest.jsonl import Row
from store.ingest.report import OnProgress
from store.rows import ImportReport
from store.workspace import Workspace

NAME = "IMO-Bench"
PROOF_COLUMNS = ("problem_id", "problem", "solution", "grading_guidelines")
ANSWER_COLUMNS = ("problem_id", "problem", "short_answer", "subcategory")
COLUMNS = (PROOF_COLUMNS, ANSWER_COLUMNS)
"""Columns that together tell the two files."""

_USED = ("problem_id", "problem", "solution", "grading_guidelines", "category", "subcategory", "short_answer")


def import_imo_bench(
    ws: Workspace, path: Path, rows: Iterable[Row], on_progress: OnProgress | None = None
) -> ImportReport:
    """Import problems. Importing a file again changes nothing.

    Args:
        rows: with columns named by `column_name`.

    Raises:
        StoreError: the workspace cannot be written.
        Whatever reading `rows` raises.
    """
    return import_graded(ws, path, NAME, rows, _work, on_progress)


def _work(row: Mapping[str, Any], file: GradedFile) -> Work:
    category = fields.text(row, "category")
    question = problem(
        fields.text(row, "problem"),
        file.source,
        source_id=fields.identifier(row, "problem_id"),
        category=category,
        tags=(category, fields.text(row, "subcategory")),
        answer=fields.text(row, "short_answer").strip(),
        extra={**rest(row, *_USED), **rest({GRADING_SCHEME: fields.text(row, "grading_guidelines").strip()})},
    )
    solution = fields.text(row, "solution")
    return Work(question, (reference(question.id, solution, file.source),) if solution.strip() else ())
