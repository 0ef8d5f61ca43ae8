"""Verdicts that stand, by the answer they are on, for formats that know no revisions."""

import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from sqlmodel import col

from exports.atomic import no_room_aside
from exports.written import NO_TEXT, Job, Loss
from store import candidates, opinions, questions
from store.opinions import VerdictSubset
from store.rows import Candidate, Question, Verdict
from store.tables import VerdictTable
from store.verdict_rows import is_repeat, name_of, revisions, settles
from store.workspace import Workspace
from uq_tui.words import VerdictStatus

BESIDES = "verdicts that repeat or settle others"
"""Why a verdict is not among the opinions that a format has room for."""


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer with what people said of it."""

    question: Question
    candidate: Candidate
    verdicts: tuple[tuple[Mapping[str, Any], ...], ...]
    """The rows of each standing verdict, its revisions in order."""

    @property
    def described(self) -> dict[str, Any]:
        """What the newest row says of question and author, by names that `uq-tui import` reads, and their texts."""
        row = self.verdicts[-1][-1]
        origin = row["candidate_origin"]
        return {
            "question_id": row["question_id"],
            "title": row["question_title"],
            "question": self.question.body.raw,
            "site": row["site"],
            "link": row["source_url"],
            "source_author": row["source_author"],
            "source_author_url": row.get("source_author_url", ""),
            "source_edited": row.get("source_edited", ""),
            "licence": row["licence"],
            "dataset_version": row["dataset_version"],
            "answer": self.candidate.answer.raw,
            "author_kind": origin["kind"],
            "model_name": origin["model"],
            **{key: origin[key] for key in ("system", "organisation", "base_model")},
        }


def not_asked(tool: str) -> tuple[Loss, ...]:
    """What a tool for annotators has no place for."""
    return (
        Loss(
            (
                "reviewer.orcid",
                "reviewer.relation",
                "reviewer.expertise",
                "reviewer.affiliation",
                "reviewer.linked_ids",
            ),
            f"{tool} knows its own users.",
        ),
        Loss(("claims", "trace_soundness"), "Nobody is asked about machines' claims and reasoning there."),
        Loss(("ledger", "seconds_active"), f"{tool} doesn't see how an answer is read."),
        Loss(("blind", "exposures", "revealed_at"), f"{tool} doesn't know what somebody has been shown."),
        Loss(
            (
                *("queue", "assignment.queue_id", "assignment.assisted", "assignment.linked_to"),
                *("assignment.final_answer", "assignment.derivation"),
            ),
            "What is said of an answer belongs to that alone.",
        ),
        Loss(("assignment.repeat_of", "settles"), "Verdicts that repeat or settle others are left out.", restored=True),
        Loss(("evidence",), "What machines found would show beside the answer."),
        Loss(("extra", "redaction", "row_sha256"), "They are of the row, not of the verdict."),
    )


def judged(job: Job, left_out: Counter[str]) -> Iterator[Judged]:
    """Answers by question and number, each with its standing verdicts. What is left out is counted: verdicts on answers
    without their text here, and those that repeat or settle others, which a format would have for further opinions.

    The rows wait in a temporary file meanwhile. Raises ExportError: there is no room for them, or it is cancelled.
    """
    places: dict[str, list[int]] = defaultdict(list)
    end = 0
    try:
        with tempfile.TemporaryFile() as rows:
            for line in job.watched(job.lines):
                places[json.loads(line)["question_id"]].append(end)
                end += rows.write(line.encode() + b"\n")
            for question_id in sorted(places):
                yield from _of_question(job.ws, question_id, _at(rows, places.pop(question_id)), left_out)
    except OSError as error:
        raise no_room_aside(job.path, error) from error


def _at(rows: IO[bytes], places: Iterable[int]) -> Iterator[Mapping[str, Any]]:
    for place in places:
        rows.seek(place)
        yield json.loads(rows.readline())


def _of_question(
    ws: Workspace, question_id: str, rows: Iterable[Mapping[str, Any]], left_out: Counter[str]
) -> Iterator[Judged]:
    by_candidate: dict[str, list[tuple[Mapping[str, Any], ...]]] = defaultdict(list)
    for verdict in _standing(rows):
        if is_repeat(verdict[-1]) or settles(verdict[-1]):
            left_out[BESIDES] += 1
        else:
            by_candidate[verdict[-1]["candidate_id"]].append(verdict)
    question = questions.get(ws, question_id)
    for candidate in candidates.of_question(ws, question_id):
        given = by_candidate.get(candidate.id, [])
        if not candidate.answer.sha256 and given:
            left_out[NO_TEXT] += len(given)
        elif given:
            yield Judged(question, candidate, tuple(given))


def standing_on(ws: Workspace, candidate: Candidate) -> tuple[Verdict, ...]:
    """The verdicts on a candidate that stand, as `store.opinions` has it, those given once more left out."""
    asked = VerdictSubset(question_ids=frozenset((candidate.question_id,)))
    names = {one.name for one in opinions.standing(ws, asked) if one.candidate_id == candidate.id and not one.repeat_of}
    with ws.read() as db:
        every = revisions(db, col(VerdictTable.candidate_id) == candidate.id)
    return tuple(one for one in every if name_of(one) in names)


def _standing(every: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], ...]]:
    """The revisions of each verdict that is no draft and not taken back, in the order in which verdicts were given."""
    revisions: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in every:
        revisions[row["verdict_id"]].append(row)
    for rows in revisions.values():
        rows.sort(key=lambda row: int(row["revision"]))
        if rows[-1]["status"] == VerdictStatus.SUBMITTED:
            yield tuple(rows)
