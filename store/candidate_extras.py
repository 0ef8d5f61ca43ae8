"""What files say of candidates beyond our columns: grades in parts, costs, what a judge wrote."""

import json
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.source_tables import CandidateExtraTable
from store.workspace import Workspace

_NEW = insert(CandidateExtraTable)
_PUT = _NEW.on_conflict_do_update(
    set_={"extra": _NEW.excluded["extra"]}, where=col(CandidateExtraTable.extra) != _NEW.excluded["extra"]
)


def of_candidate(ws: Workspace, candidate_id: str) -> dict[str, dict[str, Any]]:
    """What is kept of a candidate, by the name of the file that says it, in the order of these names."""
    table = CandidateExtraTable
    query = select(col(table.source), col(table.extra)).where(col(table.candidate_id) == candidate_id)
    with ws.read() as db:
        return {row.source: json.loads(row.extra) for row in db.execute(query.order_by(col(table.source)))}


def put(db: Connection, candidate_id: str, source: str, extra: Mapping[str, Any]) -> bool:
    """Keep what a file says, within a transaction, in place of what it said before; whether it is news.

    Args:
        extra: JSON values by name.
    """
    row = {"candidate_id": candidate_id, "source": source, "extra": json.dumps(extra, sort_keys=True)}
    return db.execute(_PUT, row).rowcount == 1
