"""Taking questions in: new ones are added, known ones are brought up to date, an older body never comes back."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, bindparam, select, update
from sqlalchemy.dialects.sqlite import insert
from sqlmodel import col

from store import texts
from store.identity import now, text_sha256
from store.rows import Neighbour
from store.search import indexed, plain_text
from store.tables import QuestionSearchTable, QuestionTable, QuestionTextTable, SourceIdTable
from uq_tui.errors import NotFoundError
from uq_tui.words import QuestionStatus, TextFormat


@dataclass(frozen=True, slots=True)
class NewQuestion:
    """A question on its way into the store. Fields left at their default are not said by the source."""

    id: str
    title: str
    body: str
    format: TextFormat
    source: str
    """Name of the file it came from."""
    site: str = ""
    status: QuestionStatus | None = None
    score: int | None = None
    tags: tuple[str, ...] = ()
    asked_at: str | None = None
    link: str = ""
    author: str = ""
    licence: str = ""
    category: str = ""
    dataset_version: str = ""
    views: int | None = None
    answers: int | None = None
    source_id: str = ""
    """The id the source itself gives it, by which files of answers refer to it."""
    other_ids: tuple[str, ...] = ()
    """More names that files may refer to it by."""
    extra: Mapping[str, Any] = field(default_factory=dict)
    neighbours: tuple[Neighbour, ...] = ()
    """Those that came with it; whoever stores the question stores them after it."""


class Taken(StrEnum):
    """What became of a question that was taken in."""

    NEW = "new"
    CHANGED = "changed"
    SAME = "same"


_BLANK: Mapping[str, Any] = {
    "title": "",
    "site": "",
    "status": QuestionStatus.UNANSWERED,
    "score": None,
    "tags": "[]",
    "asked_at": None,
    "body_sha256": None,
    "body_format": TextFormat.PLAIN,
    "link": "",
    "author": "",
    "licence": "",
    "category": "",
    "dataset_version": "",
    "views": None,
    "answers": None,
    "extra": "{}",
}
"""A question of which nothing is known. The keys are the columns that an import may change."""

_SEARCHED = ("title", "body_sha256", "body_format", "tags")

_IS_STORED = select(1).where(col(QuestionTable.id) == bindparam("this_id"))

_UPDATE = (
    update(QuestionTable)
    .where(col(QuestionTable.id) == bindparam("this_id"))
    .values({name: bindparam(f"new_{name}") for name in _BLANK})
)


@dataclass(frozen=True, slots=True)
class _Change:
    """What is stored of a question, if anything, and what is to be."""

    question: NewQuestion
    stored: Mapping[str, Any] | None
    merged: Mapping[str, Any]
    version: int | None
    """Number of the new body, None when the body is a known one."""

    @property
    def taken(self) -> Taken:
        if self.stored is None or (self.stored["body_sha256"] is None and self.version is not None):
            return Taken.NEW
        return Taken.SAME if self.merged == self.stored else Taken.CHANGED

    def concerns(self, names: Iterable[str]) -> bool:
        """Whether one of these columns gets another value."""
        return self.stored is None or any(self.merged[name] != self.stored[name] for name in names)


def put(db: Connection, questions: Sequence[NewQuestion]) -> list[Taken]:
    """Store questions, within a transaction; one result a question, in their order.

    What a source doesn't say stays as it is stored. A body that differs from the stored one is a new version, unless
    the question had it before: then the file is older than what is stored, and the question is left alone. A stub
    is completed, which counts as new.
    """
    results: list[Taken] = []
    for group in _without_repeats(questions):
        changes = _changes(db, group)
        _write(db, [change for change in changes if change.taken is not Taken.SAME])
        _put_source_ids(db, group)
        results += [change.taken for change in changes]
    return results


def require_question(db: Connection, question_id: str) -> None:
    """Raise NotFoundError when the question is not in the workspace."""
    if db.execute(_IS_STORED, {"this_id": question_id}).first() is None:
        raise NotFoundError(f"There is no question {question_id} in this workspace.", hint="Import the question first.")


def _without_repeats(questions: Sequence[NewQuestion]) -> Iterator[list[NewQuestion]]:
    group: dict[str, NewQuestion] = {}
    for question in questions:
        if question.id in group:
            yield list(group.values())
            group = {}
        group[question.id] = question
    yield list(group.values())


def _changes(db: Connection, questions: Sequence[NewQuestion]) -> list[_Change]:
    ids = [question.id for question in questions]
    columns = [col(QuestionTable.id), *(getattr(QuestionTable, name) for name in _BLANK)]
    rows = db.execute(select(*columns).where(col(QuestionTable.id).in_(ids))).mappings()
    stored = {row["id"]: {name: row[name] for name in _BLANK} for row in rows}
    bodies: dict[str, list[str]] = {}
    for version in db.execute(
        select(col(QuestionTextTable.question_id), col(QuestionTextTable.body_sha256)).where(
            col(QuestionTextTable.question_id).in_(ids)
        )
    ):
        bodies.setdefault(version.question_id, []).append(version.body_sha256)
    return [_change(question, stored.get(question.id), bodies.get(question.id, [])) for question in questions]


def _change(question: NewQuestion, stored: Mapping[str, Any] | None, bodies: Sequence[str]) -> _Change:
    base = _BLANK if stored is None else stored
    sha256 = text_sha256(question.body)
    if sha256 in bodies and sha256 != base["body_sha256"]:
        return _Change(question, stored, base, None)
    said = {
        "title": question.title,
        "site": question.site,
        "status": question.status,
        "score": question.score,
        "tags": json.dumps(question.tags) if question.tags else None,
        "asked_at": question.asked_at,
        "body_sha256": sha256,
        "body_format": question.format,
        "link": question.link,
        "author": question.author,
        "licence": question.licence,
        "category": question.category,
        "dataset_version": question.dataset_version,
        "views": question.views,
        "answers": question.answers,
        "extra": json.dumps({**json.loads(base["extra"]), **question.extra}, sort_keys=True),
    }
    merged = {**base, **{name: value for name, value in said.items() if value not in (None, "")}}
    return _Change(question, stored, merged, None if sha256 in bodies else len(bodies) + 1)


def _write(db: Connection, changes: Sequence[_Change]) -> None:
    at = now()
    texts.put(db, (change.question.body for change in changes))
    new = [change for change in changes if change.stored is None]
    if new:
        rows = [{"id": change.question.id, "created_at": at, **change.merged} for change in new]
        db.execute(insert(QuestionTable), rows)
    old = [change for change in changes if change.stored is not None]
    if old:
        values = [{f"new_{name}": value for name, value in change.merged.items()} for change in old]
        keys = [{"this_id": change.question.id} for change in old]
        db.execute(_UPDATE, [{**key, **value} for key, value in zip(keys, values, strict=True)])
    versions = [
        {
            "question_id": change.question.id,
            "version": change.version,
            "body_sha256": change.merged["body_sha256"],
            "body_format": change.question.format,
            "source": change.question.source,
            "created_at": at,
        }
        for change in changes
        if change.version is not None
    ]
    if versions:
        db.execute(insert(QuestionTextTable), versions)
    _index(db, [change for change in changes if change.concerns(_SEARCHED)])


def _index(db: Connection, changes: Sequence[_Change]) -> None:
    ids = [change.question.id for change in changes]
    found = db.execute(select(col(QuestionTable.id), col(QuestionTable.seq)).where(col(QuestionTable.id).in_(ids)))
    seqs = {row.id: row.seq for row in found}
    rows = [
        {
            "seq": seqs[change.question.id],
            "title": indexed(change.merged["title"]),
            "body": plain_text(change.question.body, change.question.format),
            "tags": indexed(" ".join(json.loads(change.merged["tags"]))),
        }
        for change in changes
    ]
    if rows:
        adding = insert(QuestionSearchTable)
        replaced = {name: adding.excluded[name] for name in ("title", "body", "tags")}
        db.execute(adding.on_conflict_do_update(index_elements=["seq"], set_=replaced), rows)


def _put_source_ids(db: Connection, questions: Sequence[NewQuestion]) -> None:
    rows = [
        {"source_id": name, "question_id": question.id}
        for question in questions
        for name in dict.fromkeys((question.source_id, *question.other_ids))
        if name
    ]
    if rows:
        db.execute(insert(SourceIdTable).on_conflict_do_nothing(), rows)
