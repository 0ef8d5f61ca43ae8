"""Places for what only an imported row has told of: a question and a candidate without their texts.

Importing the question, or adding the answer, completes them under the same ids.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, func, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import search_index
from store.frozen_rows import BadRecordError
from store.identity import now
from store.search import indexed
from store.search_index import question_doc
from store.sites import domain_of
from store.tables import CandidateTable, QuestionTable
from uq_tui.words import QuestionStatus, TextFormat


def ensure(conn: Connection, record: Mapping[str, Any]) -> None:
    """Make sure that the question and the candidate of a verified row have a row, within a transaction.

    A statement may name no candidate, and one whose text it doesn't know.

    Raises:
        BadRecordError: the stored candidate belongs to another question, or has another text.
    """
    if not record["candidate_id"]:
        _ensure_question(conn, record)
        return
    columns = (col(CandidateTable.question_id), col(CandidateTable.answer_sha256))
    stored = conn.execute(select(*columns).where(col(CandidateTable.id) == record["candidate_id"])).one_or_none()
    if stored is None:
        _ensure_question(conn, record)
        _add_candidate(conn, record)
    elif stored.question_id != record["question_id"]:
        raise BadRecordError(f"its candidate is stored as an answer to {stored.question_id}")
    elif record["candidate_sha256"] and stored.answer_sha256 not in (None, record["candidate_sha256"]):
        raise BadRecordError("its `candidate_sha256` is not that of the stored answer")


def _ensure_question(conn: Connection, record: Mapping[str, Any]) -> None:
    if conn.execute(select(1).where(col(QuestionTable.id) == record["question_id"])).first() is not None:
        return
    question = {
        "id": record["question_id"],
        "title": record["question_title"],
        "site": indexed(record["site"]),
        "status": QuestionStatus.UNANSWERED,
        "score": None,
        "tags": "[]",
        "asked_at": None,
        "body_sha256": None,
        "body_format": TextFormat.PLAIN,
        "link": record["source_url"],
        "author": record["source_author"],
        "licence": record["licence"],
        "category": "",
        "dataset_version": record["dataset_version"],
        "views": None,
        "answers": None,
        "created_at": now(),
        "extra": "{}",
        "domain": domain_of(record["site"]),
    }
    seq = conn.execute(insert(QuestionTable), question).lastrowid
    search_index.put(conn, [question_doc(seq, record["question_title"], "", TextFormat.PLAIN, ())])


def _add_candidate(conn: Connection, record: Mapping[str, Any]) -> None:
    highest = select(func.max(col(CandidateTable.number)))
    last = conn.execute(highest.where(col(CandidateTable.question_id) == record["question_id"])).scalar()
    candidate = {
        "id": record["candidate_id"],
        "question_id": record["question_id"],
        "number": (last or 0) + 1,
        "answer_sha256": None,
        "answer_format": TextFormat.PLAIN,
        "reasoning": "",
        "cut_off": False,
        "created_at": now(),
    }
    conn.execute(insert(CandidateTable), candidate)
