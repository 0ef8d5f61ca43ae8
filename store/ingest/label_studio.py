"""Exports of Label Studio as JSON: tasks with the annotations that people made of them.

A task's `data` names a question (`question_id`, a link, or its text under `question`, `problem` or `prompt`) and holds
an answer (`answer`, `solution`, `response` or `text`; or names a candidate). Each annotation that says whether the
answer is correct becomes a verdict of its annotator, as one that came from another workspace. What annotators had been
shown is not known, so none is called blind. Predictions are a machine's, and are no verdicts.
"""

import hashlib
import json
import math
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from store import candidates, intake, merging, verdict_record
from store.frozen_rows import BadRecordError, Revision, canonical_json, sealed
from store.identity import candidate_id
from store.ingest import fields
from store.ingest.candidates_jsonl import candidate_of
from store.ingest.jsonl import Row, read_rows
from store.ingest.label_studio_forms import Read, read, reviewer_named
from store.ingest.question_ids import NoSuchQuestionError, QuestionFinder
from store.ingest.report import OnProgress, RowError, Tally
from store.ingest.stack_exchange import checked_site
from store.ingest.uq_jsonl import question_of
from store.intake import NewQuestion, Taken
from store.reading_rows import LedgerCount
from store.rows import ImportReport, NewCandidate, Reviewer, VerdictForm
from store.verdict_rows import name_of, read_newest
from store.verdict_saving import Prepared, prepare
from store.workspace import Workspace
from uq_tui.errors import UqError
from uq_tui.text import counted
from uq_tui.words import VerdictStatus

FORMAT = "Label Studio export"
QUESTION_TEXT = ("question", "problem", "prompt", "body")
ANSWER_TEXT = ("answer", "solution", "response", "text")

_ANNOTATIONS = ("annotations", "completions")
"""What annotations are called: now, and before version 1.0."""
_IDS = ("question_id", "problem_id")
_AUTHOR = ("model_name", "model", "author_kind", "system", "organisation", "base_model", "person", "reasoning")
_OF_QUESTION = ("title", "site", "link", "tags", "format", "licence", "dataset_version")
_VERDICTS = uuid.UUID("0b0f1a52-7f6c-5d0b-8f0e-6e3a6f1f6f0c")
_ANNOTATORS = uuid.UUID("5a1c7f0e-2a53-5b7f-9b1d-0d0f5f7a3c11")
"""Namespaces of ids, so that whoever imports an export has the same verdicts by the same people."""
_KEPT = "label_studio"
"""The key of a row's `extra` that has what there was besides."""
_NOTHING_KNOWN: Mapping[str, Any] = {
    "outcomes": [],
    "judges": [],
    "utilities": [],
    "outside_scores": [],
    "prompt_hashes": [],
    "app_version": "",
}


def tells(row: Mapping[str, Any]) -> bool:
    """Whether a JSON row is a task of Label Studio."""
    return isinstance(row.get("data"), dict) and any(isinstance(row.get(key), list) for key in _ANNOTATIONS)


def import_tasks(
    ws: Workspace, path: Path, *, site: str = "", question_id: str = "", on_progress: OnProgress | None = None
) -> ImportReport:
    """Import an export. Importing it again changes nothing; an annotation that was changed since is a new revision.

    A task that can't be used is reported with its line, and so is each annotation of the others that can't.

    Args:
        ws: where to put it.
        path: the file.
        site: the site that post ids belong to, for tasks that name none.
        question_id: the question of tasks that name none.
        on_progress: called now and then with the number of tasks dealt with.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or `site` is no site.
    """
    reader = _Reader(ws, path.name, checked_site(site), question_id)
    tally = Tally(path, FORMAT)
    for row in read_rows(path):
        tally.read += 1
        try:
            if row.problem:
                raise RowError(row.problem)
            _take(ws, reader, row, tally)
        except RowError as error:
            tally.reject(row.line, str(error))
        if on_progress is not None:
            on_progress(tally.seen)
    reader.say(tally)
    return tally.report()


def _take(ws: Workspace, reader: "_Reader", row: Row, tally: Tally) -> None:
    """Store a task's question and answer, then what people said of it."""
    if not tells(row.value):
        raise RowError("not a task of Label Studio: no `data` with `annotations`")
    task = reader.task(row.value)
    for taken, kind in ws.write(lambda db: _put(db, task)):
        tally.take(taken, kind)
    made: list[tuple[object, dict[str, Any]]] = []
    for annotation in task.annotations:
        try:
            record = reader.record(task, annotation)
        except RowError as error:
            tally.reject(row.line, f"annotation {annotation.get('id')!a}: {error}")
        else:
            made += [] if record is None else [(annotation.get("id"), record)]
    for (number, _), result in zip(made, ws.write(partial(_append_each, rows=[one for _, one in made])), strict=True):
        if isinstance(result, BadRecordError):
            tally.reject(row.line, f"annotation {number!a}: {result.message}")
        else:
            tally.take(result, "verdicts")


@dataclass(frozen=True, slots=True)
class _Task:
    id: str
    project: str
    question: NewQuestion | None
    """`None` where it is here already and the task brings no text of it."""
    candidate: NewCandidate | None
    """`None` where the task names one that is here."""
    candidate_id: str
    annotations: tuple[Mapping[str, Any], ...]


def _put(db: Connection, task: _Task) -> list[tuple[Taken, str]]:
    found = [(taken, "questions") for taken in (intake.put(db, [task.question]) if task.question else ())]
    return found + [(taken, "candidates") for taken in (candidates.put(db, [task.candidate]) if task.candidate else ())]


@dataclass(slots=True)
class _Reader:
    """Makes tasks of rows, and verdict rows of annotations."""

    ws: Workspace
    source: str
    site: str
    question_id: str
    finder: QuestionFinder = field(init=False)
    read_as: set[str] = field(default_factory=set)
    without: int = 0
    """Annotations that say nothing of whether the answer is correct."""
    cancelled: int = 0
    predictions: int = 0
    wordless: int = 0
    unanchored: int = 0

    def __post_init__(self) -> None:
        self.finder = QuestionFinder(self.ws)

    def task(self, row: Mapping[str, Any]) -> _Task:
        """What a task is about. Raises RowError: no question, or no answer, is in it."""
        data: Mapping[str, Any] = row["data"]
        annotations: list[Any] = next((row[key] for key in _ANNOTATIONS if isinstance(row.get(key), list)), [])
        if not all(isinstance(one, dict) for one in annotations):
            raise RowError("`annotations` are not all objects")
        predictions = row.get("predictions")
        self.predictions += len(predictions) if isinstance(predictions, list) else 0
        project = fields.identifier(row, "project")
        task = fields.identifier(row, "id")
        named = fields.text(data, "candidate_id")
        if named:
            return _Task(task, project, None, None, named, tuple(annotations))
        question = self._question(data)
        about = question if isinstance(question, str) else question.id
        text = fields.text(data, *ANSWER_TEXT)
        if not text.strip():
            raise RowError(f"`data` has no answer under {', '.join(f'`{key}`' for key in ANSWER_TEXT)}")
        given = {"answer": text, **{key: data[key] for key in _AUTHOR if key in data}}
        new = candidate_of(given, about, source=self.source)
        made = None if isinstance(question, str) else question
        return _Task(task, project, made, new, candidate_id(about, new.answer), tuple(annotations))

    def _question(self, data: Mapping[str, Any]) -> NewQuestion | str:
        """The question, or the id of one that is here and whose text the task doesn't bring."""
        identifier = fields.identifier(data, *_IDS)
        link, site = fields.text(data, "link", "url"), fields.text(data, "site") or self.site
        missing: RowError | None = None
        if identifier or link or self.question_id:
            try:
                return self.finder.find(identifier or self.question_id, link=link, site=site)
            except NoSuchQuestionError as error:
                missing = error
        body = fields.text(data, *QUESTION_TEXT)
        if not body.strip() and not missing:
            body = fields.text(data, "title")
        if not body.strip():
            names = ", ".join(f"`{key}`" for key in (*_IDS, *QUESTION_TEXT))
            raise missing or RowError(f"`data` names no question: none of {names}")
        known = {key: data[key] for key in _OF_QUESTION if key in data}
        about = {**known, "question_id": identifier, "body": body, "author": data.get("source_author", "")}
        return question_of(about, site=self.site, source=self.source)

    def record(self, task: _Task, annotation: Mapping[str, Any]) -> dict[str, Any] | None:
        """The unsealed row of an annotation; `None` where it is no verdict.

        Raises:
            RowError: it can't be read, or the candidate can't get a verdict.
        """
        if annotation.get("was_cancelled"):
            self.cancelled += 1
            return None
        results = annotation.get("result")
        if not isinstance(results, list):
            raise RowError("its `result` is not a list")
        try:
            answer = candidates.get(self.ws, task.candidate_id).answer.raw
            found = read(results, _seconds(annotation), answer)
            if found.form is None:
                self.without += 1
                return None
            prepared = prepare(self.ws, task.candidate_id, found.form)
        except UqError as error:
            raise RowError(error.message) from error
        self._note(found, prepared.form)
        return self._row(task, annotation, found, prepared)

    def _row(self, task: _Task, annotation: Mapping[str, Any], found: Read, prepared: Prepared) -> dict[str, Any]:
        number = fields.identifier(annotation, "id")
        if not number:
            raise RowError("it has no `id`")
        made = fields.moment(annotation.get("created_at"))
        changed = fields.moment(annotation.get("updated_at")) or made
        if made is None or changed is None:
            raise RowError("it doesn't say when it was made (`created_at`)")
        key = json.dumps([task.project, task.id, number, task.candidate_id])
        revision = Revision(str(uuid.uuid5(_VERDICTS, key)), 1, "", VerdictStatus.SUBMITTED, made)
        row = verdict_record.build(
            revision,
            prepared.question,
            prepared.candidate,
            _annotator(annotation, task.project),
            prepared.form,
            (),
            LedgerCount(units=len(prepared.units)),
            _NOTHING_KNOWN,
        )
        kept = {
            "annotation_id": number,
            "task_id": task.id,
            "project": task.project,
            "source": self.source,
            "updated_at": changed,
            "ground_truth": annotation.get("ground_truth") is True,
            "unanchored": _unanchored(prepared.form),
            "besides": dict(found.rest),
            "annotation_sha256": _digest(annotation),
        }
        return {**row, "blind": False, "extra": {_KEPT: kept}}

    def _note(self, found: Read, form: VerdictForm) -> None:
        self.read_as.update(found.read_as)
        self.wordless += found.wordless
        self.unanchored += _unanchored(form)

    def say(self, tally: Tally) -> None:
        """Note how it was read, and what was left out."""
        for line in sorted(self.read_as):
            tally.note(line)
        told = (
            (self.unanchored, "quote", "could not be placed in the answer: kept by the words, unanchored"),
            (self.wordless, "span", "left out: without words, and counted in a way that can't be told"),
            (self.without, "annotation", "left out: no choice says whether the answer is correct"),
            (self.cancelled, "annotation", "left out: skipped by the annotator"),
            (self.predictions, "prediction", "left out: a machine's, not a person's"),
        )
        for number, what, why in told:
            if number:
                tally.note(f"{counted(number, what)} {why}.")


def _append_each(db: Connection, rows: Sequence[Mapping[str, Any]]) -> list[Taken | BadRecordError]:
    results: list[Taken | BadRecordError] = []
    for row in rows:
        try:
            results.append(_append(db, row))
        except BadRecordError as error:
            results.append(error)
    return results


def _append(db: Connection, row: Mapping[str, Any]) -> Taken:
    """Store a row as the verdict's first revision; or as its next, where the annotation was changed since the newest.

    Raises:
        BadRecordError: the workspace contradicts it.
    """
    newest = read_newest(db, row["verdict_id"])
    if newest is not None:
        before, now = newest.record["extra"].get(_KEPT, {}), row["extra"][_KEPT]
        same = before.get("annotation_sha256") == now["annotation_sha256"]
        if same or newest.status is VerdictStatus.RETRACTED or before.get("updated_at", "") >= now["updated_at"]:
            return Taken.SAME
        following = {"revision": newest.revision + 1, "supersedes": name_of(newest), "created_at": now["updated_at"]}
        row = {**row, **following}
    record = json.loads(sealed(row))
    verdict_record.verify(record)
    taken = merging.put_record(db, record)
    return Taken.CHANGED if newest is not None else taken


def _annotator(annotation: Mapping[str, Any], project: str) -> Reviewer:
    """The person who made an annotation, the same in every export of the project; of our own tasks their reviewer.

    Handles leave with exports, so none is an address: who gave no name is called by their number, or by their id here.
    """
    named = reviewer_named(annotation["result"])
    if named is not None:
        return Reviewer(named[1], named[0][:200], "", ())
    given = annotation.get("completed_by")
    about: Mapping[str, Any] = given if isinstance(given, dict) else {"id": given}
    email, number = fields.text(about, "email").strip(), fields.identifier(about, "id")
    name = " ".join(part for key in ("first_name", "last_name") if (part := fields.text(about, key).strip()))
    if not email and not number:
        raise RowError("it doesn't say who made it (`completed_by`)")
    key = json.dumps([project, email.lower() or number])
    made = str(uuid.uuid5(_ANNOTATORS, key))
    numbered = f"annotator {number if number and '@' not in number else made[:8]}"
    return Reviewer(made, (name if name and "@" not in name else numbered)[:200], "", ())


def _seconds(annotation: Mapping[str, Any]) -> float:
    given = annotation.get("lead_time")
    if isinstance(given, bool) or not isinstance(given, int | float):
        return 0.0
    return float(given) if 0 <= given < 1e9 and math.isfinite(given) else 0.0


def _unanchored(form: VerdictForm) -> int:
    return sum(quote.start is None for error in form.errors for quote in error.quotes)


def _digest(annotation: Mapping[str, Any]) -> str:
    return hashlib.sha256(canonical_json(dict(sorted(annotation.items()))).encode()).hexdigest()
