"""Stubs: rows for questions and candidates that are known by their ids only, from verdicts that came before the texts.

Importing the question, or adding the answer, completes them under the same ids.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection

from store import search_index
from store.driver import AMONG, bound_row, driver, listed
from store.identity import now
from store.search import indexed
from store.search_index import question_doc
from store.sites import domain_of
from uq_tui.words import QuestionStatus, TextFormat

_QUESTIONS = f"SELECT id FROM question WHERE id {AMONG}"
_CANDIDATES = f"SELECT id FROM candidate WHERE id {AMONG}"
_LAST_NUMBERS = f"SELECT question_id, max(number) FROM candidate WHERE question_id {AMONG} GROUP BY question_id"
_ADD_CANDIDATE = (
    "INSERT INTO candidate (id, question_id, number, answer_format, reasoning, cut_off, created_at, reference)"
    f" VALUES (?, ?, ?, '{TextFormat.PLAIN}', '', 0, ?, 0)"
)


def ensure(conn: Connection, records: Iterable[Mapping[str, Any]]) -> int:
    """Make sure that the questions and candidates of verified rows have a row, within a transaction.

    Of a question that isn't here the first row says what it is called. A statement may name no candidate. Returns how
    many candidates were added as stubs.
    """
    told = list(records)
    raw = driver(conn)
    _ensure_questions(conn, told)
    wanted = {row["candidate_id"]: row["question_id"] for row in told if row["candidate_id"]}
    for (known,) in raw.execute(_CANDIDATES, (listed(wanted),)).fetchall():
        del wanted[known]
    if not wanted:
        return 0
    last = dict(raw.execute(_LAST_NUMBERS, (listed(set(wanted.values())),)).fetchall())
    at = now()
    rows = []
    for candidate_id, question_id in wanted.items():
        last[question_id] = last.get(question_id, 0) + 1
        rows.append((candidate_id, question_id, last[question_id], at))
    raw.executemany(_ADD_CANDIDATE, rows)
    return len(rows)


def _ensure_questions(conn: Connection, records: Iterable[Mapping[str, Any]]) -> None:
    wanted: dict[str, Mapping[str, Any]] = {}
    for record in records:
        wanted.setdefault(record["question_id"], record)
    raw = driver(conn)
    for (known,) in raw.execute(_QUESTIONS, (listed(wanted),)).fetchall():
        del wanted[known]
    docs = []
    for record in wanted.values():
        values = _question(record)
        columns, marks = ", ".join(values), ", ".join("?" * len(values))
        row = raw.execute(f"INSERT INTO question ({columns}) VALUES ({marks})", bound_row(values.values()))
        assert row.lastrowid is not None
        docs.append(question_doc(row.lastrowid, record["question_title"], "", TextFormat.PLAIN, ()))
    search_index.put(conn, docs)


def _question(record: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": record["question_id"],
        "title": record["question_title"],
        "site": indexed(record["site"]),
        "status": QuestionStatus.UNANSWERED.value,
        "tags": "[]",
        "body_format": TextFormat.PLAIN.value,
        "link": record["source_url"],
        "author": record["source_author"],
        "licence": record["licence"],
        "category": "",
        "dataset_version": record["dataset_version"],
        "created_at": now(),
        "extra": "{}",
        "domain": domain_of(record["site"]),
    }
