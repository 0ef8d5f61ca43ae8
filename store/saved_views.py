"""Filters and orders of the question list, kept under names."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from enum import StrEnum
from typing import Any, TypeVar

from sqlalchemy import delete, select
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store.identity import now
from store.rows import QuestionFilter
from store.source_tables import SavedViewTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import Direction, Order, QuestionStatus, Resolution, ScoreBand

_SAVE = insert(SavedViewTable)
_Word = TypeVar("_Word", bound=StrEnum)
_NAMED: Mapping[str, type[StrEnum]] = {"status": QuestionStatus, "resolution": Resolution, "score_band": ScoreBand}
_EMPTY = QuestionFilter()


@dataclass(frozen=True, slots=True)
class SavedView:
    """A filter and an order under a name."""

    name: str
    filter: QuestionFilter
    order: Order = Order.ARRIVAL
    direction: Direction = Direction.UP


def save(ws: Workspace, view: SavedView) -> None:
    """Keep a view, instead of the one that has its name. Raises ValueError when the name is blank."""
    if not view.name.strip():
        raise ValueError("a view needs a name")
    wanted = {name: value for name, value in asdict(view.filter).items() if value != getattr(_EMPTY, name)}
    record = json.dumps({"filter": wanted, "order": view.order, "direction": view.direction}, sort_keys=True)
    row = {"name": view.name.strip(), "wanted": record, "created_at": now()}
    saving = _SAVE.on_conflict_do_update(index_elements=["name"], set_={"wanted": _SAVE.excluded.wanted})
    ws.write(lambda db: db.execute(saving, row))


def all_of(ws: Workspace) -> tuple[SavedView, ...]:
    """All views, by name. What a newer uq-tui has put into one and this one doesn't know is left out of it."""
    query = select(col(SavedViewTable.name), col(SavedViewTable.wanted)).order_by(col(SavedViewTable.name))
    with ws.read() as db:
        return tuple(_view(name, json.loads(wanted)) for name, wanted in db.execute(query))


def get(ws: Workspace, name: str) -> SavedView:
    """The view of this name.

    Raises:
        NotFoundError: there is none.
    """
    views = all_of(ws)
    for view in views:
        if view.name == name:
            return view
    names = ", ".join(view.name for view in views)
    raise NotFoundError(
        f"There is no view {name} in this workspace.",
        hint=f"There are {names}."
        if names
        else "`uq-tui questions list --save-view NAME` keeps a filter under a name.",
    )


def drop(ws: Workspace, name: str) -> None:
    """Forget a view. Raises NotFoundError when there is none of this name."""
    get(ws, name)
    ws.write(lambda db: db.execute(delete(SavedViewTable).where(col(SavedViewTable.name) == name)))


def _view(name: str, record: Mapping[str, Any]) -> SavedView:
    stored = record.get("filter", {})
    known = {field.name: stored[field.name] for field in fields(QuestionFilter) if field.name in stored}
    for field, words in _NAMED.items():
        known[field] = _word(words, known.get(field))
    if "tags" in known:
        known["tags"] = tuple(known["tags"])
    order, direction = _word(Order, record.get("order")), _word(Direction, record.get("direction"))
    return SavedView(name, QuestionFilter(**known), order or Order.ARRIVAL, direction or Direction.UP)


def _word(words: type[_Word], stored: str | None) -> _Word | None:
    return next((word for word in words if word == stored), None)
