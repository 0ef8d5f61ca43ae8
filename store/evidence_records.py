"""Evidence as rows of its own: what one finished run found of one candidate.

A verdict keeps what was known when it was given; runs that end later go out here. A row is made when it is exported
first, and stays as it was made, so that an export repeats itself; rows from files are kept beside those, as they came.
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Connection, exists, func, select, union
from sqlmodel import col

from store import candidates, evaluation, merging, questions, runs
from store.evidence import of_run
from store.evidence_shape import ID_KEY, RECORD, SCHEMA_VERSION, problems
from store.frozen_rows import BadRecordError, origin_of, question_keys, row_sha256, verify_row
from store.record_shape import HASH_KEY
from store.row_choice import names_version
from store.rows import Candidate, Question
from store.run_rows import Run
from store.run_tables import OutcomeTable, RunTable, ScoreTable, UtilityTable
from store.sharing_tables import EvidenceRecordTable
from store.tables import CandidateTable
from store.workspace import Workspace
from uq_tui.words import RunKind, RunState

_WRITTEN_AT_ONCE = 50
NO_VALIDATOR: Mapping[str, Any] = {
    "strategy": "",
    "notation": "",
    "models": [],
    "form": "",
    "prompts": "",
    "stages": [],
}

# Built once: building a statement takes longer than running it.
_FOUND = union(
    select(col(OutcomeTable.run_id), col(OutcomeTable.candidate_id)),
    select(col(ScoreTable.run_id), col(ScoreTable.candidate_id)),
    select(col(UtilityTable.run_id), col(UtilityTable.candidate_id)).where(col(UtilityTable.complete)),
).subquery()
_UNWRITTEN = (
    select(
        _FOUND.c.run_id,
        _FOUND.c.candidate_id,
        col(RunTable.kind),
        col(RunTable.created_at),
        col(RunTable.finished_at),
        col(CandidateTable.question_id),
    )
    .join(RunTable, col(RunTable.id) == _FOUND.c.run_id)
    .join(CandidateTable, col(CandidateTable.id) == _FOUND.c.candidate_id)
    .where(
        col(RunTable.state) == RunState.DONE.value,
        col(CandidateTable.answer_sha256).is_not(None),
        ~exists().where(
            col(EvidenceRecordTable.candidate_id) == _FOUND.c.candidate_id,
            col(EvidenceRecordTable.run_id) == _FOUND.c.run_id,
        ),
    )
    .order_by(col(CandidateTable.question_id), _FOUND.c.candidate_id, _FOUND.c.run_id)
)


def write_due(ws: Workspace, is_cancelled: Callable[[], bool] = lambda: False) -> None:
    """Make the rows of all finished runs that have none yet, or of some until it is cancelled. Raises StoreError."""
    with ws.read() as conn:
        due = conn.execute(_UNWRITTEN).all()
    for start in range(0, len(due), _WRITTEN_AT_ONCE):
        if is_cancelled():
            return
        made = [_made(ws, one) for one in due[start : start + _WRITTEN_AT_ONCE]]
        ws.write(partial(_put_each, made))


def _put_each(records: Sequence[Mapping[str, Any]], conn: Connection) -> None:
    for record in records:
        merging.put_record(conn, record)


def _made(ws: Workspace, due: Any) -> dict[str, Any]:
    question, candidate = questions.get(ws, due.question_id), candidates.get(ws, due.candidate_id)
    with ws.read() as conn:
        evidence = of_run(conn, due.candidate_id, due.run_id)
    at = due.finished_at or due.created_at
    return build(due.run_id, due.kind, at, question, candidate, evidence, _validator(runs.get(ws, due.run_id)))


def _validator(run: Run) -> dict[str, Any]:
    if run.kind is not RunKind.VALIDATE:
        return dict(NO_VALIDATOR)
    made = evaluation.validation(run.id, run.spec)
    return {
        "strategy": made.strategy,
        "notation": made.notation,
        "models": list(made.models),
        "form": made.form.value,
        "prompts": made.prompts,
        "stages": list(made.stages),
    }


def build(
    run_id: str,
    kind: str,
    at: str,
    question: Question,
    candidate: Candidate,
    evidence: Mapping[str, Any],
    validator: Mapping[str, Any] = NO_VALIDATOR,
) -> dict[str, Any]:
    """The sealed row of what a run found of a candidate.

    Args:
        run_id: the run.
        kind: a `RunKind`.
        at: when it ended.
        question: what the candidate answers.
        candidate: what was looked at.
        evidence: what was found, as `store.evidence` has it.
        validator: how a validation judged, as `store.evidence_shape` has it.
    """
    row = {
        "schema_version": SCHEMA_VERSION,
        "record": RECORD,
        ID_KEY: "",
        "run_id": run_id,
        "run_kind": kind,
        "validator": dict(validator),
        **question_keys(question),
        "candidate_id": candidate.id,
        "candidate_sha256": candidate.answer.sha256,
        "candidate_origin": origin_of(candidate),
        "evidence": dict(evidence),
        "created_at": at,
        "extra": {},
    }
    row[ID_KEY] = evidence_id(row)
    return {**row, HASH_KEY: row_sha256(row)}


def evidence_id(record: Mapping[str, Any]) -> str:
    """The id that a row must have: the hash of all else in it."""
    return row_sha256({key: value for key, value in record.items() if key != ID_KEY})


def verify(record: Mapping[str, Any]) -> str:
    """Make sure that a row read from strict JSON is an intact evidence row of a version we know; its sealed line.

    Raises:
        NewerRecordError: the row has a later schema version.
        BadRecordError: it isn't an evidence row, a key is missing or has another type, or a hash doesn't fit.
    """
    line = verify_row(record, RECORD, SCHEMA_VERSION, problems)
    if record[ID_KEY] != evidence_id(record):
        raise BadRecordError(f"its {ID_KEY} doesn't fit its content")
    return line


def records(
    ws: Workspace, *, since: str = "", dataset_version: str = "", without: Collection[str] = ()
) -> Iterator[str]:
    """Every row as it was made or imported, one line each without line feed.

    In order of (created_at, evidence_id), and all of one moment. `write_due` makes those of runs that ended since.

    Args:
        ws: where they are.
        since: only runs that ended then or later; a day, or a time without its zone.
        dataset_version: only rows that name this version.
        without: ids of questions whose rows are left out.
    """
    in_order = (col(EvidenceRecordTable.created_at), col(EvidenceRecordTable.evidence_id))
    query = select(col(EvidenceRecordTable.record)).order_by(*in_order)
    query = query.where(*_conditions(since, dataset_version))
    if without:
        query = query.where(col(EvidenceRecordTable.question_id).not_in(without))
    with ws.read() as conn:
        yield from conn.execute(query).scalars()


def _conditions(since: str, dataset_version: str) -> Iterator[ColumnElement[bool]]:
    if since:
        yield col(EvidenceRecordTable.created_at) >= since
    if dataset_version:
        yield names_version(col(EvidenceRecordTable.record), dataset_version)


def count_of_questions(
    ws: Workspace, question_ids: Collection[str], *, since: str = "", dataset_version: str = ""
) -> int:
    """How many of these rows are on these questions."""
    query = select(func.count()).where(col(EvidenceRecordTable.question_id).in_(question_ids))
    query = query.where(*_conditions(since, dataset_version))
    with ws.read() as conn:
        return int(conn.execute(query).scalar_one())
