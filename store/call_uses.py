"""What calls took: tokens, cost and attempts, without their texts."""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import bindparam, func, select
from sqlmodel import col

from store.run_tables import CallTable
from store.workspace import Workspace
from uq_tui.words import CallState


@dataclass(frozen=True, slots=True)
class CallUse:
    """What one call took. Tokens and cost (US dollars) are `None` where nobody reported them."""

    key: str
    model: str
    template: str
    state: CallState
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    attempts: int
    run_id: str
    """The run that asked first."""


def of_keys(ws: Workspace, keys: Sequence[str]) -> dict[str, CallUse]:
    """What the stored calls among `keys` took, by key."""
    with ws.read() as conn:
        found = conn.execute(_FIND, {"keys": json.dumps(list(keys))})
        return {row.key: CallUse(**{**row._mapping, "state": CallState(row.state)}) for row in found}


_COLUMNS = [getattr(CallTable, name) for name in CallUse.__dataclass_fields__]
_KEYS = select(func.json_each(bindparam("keys")).table_valued("value").c.value)
_FIND = select(*_COLUMNS).where(col(CallTable.key).in_(_KEYS))
