"""Answers with their standing verdicts as tasks of Label Studio, for its JSON import.

A task's `data` has the question, the answer and what verdict rows say of both; each verdict is an annotation. Its
controls are `verdict`, `score_0_7`, `confidence`, `rationale`, `question_flags`, `errors` (spans of `answer`, in code
points, with their category) with `claim`, `problem` and `fix` of a span, and `reviewer`, which has handle and id.
`completed_by` is left out: Label Studio takes nobody's annotations but those of a project's members.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from exports.atomic import publish, staged
from exports.standing_rows import Judged, judged, not_asked
from exports.written import Job, Loss, Losses, OtherFormat, Written
from store.frozen_rows import canonical_json
from store.ingest.label_studio_forms import CLAIM, CONFIDENCE, FIX, FLAGS, REVIEWER, SCORE

_PROJECT = "uq-tui"
_ANSWER = "answer"
UNPLACED = "errors without a place in the answer, in annotations that were written"
"""Why an error that a verdict marks is not in its annotation."""

LOSSES = Losses(
    "verdict rows",
    not_written=(
        Loss(("status", "schema_version", "record"), "Only verdicts that stand are written.", restored=True),
        Loss(("revision", "supersedes"), "An annotation is the newest revision of a verdict."),
        Loss((), "An error without a place in the answer is left out, and counted: a region has one."),
        Loss(("candidate_sha256",), "The answer itself is there, and its hash is made of it.", restored=True),
        Loss(("errors.quotes.prefix", "errors.quotes.suffix"), "The answer itself is there.", restored=True),
        *not_asked("Label Studio"),
    ),
    not_read_back=(
        Loss(("verdict_id",), "An annotation that is read becomes a verdict of its own, as it may have been changed."),
        Loss((), "An error with several quotes comes back as one for each, the first of them with what was said."),
        Loss(("created_at",), "Times are read to the millisecond."),
        Loss(("source_author_url", "source_edited"), "They are for people who read the task."),
    ),
)


def write_tasks(job: Job) -> Written:
    """Write the tasks, by question and number of the answer. The same verdicts give the same bytes.

    Raises:
        ExportError: they can't be written; an earlier file is as it was.
    """
    left_out = Counter[str]()
    tasks = 0
    with staged(job.path) as file:
        file.write(b"[")
        for one in judged(job, left_out):
            file.write(b",\n" if tasks else b"\n")
            file.write(canonical_json(task_of(one, left_out)).encode())
            tasks += 1
        file.write(b"\n]\n")
        publish(file)
    return Written(job.path, tasks, dict(left_out))


def task_of(one: Judged, left_out: Counter[str]) -> dict[str, Any]:
    """The task of an answer; errors that can't be in it are counted."""
    candidate_id = one.verdicts[-1][-1]["candidate_id"]
    return {
        "id": candidate_id,
        "project": _PROJECT,
        "data": {**one.described, "format": one.question.body.format.value, "answer_id": candidate_id},
        "annotations": [_annotation(rows, left_out) for rows in one.verdicts],
        "predictions": [],
    }


def _annotation(rows: tuple[Mapping[str, Any], ...], left_out: Counter[str]) -> dict[str, Any]:
    row = rows[-1]
    return {
        "id": row["verdict_id"],
        "created_at": rows[0]["created_at"],
        "updated_at": row["created_at"],
        "lead_time": row["seconds_total"],
        "was_cancelled": False,
        "ground_truth": False,
        "result": [*_said(row), *_errors(row, left_out)],
    }


def _said(row: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    reviewer = row["reviewer"]
    yield _part("verdict", "choices", {"choices": [row["label"] or row["not_judged"]]})
    yield _part(REVIEWER, "textarea", {"text": [reviewer["handle"], reviewer["id"]]})
    for name, kind in ((SCORE, "number"), (CONFIDENCE, "rating")):
        if row[name] is not None:
            yield _part(name, kind, {kind: row[name]})
    if row["rationale"]:
        yield _part("rationale", "textarea", {"text": [row["rationale"]]})
    if row["question_flags"]:
        yield _part(FLAGS, "choices", {"choices": list(row["question_flags"])})


def _errors(row: Mapping[str, Any], left_out: Counter[str]) -> Iterator[dict[str, Any]]:
    for number, error in enumerate(row["errors"], 1):
        placed = [quote for quote in error["quotes"] if quote["start"] is not None]
        if not placed:
            left_out[UNPLACED] += 1
        for at, quote in enumerate(placed, 1):
            region = f"{number}-{at}"
            span = {"start": quote["start"], "end": quote["end"], "text": quote["quote"]}
            yield _part("errors", "labels", {**span, "labels": [error["category"]]}, region)
            for name in (CLAIM, "problem", FIX) if at == 1 else ():
                if error[name]:
                    yield _part(name, "textarea", {"text": [error[name]]}, region)


def _part(control: str, kind: str, value: Mapping[str, Any], region: str = "") -> dict[str, Any]:
    """One part of an annotation's result, said of a span where `region` names one."""
    return {"id": region or control, "from_name": control, "to_name": _ANSWER, "type": kind, "value": value}


LABEL_STUDIO = OtherFormat(
    name="label-studio",
    noun="task",
    suffix=".json",
    about="tasks of Label Studio, an answer each, its standing verdicts as annotations with spans",
    write=write_tasks,
    losses=LOSSES,
)
