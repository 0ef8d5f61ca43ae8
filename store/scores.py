"""Scores that judges gave, sample by sample, with what their runs had pinned and how the replies were drawn."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from itertools import groupby
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Select, bindparam, case, func, select
from sqlmodel import col

from store.judge_rows import Score, Scoring, Way
from store.run_rows import CUT_OFF
from store.run_tables import CallTable, RunTable, ScoreTable
from store.tables import CandidateTable
from store.upsert import saving
from store.workspace import Workspace
from uq_tui.words import CallState, DecisionForm, Reading, RunState

_RETRIES = "retry.%"
_DIGEST = 8
"""Characters of a hash that tell versions apart."""
_SAVE = saving(ScoreTable, ("run_id", "candidate_id", "sample"), kept="created_at")
_PROMPTS = (
    select(col(CallTable.template_sha256))
    .join(ScoreTable, col(ScoreTable.call_key) == col(CallTable.key))
    .where(
        col(ScoreTable.candidate_id) == bindparam("candidate"),
        col(ScoreTable.run_id).in_(bindparam("runs", expanding=True)),
    )
    .distinct()
)


class _Drawn(NamedTuple):
    """How the replies behind a run's scores of a candidate came about."""

    replies: int = 0
    distinct: int = 0
    cut_off: int = 0
    temperature: float | None = None
    constrained: bool = False


def save(ws: Workspace, scores: Sequence[Score]) -> None:
    """Store scores, all or none. One that is stored already keeps its time; one that differs is replaced."""
    rows = [{**asdict(score), "state": score.state.value} for score in scores]
    if rows:
        ws.write(lambda conn: conn.execute(_SAVE, rows))


def of_run(ws: Workspace, run_id: str) -> tuple[Scoring, ...]:
    """What a run has made of each of its candidates so far, in the candidates' order."""
    with ws.read() as conn:
        return _read(conn, _OF_RUN, {"run": run_id})


def of_candidate(ws: Workspace, candidate_id: str) -> tuple[Scoring, ...]:
    """What all runs have made of a candidate, finished or not: the oldest run first."""
    with ws.read() as conn:
        return _read(conn, _OF_CANDIDATE, {"candidate": candidate_id})


def newest(ws: Workspace, question_id: str = "") -> tuple[Scoring, ...]:
    """For each candidate and way of scoring the newest finished run, by way, then in the candidates' order.

    A run of which every call failed stands only where there is no other.

    Args:
        ws: where to look.
        question_id: only candidates of this question; "" for all questions.
    """
    queries, this = (_OF_QUESTION, {"question": question_id}) if question_id else (_EVERY, {})
    with ws.read() as conn:
        found = [one for one in _read(conn, queries, this) if one.finished]
    chosen: dict[tuple[Way, str], Scoring] = {}
    for one in found:
        place = (one.way, one.candidate_id)
        if one.failed < one.planned or place not in chosen or chosen[place].failed == chosen[place].planned:
            chosen[place] = one
    in_order = sorted(chosen.values(), key=lambda one: (one.way, one.question_id, one.number))
    return tuple(in_order)


def read_finished(conn: Connection, candidate_id: str) -> tuple[Scoring, ...]:
    """A candidate's scores by finished runs, the oldest run first; within a transaction."""
    return tuple(one for one in _read(conn, _OF_CANDIDATE, {"candidate": candidate_id}) if one.finished)


def read_prompts(conn: Connection, candidate_id: str, run_ids: Iterable[str]) -> set[str]:
    """sha256 of the templates behind a candidate's scores in these runs; within a transaction."""
    return set(conn.execute(_PROMPTS, {"candidate": candidate_id, "runs": list(run_ids)}).scalars())


class _Queries(NamedTuple):
    """What is asked of some scores. Built once for each choice of them: building takes longer than running."""

    scores: Select[Any]
    """By run, the oldest first, then in the candidates' order."""
    specs: Select[Any]
    distinct: Select[Any]
    """Replies are compared by SQLite, so that no text is brought here for it.

    The messages of a retry hold the reply that could not be read; samples that differ in it are different. All other
    calls of a run about a candidate have the same messages.
    """
    counts: Select[Any]


def _queries(*which: ColumnElement[bool]) -> _Queries:
    candidate = col(CandidateTable.id) == col(ScoreTable.candidate_id)
    place = (col(ScoreTable.run_id), col(ScoreTable.candidate_id))
    answered = (
        select(*place)
        .join(CallTable, col(CallTable.key) == col(ScoreTable.call_key))
        .join(CandidateTable, candidate)
        .where(col(CallTable.state) == CallState.DONE.value, *which)
    )
    asked_again = case((col(CallTable.template).like(_RETRIES), col(CallTable.messages)), else_="")
    different = answered.add_columns(asked_again, col(CallTable.reasoning), col(CallTable.reply)).distinct().subquery()
    pair = (different.c.run_id, different.c.candidate_id)
    temperature = func.json_extract(col(CallTable.parameters), "$.temperature")
    spec = col(RunTable.spec)
    return _Queries(
        scores=select(
            ScoreTable,
            col(CandidateTable.question_id),
            col(CandidateTable.number),
            (col(RunTable.state) == RunState.DONE.value).label("done"),
            func.json_extract(spec, "$.samples").label("planned"),
            func.json_extract(spec, "$.model.id").label("model"),
            func.json_extract(spec, "$.judge").label("pinned"),
            func.json_extract(spec, "$.form").label("form"),
            func.json_extract(spec, "$.model.api_base").label("endpoint"),
        )
        .join(CandidateTable, candidate)
        .join(RunTable, col(RunTable.id) == col(ScoreTable.run_id))
        .where(*which)
        .order_by(
            col(RunTable.created_at),
            col(RunTable.id),
            col(CandidateTable.question_id),
            col(CandidateTable.number),
            col(ScoreTable.sample),
        ),
        specs=select(col(RunTable.id))
        .add_columns(spec)
        .where(col(RunTable.id).in_(select(col(ScoreTable.run_id)).join(CandidateTable, candidate).where(*which))),
        distinct=select(*pair, func.count()).group_by(*pair),
        counts=answered.add_columns(
            func.count().label("replies"),
            func.count(temperature).label("known"),
            func.min(temperature).label("coolest"),
            func.max(temperature).label("hottest"),
            func.sum(case((col(CallTable.finish_reason) == CUT_OFF, 1), else_=0)).label("cut_off"),
            func.max(col(CallTable.constrained)).label("constrained"),
        ).group_by(*place),
    )


_OF_RUN = _queries(col(ScoreTable.run_id) == bindparam("run"))
_OF_CANDIDATE = _queries(col(ScoreTable.candidate_id) == bindparam("candidate"))
_OF_QUESTION = _queries(col(CandidateTable.question_id) == bindparam("question"))
_EVERY = _queries()


def _read(conn: Connection, queries: _Queries, this: Mapping[str, str]) -> tuple[Scoring, ...]:
    """Scorings by run, the oldest first, then in the candidates' order."""
    rows = conn.execute(queries.scores, this).all()
    if not rows:
        return ()
    drawn = _drawn(conn, queries, this)
    prompts = {run_id: prompts_digest(json.loads(spec)) for run_id, spec in conn.execute(queries.specs, this)}
    places = groupby(rows, key=lambda row: (row.run_id, row.candidate_id))
    return tuple(_scoring(list(own), prompts[place[0]], drawn.get(place, _Drawn())) for place, own in places)


def prompts_digest(spec: Mapping[str, Any]) -> str:
    """Eight hexadecimal characters that differ when a judge run's prompts do, or how its replies are drawn."""
    versions = {name: template["sha256"] for name, template in spec.get("templates", {}).items()}
    pinned = [spec["judge"]["prompt_sha256"], versions, spec.get("sampling", {})]
    return hashlib.sha256(json.dumps(pinned, sort_keys=True).encode()).hexdigest()[:_DIGEST]


def _drawn(conn: Connection, queries: _Queries, this: Mapping[str, str]) -> dict[tuple[str, str], _Drawn]:
    """By run and candidate."""
    distinct = {(run_id, candidate_id): number for run_id, candidate_id, number in conn.execute(queries.distinct, this)}
    return {
        (row.run_id, row.candidate_id): _Drawn(
            replies=row.replies,
            distinct=distinct[row.run_id, row.candidate_id],
            cut_off=row.cut_off,
            temperature=row.coolest if row.known == row.replies and row.coolest == row.hottest else None,
            constrained=bool(row.constrained),
        )
        for row in conn.execute(queries.counts, this)
    }


def _scoring(rows: Sequence[Row[Any]], prompts: str, drawn: _Drawn) -> Scoring:
    first = rows[0]
    pinned = json.loads(first.pinned)
    return Scoring(
        run_id=first.run_id,
        question_id=first.question_id,
        candidate_id=first.candidate_id,
        number=first.number,
        judge=first.judge,
        model=first.model,
        lowest=pinned["lowest"],
        highest=pinned["highest"],
        planned=first.planned,
        finished=bool(first.done) and len(rows) == first.planned,
        scores=tuple(_score(row) for row in rows),
        prompt_sha256=pinned["prompt_sha256"],
        form=DecisionForm(first.form),
        prompts=prompts,
        endpoint=first.endpoint,
        **drawn._asdict(),
    )


def _score(row: Row[Any]) -> Score:
    return Score(
        run_id=row.run_id,
        candidate_id=row.candidate_id,
        sample=row.sample,
        judge=row.judge,
        score=row.score,
        state=Reading(row.state),
        reason=row.reason,
        call_key=row.call_key,
        created_at=row.created_at,
    )
