"""Passes of the curation funnel: begun, read, and what people decide in them.

`store.curation_passes` applies the rules, `store.ratings` has what models say, `store.curation_lists` lists questions.
Every question of a pass stands at one place, or fell there; a table of counts is kept in step with the places, so that
a funnel of millions is read at once.
"""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update
from sqlalchemy.dialects.sqlite import insert as upsert
from sqlmodel import col

from store import texts
from store.curation_reading import read_answer, read_place, read_ratings, read_reviews
from store.curation_rows import (
    Curation,
    Kept,
    Path,
    Place,
    Rating,
    StageCount,
)
from store.curation_tables import (
    CurationCountTable,
    CurationPathTable,
    CurationTable,
    QuestionReviewTable,
)
from store.identity import now, text_sha256, uuid7
from store.sites import domain_of
from store.tables import QuestionTable
from store.workspace import Workspace
from uq_tui.errors import NotFoundError, UqError
from uq_tui.words import CurationStage, QuestionDecision, TextFormat

_NEWEST_FIRST = (col(CurationTable.created_at).desc(), col(CurationTable.id).desc())
_LIST = "`uq-tui curate show` lists the passes there are."
_TAKEN_BACK = ""

_COUNT = upsert(CurationCountTable)
_ADD_TO_COUNT = _COUNT.on_conflict_do_update(
    index_elements=["curation_id", "stage", "fell", "unknown", "site"],
    set_={"n": col(CurationCountTable.n) + _COUNT.excluded["n"]},
)


def begin(ws: Workspace, name: str, rules_toml: str, sites: Sequence[str] = ()) -> Curation:
    """A new pass, with nothing applied yet. Its ages are counted at this moment.

    Args:
        ws: the workspace.
        name: what it is to be called, other than any before.
        rules_toml: its thresholds, as they are kept.
        sites: those it is over, in their canonical spelling; none for all.

    Raises:
        UqError: it has no name, or another pass has the same.
    """
    name = name.strip()
    if not name:
        raise UqError("A pass of the funnel needs a name.", hint="Name it, for instance after the month.")
    curation = Curation(uuid7(), name, rules_toml, None, 0, now(), tuple(sites))

    def put(db: Connection) -> None:
        if db.execute(select(1).where(col(CurationTable.name) == name)).first() is not None:
            raise UqError(f"There is a pass called {name!a} already.", hint="Rules that change are a new pass.")
        row = {**asdict(curation), "sites": json.dumps(curation.sites)}
        db.execute(insert(CurationTable), row)

    ws.write(put)
    return curation


def all_of(ws: Workspace) -> tuple[Curation, ...]:
    """All passes, the newest first."""
    with ws.read() as db:
        return tuple(_curation(row) for row in db.execute(select(CurationTable).order_by(*_NEWEST_FIRST)))


def by_name(ws: Workspace, name: str) -> Curation:
    """The pass with this name. Raises NotFoundError."""
    with ws.read() as db:
        row = db.execute(select(CurationTable).where(col(CurationTable.name) == name.strip())).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no pass of the funnel called {name!a}.", hint=_LIST)
    return _curation(row)


def get(ws: Workspace, curation_id: str) -> Curation:
    """The pass with this id. Raises NotFoundError."""
    with ws.read() as db:
        return read(db, curation_id)


def read(db: Connection, curation_id: str) -> Curation:
    """The pass with this id, within a transaction. Raises NotFoundError."""
    row = db.execute(select(CurationTable).where(col(CurationTable.id) == curation_id)).one_or_none()
    if row is None:
        raise NotFoundError(f"There is no pass of the funnel with the id {curation_id!a}.", hint=_LIST)
    return _curation(row)


def counts(ws: Workspace, curation_id: str) -> tuple[StageCount, ...]:
    """How many questions stand or fell where; those places that have some."""
    table = CurationCountTable
    key = (col(table.stage), col(table.fell), col(table.unknown), col(table.site))
    query = select(*key, col(table.n)).where(col(table.curation_id) == curation_id, col(table.n) > 0).order_by(*key)
    with ws.read() as db:
        return tuple(
            StageCount(CurationStage(stage), fell, bool(unknown), site, domain_of(site), n)
            for stage, fell, unknown, site, n in db.execute(query)
        )


def path(ws: Workspace, curation_id: str, question_id: str) -> Path | None:
    """All that a pass holds of a question; `None` where it has not come to it."""
    with ws.read() as db:
        place = read_place(db, curation_id, question_id)
        if place is None:
            return None
        return Path(
            curation_id=curation_id,
            question_id=question_id,
            place=place,
            answer=read_answer(db, curation_id, question_id),
            ratings=read_ratings(db, curation_id, question_id),
            reviews=read_reviews(db, curation_id, question_id),
        )


def require_path(ws: Workspace, curation_id: str, question_id: str) -> Path:
    """`path` of a question that the pass has come to. Raises NotFoundError."""
    found = path(ws, curation_id, question_id)
    if found is None:
        raise _has_not_come(question_id)
    return found


def ratings(ws: Workspace, curation_id: str, question_id: str) -> tuple[Rating, ...]:
    """The ratings of a question, by sample: those that failed or can't be read too."""
    with ws.read() as db:
        return read_ratings(db, curation_id, question_id)


def kept(ws: Workspace, curation_id: str) -> tuple[Kept, ...]:
    """The questions that have come through, in order of arrival, each in the words it was kept in."""
    place, question = CurationPathTable, QuestionTable
    wanted: tuple[Any, ...] = (question.id, question.title, question.body_sha256, question.body_format)
    query = (
        select(*wanted)
        .join(place, col(place.seq) == col(question.seq))
        .where(
            col(place.curation_id) == curation_id, col(place.stage) == CurationStage.KEPT.value, col(place.fell) == ""
        )
        .order_by(col(place.seq))
    )
    with ws.read() as db:
        found = db.execute(query).all()
        return tuple(_kept(db, curation_id, row) for row in found)


def decide(
    ws: Workspace,
    reviewer_id: str,
    curation_id: str,
    question_id: str,
    decision: QuestionDecision,
    reason: str,
    title: str = "",
    body: str = "",
) -> Path:
    """Record what a person decides on a question, and move it accordingly, in one write.

    A kept or paraphrased question has come through; a rejected one fell at review. Deciding again replaces it.

    Args:
        ws: the workspace.
        reviewer_id: who decides.
        curation_id, question_id: on what.
        decision: what they decide.
        reason: why; needed for a rejection and a paraphrase.
        title, body: the other words, in Markdown, of a paraphrase; "" for any other decision.

    Raises:
        NotFoundError: the pass has not come to this question.
        UqError: it does not wait for review, a reason is missing, or words are missing or not asked for.
    """
    reason, title = reason.strip(), title.strip()
    _require_words(decision, reason, title, body)

    def put(db: Connection) -> None:
        place = _reviewable(db, curation_id, question_id)
        row = {"decision": decision.value, "reason": reason, "title": title, "body_sha256": None}
        if decision is QuestionDecision.PARAPHRASE:
            texts.put(db, [body])
            row["body_sha256"] = text_sha256(body)
        _add_review(db, reviewer_id, curation_id, question_id, row)
        move(db, curation_id, _decided(place.seq, decision, reason))

    ws.write(put)
    return require_path(ws, curation_id, question_id)


def undo_decision(ws: Workspace, reviewer_id: str, curation_id: str, question_id: str) -> Path:
    """Take back the decision that stands: the question waits for review again. The record of both stays.

    Raises:
        NotFoundError: the pass has not come to this question.
        UqError: nothing was decided on it, or that was taken back already.
    """

    def put(db: Connection) -> None:
        place = _reviewable(db, curation_id, question_id)
        before = read_reviews(db, curation_id, question_id)
        if not before or before[-1].decision is None:
            raise UqError(f"No decision on {question_id!a} stands.", hint="There is nothing to take back.")
        row = {"decision": _TAKEN_BACK, "reason": "", "title": "", "body_sha256": None}
        _add_review(db, reviewer_id, curation_id, question_id, row)
        move(db, curation_id, Place(place.seq, CurationStage.REVIEW))

    ws.write(put)
    return require_path(ws, curation_id, question_id)


def move(db: Connection, curation_id: str, place: Place) -> None:
    """Put a question of the pass at another place, and count it there, within a transaction."""
    table = CurationPathTable
    of_this = (col(table.curation_id) == curation_id, col(table.seq) == place.seq)
    before = db.execute(select(table).where(*of_this)).one()
    values = {"stage": place.stage.value, "fell": place.fell, "unknown": place.unknown, "detail": place.detail}
    db.execute(update(table).where(*of_this).values(values))
    change = Counter({(before.stage, before.fell, before.unknown, before.site): -1})
    change[place.stage.value, place.fell, place.unknown, before.site] += 1
    add_counts(db, curation_id, change)


def add_counts(db: Connection, curation_id: str, change: Mapping[tuple[str, str, bool, str], int]) -> None:
    """Add to the counts of (stage, fell, unknown, site), within a transaction."""
    rows = [
        {"curation_id": curation_id, "stage": stage, "fell": fell, "unknown": unknown, "site": site, "n": n}
        for (stage, fell, unknown, site), n in change.items()
        if n
    ]
    if rows:
        db.execute(_ADD_TO_COUNT, rows)


def _require_words(decision: QuestionDecision, reason: str, title: str, body: str) -> None:
    if decision is not QuestionDecision.KEEP and not reason:
        raise UqError(f"A decision to {decision} needs a reason.", hint="Say in a sentence what is wrong as it stands.")
    if decision is QuestionDecision.PARAPHRASE and not (title and body.strip()):
        raise UqError("A paraphrase needs a title and a text.", hint="Give both as they are to be asked.")
    if decision is not QuestionDecision.PARAPHRASE and (title or body):
        raise UqError(f"A decision to {decision} takes no other words.", hint="Only a paraphrase does.")


def _decided(seq: int, decision: QuestionDecision, reason: str) -> Place:
    match decision:
        case QuestionDecision.REJECT:
            return Place(seq, CurationStage.REVIEW, decision.value, reason)
        case QuestionDecision.PARAPHRASE:
            return Place(seq, CurationStage.KEPT, detail=f"in other words: {reason}")
        case QuestionDecision.KEEP:
            return Place(seq, CurationStage.KEPT, detail=reason)


def _reviewable(db: Connection, curation_id: str, question_id: str) -> Place:
    """Where a question is that people may decide on. Raises NotFoundError, UqError."""
    place = read_place(db, curation_id, question_id)
    if place is None:
        raise _has_not_come(question_id)
    if place.stage in (CurationStage.REVIEW, CurationStage.KEPT):
        return place
    # Not whether and why it fell by what models said: the reviewer may be judging its answers blind.
    why = f": it fell by the rules, {place.detail}" if place.stage is CurationStage.RULES else ""
    raise UqError(f"{question_id!a} does not wait for review{why}.", hint="`uq-tui curate path` tells more.")


def _add_review(
    db: Connection, reviewer_id: str, curation_id: str, question_id: str, row: Mapping[str, str | None]
) -> None:
    about = {"curation_id": curation_id, "question_id": question_id, "reviewer_id": reviewer_id}
    db.execute(insert(QuestionReviewTable), {"id": uuid7(), **about, **row, "created_at": now()})


def _has_not_come(question_id: str) -> NotFoundError:
    return NotFoundError(
        f"The pass has not come to a question {question_id!a}.",
        hint="It is over the questions that were there when its rules were applied.",
    )


def _kept(db: Connection, curation_id: str, row: Row[Any]) -> Kept:
    reviews = read_reviews(db, curation_id, row.id)
    if reviews and reviews[-1].decision is QuestionDecision.PARAPHRASE:
        newest = reviews[-1]
        return Kept(row.id, newest.title, text_sha256(newest.body), TextFormat.MARKDOWN, edited=True)
    return Kept(row.id, row.title, row.body_sha256, TextFormat(row.body_format), edited=False)


def _curation(row: Row[Any]) -> Curation:
    return Curation(row.id, row.name, row.rules, row.up_to, row.passed, row.created_at, tuple(json.loads(row.sites)))
