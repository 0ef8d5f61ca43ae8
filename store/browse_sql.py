"""The SQL of question lists: what a filter and an order come to, and which index leads."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from sqlite3 import Connection
from typing import Any

from store.driver import AMONG
from store.rows import PageKey, QuestionFilter
from uq_tui.words import Direction, FacetKind, Order, Resolution, ScoreBand

NARROW = 20_000
"""Questions up to which a filter leads: they are fetched by its own index, and sorted."""

_BANDS = {
    ScoreBand.UNKNOWN: "question.score IS NULL",
    ScoreBand.NEGATIVE: "question.score < 0",
    ScoreBand.NONE: "question.score = 0",
    ScoreBand.FEW: "question.score BETWEEN 1 AND 4",
    ScoreBand.SOME: "question.score BETWEEN 5 AND 9",
    ScoreBand.MANY: "question.score BETWEEN 10 AND 24",
    ScoreBand.MORE: "question.score BETWEEN 25 AND 99",
    ScoreBand.MOST: "question.score >= 100",
}
UNKNOWN_YEAR = "unknown"

_SORTED_BY = {Order.SCORE: "score", Order.ASKED: "asked_at"}
_ORDER_INDEX = {Order.SCORE: "question_score", Order.ASKED: "question_asked"}


@dataclass(frozen=True, slots=True)
class Query:
    """What a list is asked for."""

    wanted: QuestionFilter
    order: Order = Order.ARRIVAL
    direction: Direction = Direction.UP
    after: PageKey | None = None
    masked: str = "[]"
    """JSON array of question ids: what answers and others say of these is kept from the reader."""


@dataclass(frozen=True, slots=True)
class Condition:
    """One restriction: SQL on `question`, its values, and where it is a facet, which, and the index of its rows."""

    sql: str
    values: tuple[Any, ...] = ()
    kind: FacetKind | None = None
    value: str = ""
    index: str = ""


def conditions(query: Query) -> list[Condition]:
    """What a filter asks of a question, beside the words of its search."""
    wanted = query.wanted
    found = [
        Condition(f"question.{kind} = ?", (value,), kind, value, f"question_{kind}")
        for kind, value in (
            (FacetKind.SITE, wanted.site),
            (FacetKind.STATUS, wanted.status.value if wanted.status is not None else ""),
            (FacetKind.DOMAIN, wanted.domain),
        )
        if value
    ]
    if wanted.resolution is not None:
        found.append(_resolved(wanted.resolution, query.masked))
    if (band := wanted.score_band) is not None:
        found.append(Condition(_BANDS[band], (), FacetKind.SCORE, band.value, "question_score"))
    if wanted.year:
        found.append(_of_year(wanted.year))
    has_tag = "EXISTS (SELECT 1 FROM question_tag WHERE tag = ? AND question_tag.seq = question.seq)"
    return found + [Condition(has_tag, (tag,), FacetKind.TAG, tag) for tag in wanted.tags]


def _of_year(year: str) -> Condition:
    if year == UNKNOWN_YEAR:
        return Condition("question.asked_at IS NULL", (), FacetKind.YEAR, year, "question_asked")
    sql = "question.asked_at >= ? AND question.asked_at < ?"
    return Condition(sql, (year, year + "\U0010ffff"), FacetKind.YEAR, year, "question_asked")


def _resolved(resolution: Resolution, masked: str) -> Condition:
    hidden = f"question.id {AMONG}"
    if resolution is Resolution.OPEN:
        return Condition(f"(question.resolution = 'open' OR {hidden})", (masked,), FacetKind.RESOLUTION, resolution)
    sql = f"question.resolution = ? AND NOT {hidden}"
    index = "question_resolution"
    return Condition(sql, (resolution.value, masked), FacetKind.RESOLUTION, resolution.value, index)


@dataclass(frozen=True, slots=True)
class Listing:
    """A query for the `seq` and sort value of questions in an order; without LIMIT."""

    sql: str
    values: tuple[Any, ...]


def listings(query: Query, asked: Sequence[Condition], lead: Condition | None) -> list[Listing]:
    """Queries whose rows, one query after the other, are the list.

    Two where the sort value may be unknown: those questions come last, in either direction. `lead` is the one of
    `asked` that delivers the rows; where there is none, the index of the order does.
    """
    if query.order not in _SORTED_BY:
        return [_listing(replace(query, order=Order.ARRIVAL), asked, lead, "")]
    column = _SORTED_BY[query.order]
    unknown = f"question.{column} IS NULL"
    if query.after is not None and query.after.value is None:
        return [_listing(query, asked, lead, unknown)]
    known = _listing(query, asked, lead, f"question.{column} IS NOT NULL")
    return [known, _listing(replace(query, after=None), asked, lead, unknown)]


def leading(db: Connection, asked: Sequence[Condition], order: Order) -> Condition | None:
    """The narrowest filter whose index may deliver the rows: in the order itself, or few enough to be sorted."""
    sizes = [(_size(db, one), at) for at, one in enumerate(asked) if one.index or one.kind is FacetKind.TAG]
    if not sizes:
        return None
    size, at = min(sizes)
    in_order = order not in _SORTED_BY and asked[at].kind not in (FacetKind.SCORE, FacetKind.YEAR)
    return asked[at] if in_order or size <= NARROW else None


def is_narrow(db: Connection, asked: Sequence[Condition]) -> bool:
    """Whether a filter lets through few questions."""
    return any(one.kind is not None and _size(db, one) <= NARROW for one in asked)


def _size(db: Connection, one: Condition) -> int:
    assert one.kind is not None
    row = db.execute("SELECT n FROM facet WHERE kind = ? AND value = ?", (one.kind.value, one.value)).fetchone()
    return 0 if row is None else int(row[0])


def _listing(query: Query, asked: Sequence[Condition], lead: Condition | None, also: str) -> Listing:
    column = f"question.{_SORTED_BY[query.order]}" if query.order in _SORTED_BY else ""
    where = [also] if also else []
    values: list[Any] = []
    seq = "question.seq"
    if lead is not None and lead.kind is FacetKind.TAG:
        seq = "question_tag.seq"
        source = "question_tag CROSS JOIN question ON question.seq = question_tag.seq"
        where.append("question_tag.tag = ?")
        values.append(lead.value)
        asked = [one for one in asked if one is not lead]
    else:
        index = lead.index if lead is not None else _ORDER_INDEX.get(query.order, "")
        source = f"question INDEXED BY {index}" if index else "question NOT INDEXED"
    for one in asked:
        where.append(one.sql)
        values += one.values
    ahead, way = (">", "ASC") if query.direction is Direction.UP else ("<", "DESC")
    after = query.after
    if after is not None and after.value is not None and column:
        where.append(f"({column}, {seq}) {ahead} (?, ?)")
        values += (after.value, after.seq)
    elif after is not None:
        where.append(f"{seq} {ahead} ?")
        values.append(after.seq)
    by = f"{column} {way}, {seq} {way}" if column else f"{seq} {way}"
    restricted = f" WHERE {' AND '.join(where)}" if where else ""
    return Listing(f"SELECT {seq}, {column or 'NULL'} FROM {source}{restricted} ORDER BY {by}", tuple(values))
