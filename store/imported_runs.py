"""Runs that were made elsewhere and came in a file: done, marked as imported, and never to be resumed."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, delete, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import calls
from store.identity import now
from store.intake import Taken
from store.run_rows import Call, Run, StageOutcome
from store.run_tables import OutcomeTable, RunTable
from store.sharing_tables import EvidenceRecordTable
from uq_tui.words import DecisionForm, Outcome, RunKind, RunState

_MARK = "imported"
"""The key of a spec that says so."""
_COMPARED = ("path", "outcome", "reason", "call_keys", "round")


# Built once: building a statement takes longer than running it.
_OWN = (
    col(OutcomeTable.run_id) == bindparam("this_run"),
    col(OutcomeTable.candidate_id) == bindparam("this_candidate"),
)
_STORED = select(*(getattr(OutcomeTable, name) for name in _COMPARED)).where(*_OWN)
_DELETE = delete(OutcomeTable).where(*_OWN)
_FORGET_RECORD = delete(EvidenceRecordTable).where(
    col(EvidenceRecordTable.run_id) == bindparam("this_run"),
    col(EvidenceRecordTable.candidate_id) == bindparam("this_candidate"),
)


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

    A run that isn't there yet is made. What it found of a candidate before is replaced as a whole, and so is the
    evidence row that was made of that.
    """
    news = defaultdict[ImportedRun, _News](_News)
    results = [_put(db, one, news[one.run]) for one in found]
    for run, one in news.items():
        if one.times:
            _settle(db, run, one)
    return results


@dataclass(slots=True)
class _News:
    """What has changed about a run."""

    candidates: list[str] = field(default_factory=list)
    """Those it hadn't judged before."""
    failed: int = 0
    """How many more of its candidates have a part that failed."""
    times: list[str] = field(default_factory=list)


def _put(db: Connection, one: Found, news: _News) -> Taken:
    own = {"this_run": one.run.id, "this_candidate": one.candidate_id}
    stored = {tuple(row) for row in db.execute(_STORED, own)}
    rows = [_row(outcome) for outcome in one.outcomes]
    new = {tuple(row[name] for name in _COMPARED) for row in rows}
    if stored == new:
        return Taken.SAME
    _ensure(db, one.run, rows[0]["created_at"])
    calls.put(db, one.calls)
    db.execute(_DELETE, own)
    db.execute(_FORGET_RECORD, own)
    db.execute(insert(OutcomeTable), rows)
    news.candidates += [] if stored else [one.candidate_id]
    news.failed += _has_failed(new) - _has_failed(stored)
    news.times.append(rows[0]["created_at"])
    return Taken.CHANGED if stored else Taken.NEW


def _has_failed(outcomes: Iterable[tuple[Any, ...]]) -> bool:
    return any(Outcome.FAILED.value in row for row in outcomes)


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


def _settle(db: Connection, run: ImportedRun, news: _News) -> None:
    """Have the run's row say what is there of it: its candidates, when it began and ended, what failed."""
    own = col(RunTable.id) == run.id
    row = db.execute(select(col(RunTable.spec), col(RunTable.created_at), col(RunTable.finished_at)).where(own)).one()
    spec = json.loads(row.spec)
    spec["inputs"] += news.candidates
    values = {
        "spec": json.dumps(spec),
        "done": len(spec["inputs"]),
        "total": len(spec["inputs"]),
        "failed": col(RunTable.failed) + news.failed,
        "created_at": min(row.created_at, *news.times),
        "finished_at": max(row.finished_at, *news.times),
    }
    db.execute(update(RunTable).where(own).values(values))
