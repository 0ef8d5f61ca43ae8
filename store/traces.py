"""What people make of the reasoning of validators, in second passes as they stand."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from store.driver import driver
from store.persons import Persons, read_persons
from store.workspace import Workspace
from uq_tui.words import Soundness, StatementKind, VerdictStatus

_NEWEST = (
    "SELECT candidate_id, question_id, reviewer_id, status, created_at, statement_id,"
    " json_extract(record, '$.trace_soundness') FROM statement AS this WHERE kind = ? AND NOT EXISTS"
    " (SELECT 1 FROM statement AS later WHERE later.statement_id = this.statement_id"
    " AND later.revision > this.revision) ORDER BY created_at, statement_id"
)


@dataclass(frozen=True, slots=True)
class StageTrace:
    """What was made of one stage."""

    run_id: str
    strategy: str
    stage: str
    """Its path in the strategy."""
    sound: Soundness


@dataclass(frozen=True, slots=True)
class Trace:
    """What one person makes of the reasoning behind the outcomes of one candidate."""

    person: str
    """The smallest id of the reviewer's linked ones."""
    question_id: str
    candidate_id: str
    stages: tuple[StageTrace, ...]
    """At least one."""


def traces(ws: Workspace) -> tuple[Trace, ...]:
    """One of each person and candidate: their newest second pass that stands, if it says something of reasoning."""
    newest: dict[tuple[str, str], Trace] = {}
    with ws.read() as conn:
        people = read_persons(conn)
        for one in _standing(driver(conn).execute(_NEWEST, (StatementKind.SECOND_PASS.value,)), people):
            newest[one.person, one.candidate_id] = one
    return tuple(one for one in newest.values() if one.stages)


def _standing(rows: Iterator[tuple[str, ...]], people: Persons) -> Iterator[Trace]:
    for candidate_id, question_id, reviewer_id, status, _, _, stages in rows:
        if status == VerdictStatus.SUBMITTED.value:
            judged = (
                StageTrace(one["run_id"], one["strategy"], one["stage"], Soundness(one["sound"]))
                for one in json.loads(stages)
            )
            yield Trace(people[reviewer_id], question_id, candidate_id, tuple(judged))
