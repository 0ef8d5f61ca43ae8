"""Related questions whose answers can be checked: what Consequence-Based Utility is measured on.

A neighbour is never deleted: what was measured on it stays true. One that is no longer wanted is set aside, and new
measurements leave it out.
"""

from collections.abc import Sequence

from sqlalchemy import ColumnElement, Connection, func, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import texts
from store.identity import neighbour_id, text_sha256
from store.intake import Taken, require_question
from store.rows import ControlCount, Neighbour
from store.run_tables import RolloutTable, RunTable
from store.search import indexed
from store.tables import NeighbourLinkTable, NeighbourTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import NeighbourUse


def of_question(ws: Workspace, question_id: str) -> tuple[Neighbour, ...]:
    """All neighbours of a question in order of arrival; none when there is no such question."""
    return _read(ws, _of(question_id))


def in_use(ws: Workspace, question_id: str) -> tuple[Neighbour, ...]:
    """The neighbours that utilities of a question are measured on, in order of arrival."""
    return _read(ws, _of(question_id), col(NeighbourLinkTable.use) == NeighbourUse.IN_USE.value)


def find_by_prefix(ws: Workspace, question_id: str, prefix: str) -> tuple[str, ...]:
    """Ids of a question's neighbours that start with `prefix`, sorted."""
    start = indexed(prefix)
    return tuple(sorted(one.id for one in of_question(ws, question_id) if one.id.startswith(start)))


def _of(question_id: str) -> ColumnElement[bool]:
    return col(NeighbourLinkTable.question_id) == question_id


def _read(ws: Workspace, *which: ColumnElement[bool]) -> tuple[Neighbour, ...]:
    link = NeighbourLinkTable
    query = (
        select(NeighbourTable, col(link.use), col(link.note), col(link.position))
        .join(link, col(link.neighbour_id) == col(NeighbourTable.id))
        .where(*which)
        .order_by(col(link.position))
    )
    with ws.read() as db:
        return tuple(
            Neighbour(
                row.id,
                texts.read_raw(db, row.statement_sha256),
                row.answer,
                row.source,
                NeighbourUse(row.use),
                row.note,
                row.position,
            )
            for row in db.execute(query).all()
        )


def add(ws: Workspace, question_id: str, new: Sequence[Neighbour]) -> tuple[str, ...]:
    """Give a question neighbours; their ids, in the same order, which are computed, not taken.

    Those it has already stay as they are, also in whether they are in use.

    Raises:
        NotFoundError: there is no such question.
        ValueError: a statement or an answer is empty; none is stored then.
    """
    _check(new)
    ws.write(lambda db: put(db, question_id, new))
    return tuple(neighbour_id(one.statement, one.answer) for one in new)


def _check(new: Sequence[Neighbour]) -> None:
    if any(not one.statement.strip() or not one.answer.strip() for one in new):
        raise ValueError("a statement or an answer is empty")


def replace(ws: Workspace, question_id: str, old: str, new: Neighbour) -> str:
    """Put a neighbour in the place of another one: that is set aside, with a note that names the new one's number.

    Both or neither is written. The new one is in use then, also where the question had set it aside.

    Returns:
        The new one's id, which is computed, not taken.

    Raises:
        NotFoundError: the question has no neighbour `old`; nothing is stored then.
        ValueError: the statement or the answer is empty, or both are those of `old`.
    """
    _check([new])
    key = neighbour_id(new.statement, new.answer)
    if key == old:
        raise ValueError("the new neighbour is the old one")

    def write(db: Connection) -> str:
        put(db, question_id, [new])
        _set_use(db, question_id, key, NeighbourUse.IN_USE, "")
        position = select(col(NeighbourLinkTable.position))
        found = position.where(_of(question_id), col(NeighbourLinkTable.neighbour_id) == key)
        number = db.execute(found).scalar_one()
        _set_use(db, question_id, old, NeighbourUse.SET_ASIDE, f"edited, now N{number}")
        return key

    return ws.write(write)


def put(db: Connection, question_id: str, new: Sequence[Neighbour]) -> list[Taken]:
    """Store a question's neighbours, within a transaction; one result a neighbour. Raises NotFoundError."""
    require_question(db, question_id)
    texts.put(db, (neighbour.statement for neighbour in new))
    return [_put(db, question_id, neighbour) for neighbour in new]


def _put(db: Connection, question_id: str, new: Neighbour) -> Taken:
    key = neighbour_id(new.statement, new.answer)
    row = {"id": key, "statement_sha256": text_sha256(new.statement), "answer": new.answer, "source": new.source}
    db.execute(insert(NeighbourTable).on_conflict_do_nothing(), row)
    positions = select(func.max(col(NeighbourLinkTable.position))).where(_of(question_id))
    link = {
        "question_id": question_id,
        "neighbour_id": key,
        "position": (db.execute(positions).scalar_one() or 0) + 1,
        "use": new.use.value,
        "note": new.note,
    }
    linked = db.execute(insert(NeighbourLinkTable).values(link).on_conflict_do_nothing()).rowcount == 1
    return Taken.NEW if linked else Taken.SAME


def set_use(ws: Workspace, question_id: str, neighbour: str, use: NeighbourUse, note: str = "") -> None:
    """Set a question's neighbour aside, or take it back into use. `note` says why; it replaces the note before.

    Runs that are under way keep the neighbours they have pinned.

    Raises:
        NotFoundError: the question has no such neighbour.
    """
    ws.write(lambda db: _set_use(db, question_id, neighbour, use, note))


def _set_use(db: Connection, question_id: str, neighbour: str, use: NeighbourUse, note: str) -> None:
    change = (
        update(NeighbourLinkTable)
        .where(_of(question_id), col(NeighbourLinkTable.neighbour_id) == neighbour)
        .values(use=use.value, note=note)
    )
    if db.execute(change).rowcount == 0:
        raise NotFoundError(
            f"The question {question_id} has no neighbour {neighbour}.",
            hint=f"`uq-tui neighbours list {question_id}` lists those it has.",
        )


def controls(ws: Workspace, question_id: str) -> dict[str, ControlCount]:
    """By neighbour, how often the solver last used solves it without any candidate.

    All control arms of that solver count, each call once: later runs mostly find the calls of earlier ones remembered.
    Neighbours without a decided attempt are left out.
    """
    rollout = RolloutTable
    own = select(col(NeighbourLinkTable.neighbour_id)).where(_of(question_id))
    query = (
        select(
            col(rollout.neighbour_id),
            func.json_extract(RunTable.spec, "$.model.id").label("solver"),
            col(rollout.call_key),
            col(rollout.value),
        )
        .join(RunTable, col(RunTable.id) == col(rollout.run_id))
        .where(col(rollout.neighbour_id).in_(own), col(rollout.candidate_id) == "", col(rollout.value).is_not(None))
        .order_by(col(RunTable.created_at), col(RunTable.id))
    )
    decided: dict[str, dict[str, dict[str, int]]] = {}
    last: dict[str, str] = {}
    with ws.read() as db:
        for row in db.execute(query):
            decided.setdefault(row.neighbour_id, {}).setdefault(row.solver, {})[row.call_key] = row.value
            last[row.neighbour_id] = row.solver
    found = {}
    for key, solver in last.items():
        values = decided[key][solver].values()
        found[key] = ControlCount(solver, sum(values), len(values))
    return found
