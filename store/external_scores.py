"""Scores that scorers outside uq-tui gave to candidates: reward models, GenRMs, whatever brings a number."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, func, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.identity import now
from store.intake import Taken
from store.tables import CandidateTable, ExternalScoreTable
from store.workspace import Workspace

_NEW = insert(ExternalScoreTable)
_SAVE = _NEW.on_conflict_do_update(
    index_elements=["candidate_id", "scorer"],
    set_={name: _NEW.excluded[name] for name in ("value", "source", "created_at")},
)
_COLUMNS = [
    col(ExternalScoreTable.candidate_id),
    col(ExternalScoreTable.scorer),
    col(ExternalScoreTable.value),
    col(ExternalScoreTable.source),
    col(ExternalScoreTable.created_at),
]
_READ = select(*_COLUMNS).join(CandidateTable, col(CandidateTable.id) == col(ExternalScoreTable.candidate_id))
_IN_ORDER = (col(ExternalScoreTable.scorer), col(CandidateTable.question_id), col(CandidateTable.number))
_OF_CANDIDATE = _READ.where(col(CandidateTable.id) == bindparam("this_id")).order_by(*_IN_ORDER)
_STORED = select(
    col(ExternalScoreTable.candidate_id), col(ExternalScoreTable.scorer), col(ExternalScoreTable.value)
).where(
    col(ExternalScoreTable.candidate_id).in_(select(func.json_each(bindparam("ids")).table_valued("value").c.value))
)


@dataclass(frozen=True, slots=True)
class ExternalScore:
    """What a scorer gave to a candidate, on a scale that only the scorer knows."""

    candidate_id: str
    scorer: str
    value: float
    """Finite; more is better."""
    source: str
    """The file it came in."""
    created_at: str = ""


def of_question(ws: Workspace, question_id: str) -> tuple[ExternalScore, ...]:
    """Scores of a question's candidates, by scorer, then in the candidates' order."""
    with ws.read() as db:
        found = db.execute(_READ.where(col(CandidateTable.question_id) == question_id).order_by(*_IN_ORDER))
        return tuple(ExternalScore(**row._mapping) for row in found)


def every(ws: Workspace) -> tuple[ExternalScore, ...]:
    """Scores of all candidates, by scorer, then question by question in the candidates' order."""
    with ws.read() as db:
        return tuple(ExternalScore(**row._mapping) for row in db.execute(_READ.order_by(*_IN_ORDER)))


def read_of_candidate(db: Connection, candidate_id: str) -> tuple[ExternalScore, ...]:
    """One candidate's scores by scorer, within a transaction."""
    found = db.execute(_OF_CANDIDATE, {"this_id": candidate_id})
    return tuple(ExternalScore(**row._mapping) for row in found)


def put(db: Connection, given: Sequence[ExternalScore]) -> list[Taken]:
    """Store scores, within a transaction; one result a score, in their order.

    The last value of a candidate and scorer stands. One that is stored already keeps its time and its file.
    """
    values = _stored(db, {one.candidate_id for one in given})
    results = []
    rows = []
    for one in given:
        place = (one.candidate_id, one.scorer)
        if values.get(place) == one.value:
            results.append(Taken.SAME)
            continue
        results.append(Taken.CHANGED if place in values else Taken.NEW)
        values[place] = one.value
        row = {"candidate_id": one.candidate_id, "scorer": one.scorer, "value": one.value, "source": one.source}
        rows.append({**row, "created_at": now()})
    if rows:
        db.execute(_SAVE, rows)
    return results


def _stored(db: Connection, candidate_ids: Iterable[str]) -> dict[tuple[str, str], float]:
    found = db.execute(_STORED, {"ids": json.dumps(sorted(candidate_ids))})
    return {(row.candidate_id, row.scorer): row.value for row in found}
