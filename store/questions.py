"""Reading questions: pages, counts and facets without bodies; one question with its body."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from store import dataset_pins, hits, posted, texts
from store.browse_sql import Query, conditions, leading, listings
from store.driver import AMONG, among, driver, listed
from store.rows import Count, Facet, Page, PageKey, Question, QuestionFilter, QuestionRow
from store.search import match_expression
from store.tables import CandidateTable, QuestionTable, QuestionTextTable, VerdictTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import Direction, FacetKind, Order, QuestionStatus, Resolution, TextFormat, VerdictStatus

COUNTED = 10_000
"""Questions up to which a list is counted."""

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
        col(VerdictTable.settles).is_(False),
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

_ROWS = select(*_LISTED).where(among(col(QuestionTable.seq), "seqs"))
_ONE = select(QuestionTable, _CANDIDATES.label("candidates"), _VERDICTS.label("verdicts")).where(
    col(QuestionTable.id) == bindparam("this_question")
)
"""Built once, both: building a statement takes longer than running it."""

_FACETS = (
    "SELECT kind, CAST(value AS BLOB), n FROM facet WHERE kind = ? AND n > 0 AND value <> '' AND instr(value, ?) > 0"
    " ORDER BY n DESC, value LIMIT ?"
)

_RESOLVED_AMONG = (
    f"SELECT resolution, count(*) FROM question WHERE resolution <> 'open' AND id {AMONG} GROUP BY resolution"
)


def page(
    ws: Workspace,
    wanted: QuestionFilter,
    order: Order = Order.ARRIVAL,
    direction: Direction = Direction.UP,
    *,
    after: PageKey | None = None,
    limit: int = 100,
    masked: Iterable[str] = (),
) -> Page:
    """Up to `limit` questions from behind `after`, the `next_after` of the page before; `None` for the first page.

    Bodies are not read. Of the questions with the ids `masked` nothing is told that their answers, comments or
    resolution would: they are found by their own words alone, and are open.
    """
    with ws.read() as db:
        return read_page(db, wanted, order, direction, after=after, limit=limit, masked=masked)


def read_page(
    db: Connection,
    wanted: QuestionFilter,
    order: Order = Order.ARRIVAL,
    direction: Direction = Direction.UP,
    *,
    after: PageKey | None = None,
    limit: int = 100,
    masked: Iterable[str] = (),
) -> Page:
    """As `page`, on a connection."""
    query = Query(wanted, order, direction, after, listed(sorted(masked)))
    raw = driver(db)
    if expression := match_expression(wanted.text):
        keys = hits.page(raw, expression, query, limit + 1)
    else:
        asked = conditions(query)
        keys = hits.keys(raw, query, asked, leading(raw, asked, order), limit + 1)
    shown = keys[:limit]
    rows = _rows(db, [key.seq for key in shown])
    return Page(rows, shown[-1] if len(keys) > limit else None)


def _rows(db: Connection, seqs: Sequence[int]) -> tuple[QuestionRow, ...]:
    found = {row["seq"]: _listed(row) for row in db.execute(_ROWS, {"seqs": listed(seqs)}).mappings()}
    return tuple(found[seq] for seq in seqs)


def count(ws: Workspace, wanted: QuestionFilter, *, cap: int = COUNTED, masked: Iterable[str] = ()) -> Count:
    """How many questions pass the filter; counting stops at `cap`, under a filter also after `hits.LOOKED_AT` hits."""
    with ws.read() as db:
        return read_count(db, wanted, cap=cap, masked=masked)


def read_count(db: Connection, wanted: QuestionFilter, *, cap: int = COUNTED, masked: Iterable[str] = ()) -> Count:
    """As `count`, on a connection."""
    query = Query(wanted, masked=listed(sorted(masked)))
    raw = driver(db)
    if expression := match_expression(wanted.text):
        return hits.count(raw, expression, query, cap)
    asked = conditions(query)
    (listing,) = listings(query, asked, leading(raw, asked, query.order))
    sql = f"SELECT count(*) FROM ({listing.sql} LIMIT ?)"
    (found,) = raw.execute(sql, (*listing.values, cap + 1)).fetchone()
    return Count(min(found, cap), capped=found > cap)


def facets(
    ws: Workspace,
    kinds: Iterable[FacetKind] = tuple(FacetKind),
    *,
    limit: int = 100,
    containing: str = "",
    masked: Iterable[str] = (),
) -> tuple[Facet, ...]:
    """Values that questions have, kind by kind, of each the `limit` most frequent first; those `containing` a text.

    Questions with the ids `masked` count as open ones, as in a page.
    """
    with ws.read() as db:
        raw = driver(db)
        rows = [row for kind in kinds for row in raw.execute(_FACETS, (kind.value, containing, limit))]
        hidden = dict(raw.execute(_RESOLVED_AMONG, (listed(sorted(masked)),)).fetchall())
    found = (Facet(FacetKind(kind), value.decode("utf-8", "replace"), n) for kind, value, n in rows)
    return tuple(kept for facet in found if (kept := _without(facet, hidden)).n > 0)


def _without(facet: Facet, hidden: Mapping[str, int]) -> Facet:
    """The facet without the questions whose resolution is hidden; those count as open."""
    if facet.kind is not FacetKind.RESOLUTION or not hidden:
        return facet
    more = sum(hidden.values()) if facet.value == Resolution.OPEN else -hidden.get(facet.value, 0)
    return replace(facet, n=facet.n + more)


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
        domain=row["domain"],
    )


def body_hashes(ws: Workspace, question_id: str) -> tuple[str, ...]:
    """The hashes of all bodies that a question has had, the newest first."""
    of_this = col(QuestionTextTable.question_id) == question_id
    query = select(col(QuestionTextTable.body_sha256)).where(of_this).order_by(col(QuestionTextTable.version).desc())
    with ws.read() as db:
        return tuple(db.execute(query).scalars())


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
