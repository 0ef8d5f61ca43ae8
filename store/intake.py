"""Taking questions in: new ones are added, known ones are brought up to date, an older body never comes back."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any

from sqlalchemy import Connection, bindparam, select
from sqlmodel import col

from store import search_index, sites, texts
from store.driver import AMONG, bound, bound_row, driver, listed, loaded
from store.identity import now, text_sha256
from store.rows import Neighbour
from store.search_index import SearchDoc, question_doc
from store.tables import QuestionTable
from uq_tui.errors import NotFoundError
from uq_tui.words import QuestionStatus, TextFormat


@dataclass(frozen=True, slots=True)
class NewQuestion:
    """A question on its way into the store. Fields left at their default are not said by the source."""

    id: str
    title: str
    body: str
    """"" where the source gives none: a question that has one keeps it."""
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
    domain: str = ""
    """One of the five of Stack Exchange; "" for what the category or the site tells."""
    author_id: str = ""
    """The site's own number of its author."""
    edited_at: str | None = None
    """When it was last edited on its site."""
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
    "domain": "",
    "author_id": "",
    "edited_at": None,
}
"""A question of which nothing is known. The keys are the columns that an import may change."""

_SEARCHED = ("title", "body_sha256", "body_format", "tags")

_domain_of = lru_cache(maxsize=1024)(sites.domain_of)

_IS_STORED = select(1).where(col(QuestionTable.id) == bindparam("this_id"))

_COLUMNS = ", ".join(_BLANK)
_STORED = f"SELECT id, {_COLUMNS} FROM question WHERE id {AMONG}"
_BODIES = f"SELECT question_id, body_sha256 FROM question_text WHERE question_id {AMONG}"
_SEQS = f"SELECT id, seq FROM question WHERE id {AMONG}"
_ADD = f"INSERT INTO question (id, created_at, {_COLUMNS}) VALUES (?, ?{', ?' * len(_BLANK)})"
_UPDATE = f"UPDATE question SET {', '.join(f'{name} = ?' for name in _BLANK)} WHERE id = ?"
_ADD_VERSION = (
    "INSERT INTO question_text (question_id, version, body_sha256, body_format, source, created_at)"
    " VALUES (?, ?, ?, ?, ?, ?)"
)
_ADD_SOURCE_ID = "INSERT INTO source_id (source_id, question_id) VALUES (?, ?) ON CONFLICT DO NOTHING"


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
    ids = (listed(question.id for question in questions),)
    raw = driver(db)
    stored = {
        row[0]: dict(zip(_BLANK, map(loaded, row[1:]), strict=True)) for row in raw.execute(_STORED, ids).fetchall()
    }
    bodies: dict[str, list[str]] = {}
    if stored:
        for question_id, sha256 in raw.execute(_BODIES, ids):
            bodies.setdefault(question_id, []).append(sha256)
    return [_change(question, stored.get(question.id), bodies.get(question.id, ())) for question in questions]


def _change(question: NewQuestion, stored: Mapping[str, Any] | None, bodies: Sequence[str]) -> _Change:
    base = _BLANK if stored is None else stored
    keeps_body = not question.body and base["body_sha256"] is not None
    sha256 = base["body_sha256"] if keeps_body else text_sha256(question.body)
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
        "body_format": None if keeps_body else question.format,
        "link": question.link,
        "author": question.author,
        "licence": question.licence,
        "category": "" if _says_the_domain(question.category, base) else question.category,
        "dataset_version": question.dataset_version,
        "views": question.views,
        "answers": question.answers,
        "extra": _extra(base["extra"], question.extra),
        "domain": question.domain or _domain(question, base),
        "author_id": question.author_id,
        "edited_at": question.edited_at,
    }
    merged = {**base, **{name: value for name, value in said.items() if value not in (None, "")}}
    return _Change(question, stored, merged, None if sha256 in bodies else len(bodies) + 1)


def _extra(stored: str, said: Mapping[str, Any]) -> str:
    if not said:
        return stored
    return json.dumps({**json.loads(stored), **said} if stored != "{}" else dict(said), sort_keys=True)


def _says_the_domain(category: str, base: Mapping[str, Any]) -> bool:
    """Whether a category is no news: nothing but the domain of a question whose source named no category."""
    domain = base["domain"]
    return bool(domain) and not base["category"] and sites.domain_named(category) == domain


def _domain(question: NewQuestion, base: Mapping[str, Any]) -> str:
    """What the row's own category or its site tells, in this order; nothing where a domain is stored already."""
    return sites.domain_named(question.category) or base["domain"] or _domain_of(question.site or base["site"])


def _write(db: Connection, changes: Sequence[_Change]) -> None:
    if not changes:
        return
    at = now()
    raw = driver(db)
    texts.put(db, (change.question.body for change in changes))
    new = [change for change in changes if change.stored is None]
    raw.executemany(_ADD, ((change.question.id, at, *bound_row(change.merged.values())) for change in new))
    old = [change for change in changes if change.stored is not None]
    raw.executemany(_UPDATE, ((*bound_row(change.merged.values()), change.question.id) for change in old))
    raw.executemany(
        _ADD_VERSION,
        (
            (
                change.question.id,
                change.version,
                change.merged["body_sha256"],
                change.question.format,
                bound(change.question.source),
                at,
            )
            for change in changes
            if change.version is not None
        ),
    )
    _index(db, [change for change in changes if change.concerns(_SEARCHED)])


def _index(db: Connection, changes: Sequence[_Change]) -> None:
    """Bring the full-text index up to date. It must be told what it holds of a question that it has already."""
    raw = driver(db)
    seqs = dict(raw.execute(_SEQS, (listed(change.question.id for change in changes),)).fetchall())
    docs = [
        _doc(seqs[change.question.id], change.merged, change.question.body or _stored_body(db, change.merged))
        for change in changes
    ]
    search_index.put(db, (doc for doc, change in zip(docs, changes, strict=True) if change.stored is None))
    stored = [(doc, change.stored) for doc, change in zip(docs, changes, strict=True) if change.stored is not None]
    search_index.replace(db, [(_doc(doc.seq, row, _stored_body(db, row)), doc) for doc, row in stored])


def _doc(seq: int, row: Mapping[str, Any], body: str) -> SearchDoc:
    return question_doc(seq, row["title"], body, TextFormat(row["body_format"]), json.loads(row["tags"]))


def _stored_body(db: Connection, row: Mapping[str, Any]) -> str:
    return texts.read_raw(db, row["body_sha256"]) if row["body_sha256"] is not None else ""


def _put_source_ids(db: Connection, questions: Sequence[NewQuestion]) -> None:
    driver(db).executemany(
        _ADD_SOURCE_ID,
        (
            (bound(name), question.id)
            for question in questions
            for name in dict.fromkeys((question.source_id, *question.other_ids))
            if name
        ),
    )
