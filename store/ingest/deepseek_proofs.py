"""Proofs of DeepSeekMath-V2 as it was published with them: a contest problem, a model's proof, people's rating of it.

Read are `question`, `problem_idx`, `type`, `solution`, `grading guidelines`; and of `model_prediction` `proof`,
`human_rating` and `average_automatic_rating`, which becomes a score. The rest is kept. No file says of how many marks
a rating is: the contest does, which begins `problem_idx`.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from store.external_scores import ExternalScore
from store.grading import GRADING_SCHEME
from store.identity import candidate_id
from store.ingest import fields
from store.ingest.graded import GradedFile, Work, an_object, import_graded, problem, reference, rest
from store.ingest.jsonl import Row
from store.ingest.report import OnProgress, RowError
from store.rows import ImportReport, NewCandidate, Origin
from store.workspace import Workspace
from uq_tui.words import AuthorKind, TextFormat

NAME = "rated proofs of DeepSeekMath-V2"
KEYS = frozenset(("question", "problem_idx", "model_prediction"))
FULL_MARKS: Mapping[str, float] = {"CMO": 21, "IMO": 7, "PB-": 7, "Putnam": 10}
"""Marks of a problem, by how its id begins; `PB-` is IMO-ProofBench."""

SCORER = "average_automatic_rating"
_GUIDELINES = "grading guidelines"


def tells(keys: Iterable[str]) -> bool:
    """Whether a row with these keys is of this form."""
    return frozenset(keys) >= KEYS


def import_rated_proofs(
    ws: Workspace, path: Path, rows: Iterable[Row], on_progress: OnProgress | None = None
) -> ImportReport:
    """Import rated proofs. Importing a file again changes nothing.

    Raises:
        StoreError: the workspace cannot be written.
        Whatever reading `rows` raises.
    """
    return import_graded(ws, path, NAME, rows, _work, on_progress)


def _work(row: Mapping[str, Any], file: GradedFile) -> Work:
    name = fields.identifier(row, "problem_idx")
    topic = fields.text(row, "type")
    guidelines = rest({GRADING_SCHEME: fields.text(row, _GUIDELINES)})
    question = problem(
        fields.text(row, "question"),
        file.source,
        source_id=name,
        category=topic,
        tags=(topic,),
        extra={
            **rest(row, "question", "problem_idx", "type", "solution", _GUIDELINES, "model_prediction"),
            **guidelines,
        },
    )
    solution = fields.text(row, "solution")
    solutions = (reference(question.id, solution, file.source),) if solution.strip() else ()
    made = an_object(row, "model_prediction")
    proof = fields.text(made, "proof")
    if not proof.strip():
        raise RowError("no `model_prediction.proof`")
    attempt = NewCandidate(
        question_id=question.id,
        answer=proof,
        format=TextFormat.MARKDOWN,
        origin=Origin(AuthorKind.MODEL, source=file.source),
        known_label=file.marked(fields.number(made, "human_rating"), full_marks(name)),
        extra=rest(made, "proof"),
    )
    rating = fields.number(made, SCORER)
    key = candidate_id(question.id, proof)
    scores = () if rating is None else (ExternalScore(key, SCORER, rating, file.source),)
    return Work(question, (*solutions, attempt), scores)


def full_marks(problem_idx: str) -> float | None:
    """Of how many marks a proof of the problem is rated; None where that isn't known."""
    return next((full for start, full in FULL_MARKS.items() if problem_idx.startswith(start)), None)
