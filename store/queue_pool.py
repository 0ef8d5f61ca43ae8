"""Which candidates a queue can be built of, and what orders them: a few queries however many there are, and no texts.

References are correct by definition and are never labelled; of stubs, known by their ids only, nothing can be read.
Both are left out throughout.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, Row, Select, and_, case, distinct, func, select, text
from sqlalchemy.orm import aliased
from sqlmodel import col

from store import candidate_scores, evaluation, hits, texts
from store.browse_sql import Query, conditions
from store.driver import among, listed
from store.rows import QuestionFilter, Text
from store.run_tables import OutcomeTable, RunTable, UtilityTable
from store.search import match_expression
from store.tables import (
    CandidateOriginTable,
    CandidateTable,
    ExposureTable,
    KnownLabelTable,
    QuestionTable,
    TextTable,
    VerdictTable,
)
from store.workspace import Workspace
from uq_tui.words import (
    Exposure,
    Label,
    Outcome,
    QuestionStatus,
    RunKind,
    RunState,
    ScoreBand,
    TextFormat,
    Unjudged,
    VerdictStatus,
)

_later = aliased(VerdictTable)


@dataclass(frozen=True, slots=True)
class CandidateFilter:
    """What a queue is built of. Empty fields don't restrict; of several values in one field, one is enough."""

    text: str = ""
    """Words of the question, as in the question list."""
    site: str = ""
    status: QuestionStatus | None = None
    category: str = ""
    tag: str = ""
    tags: tuple[str, ...] = ()
    """Of these, a question has all, as in the question list."""
    domain: str = ""
    score_band: ScoreBand | None = None
    year: str = ""
    question_ids: tuple[str, ...] = ()
    unjudged: Unjudged | None = None
    models: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    """Files or runs that candidates came from."""
    outcome: Outcome | None = None
    """Of the newest finished run of `strategy`, or of any strategy where none is named."""
    strategy: str = ""
    labelled: bool | None = None
    """With a known label, or without one."""


@dataclass(frozen=True, slots=True)
class Pooled:
    """A candidate without its text."""

    candidate_id: str
    question_id: str
    seq: int
    """The question's place in the order of arrival."""
    number: int
    answer_sha256: str
    answer_format: TextFormat
    cut_off: bool
    label: Label | None
    """That it came with."""


@dataclass(frozen=True, slots=True)
class Votes:
    """Judgements on a candidate within the newest finished run of each strategy."""

    accepts: int
    rejects: int


@dataclass(frozen=True, slots=True)
class Measured:
    """A candidate's utility from the newest finished measurement that brought one."""

    mean: float
    low: float | None
    high: float | None


_COLUMNS: tuple[Any, ...] = (
    col(CandidateTable.id).label("candidate_id"),
    col(CandidateTable.question_id),
    col(QuestionTable.seq),
    col(CandidateTable.number),
    col(CandidateTable.answer_sha256),
    col(CandidateTable.answer_format),
    col(CandidateTable.cut_off),
    col(KnownLabelTable.label),
)
_POOLED = (
    select(*_COLUMNS)
    .join(QuestionTable, col(QuestionTable.id) == col(CandidateTable.question_id))
    .outerjoin(KnownLabelTable, col(KnownLabelTable.candidate_id) == col(CandidateTable.id))
    .where(
        col(CandidateTable.reference).is_(False),
        col(CandidateTable.answer_sha256).is_not(None),
        col(QuestionTable.body_sha256).is_not(None),
    )
    .order_by(col(QuestionTable.seq), col(CandidateTable.number))
)


def chosen(
    ws: Workspace, wanted: CandidateFilter, reviewer_ids: Sequence[str] = (), *, masked: Iterable[str] = ()
) -> tuple[Pooled, ...]:
    """Candidates that pass the filter, question by question in order of arrival.

    Args:
        ws: where to look.
        wanted: the filter.
        reviewer_ids: the people the queue is for, by all of their ids.
        masked: ids of questions that are found by their own words alone, as in the question list.
    """
    query, given = _POOLED, dict[str, str]()
    for condition in _conditions(wanted):
        query = query.where(condition)
    if wanted.unjudged is not None:
        by_one = [] if wanted.unjudged is Unjudged.BY_ANYONE else [among(col(VerdictTable.reviewer_id), "people")]
        given |= {"people": listed(reviewer_ids)} if by_one else {}
        of_this = col(VerdictTable.candidate_id) == col(CandidateTable.id)
        query = query.where(~select(1).where(of_this, _stands(), *by_one).exists())
    if wanted.question_ids:
        query = query.where(among(col(CandidateTable.question_id), "questions"))
        given["questions"] = listed(wanted.question_ids)
    if wanted.outcome is not None:
        query = query.where(among(col(CandidateTable.id), "candidates"))
        given["candidates"] = listed(sorted(_with_outcome(ws, wanted.outcome, wanted.strategy)))
    for sql, values in _as_listed(wanted, listed(sorted(masked))):
        query = query.where(text(sql))
        given |= values
    return _read(ws, query, given)


def labelled(ws: Workspace) -> tuple[Pooled, ...]:
    """All candidates that came with a known label, question by question in order of arrival."""
    return _read(ws, _POOLED.where(col(KnownLabelTable.label).is_not(None)), {})


def bodies(ws: Workspace, pooled: Iterable[Pooled]) -> Iterator[tuple[str, Text]]:
    """The answers' texts, each with its candidate's id, one after the other."""
    with ws.read() as db:
        for one in pooled:
            yield one.candidate_id, texts.read(ws, db, one.answer_sha256, one.answer_format)


def fields_and_lengths(ws: Workspace, pooled: Sequence[Pooled]) -> dict[str, tuple[str, int]]:
    """By question: its field, which is its category, else its site; and how many characters these answers have."""
    category, site = col(QuestionTable.category), col(QuestionTable.site)
    of_these = among(col(QuestionTable.id), "questions")
    fields = select(col(QuestionTable.id), case((category != "", category), else_=site)).where(of_these)
    chars = select(col(TextTable.sha256), col(TextTable.chars)).where(among(col(TextTable.sha256), "texts"))
    with ws.read() as db:
        asked, held = {one.question_id for one in pooled}, {one.answer_sha256 for one in pooled}
        field_of: dict[str, str] = {row[0]: row[1] for row in db.execute(fields, {"questions": listed(asked)})}
        length_of = {row[0]: row[1] for row in db.execute(chars, {"texts": listed(held)})}
    found: dict[str, tuple[str, int]] = {}
    for one in pooled:
        _, so_far = found.get(one.question_id, ("", 0))
        found[one.question_id] = field_of[one.question_id], so_far + length_of[one.answer_sha256]
    return found


def judged_by(ws: Workspace, reviewer_ids: Sequence[str]) -> frozenset[str]:
    """Candidates that a person, by any of their ids, can't be measured by: judged already, or the label was seen."""
    people = {"people": listed(reviewer_ids)}
    judged = select(col(VerdictTable.candidate_id)).where(_stands(), among(col(VerdictTable.reviewer_id), "people"))
    seen = select(col(ExposureTable.candidate_id)).where(
        col(ExposureTable.what) == Exposure.KNOWN_LABEL.value, among(col(ExposureTable.reviewer_id), "people")
    )
    with ws.read() as db:
        return frozenset((*db.execute(judged, people).scalars(), *db.execute(seen, people).scalars()))


def judges(ws: Workspace) -> dict[str, int]:
    """How many people have judged each candidate that somebody has; retracted verdicts don't count."""
    table = VerdictTable
    people = func.count(distinct(col(table.reviewer_id)))
    query = select(col(table.candidate_id), people).where(_stands()).group_by(col(table.candidate_id))
    with ws.read() as db:
        return {row[0]: row[1] for row in db.execute(query)}


def outcomes(ws: Workspace) -> dict[str, dict[str, candidate_scores.Whole]]:
    """By candidate and name of the strategy: what the newest finished run of it came to."""
    names = {one.run_id: one.strategy for one in evaluation.finished_validations(ws)}
    found: dict[str, dict[str, candidate_scores.Whole]] = {}
    for whole in candidate_scores.wholes(ws):  # the oldest run first
        if whole.run_id in names:
            found.setdefault(whole.candidate_id, {})[names[whole.run_id]] = whole
    return found


def votes(ws: Workspace, newest: Mapping[str, Mapping[str, candidate_scores.Whole]]) -> dict[str, Votes]:
    """Single judgements by models on each candidate, within those runs alone that `outcomes` names."""
    table = OutcomeTable
    accepts = func.sum(case((col(table.outcome) == Outcome.ACCEPT.value, 1), else_=0))
    decided = col(table.outcome).in_([Outcome.ACCEPT.value, Outcome.REJECT.value])
    query = (
        select(col(table.run_id), col(table.candidate_id), accepts, func.count())
        .join(RunTable, col(RunTable.id) == col(table.run_id))
        .where(
            col(RunTable.kind) == RunKind.VALIDATE.value,
            col(RunTable.state) == RunState.DONE.value,
            col(table.call_key) != "",
            decided,
        )
        .group_by(col(table.run_id), col(table.candidate_id))
    )
    runs = {candidate_id: {one.run_id for one in by_name.values()} for candidate_id, by_name in newest.items()}
    found: dict[str, Votes] = {}
    with ws.read() as db:
        for run_id, candidate_id, accepted, total in db.execute(query):
            if run_id in runs.get(candidate_id, ()):
                so_far = found.get(candidate_id, Votes(0, 0))
                found[candidate_id] = Votes(so_far.accepts + accepted, so_far.rejects + total - accepted)
    return found


def utilities(ws: Workspace) -> dict[str, Measured]:
    """The utility of each candidate that has one."""
    table = UtilityTable
    query = (
        select(col(table.candidate_id), col(table.mean), col(table.low), col(table.high))
        .join(RunTable, col(RunTable.id) == col(table.run_id))
        .where(col(table.complete).is_(True), col(table.mean).is_not(None))
        .order_by(col(RunTable.created_at), col(RunTable.id))
    )
    with ws.read() as db:
        return {row.candidate_id: Measured(row.mean, row.low, row.high) for row in db.execute(query)}


def _conditions(wanted: CandidateFilter) -> Iterator[ColumnElement[bool]]:
    """The restrictions that hold for a row by itself."""
    if wanted.site:
        yield col(QuestionTable.site) == wanted.site
    if wanted.status is not None:
        yield col(QuestionTable.status) == wanted.status.value
    if wanted.category:
        yield col(QuestionTable.category) == wanted.category
    if wanted.tag:
        tags = func.json_each(col(QuestionTable.tags)).table_valued("value")
        yield select(1).select_from(tags).where(tags.c.value == wanted.tag).exists()
    if wanted.labelled is not None:
        has_label = col(KnownLabelTable.label).is_not(None)
        yield has_label if wanted.labelled else ~has_label
    table = CandidateOriginTable
    for column, values in (
        (col(table.model), wanted.models),
        (col(table.system), wanted.systems),
        (col(table.source), wanted.sources),
    ):
        if values:
            yield select(1).where(col(table.candidate_id) == col(CandidateTable.id), column.in_(values)).exists()


def _as_listed(wanted: CandidateFilter, masked: str) -> Iterator[tuple[str, dict[str, str]]]:
    """The restrictions that the question list has, as it has them: SQL with its parameters."""
    shared = QuestionFilter(tags=wanted.tags, domain=wanted.domain, score_band=wanted.score_band, year=wanted.year)
    expression = match_expression(wanted.text)
    found = conditions(Query(shared)) + ([hits.condition(expression, masked)] if expression else [])
    for at, one in enumerate(found):
        names = [f"listed_{at}_{number}" for number in range(len(one.values))]
        sql = one.sql
        for name in names:
            sql = sql.replace("?", f":{name}", 1)
        yield sql, dict(zip(names, one.values, strict=True))


def _with_outcome(ws: Workspace, wanted: Outcome, strategy: str) -> set[str]:
    found = set()
    for candidate_id, by_name in outcomes(ws).items():
        # The newest run of any strategy: run ids sort by time.
        runs = [by_name[strategy]] if strategy in by_name else [] if strategy else [*by_name.values()]
        newest = max(runs, key=lambda one: one.run_id, default=None)
        if newest is not None and newest.outcome is wanted:
            found.add(candidate_id)
    return found


def _stands() -> ColumnElement[bool]:
    """A verdict's row is its newest revision, and isn't retracted."""
    later = select(1).where(
        col(_later.verdict_id) == col(VerdictTable.verdict_id), col(_later.revision) > col(VerdictTable.revision)
    )
    return and_(col(VerdictTable.status) == VerdictStatus.SUBMITTED.value, ~later.exists())


def _read(ws: Workspace, query: Select[Any], given: Mapping[str, str]) -> tuple[Pooled, ...]:
    with ws.read() as db:
        return tuple(_pooled(row) for row in db.execute(query, dict(given)))


def _pooled(row: Row[Any]) -> Pooled:
    return Pooled(
        candidate_id=row.candidate_id,
        question_id=row.question_id,
        seq=row.seq,
        number=row.number,
        answer_sha256=row.answer_sha256,
        answer_format=TextFormat(row.answer_format),
        cut_off=row.cut_off,
        label=None if row.label is None else Label(row.label),
    )
