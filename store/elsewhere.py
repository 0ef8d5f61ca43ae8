"""What runs elsewhere found of candidates: evidence rows that came in files, of runs that are not in this workspace.

Of a run that is here too, what the workspace itself holds counts, and its rows are left out.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, bindparam, exists, func, select
from sqlmodel import col

from store.evaluation import Judged, ValidationRun
from store.run_tables import RunTable
from store.sharing_tables import EvidenceRecordTable
from store.workspace import Workspace
from uq_tui.words import DecisionForm, Exposure, Outcome, RunKind

_TABLE = EvidenceRecordTable
_OUTCOMES = frozenset(Outcome)

# Built once: building a statement takes longer than running it.
_ROWS: Select[str] = (
    select(col(_TABLE.record))
    .where(~exists().where(col(RunTable.id) == col(_TABLE.run_id)))
    .order_by(col(_TABLE.created_at), col(_TABLE.evidence_id))
)
_OF_CANDIDATE = _ROWS.where(col(_TABLE.candidate_id) == bindparam("candidate"))
_VALIDATIONS = _ROWS.where(func.json_extract(col(_TABLE.record), "$.run_kind") == RunKind.VALIDATE.value)


@dataclass(frozen=True, slots=True)
class FoundElsewhere:
    """What one run elsewhere found of one candidate."""

    run_id: str
    kind: RunKind
    candidate_id: str
    at: str
    """When the run ended."""
    found: Mapping[str, Any]
    """As `store.evidence` has it. Its words, those for outcomes too, are as the file had them."""
    validator: Mapping[str, Any]
    """As `store.evidence_shape` has it."""

    @property
    def exposes(self) -> frozenset[Exposure]:
        """What whoever sees it has been shown."""
        told = {
            Exposure.OUTCOMES: self.found["outcomes"],
            Exposure.SCORES: self.found["judges"] or self.found.get("outside_scores"),
            Exposure.UTILITY: self.found["utilities"],
        }
        return frozenset(what for what, found in told.items() if found)


def of_candidate(ws: Workspace, candidate_id: str) -> tuple[FoundElsewhere, ...]:
    """What runs elsewhere found of a candidate, each run once, those that ended first at the front."""
    with ws.read() as conn:
        return _each_run_once(conn.execute(_OF_CANDIDATE, {"candidate": candidate_id}).scalars())


def validations(ws: Workspace) -> tuple[tuple[ValidationRun, Judged], ...]:
    """What validations elsewhere made of each candidate that they came to an end with, the oldest first.

    Left out are rows that don't say which strategy judged, and outcomes that no version known here has.
    """
    with ws.read() as conn:
        rows = _each_run_once(conn.execute(_VALIDATIONS).scalars())
    return tuple((_run(one), judged) for one in rows if (judged := _judged(one)) is not None)


def _each_run_once(records: Iterable[str]) -> tuple[FoundElsewhere, ...]:
    """Of several rows on a run and a candidate the last: which one that is depends on the rows alone."""
    rows = map(json.loads, records)
    return tuple({(row["run_id"], row["candidate_id"]): _found(row) for row in rows}.values())


def _found(row: Mapping[str, Any]) -> FoundElsewhere:
    return FoundElsewhere(
        row["run_id"],
        RunKind(row["run_kind"]),
        row["candidate_id"],
        row["created_at"],
        row["evidence"],
        row["validator"],
    )


def _run(one: FoundElsewhere) -> ValidationRun:
    said = one.validator
    return ValidationRun(
        run_id=one.run_id,
        strategy=said["strategy"],
        notation=said["notation"],
        models=tuple(said["models"]),
        endpoints=("",) * len(said["models"]),
        form=DecisionForm(said["form"]),
        prompts=said["prompts"],
        stages=tuple(said["stages"]),
    )


def _judged(one: FoundElsewhere) -> Judged | None:
    outcomes = {row["stage"]: row["outcome"] for row in one.found["outcomes"]}
    whole = outcomes.get("")
    if not one.validator["strategy"] or not one.validator["form"] or whole not in _OUTCOMES:
        return None
    # A row has its stages in the order of their rounds, and the last call alone of each judgement.
    rejecting = [(place, path) for place, path in enumerate(outcomes, 1) if path and outcomes[path] == Outcome.REJECT]
    return Judged(one.run_id, one.candidate_id, Outcome(whole), tuple(rejecting), calls=None)
