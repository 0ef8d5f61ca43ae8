"""Verdicts that stand, by the answer they are on, for formats that know no revisions."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlmodel import col

from exports.written import NO_TEXT
from store import candidates, questions
from store.rows import Candidate, Question, Verdict
from store.tables import VerdictTable
from store.verdict_rows import is_repeat, revisions
from store.workspace import Workspace
from uq_tui.words import VerdictStatus


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer with what people said of it."""

    question: Question
    candidate: Candidate
    verdicts: tuple[tuple[Mapping[str, Any], ...], ...]
    """The rows of each standing verdict, its revisions in order."""


def judged(ws: Workspace, lines: Iterable[str], left_out: Counter[str]) -> Iterator[Judged]:
    """Answers by question and number, each with its standing verdicts; those without their text here are counted.

    All rows are held meanwhile.
    """
    by_candidate: dict[tuple[str, str], list[tuple[Mapping[str, Any], ...]]] = defaultdict(list)
    for rows in _standing(lines):
        by_candidate[rows[-1]["question_id"], rows[-1]["candidate_id"]].append(rows)
    for question_id in sorted({question_id for question_id, _ in by_candidate}):
        question = questions.get(ws, question_id)
        for candidate in candidates.of_question(ws, question_id):
            given = by_candidate.get((question_id, candidate.id), [])
            if not candidate.answer.sha256 and given:
                left_out[NO_TEXT] += len(given)
            elif given:
                yield Judged(question, candidate, tuple(given))


def standing_on(ws: Workspace, candidate_id: str) -> tuple[Verdict, ...]:
    """The newest revision of each verdict on a candidate that was not taken back, those given once more left out."""
    with ws.read() as db:
        every = revisions(db, col(VerdictTable.candidate_id) == candidate_id)
    newest = {one.verdict_id: one for one in every if not is_repeat(one.record)}
    return tuple(one for one in newest.values() if one.status is VerdictStatus.SUBMITTED)


def _standing(lines: Iterable[str]) -> Iterator[tuple[Mapping[str, Any], ...]]:
    """The revisions of each verdict that is no draft and not taken back, in the order in which verdicts were given."""
    revisions: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for line in lines:
        row = json.loads(line)
        revisions[row["verdict_id"]].append(row)
    for rows in revisions.values():
        rows.sort(key=lambda row: int(row["revision"]))
        if rows[-1]["status"] == VerdictStatus.SUBMITTED:
            yield tuple(rows)
