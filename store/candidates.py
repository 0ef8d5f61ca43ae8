"""Answers to be judged: each once, however often and from wherever it comes."""

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, bindparam, func, or_, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import texts
from store.identity import candidate_id, now, text_sha256
from store.intake import Taken, require_question
from store.rows import Candidate, KnownLabel, NewCandidate, Origin
from store.search import id_range
from store.tables import CandidateOriginTable, CandidateTable, KnownLabelTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError
from uq_tui.words import AuthorKind, Label, TextFormat

_ORIGIN_FIELDS = tuple(field.name for field in dataclasses.fields(Origin))

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
_STORED = select(col(CandidateTable.answer_sha256), col(CandidateTable.reasoning)).where(_THIS)
_MAKE_REFERENCE = update(CandidateTable).where(_THIS, col(CandidateTable.reference).is_(False)).values(reference=True)
_ADD_REASONING = update(CandidateTable).where(_THIS).values(reasoning=bindparam("new_reasoning"))
_LAST_NUMBER = select(func.max(col(CandidateTable.number))).where(
    col(CandidateTable.question_id) == bindparam("this_question")
)
_ADD = insert(CandidateTable)
_ADD_ORIGIN = insert(CandidateOriginTable).on_conflict_do_nothing()
_LABEL = insert(KnownLabelTable)
_ADD_LABEL = _LABEL.on_conflict_do_update(
    set_={name: _LABEL.excluded[name] for name in ("label", "flaw", "source")},
    where=or_(
        col(KnownLabelTable.label) != _LABEL.excluded["label"], col(KnownLabelTable.flaw) != _LABEL.excluded["flaw"]
    ),
)


def of_question(ws: Workspace, question_id: str) -> tuple[Candidate, ...]:
    """All candidates of a question, c1 first; none when there is no such question."""
    query = select(CandidateTable).where(col(CandidateTable.question_id) == question_id)
    with ws.read() as db:
        rows = db.execute(query.order_by(col(CandidateTable.number))).mappings().all()
        return tuple(_candidate(ws, db, row) for row in rows)


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
    query = select(KnownLabelTable).where(col(KnownLabelTable.candidate_id) == candidate)
    with ws.read() as db:
        row = db.execute(query).mappings().one_or_none()
    return None if row is None else KnownLabel(Label(row["label"]), row["flaw"], row["source"])


LIKE_ANSWER = "The same answer is here already as a candidate, so it can't be the reference too."
"""Neither which one, nor by whom: whoever is told may be judging it blind."""


def reference_refusal(ws: Workspace, new: NewCandidate) -> str:
    """Why an answer can't be the reference, as a sentence; empty when it can, or isn't said to be.

    The reference is a person's own solution, so neither it nor the same answer, where that is stored, may be by a
    model or a system.
    """
    if not new.reference:
        return ""
    if new.origin.kind is not AuthorKind.PERSON:
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
    return [_put(db, candidate) for candidate in new]


def _put(db: Connection, new: NewCandidate) -> Taken:
    key = candidate_id(new.question_id, new.answer)
    answer = _put_answer(db, key, new)
    origin_is_new = _put_origin(db, key, new.origin)
    label_is_new = new.known_label is not None and _put_label(db, key, new.known_label)
    reference_is_new = new.reference and db.execute(_MAKE_REFERENCE, {"this_id": key}).rowcount == 1
    more = origin_is_new or label_is_new or reference_is_new
    return Taken.CHANGED if answer is Taken.SAME and more else answer


def _put_answer(db: Connection, key: str, new: NewCandidate) -> Taken:
    stored = db.execute(_STORED, {"this_id": key}).one_or_none()
    if stored is not None and stored.answer_sha256 is not None:
        if stored.reasoning or not new.reasoning:
            return Taken.SAME
        db.execute(_ADD_REASONING, {"this_id": key, "new_reasoning": new.reasoning})
        return Taken.CHANGED
    content = {
        "answer_sha256": text_sha256(new.answer),
        "answer_format": new.format,
        "reasoning": new.reasoning,
        "cut_off": new.cut_off,
    }
    if stored is not None:
        db.execute(update(CandidateTable).where(col(CandidateTable.id) == key).values(content))
        return Taken.NEW
    require_question(db, new.question_id)
    number = (db.execute(_LAST_NUMBER, {"this_question": new.question_id}).scalar_one() or 0) + 1
    row = {"id": key, "question_id": new.question_id, "number": number, "created_at": now(), **content}
    db.execute(_ADD, row)
    return Taken.NEW


def _put_origin(db: Connection, key: str, origin: Origin) -> bool:
    values = {name: getattr(origin, name) for name in _ORIGIN_FIELDS}
    digest = text_sha256(json.dumps([*values.values()]))
    row = {"candidate_id": key, "origin_sha256": digest, "created_at": now(), **values}
    return db.execute(_ADD_ORIGIN, row).rowcount == 1


def _put_label(db: Connection, key: str, label: KnownLabel) -> bool:
    row = {"candidate_id": key, "label": label.label, "flaw": label.flaw, "source": label.source}
    return db.execute(_ADD_LABEL, row).rowcount == 1


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
