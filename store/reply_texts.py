"""Replies behind samples, to be compared with each other: text, length, and how each was drawn."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row, bindparam, func, select
from sqlmodel import col

from store.run_rows import CUT_OFF
from store.run_tables import CallTable, RolloutTable
from store.workspace import Workspace
from uq_tui.words import CallState

_COLUMNS = (
    col(CallTable.reasoning),
    col(CallTable.reply),
    col(CallTable.tokens_out),
    col(CallTable.finish_reason),
    func.json_extract(col(CallTable.parameters), "$.temperature").label("temperature"),
)
_DONE = col(CallTable.state) == CallState.DONE.value
_KEYS = select(func.json_each(bindparam("keys")).table_valued("value").c.value)
_OF_KEYS = select(*_COLUMNS).where(_DONE, col(CallTable.key).in_(_KEYS)).order_by(col(CallTable.key))


@dataclass(frozen=True, slots=True)
class ReplyText:
    """One reply. Reasoning stands before it in the text."""

    text: str
    tokens: int | None
    """Tokens generated, reasoning included; `None` where nobody reported them."""
    temperature: float | None
    """`None` where it was left to the provider."""
    cut_off: bool


def of_keys(ws: Workspace, keys: Sequence[str]) -> tuple[ReplyText, ...]:
    """The replies of the calls among `keys` that are done."""
    with ws.read() as db:
        return tuple(_reply(row) for row in db.execute(_OF_KEYS, {"keys": json.dumps(list(keys))}))


def of_rollouts(ws: Workspace, run_id: str, candidate_id: str) -> dict[str, tuple[ReplyText, ...]]:
    """The replies of a run's rollouts with a candidate, by neighbour: those of one neighbour had the same prompt."""
    query = (
        select(col(RolloutTable.neighbour_id), *_COLUMNS)
        .join(CallTable, col(CallTable.key) == col(RolloutTable.call_key))
        .where(_DONE, col(RolloutTable.run_id) == run_id, col(RolloutTable.candidate_id) == candidate_id)
        .order_by(col(RolloutTable.neighbour_id), col(RolloutTable.sample))
    )
    found: dict[str, list[ReplyText]] = {}
    with ws.read() as db:
        for row in db.execute(query):
            found.setdefault(row.neighbour_id, []).append(_reply(row))
    return {neighbour_id: tuple(replies) for neighbour_id, replies in found.items()}


def _reply(row: Row[Any]) -> ReplyText:
    return ReplyText(
        text=f"{row.reasoning}\n{row.reply}" if row.reasoning else row.reply,
        tokens=row.tokens_out,
        temperature=row.temperature,
        cut_off=row.finish_reason == CUT_OFF,
    )
