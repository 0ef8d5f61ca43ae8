"""How the rollouts of a run were decided, counted in the database: lists of rollouts have verbs of their own."""

from collections.abc import Mapping

from sqlalchemy import func, select
from sqlmodel import col

from store.run_tables import RolloutTable
from store.workspace import Workspace
from uq_tui.words import DecidedBy


def decided_by(ws: Workspace, run_id: str) -> Mapping[str, Mapping[DecidedBy, int]]:
    """By candidate id, how many rollouts were decided in which way; "" is the control arm."""
    arm, way = col(RolloutTable.candidate_id), col(RolloutTable.decided_by)
    query = select(arm, way, func.count()).where(col(RolloutTable.run_id) == run_id).group_by(arm, way)
    found: dict[str, dict[DecidedBy, int]] = {}
    with ws.read() as conn:
        for candidate_id, name, number in conn.execute(query):
            found.setdefault(candidate_id, {})[DecidedBy(name)] = number
    return found
