"""Reading questions: pages, counts and facets without bodies; one question with its body."""

import json
from typing import Any

from sqlalchemy import Integer, Select, SQLColumnExpression, bindparam, column, func, select, table, text
from sqlalchemy.orm import aliased
from sqlmodel import col

from store import dataset_pins, posted, texts
from store.rows import Count, Facet, Page, Question, QuestionFilter, QuestionRow
from store.search import match_expression
from store.tables import CandidateTable, FacetTable, QuestionTable, QuestionTextTable, VerdictTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import QuestionStatus, TextFormat, VerdictStatus

_FTS = table("question_fts", column("rowid", Integer))
_later = aliased(VerdictTable)

_CANDIDATES = (
    select(func.count())
    .select_from(CandidateTable)
    .where(col(CandidateTable.question_id) == col(QuestionTable.id))
    .scalar_subquery()
)

_VERDICTS = (
    select(func.count())
    .select_from(VerdictTable)
    .where(
        col(VerdictTable.question_id) == col(QuestionTable.id),
        col(VerdictTable.status) == VerdictStatus.SUBMITTED,
        col(VerdictTable.repeat).is_(False),
        ~select(1)
        .where(
            col(_later.verdict_id) == col(VerdictTable.verdict_id), col(_later.revision) > col(VerdictTable.revision)
        )
        .exists(),
    )
    .scalar_subquery()
)

_LISTED = (
    col(QuestionTable.seq),
    col(QuestionTable.id),
    col(QuestionTable.title),
    col(QuestionTable.site),
    col(QuestionTable.status),
    col(QuestionTable.score),
    col(QuestionTable.tags),
    col(QuestionTable.asked_at),
    _CANDIDATES.label("candidates"),
    _VERDICTS.label("verdicts"),
)
"""The columns of a QuestionRow, by their names there."""

_ONE = select(QuestionTable, _CANDIDATES.label("candidates"), _VERDICTS.label("verdicts")).where(
    col(QuestionTable.id) == bindparam("this_question")
)
"""Built once: building a statement takes longer than running it."""


def page(ws: Workspace, wanted: QuestionFilter, *, after: int | None = None, limit: int = 100) -> Page:
    """Up to `limit` questions in order of arrival, the first imported first, from behind `after`.

    `after` is the `next_after` of the page before, `None` for the first page. Bodies are not read.
    """
    key = _key(wanted)
    query = _restricted(select(*_LISTED), wanted).order_by(key).limit(limit + 1)
    if after is not None:
        query = query.where(key > after)
    with ws.read() as db:
        rows = tuple(_listed(row) for row in db.execute(query).mappings())
    more = len(rows) > limit
    rows = rows[:limit]
    return Page(rows, rows[-1].seq if more else None)


def count(ws: Workspace, wanted: QuestionFilter, *, cap: int = 10_000) -> Count:
    """How many questions pass the filter; counting stops at `cap`."""
    some = _restricted(select(_key(wanted)), wanted).limit(cap + 1).subquery()
    with ws.read() as db:
        found = db.execute(select(func.count()).select_from(some)).scalar_one()
    return Count(min(found, cap), capped=found > cap)


def facets(ws: Workspace) -> tuple[Facet, ...]:
    """All sites and statuses that questions have, the most frequent first."""
    query = (
        select(col(FacetTable.kind), col(FacetTable.value), col(FacetTable.n))
        .where(col(FacetTable.n) > 0)
        .order_by(col(FacetTable.kind), col(FacetTable.n).desc(), col(FacetTable.value))
    )
    with ws.read() as db:
        return tuple(Facet(kind, value, n) for kind, value, n in db.execute(query))


def get(ws: Workspace, question_id: str) -> Question:
    """One question with its body. A stub, known by its id only, has a body without hash and text.

    Raises:
        NotFoundError: there is no such question.
    """
    with ws.read() as db:
        row = db.execute(_ONE, {"this_question": question_id}).mappings().one_or_none()
        if row is None:
            raise NotFoundError(f"There is no question {question_id} in this workspace.")
        body = texts.read(ws, db, row["body_sha256"], TextFormat(row["body_format"]))
        author = posted.author_name(db, row["site"], row["author"], row["author_id"])
        version = dataset_pins.newest_of(db, question_id)
    return Question(
        row=_listed(row),
        body=body,
        link=row["link"],
        author=author,
        licence=row["licence"],
        category=row["category"],
        dataset_version=version or row["dataset_version"],
        views=row["views"],
        answers=row["answers"],
        extra=json.loads(row["extra"]),
        author_id=row["author_id"],
        edited_at=row["edited_at"],
    )


def body_hashes(ws: Workspace, question_id: str) -> tuple[str, ...]:
    """The hashes of all bodies that a question has had, the newest first."""
    of_this = col(QuestionTextTable.question_id) == question_id
    query = select(col(QuestionTextTable.body_sha256)).where(of_this).order_by(col(QuestionTextTable.version).desc())
    with ws.read() as db:
        return tuple(db.execute(query).scalars())


def _key(wanted: QuestionFilter) -> SQLColumnExpression[int]:
    # The same number either way. The index delivers matches in the order of its own key, page by page; asked for
    # question.seq, SQLite would collect and sort all of them.
    return _FTS.c.rowid if match_expression(wanted.text) else col(QuestionTable.seq)


def _restricted(query: Select[Any], wanted: QuestionFilter) -> Select[Any]:
    expression = match_expression(wanted.text)
    if expression:
        query = query.select_from(_FTS).join(QuestionTable, col(QuestionTable.seq) == _FTS.c.rowid)
        query = query.where(text("question_fts MATCH :expression").bindparams(expression=expression))
    if wanted.site:
        query = query.where(col(QuestionTable.site) == wanted.site)
    if wanted.status is not None:
        query = query.where(col(QuestionTable.status) == wanted.status)
    return query


def _listed(row: Any) -> QuestionRow:
    return QuestionRow(
        seq=row["seq"],
        id=row["id"],
        title=row["title"],
        site=row["site"],
        status=QuestionStatus(row["status"]),
        score=row["score"],
        tags=tuple(json.loads(row["tags"])),
        asked_at=row["asked_at"],
        candidates=row["candidates"],
        verdicts=row["verdicts"],
    )
