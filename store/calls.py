"""Calls: every request to a model and all it returned, found again by the key of what determined the reply."""

import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, func, select
from sqlalchemy.dialects.sqlite import Insert, insert
from sqlmodel import col

from store.run_rows import Call, Message
from store.run_tables import CallTable
from store.workspace import Workspace
from uq_tui.words import CallErrorKind, CallState

_KEPT = frozenset({"key", "attempts"})
"""Columns that a later reply to the same call doesn't replace."""


def find(ws: Workspace, keys: Sequence[str]) -> dict[str, Call]:
    """The stored calls among `keys`, failed ones included, by key."""
    with ws.read() as conn:
        return {row.key: _call(row) for row in conn.execute(_FIND, {"keys": json.dumps(list(keys))})}


def get(ws: Workspace, key: str) -> Call | None:
    """The call with this key, or None."""
    return find(ws, (key,)).get(key)


def save(ws: Workspace, calls: Sequence[Call]) -> None:
    """Store calls, all or none.

    A done call is never changed. A failed one is replaced by the newer result; its attempts are added to the newer
    one's.
    """
    ws.write(lambda conn: put(conn, calls))


def put(conn: Connection, calls: Sequence[Call]) -> None:
    """Like `save`, within a transaction."""
    if calls:
        conn.execute(_SAVE, [_values(call) for call in calls])


def _save_statement() -> Insert:
    new = insert(CallTable)
    replaced = {name: new.excluded[name] for name in CallTable.model_fields if name not in _KEPT}
    return new.on_conflict_do_update(
        index_elements=[col(CallTable.key)],
        set_={**replaced, "attempts": col(CallTable.attempts) + new.excluded.attempts},
        where=col(CallTable.state) != CallState.DONE.value,
    )


# Made once: putting a statement together takes longer than running it. The keys come as one JSON array, since SQLite
# takes only so many parameters.
_KEYS = select(func.json_each(bindparam("keys")).table_valued("value").c.value)
_FIND = select(CallTable).where(col(CallTable.key).in_(_KEYS))
_SAVE = _save_statement()


def _values(call: Call) -> dict[str, Any]:
    return {
        "key": call.key,
        "model": call.model,
        "endpoint": call.endpoint,
        "messages": json.dumps([{"role": m.role, "content": m.content} for m in call.messages]),
        "parameters": json.dumps(dict(call.parameters), allow_nan=False),
        "dropped": json.dumps(list(call.dropped)),
        "epoch": call.epoch,
        "sample": call.sample,
        "template": call.template,
        "template_version": call.template_version,
        "template_sha256": call.template_sha256,
        "state": call.state.value,
        "reasoning": call.reasoning,
        "reply": call.reply,
        "finish_reason": call.finish_reason,
        "error_kind": call.error_kind.value if call.error_kind else None,
        "error": call.error,
        "tokens_in": call.tokens_in,
        "tokens_out": call.tokens_out,
        "cost_usd": call.cost_usd,
        "latency_s": call.latency_s,
        "attempts": call.attempts,
        "constrained": call.constrained,
        "run_id": call.run_id,
        "created_at": call.created_at,
        "raw": call.raw,
    }


def _call(row: Row[Any]) -> Call:
    return Call(
        key=row.key,
        model=row.model,
        endpoint=row.endpoint,
        messages=tuple(Message(m["role"], m["content"]) for m in json.loads(row.messages)),
        parameters=json.loads(row.parameters),
        dropped=tuple(json.loads(row.dropped)),
        epoch=row.epoch,
        sample=row.sample,
        template=row.template,
        template_version=row.template_version,
        template_sha256=row.template_sha256,
        state=CallState(row.state),
        reasoning=row.reasoning,
        reply=row.reply,
        finish_reason=row.finish_reason,
        error_kind=CallErrorKind(row.error_kind) if row.error_kind else None,
        error=row.error,
        tokens_in=row.tokens_in,
        tokens_out=row.tokens_out,
        cost_usd=row.cost_usd,
        latency_s=row.latency_s,
        attempts=row.attempts,
        constrained=row.constrained,
        run_id=row.run_id,
        created_at=row.created_at,
        raw=row.raw,
    )
