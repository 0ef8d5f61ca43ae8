"""What machines made of many candidates at once: a few queries however many there are, and no texts.

`store.judgements` has utilities, `store.external_scores` what came from outside.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import ColumnElement, Row, bindparam, func, or_, select, union
from sqlalchemy.orm import Mapped, aliased
from sqlmodel import col

from store.run_tables import OutcomeTable, RunTable, ScoreTable, UtilityTable
from store.source_tables import PostedAnswerTable
from store.tables import CandidateTable, ExternalScoreTable, KnownLabelTable, VerdictTable
from store.workspace import Workspace
from uq_tui.words import Outcome, Reading, RunKind, RunState

_UNPARSED = Reading.UNPARSED.value
_TOLD_OF = union(
    *(
        select(col(table.candidate_id))
        for table in (OutcomeTable, ScoreTable, UtilityTable, ExternalScoreTable, KnownLabelTable, VerdictTable)
    )
).subquery()
_other = aliased(CandidateTable)
_IS_LOOKED_AT = or_(
    col(CandidateTable.id).not_in(select(col(PostedAnswerTable.candidate_id))),
    col(CandidateTable.question_id).in_(
        select(col(_other.question_id)).join(_TOLD_OF, _TOLD_OF.c.candidate_id == col(_other.id))
    ),
)
"""That a candidate is no posted answer, or answers a question of which something is scored or labelled."""


@dataclass(frozen=True, slots=True)
class Place:
    """A candidate and where it belongs."""

    candidate_id: str
    question_id: str
    number: int
    reference: bool


@dataclass(frozen=True, slots=True)
class Samples:
    """What a finished judge run made of a candidate."""

    run_id: str
    candidate_id: str
    values: tuple[float, ...]
    """Scores that were read, by sample."""
    unparsed: int
    failed: int
    call_keys: tuple[str, ...]
    """Of all samples, by sample."""

    @property
    def n(self) -> int:
        """All samples, with a score or without."""
        return len(self.values) + self.unparsed + self.failed


@dataclass(frozen=True, slots=True)
class Whole:
    """The outcome of a whole strategy on a candidate."""

    run_id: str
    candidate_id: str
    outcome: Outcome


def places(ws: Workspace, question_id: str = "") -> tuple[Place, ...]:
    """All candidates, question by question in their order; of one question when it is named.

    Of all questions, answers that were posted on a site are left out where nothing is scored or labelled: a dump has a
    million of them.
    """
    table = CandidateTable
    query = select(col(table.id), col(table.question_id), col(table.number), col(table.reference))
    query = query.where(col(table.question_id) == question_id if question_id else _IS_LOOKED_AT)
    with ws.read() as db:
        found = db.execute(query.order_by(col(table.question_id), col(table.number)))
        return tuple(Place(row.id, row.question_id, row.number, bool(row.reference)) for row in found)


def specs(ws: Workspace, run_ids: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    """What runs have pinned, by id, the oldest first."""
    wanted = select(func.json_each(bindparam("ids")).table_valued("value").c.value)
    query = select(col(RunTable.id), col(RunTable.spec)).where(col(RunTable.id).in_(wanted))
    with ws.read() as db:
        in_order = query.order_by(col(RunTable.created_at), col(RunTable.id))
        rows = db.execute(in_order, {"ids": json.dumps(sorted(set(run_ids)))})
        return {row.id: json.loads(row.spec) for row in rows}


def samples(ws: Workspace, question_id: str = "") -> tuple[Samples, ...]:
    """Scores by finished judge runs, the oldest run first; of one question's candidates when it is named."""
    query = (
        select(
            col(ScoreTable.run_id),
            col(ScoreTable.candidate_id),
            col(ScoreTable.score),
            col(ScoreTable.state),
            col(ScoreTable.call_key),
        )
        .join(RunTable, col(RunTable.id) == col(ScoreTable.run_id))
        .where(col(RunTable.state) == RunState.DONE.value, *_own(col(ScoreTable.candidate_id), question_id))
        .order_by(
            col(RunTable.created_at), col(ScoreTable.run_id), col(ScoreTable.candidate_id), col(ScoreTable.sample)
        )
    )
    with ws.read() as db:
        rows: Iterable[Row[Any]] = db.execute(query)
        parts = groupby(rows, key=itemgetter(0, 1))
        return tuple(_samples(run_id, candidate_id, list(own)) for (run_id, candidate_id), own in parts)


def wholes(ws: Workspace, question_id: str = "") -> tuple[Whole, ...]:
    """Outcomes of whole strategies by finished validations, the oldest run first; of one question when it is named."""
    query = (
        select(col(OutcomeTable.run_id), col(OutcomeTable.candidate_id), col(OutcomeTable.outcome))
        .join(RunTable, col(RunTable.id) == col(OutcomeTable.run_id))
        .where(
            col(OutcomeTable.path) == "",
            col(RunTable.kind) == RunKind.VALIDATE.value,
            col(RunTable.state) == RunState.DONE.value,
            *_own(col(OutcomeTable.candidate_id), question_id),
        )
        .order_by(col(RunTable.created_at), col(OutcomeTable.run_id), col(OutcomeTable.candidate_id))
    )
    with ws.read() as db:
        return tuple(Whole(row.run_id, row.candidate_id, Outcome(row.outcome)) for row in db.execute(query))


def _own(candidate: Mapped[str], question_id: str) -> list[ColumnElement[bool]]:
    if not question_id:
        return []
    ids = select(col(CandidateTable.id)).where(col(CandidateTable.question_id) == question_id)
    return [candidate.in_(ids)]


def _samples(run_id: str, candidate_id: str, rows: Sequence[Row[Any]]) -> Samples:
    values, keys, unparsed, failed = [], [], 0, 0
    for row in rows:
        keys.append(row.call_key)
        if row.score is not None:
            values.append(row.score)
        elif row.state == _UNPARSED:
            unparsed += 1
        else:
            failed += 1
    return Samples(run_id, candidate_id, tuple(values), unparsed, failed, tuple(keys))
