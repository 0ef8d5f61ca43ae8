"""What earlier runs have pinned: runs look there for sample indices and epochs that are taken."""

import json
from collections.abc import Collection, Sequence
from typing import Any

from sqlalchemy import func, literal, select
from sqlmodel import col

from store.run_tables import RunTable
from store.workspace import Workspace
from uq_tui.words import RunKind


def about(ws: Workspace, kind: RunKind, inputs: Collection[str], names: Sequence[str]) -> list[dict[str, Any]]:
    """The named parts of the specs of all runs of a kind that have any of `inputs` among theirs.

    Specs hold whole prompts; SQLite picks the parts out without bringing thousands of them into Python.
    """
    paths = [literal(f"$.{name}") for name in names]
    own = func.json_each(col(RunTable.spec), "$.inputs").table_valued("value")
    wanted = func.json_each(json.dumps(list(inputs))).table_valued("value")
    shared = select(1).select_from(own).where(own.c.value.in_(select(wanted.c.value))).exists()
    parts = [func.json_quote(func.json_extract(col(RunTable.spec), path)) for path in paths]
    with ws.read() as conn:
        found = conn.execute(select(*parts).where(col(RunTable.kind) == kind.value, shared))
        return [dict(zip(names, map(json.loads, row), strict=True)) for row in found]
