"""Answers with their standing verdicts as a log of Inspect: a sample each, a score for each verdict.

A score's value is Inspect's `C` for correct, `P` for correct with reservations, `I` for incorrect; its history has each
revision with who gave it, when and why, and its metadata the verdict row as it is. A verdict without such a label has
no score. The log has no model of its own, since answers are by several: each sample's output names its author.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from exports.atomic import publish, staged
from exports.standing_rows import Judged, judged
from exports.written import Job, Loss, Losses, OtherFormat, Written
from store.frozen_rows import canonical_json
from store.ingest.inspect_logs import NO_MODEL
from store.verdict_shape import SHAPE
from uq_tui.words import Label

VALUES: Mapping[str, str] = {Label.CORRECT: "C", Label.CORRECT_BORDERLINE: "P", Label.INCORRECT: "I"}
"""Inspect's grades by our labels."""
UNSCORED = "verdicts without a label that a score could say"
"""Why a verdict has no score: unsure, or not judged."""
_TASK = "uq-tui verdicts"
_NEVER = "1970-01-01T00:00:00Z"
"""How old a log without verdicts is; there is no log without a time."""

LOSSES = Losses(
    "verdict rows",
    not_written=(
        Loss((), "A verdict that is unsure or not judged has no score, and is counted."),
        Loss((), "Verdicts that repeat or settle others are left out, and counted."),
    ),
    not_read_back=(
        Loss(
            tuple(SHAPE),
            "Scores of a log are kept as numbers of outside scorers beside the answer: 1, 0.5 or 0, and what was said.",
        ),
    ),
)


def write_log(job: Job) -> Written:
    """Write the log. The same verdicts give the same bytes.

    Raises:
        ExportError: it can't be written; an earlier file is as it was.
    """
    left_out = Counter[str]()
    every = list(judged(job, left_out))
    with staged(job.path) as file:
        head = canonical_json(_header(every))
        file.write(f'{head[:-1]},"samples":['.encode())
        for number, one in enumerate(every):
            file.write(b",\n" if number else b"\n")
            file.write(canonical_json(sample_of(one, left_out)).encode())
        file.write(b"\n]}\n")
        publish(file)
    return Written(job.path, len(every), dict(left_out))


def _header(every: Sequence[Judged]) -> dict[str, Any]:
    """The log without its samples. It is as old as the newest verdict in it."""
    rows = [rows[-1] for one in every for rows in one.verdicts]
    digest = hashlib.sha256("\n".join(row["row_sha256"] for row in rows).encode()).hexdigest()
    return {
        "version": 2,
        "status": "success",
        "eval": {
            "eval_id": digest[:22],
            "run_id": digest[22:44],
            "created": max((row["created_at"] for row in rows), default=_NEVER),
            "task": _TASK,
            "task_id": digest[44:],
            "dataset": {"name": "uq-tui", "samples": len(every)},
            "model": NO_MODEL,
            "config": {},
        },
        "plan": {"name": "plan", "steps": [], "config": {}},
    }


def sample_of(one: Judged, left_out: Counter[str]) -> dict[str, Any]:
    """The sample of an answer; verdicts that give no score are counted."""
    about = one.verdicts[-1][-1]
    scores: dict[str, Any] = {}
    for rows in one.verdicts:
        if rows[-1]["label"] in VALUES:
            scores[_free(f"verdict by {rows[-1]['reviewer']['handle']}", scores)] = _score(rows)
        else:
            left_out[UNSCORED] += 1
    output = {"role": "assistant", "content": one.candidate.answer.raw, "source": "generate"}
    stopped = "max_tokens" if one.candidate.cut_off else "stop"
    return {
        "id": about["candidate_id"],
        "epoch": 1,
        "input": one.question.body.raw,
        "target": "",
        "messages": [],
        "output": {
            "model": about["candidate_origin"]["model"],
            "choices": [{"message": output, "stop_reason": stopped}],
        },
        "scores": scores,
        "metadata": {key: about[key] for key in _OF_QUESTION if key in about},
    }


_OF_QUESTION = (
    *("question_id", "question_title", "site", "source_url", "source_author", "source_author_url", "source_edited"),
    *("licence", "dataset_version", "candidate_origin"),
)


def _free(name: str, taken: Mapping[str, Any]) -> str:
    """The name, with a number where somebody's verdict has it already."""
    names: Iterator[str] = (f"{name}, {number}" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(one for one in names if one not in taken)


def _score(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    row = rows[-1]
    return {
        "value": VALUES[row["label"]],
        "answer": None,
        "explanation": row["rationale"],
        "metadata": {"verdict": row},
        "history": [_edit(one) for one in rows if one["label"] in VALUES],
    }


def _edit(row: Mapping[str, Any]) -> dict[str, Any]:
    reviewer = row["reviewer"]
    return {
        "value": VALUES[row["label"]],
        "explanation": row["rationale"],
        "provenance": {
            "author": reviewer["handle"],
            "timestamp": row["created_at"],
            "reason": f"verdict {row['verdict_id']}, revision {row['revision']}, {row['status']}",
            "metadata": {"reviewer_id": reviewer["id"]},
        },
    }


INSPECT = OtherFormat(
    name="inspect",
    noun="sample",
    suffix=".json",
    about="a log of Inspect, an answer a sample, its standing verdicts as scores with who gave them",
    write=write_log,
    losses=LOSSES,
)
