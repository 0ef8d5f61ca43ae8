"""Answers to be judged: each once, however often and from wherever it comes."""

import dataclasses
import json
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, bindparam, or_, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import candidate_extras, merging, search_index, texts
from store.driver import AMONG, bound, bound_row, driver, listed
from store.identity import candidate_id, now, text_sha256
from store.intake import Taken, require_question
from store.rows import Candidate, KnownLabel, NewCandidate, Origin
from store.search import id_range
from store.search_index import answer_doc
from store.tables import CandidateOriginTable, CandidateTable, KnownLabelTable, QuestionTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import AuthorKind, Label, TextFormat

_ORIGIN_FIELDS = tuple(field.name for field in dataclasses.fields(Origin))
_origin_values = attrgetter(*_ORIGIN_FIELDS)
_LABEL_FIELDS = tuple(field.name for field in dataclasses.fields(KnownLabel))

# Built once: building a statement takes longer than running it.
_THIS = col(CandidateTable.id) == bindparam("this_id")
_ONE = select(CandidateTable).where(_THIS)
_ORIGINS = (
    select(*(getattr(CandidateOriginTable, name) for name in _ORIGIN_FIELDS))
    .where(col(CandidateOriginTable.candidate_id) == bindparam("this_id"))
    .order_by(col(CandidateOriginTable.created_at), col(CandidateOriginTable.origin_sha256))
)
_WITH_PREFIX = (
    select(col(CandidateTable.id))
    .where(col(CandidateTable.id) >= bindparam("first"), col(CandidateTable.id) < bindparam("last"))
    .order_by(col(CandidateTable.id))
    .limit(10)
)
_ANSWERED = (
    select(col(QuestionTable.id))
    .where(
        select(1)
        .where(col(CandidateTable.question_id) == col(QuestionTable.id), col(CandidateTable.answer_sha256).is_not(None))
        .exists()
    )
    .order_by(col(QuestionTable.seq))
)
_STORED = f"SELECT id, answer_sha256, reasoning FROM candidate WHERE id {AMONG}"
_PLACES = (
    "SELECT candidate.id, seq, number FROM candidate JOIN question ON question.id = question_id"
    f" WHERE candidate.id {AMONG}"
)
_ORIGIN_HASHES = f"SELECT candidate_id, origin_sha256 FROM candidate_origin WHERE candidate_id {AMONG}"
_LAST_NUMBERS = (
    "SELECT id, coalesce((SELECT max(number) FROM candidate WHERE question_id = question.id), 0)"
    f" FROM question WHERE id {AMONG}"
)
_ADD = (
    "INSERT INTO candidate"
    " (id, question_id, number, answer_sha256, answer_format, reasoning, cut_off, created_at, reference)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0)"
)
_IS_ANSWER_TO = "SELECT 1 FROM candidate WHERE id = ? AND question_id = ?"
_MOVE = "UPDATE candidate SET question_id = ?, number = ? WHERE id = ?"
_ADD_ORIGIN = (
    f"INSERT INTO candidate_origin (candidate_id, origin_sha256, created_at, {', '.join(_ORIGIN_FIELDS)})"
    f" VALUES (?, ?, ?{', ?' * len(_ORIGIN_FIELDS)})"
)
_MAKE_REFERENCE = update(CandidateTable).where(_THIS, col(CandidateTable.reference).is_(False)).values(reference=True)
_ADD_REASONING = update(CandidateTable).where(_THIS).values(reasoning=bindparam("new_reasoning"))
_LABEL = insert(KnownLabelTable)
_ADD_LABEL = _LABEL.on_conflict_do_update(
    set_={name: _LABEL.excluded[name] for name in _LABEL_FIELDS},
    where=or_(
        *(
            getattr(KnownLabelTable, name).is_distinct_from(_LABEL.excluded[name])
            for name in _LABEL_FIELDS
            if name != "source"
        )
    ),
)
_KNOWN = select(*(getattr(KnownLabelTable, name) for name in _LABEL_FIELDS)).where(
    col(KnownLabelTable.candidate_id) == bindparam("this_id")
)


def of_question(ws: Workspace, question_id: str) -> tuple[Candidate, ...]:
    """All candidates of a question, c1 first; none when there is no such question."""
    query = select(CandidateTable).where(col(CandidateTable.question_id) == question_id)
    with ws.read() as db:
        rows = db.execute(query.order_by(col(CandidateTable.number))).mappings().all()
        return tuple(_candidate(ws, db, row) for row in rows)


def questions_answered(ws: Workspace) -> tuple[str, ...]:
    """Ids of the questions that have a candidate whose text is here, in the order of their arrival."""
    with ws.read() as db:
        return tuple(db.execute(_ANSWERED).scalars())


def get(ws: Workspace, candidate: str) -> Candidate:
    """One candidate by its id. A stub, known by its id only, has an answer without hash and text.

    Raises:
        NotFoundError: there is no such candidate.
    """
    with ws.read() as db:
        row = db.execute(_ONE, {"this_id": candidate}).mappings().one_or_none()
        if row is None:
            raise NotFoundError(f"There is no candidate {candidate} in this workspace.")
        return _candidate(ws, db, row)


def find_by_prefix(ws: Workspace, prefix: str) -> tuple[str, ...]:
    """Ids of candidates that start with `prefix`, sorted; at most ten."""
    first, last = id_range(prefix)
    with ws.read() as db:
        return tuple(db.execute(_WITH_PREFIX, {"first": first, "last": last}).scalars())


def known_label(ws: Workspace, candidate: str) -> KnownLabel | None:
    """The label that came with a candidate, if one did."""
    with ws.read() as db:
        return read_known_label(db, candidate)


def read_known_label(db: Connection, candidate: str) -> KnownLabel | None:
    """As `known_label`, within a transaction."""
    row = db.execute(_KNOWN, {"this_id": candidate}).mappings().one_or_none()
    return None if row is None else KnownLabel(**{**row, "label": Label(row["label"])})


LIKE_ANSWER = "The same answer is here already as a candidate, so it can't be the reference too."
"""Neither which one, nor by whom: whoever is told may be judging it blind."""


def reference_refusal(ws: Workspace, new: NewCandidate) -> str:
    """Why an answer can't be the reference, as a sentence; empty when it can, or isn't said to be.

    The reference is a person's own solution, so neither it nor the same answer, where that is stored, may be by a
    model or a system.
    """
    if not new.reference:
        return ""
    if new.origin is not None and new.origin.kind is not AuthorKind.PERSON:
        return f"The answer is by a {new.origin.kind}, and the reference is a person's own solution."
    by_others = (
        col(CandidateOriginTable.candidate_id) == candidate_id(new.question_id, new.answer),
        col(CandidateOriginTable.kind) != AuthorKind.PERSON,
    )
    with ws.read() as db:
        found = db.execute(select(1).select_from(CandidateOriginTable).where(*by_others).limit(1)).first()
    return LIKE_ANSWER if found is not None else ""


def add(ws: Workspace, new: Sequence[NewCandidate]) -> tuple[str, ...]:
    """Store candidates; their ids, in the same order. One that is stored already gets one more origin at most.

    Raises:
        NotFoundError: one names a question that is not in the workspace; none is stored then.
        ValueError: an answer is empty; none is stored then.
    """
    if any(not candidate.answer.strip() for candidate in new):
        raise ValueError("an answer is empty")
    ws.write(lambda db: put(db, new))
    return tuple(candidate_id(candidate.question_id, candidate.answer) for candidate in new)


def put(db: Connection, new: Sequence[NewCandidate]) -> list[Taken]:
    """Store candidates, within a transaction; one result a candidate, in their order. Raises NotFoundError.

    A candidate that was there becomes the reference when it is said to be; none stops being it.
    """
    texts.put(db, (candidate.answer for candidate in new))
    results: list[Taken] = []
    group: dict[str, NewCandidate] = {}
    for candidate in new:
        key = candidate_id(candidate.question_id, candidate.answer)
        if key in group:
            results += _put_group(db, group)
            group = {}
        group[key] = candidate
    return results + _put_group(db, group)


def _put_group(db: Connection, group: Mapping[str, NewCandidate]) -> list[Taken]:
    """Store candidates that are all different ones."""
    stored = {key: (sha256, reasoning) for key, sha256, reasoning in driver(db).execute(_STORED, (listed(group),))}
    _add_answers(db, {key: new for key, new in group.items() if key not in stored})
    answers = [_complete(db, key, new, *stored[key]) if key in stored else Taken.NEW for key, new in group.items()]
    merging.texts_came(db, [key for key in group if key not in stored or stored[key][0] is None])
    origins = _add_origins(db, group)
    more = [_put_rest(db, key, new) or key in origins for key, new in group.items()]
    return [Taken.CHANGED if news and taken is Taken.SAME else taken for taken, news in zip(answers, more, strict=True)]


def _complete(db: Connection, key: str, new: NewCandidate, sha256: str | None, reasoning: str) -> Taken:
    """Add to a candidate that is stored: all to a stub, the reasoning to one that came without."""
    if sha256 is not None:
        if reasoning or not new.reasoning:
            return Taken.SAME
        db.execute(_ADD_REASONING, {"this_id": key, "new_reasoning": new.reasoning})
        return Taken.CHANGED
    _move_stub(db, key, new.question_id)
    content = {
        "answer_sha256": text_sha256(new.answer),
        "answer_format": new.format,
        "reasoning": new.reasoning,
        "cut_off": new.cut_off,
    }
    db.execute(update(CandidateTable).where(col(CandidateTable.id) == key).values(content))
    _index(db, {key: new})
    return Taken.NEW


def _move_stub(db: Connection, key: str, question_id: str) -> None:
    """Put a stub under the question that it is an answer to, should rows have named another."""
    raw = driver(db)
    if raw.execute(_IS_ANSWER_TO, (key, question_id)).fetchone() is None:
        ((_, last),) = raw.execute(_LAST_NUMBERS, (listed([question_id]),)).fetchall()
        raw.execute(_MOVE, (question_id, last + 1, key))


def _add_answers(db: Connection, group: Mapping[str, NewCandidate]) -> None:
    if not group:
        return
    raw = driver(db)
    last: dict[str, int] = dict(raw.execute(_LAST_NUMBERS, (listed({new.question_id for new in group.values()}),)))
    at = now()
    rows: list[tuple[Any, ...]] = []
    for key, new in group.items():
        if new.question_id not in last:
            require_question(db, new.question_id)
        last[new.question_id] += 1
        sha256 = text_sha256(new.answer)
        row = (key, new.question_id, last[new.question_id], sha256, new.format, bound(new.reasoning), new.cut_off, at)
        rows.append(row)
    raw.executemany(_ADD, rows)
    _index(db, group)


def _index(db: Connection, group: Mapping[str, NewCandidate]) -> None:
    """Have the full-text index hold answers that it doesn't hold yet."""
    found = driver(db).execute(_PLACES, (listed(group),)).fetchall()
    docs = (answer_doc(seq, number, group[key].answer, group[key].format) for key, seq, number in found)
    search_index.put(db, (doc for doc in docs if doc is not None))


def _add_origins(db: Connection, group: Mapping[str, NewCandidate]) -> set[str]:
    """Store where candidates came from; those that weren't known to come from there."""
    raw = driver(db)
    stored = set(raw.execute(_ORIGIN_HASHES, (listed(group),)))
    at = now()
    rows: list[tuple[Any, ...]] = []
    for key, new in group.items():
        if new.origin is None:
            continue
        values = _origin_values(new.origin)
        digest = text_sha256(json.dumps(values))
        if (key, digest) not in stored:
            rows.append((key, digest, at, *bound_row(values)))
    raw.executemany(_ADD_ORIGIN, rows)
    return {row[0] for row in rows}


def _put_rest(db: Connection, key: str, new: NewCandidate) -> bool:
    """Store the label and what else came along, and that it is the reference; whether any of it is news."""
    label_is_new = new.known_label is not None and _put_label(db, key, new.known_label)
    source = new.origin.source if new.origin is not None else ""
    extra_is_new = bool(new.extra) and candidate_extras.put(db, key, source, new.extra)
    reference_is_new = new.reference and db.execute(_MAKE_REFERENCE, {"this_id": key}).rowcount == 1
    return label_is_new or extra_is_new or reference_is_new


def _put_label(db: Connection, key: str, label: KnownLabel) -> bool:
    row = {name: getattr(label, name) for name in _LABEL_FIELDS}
    return db.execute(_ADD_LABEL, {"candidate_id": key, **row}).rowcount == 1


def _candidate(ws: Workspace, db: Connection, row: Any) -> Candidate:
    origins = db.execute(_ORIGINS, {"this_id": row["id"]}).mappings()
    return Candidate(
        id=row["id"],
        question_id=row["question_id"],
        number=row["number"],
        answer=texts.read(ws, db, row["answer_sha256"], TextFormat(row["answer_format"])),
        reasoning=row["reasoning"],
        cut_off=row["cut_off"],
        origins=tuple(Origin(**{**origin, "kind": AuthorKind(origin["kind"])}) for origin in origins),
        created_at=row["created_at"],
        reference=row["reference"],
    )
