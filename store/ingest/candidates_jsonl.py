"""Answers: as JSON rows (UQ's generated answers and what is like them), or one answer as a Markdown or text file.

Read are: `question_id` with `link` or `site`, in the row or its `metadata`; `answer`; `model_name` or `model`;
`author_kind`; `system`; `organisation`; `base_model`; `person`; `prompt`; `reasoning`; `format`; `finish_reason`;
`known_label` (`label`, `flaw`, `marks`, `full_marks`); `reference`, true for the expert's own solution. A row with
`error` instead of an answer is kept as a failed answer of its model, so that it isn't taken for one and can be asked
for again.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from store import candidates, failed_answers
from store.failed_answers import FailedAnswer
from store.ingest import fields
from store.ingest.files import whole_text
from store.ingest.jsonl import parse_rows
from store.ingest.question_ids import QuestionFinder
from store.ingest.report import OnProgress, RowError, Tally, chunks
from store.ingest.stack_exchange import checked_site
from store.intake import Taken
from store.rows import ImportReport, KnownLabel, NewCandidate, Origin
from store.run_rows import CUT_OFF
from store.workspace import Workspace
from uq_tui.errors import ImportFileError, NotFoundError
from uq_tui.words import AuthorKind, Label, TextFormat

AUTHOR_KEYS = ("model_name", "model", "author_kind", "system", "person")
"""Keys that say who wrote an answer; questions have none of them."""

_LINK = ("link", "url", "source_url")
_MODEL = ("model_name", "model")
_REASONING = ("reasoning", "reasoning_content", "thinking")
_LONGEST_ERROR = 2_000
"""Characters of an error that are kept: some have the whole prompt in them."""


def import_candidates(
    ws: Workspace, path: Path, *, site: str = "", question_id: str = "", on_progress: OnProgress | None = None
) -> ImportReport:
    """Import answers from JSON rows.

    Args:
        site: the site that post ids belong to, for rows that name none.
        question_id: the question of rows that name none; an id, a link, or the id it had in its source.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or `site` is no site.
    """
    site = checked_site(site)
    tally = Tally(path, "candidates")
    finder = QuestionFinder(ws)

    def parse(row: Mapping[str, Any]) -> NewCandidate | FailedAnswer:
        question = question_named(row, finder, site, question_id)
        return failure_of(row, question, source=path.name) or candidate_of(row, question, source=path.name)

    store_candidates(ws, parse_rows(path, parse, tally), tally, on_progress)
    return tally.report()


def store_candidates(
    ws: Workspace, new: Iterable[NewCandidate | FailedAnswer], tally: Tally, on_progress: OnProgress | None
) -> None:
    """Store answers, and failures to give one, as they come and count them."""
    for chunk in chunks(new, _characters):
        for one, taken in zip(chunk, ws.write(partial(put_answers, new=chunk)), strict=True):
            tally.take(taken, "candidates" if isinstance(one, NewCandidate) else "failed answers")
        if on_progress is not None:
            on_progress(tally.seen)


def put_answers(db: Connection, new: Sequence[NewCandidate | FailedAnswer]) -> list[Taken]:
    """Store answers and failures, within a transaction; one result each, in their order. Raises NotFoundError."""
    answers = iter(candidates.put(db, [one for one in new if isinstance(one, NewCandidate)]))
    failures = iter(failed_answers.put(db, [one for one in new if isinstance(one, FailedAnswer)]))
    return [next(answers if isinstance(one, NewCandidate) else failures) for one in new]


def _characters(one: NewCandidate | FailedAnswer) -> int:
    return len(one.answer) + len(one.reasoning) if isinstance(one, NewCandidate) else len(one.error)


def question_named(row: Mapping[str, Any], finder: QuestionFinder, site: str, question_id: str) -> str:
    about = row.get("metadata")
    about = about if isinstance(about, dict) else {}
    identifier = fields.identifier(row, "question_id") or question_id
    link = fields.text(row, *_LINK) or fields.text(about, *_LINK)
    if not identifier and not link:
        raise RowError("no `question_id`")
    named_site = fields.text(row, "site") or fields.text(about, "site") or site
    return finder.find(identifier, link=link, site=named_site)


def failure_of(row: Mapping[str, Any], question_id: str, *, source: str) -> FailedAnswer | None:
    """The failure in a row that has an error in place of an answer. Raises RowError: a field is of a wrong kind."""
    error = row.get("error")
    if not error or fields.text(row, "answer").strip():
        return None
    said = error if isinstance(error, str) else json.dumps(error)
    return FailedAnswer(question_id, fields.text(row, *_MODEL).strip(), said[:_LONGEST_ERROR], source)


def candidate_of(row: Mapping[str, Any], question_id: str, *, source: str) -> NewCandidate:
    """The answer in a row. Raises RowError: it has none, or a field has a value of a wrong kind."""
    answer = fields.text(row, "answer")
    if not answer.strip():
        error = row.get("error")
        raise RowError(f"no answer, but an error: {error}" if error else "no `answer`")
    model, system = fields.text(row, *_MODEL), fields.text(row, "system")
    person = fields.text(row, "person")
    reference = _is_reference(row.get("reference"))
    kind = _author_kind(fields.text(row, "author_kind"), model, system, person, reference=reference)
    label = _known_label(row.get("known_label"), source)
    if reference and kind is not AuthorKind.PERSON:
        raise RowError(f"`reference` is said of an answer by a {kind}: the reference is a person's own solution")
    if reference and label is not None and label.label not in (Label.CORRECT, Label.CORRECT_BORDERLINE):
        raise RowError(f"`reference` is said of an answer whose known label is {label.label}")
    named_format = fields.text(row, "format")
    return NewCandidate(
        question_id=question_id,
        answer=answer,
        format=fields.text_format(named_format) if named_format else TextFormat.MARKDOWN,
        origin=Origin(
            kind=kind,
            model=model,
            system=system,
            organisation=fields.text(row, "organisation", "organization"),
            base_model=fields.text(row, "base_model"),
            person=person,
            prompt=fields.text(row, "prompt"),
            source=source,
        ),
        reasoning=fields.text(row, *_REASONING),
        cut_off=row.get("finish_reason") == CUT_OFF,
        known_label=label,
        reference=reference,
    )


def _is_reference(value: object) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    raise RowError("`reference` is neither true nor false")


def _author_kind(named: str, model: str, system: str, person: str, *, reference: bool) -> AuthorKind:
    if named:
        try:
            return AuthorKind(named)
        except ValueError:
            raise RowError(f"`author_kind` is {named!r}, not one of {', '.join(AuthorKind)}") from None
    if system:
        return AuthorKind.SYSTEM
    return AuthorKind.PERSON if (person or reference) and not model else AuthorKind.MODEL


def _known_label(value: object, source: str) -> KnownLabel | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise RowError("`known_label` is not an object")
    label = fields.text(value, "label")
    try:
        known = Label(label)
    except ValueError:
        raise RowError(f"`known_label.label` is {label!r}, not one of {', '.join(Label)}") from None
    marks, full = (fields.number(value, name) for name in ("marks", "full_marks"))
    if (marks is None) != (full is None):
        raise RowError("`known_label` has only one of `marks` and `full_marks`")
    if marks is not None and full is not None and not 0 <= marks <= full:
        raise RowError(f"`known_label.marks` is {marks:g}, not from 0 to {full:g}")
    return KnownLabel(known, fields.text(value, "flaw"), source, marks, full)


def import_answer_file(ws: Workspace, path: Path, question_id: str, *, reference: bool = False) -> ImportReport:
    """Import a whole Markdown (`.md`, `.markdown`) or text file as one answer by a person.

    Args:
        reference: it is the expert's own solution.

    Raises:
        NotFoundError: there is no such file, or no such question.
        ImportFileError: it cannot be read, is empty, too large, or no UTF-8 or UTF-16 text; or it is to be the
            reference, and the same answer is here by a model or a system.
    """
    answer = whole_text(path)
    if not answer.strip():
        raise ImportFileError(f"{path} is empty.")
    tally = Tally(path, "answer")
    tally.read = 1
    try:
        question = QuestionFinder(ws).find(question_id)
    except RowError as error:
        raise NotFoundError(f"{path} has no question to belong to: {error}.") from error
    new = NewCandidate(
        question_id=question,
        answer=answer,
        format=TextFormat.MARKDOWN if path.suffix.lower() in (".md", ".markdown") else TextFormat.PLAIN,
        origin=Origin(AuthorKind.PERSON, source=path.name),
        reference=reference,
    )
    if refusal := candidates.reference_refusal(ws, new):
        raise ImportFileError(f"{path} can't be the reference. {refusal}", hint="Import it without `--reference`.")
    store_candidates(ws, [new], tally, None)
    return tally.report()
