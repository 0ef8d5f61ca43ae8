"""The Open Proof Corpus: competition problems, proofs by models, and whether people found these correct.

Three shapes. A row of its Parquet files is one proof: the problem and the proof stand in the prompt that a judge was
given, `reward_model.ground_truth` is people's verdict (that it is theirs is said in the corpus's paper, not in the
file). A JSON document, or a row of one, is one problem with `attempts`, not graded yet; or a problem alone, with its
solutions and at times a `gold_answer`.

People's comments on a proof that they found incorrect become its flaw. What a model listed as issues of a proof, with
offsets that mostly miss the text, is kept beside the proof.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from store.grading import GRADING_SCHEME
from store.ingest import fields
from store.ingest.graded import (
    GradedFile,
    Work,
    an_object,
    import_graded,
    objects,
    problem,
    reference,
    rest,
    short_answer,
)
from store.ingest.jsonl import Row
from store.ingest.report import OnProgress, RowError
from store.intake import NewQuestion
from store.rows import ImportReport, KnownLabel, NewCandidate, Origin
from store.workspace import Workspace
from uq_tui.words import AuthorKind, Label, TextFormat

NAME = "Open Proof Corpus"
PROBLEM_KEYS = frozenset(("problem_id", "problem", "solutions"))
PROOF_KEYS = frozenset(("problem_id", "prompt", "reward_model", "solutions"))

JUDGE_PROMPT = "judge_prompt"
"""Key of a question's `extra`: what a judge was told besides problem and proof."""

_STATEMENT = "\n### Problem Statement:\n"
_PROOF = "\n\n### Model Solution:\n"
_ANSWER_ONLY = "answer only"
_PEOPLE = "human"
_OF_PROBLEM = ("metadata", "points", "date_added", "last_update")


def tells(keys: Iterable[str]) -> bool:
    """Whether a row, a document or a table with these keys is of this form."""
    names = frozenset(keys)
    return names >= PROBLEM_KEYS or names >= PROOF_KEYS


def import_corpus(
    ws: Workspace, path: Path, rows: Iterable[Row], on_progress: OnProgress | None = None
) -> ImportReport:
    """Import the rows of a file of the corpus. Importing it again changes nothing.

    Raises:
        StoreError: the workspace cannot be written.
        Whatever reading `rows` raises.
    """
    return import_graded(ws, path, NAME, rows, _work, on_progress)


def _work(row: Mapping[str, Any], file: GradedFile) -> Work:
    return _problem(row, file) if "problem" in row else _proof(row, file)


def _problem(row: Mapping[str, Any], file: GradedFile) -> Work:
    """A problem with its solutions and attempts."""
    used = ("problem", "problem_id", "solutions", "attempts", GRADING_SCHEME, "gold_answer")
    attempts = objects(row, "attempts")
    question = _question(row, fields.text(row, "problem"), file.source, rest(row, *used))
    if attempts:
        file.read_more(len(attempts) - 1)
    found = []
    for number, one in enumerate(attempts, start=1):
        try:
            found.append(_attempt(one, question.id, fields.text(one, "solution"), file))
        except RowError as error:
            file.reject_part(f"attempt {number}: {error}")
    return Work(question, (*_references(row, question.id, file.source), *found))


def _proof(row: Mapping[str, Any], file: GradedFile) -> Work:
    """A proof with the verdict on it."""
    messages = objects(row, "prompt")
    told = fields.text(messages[0], "content") if len(messages) == 1 else ""
    instructions, _, shown = told.partition(_STATEMENT)
    statement, mark, proof = shown.partition(_PROOF)
    if not mark:
        raise RowError("no problem with a model's solution in its `prompt`")
    extra = rest({name: row.get(name) for name in _OF_PROBLEM} | {JUDGE_PROMPT: instructions.strip()})
    question = _question(row, statement, file.source, extra)
    said = rest(row, "problem_id", "prompt", "solutions", GRADING_SCHEME, *_OF_PROBLEM)
    attempt = _attempt(said, question.id, proof, file, label=_verdict(row, file.source))
    return Work(question, (*_references(row, question.id, file.source), attempt))


def _question(row: Mapping[str, Any], statement: str, source: str, extra: Mapping[str, Any]) -> NewQuestion:
    topics = an_object(row, "metadata").get("category")
    topics = topics if isinstance(topics, list) else [topics]
    topics = [topic for topic in topics if isinstance(topic, str)]
    scheme = rest({GRADING_SCHEME: row.get(GRADING_SCHEME)})
    finals = [fields.text(one, "solution").strip() for one in objects(row, "solutions") if _is_answer_only(one)]
    gold = short_answer(row.get("gold_answer")) or next(iter(finals), "")
    others = rest({"other_answers": [final for final in finals if final not in ("", gold)]})
    return problem(
        statement,
        source,
        source_id=fields.identifier(row, "problem_id"),
        category=", ".join(topic.strip() for topic in topics if topic.strip()),
        tags=topics,
        answer=gold,
        extra={**extra, **scheme, **others},
    )


def _references(row: Mapping[str, Any], question_id: str, source: str) -> list[NewCandidate]:
    found = []
    for one in objects(row, "solutions"):
        solution, author = fields.text(one, "solution"), fields.text(one, "author").strip()
        if solution.strip() and not _is_answer_only(one):
            person = "" if author.lower() == _PEOPLE else author
            found.append(reference(question_id, solution, source, person=person, **rest(one, "solution", "author")))
    return found


def _is_answer_only(solution: Mapping[str, Any]) -> bool:
    return _ANSWER_ONLY in fields.text(solution, "author").lower()


def _attempt(
    said: Mapping[str, Any], question_id: str, answer: str, file: GradedFile, label: KnownLabel | None = None
) -> NewCandidate:
    if not answer.strip():
        raise RowError("no `solution`")
    if said.get("grading") not in (None, [], {}):
        file.note("a `grading` is kept, but not read as a label")
    return NewCandidate(
        question_id=question_id,
        answer=answer,
        format=TextFormat.MARKDOWN,
        origin=Origin(AuthorKind.MODEL, model=fields.text(said, "model_id").strip(), source=file.source),
        reasoning=fields.text(said, "thinking"),
        known_label=label,
        extra=rest(said, "solution", "model_id", "thinking"),
    )


def _verdict(row: Mapping[str, Any], source: str) -> KnownLabel | None:
    word = fields.text(an_object(row, "reward_model"), "ground_truth").strip().lower()
    if not word:
        return None
    if word not in (Label.CORRECT, Label.INCORRECT):
        raise RowError(f"`reward_model.ground_truth` is {word!a}, neither correct nor incorrect")
    comments = dict.fromkeys(fields.text(one, "comment").strip() for one in objects(row, "annotations"))
    label = Label(word)
    return KnownLabel(label, "; ".join(filter(None, comments)) if label is Label.INCORRECT else "", source)
