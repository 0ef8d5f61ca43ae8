"""Runs that were made elsewhere and came in a file: done, marked as imported, and never to be resumed."""

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from sqlalchemy import Connection, delete, func, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import calls
from store.identity import now
from store.intake import Taken
from store.run_rows import Call, Run, StageOutcome
from store.run_tables import OutcomeTable, RunTable
from uq_tui.words import DecisionForm, Outcome, RunKind, RunState

_MARK = "imported"
"""The key of a spec that says so."""
_COMPARED = ("path", "outcome", "reason", "call_keys", "round")


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """What is known of a validation that a file tells of."""

    id: str
    source: str
    """The file's name."""
    strategy: str
    """What people call it."""
    stages: tuple[str, ...]
    """In the one-line notation, by names that are `stage_names`."""
    stage_names: tuple[str, ...]
    judge: str


@dataclass(frozen=True, slots=True)
class Found:
    """What an imported run found of one candidate, with the calls behind it."""

    run: ImportedRun
    outcomes: tuple[StageOutcome, ...]
    """Of one candidate, the whole strategy among them."""
    calls: tuple[Call, ...]

    @property
    def candidate_id(self) -> str:
        """Whom it is about."""
        return self.outcomes[0].candidate_id


def is_imported(run: Run) -> bool:
    """Whether a run came in a file: nothing of how it asked is here, so it can't go on."""
    return _MARK in run.spec


def put(db: Connection, found: Sequence[Found]) -> list[Taken]:
    """Store findings, within a transaction; one result each, in their order.

    A run that isn't there yet is made. What it found of a candidate before is replaced as a whole.
    """
    results = [_put(db, one) for one in found]
    for run in dict.fromkeys(one.run for one in found):
        _settle(db, run)
    return results


def _put(db: Connection, one: Found) -> Taken:
    _ensure(db, one.run, one.outcomes[0].created_at or now())
    own = (col(OutcomeTable.run_id) == one.run.id, col(OutcomeTable.candidate_id) == one.candidate_id)
    columns = [getattr(OutcomeTable, name) for name in _COMPARED]
    stored = {tuple(row) for row in db.execute(select(*columns).where(*own))}
    rows = [_row(outcome) for outcome in one.outcomes]
    if stored == {tuple(row[name] for name in _COMPARED) for row in rows}:
        return Taken.SAME
    calls.put(db, one.calls)
    db.execute(delete(OutcomeTable).where(*own))
    db.execute(insert(OutcomeTable), rows)
    return Taken.CHANGED if stored else Taken.NEW


def _row(outcome: StageOutcome) -> dict[str, Any]:
    return {
        **asdict(outcome),
        "outcome": outcome.outcome.value,
        "call_keys": json.dumps(outcome.call_keys),
        "created_at": outcome.created_at or now(),
    }


def _ensure(db: Connection, run: ImportedRun, at: str) -> None:
    by = f" by {run.judge}" if run.judge else ""
    values = {
        **dict.fromkeys(RunTable.model_fields, 0),
        "id": run.id,
        "kind": RunKind.VALIDATE.value,
        "state": RunState.DONE.value,
        "title": f"imported from {run.source}: {run.strategy}{by}",
        "spec": json.dumps(_spec(run)),
        "cost_usd": None,
        "message": f"Imported from {run.source}.",
        "created_at": at,
        "finished_at": at,
        "lease_owner": "",
        "lease_until": None,
        "budget_usd": None,
        "budget_tokens": None,
    }
    db.execute(insert(RunTable).on_conflict_do_nothing(), values)


def _spec(run: ImportedRun) -> dict[str, Any]:
    """What a run of our own would have pinned, as far as a file tells it, with the mark that there is no more."""
    judge = {"id": run.judge, "api_base": ""}
    return {
        _MARK: {"source": run.source},
        "inputs": [],
        "epoch": 0,
        "model": judge,
        "models": [judge],
        "slots": {"1": judge},
        "templates": {},
        "strategy": {
            "name": f"imported: {run.strategy}",
            "title": f"imported: {run.strategy}",
            "notation": " => ".join(run.stages),
        },
        "stages": list(run.stage_names),
        "exact": True,
        "form": DecisionForm.EXACT.value,
    }


def _settle(db: Connection, run: ImportedRun) -> None:
    """Have the run's row say what is there of it: its candidates, when it began and ended, what failed."""
    own = (col(OutcomeTable.run_id) == run.id, col(OutcomeTable.path) == "")
    rows = db.execute(select(col(OutcomeTable.candidate_id), col(OutcomeTable.created_at)).where(*own)).all()
    failed = (col(OutcomeTable.run_id) == run.id, col(OutcomeTable.outcome) == Outcome.FAILED.value)
    several = select(func.count(func.distinct(col(OutcomeTable.candidate_id)))).where(*failed)
    spec = {**_spec(run), "inputs": sorted(row.candidate_id for row in rows)}
    times = [row.created_at for row in rows]
    values = {
        "spec": json.dumps(spec),
        "done": len(rows),
        "total": len(rows),
        "failed": db.execute(several).scalar_one(),
        "created_at": min(times),
        "finished_at": max(times),
    }
    db.execute(update(RunTable).where(col(RunTable.id) == run.id).values(values))
