"""Hits of a search, as questions: in order of arrival as the index delivers them, sorted, restricted, counted."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from sqlite3 import Connection
from typing import Any

from store import ranking
from store.browse_sql import NARROW, Condition, Query, conditions, is_narrow, leading, listings
from store.driver import AMONG, listed
from store.rows import Count, PageKey, QuestionFilter
from store.search_index import PARTS
from uq_tui.words import Direction, Order

_FEW = 5_000
"""Hits up to which looking each of them up is better than looking into the index for each question of a filter."""

LOOKED_AT = 20_000
"""Hits that are looked at to count those that pass a filter: among a million, few may have a rare value."""

_HITS = f"SELECT search.rowid / {PARTS} FROM search"
_JOIN = f" CROSS JOIN question ON question.seq = search.rowid / {PARTS}"
_NOT_MASKED = (
    f"(search.rowid % {PARTS} = 0 OR search.rowid / {PARTS} NOT IN (SELECT seq FROM question WHERE id {AMONG}))"
)
"""A masked question is found by its own words alone."""
_IN_QUESTION = f"search.rowid BETWEEN question.seq * {PARTS} AND question.seq * {PARTS} + {PARTS - 1}"


def page(db: Connection, expression: str, query: Query, limit: int) -> list[PageKey]:
    """Up to `limit` questions with a hit of the FTS5 `expression` that pass the filter, from behind `query.after`."""
    asked = conditions(query)
    if query.order is Order.RELEVANCE:
        return ranking.page(db, expression, query, limit)
    if query.order is Order.ARRIVAL:
        if is_narrow(db, asked) and _at_least(db, expression, _FEW):
            return _by_question(db, expression, query, asked, limit)
        return [PageKey(seq) for seq in islice(in_order(db, expression, query), limit)]
    if _at_least(db, expression, NARROW):
        return _by_question(db, expression, query, asked, limit)
    is_hit = condition(expression, query.masked)
    return keys(db, query, [is_hit, *asked], is_hit, limit)


def condition(expression: str, masked: str = "[]") -> Condition:
    """That a question has a hit; one of those `masked`, as in `Query`, in its own words."""
    where, values = _matching(expression, masked)
    return Condition(f"question.seq IN ({_HITS} WHERE {' AND '.join(where)})", tuple(values))


def keys(db: Connection, query: Query, asked: Sequence[Condition], lead: Condition | None, limit: int) -> list[PageKey]:
    """The first `limit` questions that pass, by their keys."""
    found: list[PageKey] = []
    for listing in listings(query, asked, lead):
        rows = db.execute(f"{listing.sql} LIMIT ?", (*listing.values, limit - len(found)))
        found += [PageKey(seq, value) for seq, value in rows]
        if len(found) >= limit:
            break
    return found


def count(db: Connection, expression: str, query: Query, cap: int) -> Count:
    """How many questions have a hit and pass the filter. Counting stops at `cap`, and after LOOKED_AT hits."""
    asked = conditions(query)
    if not asked:
        found = sum(1 for _ in islice(in_order(db, expression, query), cap + 1))
        return Count(min(found, cap), capped=found > cap)
    seqs = list(islice(in_order(db, expression, replace(query, wanted=QuestionFilter())), LOOKED_AT))
    where = " AND ".join(one.sql for one in asked)
    values = [value for one in asked for value in one.values]
    sql = f"SELECT count(*) FROM question NOT INDEXED WHERE seq {AMONG} AND {where}"
    (found,) = db.execute(sql, (listed(seqs), *values)).fetchone()
    return Count(min(found, cap), capped=found > cap or len(seqs) == LOOKED_AT)


def in_order(db: Connection, expression: str, query: Query) -> Iterator[int]:
    """The `seq` of questions with a hit, each once, in order of arrival. Reads no more of the index than is taken."""
    asked = conditions(query)
    where, values = _matching(expression, query.masked)
    for one in asked:
        where.append(one.sql)
        values += one.values
    forwards = query.direction is Direction.UP
    if query.after is not None:
        where.append(f"search.rowid {'>' if forwards else '<'} ?")
        values.append(query.after.seq * PARTS + (PARTS - 1 if forwards else 0))
    restricted = f"{_JOIN if asked else ''} WHERE {' AND '.join(where)}"
    last = -1
    for (seq,) in db.execute(f"{_HITS}{restricted} ORDER BY search.rowid {'ASC' if forwards else 'DESC'}", values):
        if seq != last:
            yield seq
            last = seq


def _by_question(
    db: Connection, expression: str, query: Query, asked: Sequence[Condition], limit: int
) -> list[PageKey]:
    """By the list without a search, asking of each question whether it has a hit: soon done where many have."""
    where, values = _matching(expression, query.masked)
    has_hit = Condition(f"EXISTS (SELECT 1 FROM search WHERE {' AND '.join(where)} AND {_IN_QUESTION})", tuple(values))
    return keys(db, query, [*asked, has_hit], leading(db, asked, query.order), limit)


def _matching(expression: str, masked: str) -> tuple[list[str], list[Any]]:
    if masked == "[]":
        return ["search MATCH ?"], [expression]
    return ["search MATCH ?", _NOT_MASKED], [expression, masked]


def _at_least(db: Connection, expression: str, n: int) -> bool:
    sql = "SELECT count(*) FROM (SELECT 1 FROM search WHERE search MATCH ? LIMIT ?)"
    return bool(db.execute(sql, (expression, n)).fetchone()[0] >= n)
