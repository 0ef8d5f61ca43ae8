"""What was posted on a site beside questions: answers, which are candidates by persons; comments; names of users."""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import Connection, bindparam, select
from sqlmodel import col

from store import candidates, search_index
from store.driver import AMONG, bound, bound_row, driver, listed, loaded
from store.identity import candidate_id
from store.intake import Taken
from store.rows import NewCandidate, Origin
from store.search_index import SearchDoc, comment_doc
from store.source_tables import PostCommentTable, PostedAnswerTable, SiteUserTable
from store.workspace import Workspace
from uq_tui.words import AuthorKind, TextFormat


@dataclass(frozen=True, slots=True)
class NewPostedAnswer:
    """An answer that was posted on a site, on its way into the store."""

    question_id: str
    body: str
    format: TextFormat
    post_id: str
    link: str = ""
    author: str = ""
    """The name as the row says it; "" where it names nobody."""
    author_id: str = ""
    """The site's own number of the author."""
    licence: str = ""
    score: int | None = None
    accepted: bool = False
    """By whoever asked. It says nothing about being correct."""
    posted_at: str | None = None
    edited_at: str | None = None
    source: str = ""
    """Name of the file it came from."""
    extra: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PostedAnswer:
    """What is known of a candidate as a post. Texts are "" and the others None where the source didn't say."""

    candidate_id: str
    post_id: str
    link: str
    author: str
    author_id: str
    licence: str
    score: int | None
    accepted: bool
    posted_at: str | None
    edited_at: str | None
    extra: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NewComment:
    """A comment on its way into the store; on the question itself where `candidate_id` is None."""

    id: str
    """`host:cNUMBER` on a site of Stack Exchange."""
    question_id: str
    candidate_id: str | None
    body: str
    author: str = ""
    author_id: str = ""
    licence: str = ""
    score: int | None = None
    posted_at: str | None = None


@dataclass(frozen=True, slots=True)
class PostComment:
    """A comment as it is stored. Its body is plain text with the site's small Markdown."""

    id: str
    question_id: str
    number: int
    """From 0 among the question's and its answers', in order of arrival."""
    candidate_id: str | None
    body: str
    author: str
    author_id: str
    licence: str
    score: int | None
    posted_at: str | None


_ANSWER = (
    *("candidate_id", "post_id", "link", "author", "author_id", "licence", "score", "accepted", "posted_at"),
    *("edited_at", "extra"),
)
_COMMENT = (
    "id",
    "question_id",
    "number",
    "candidate_id",
    "body",
    "author",
    "author_id",
    "licence",
    "score",
    "posted_at",
)
_USER = ("site", "user_id", "name")


def _put_sql(table: str, columns: Sequence[str], keys: int) -> str:
    replaced = ", ".join(f"{name} = excluded.{name}" for name in columns[keys:])
    return (
        f"INSERT INTO {table} ({', '.join(columns)}) VALUES (?{', ?' * (len(columns) - 1)})"
        f" ON CONFLICT ({', '.join(columns[:keys])}) DO UPDATE SET {replaced}"
    )


_STORED_ANSWERS = f"SELECT {', '.join(_ANSWER)} FROM posted_answer WHERE candidate_id {AMONG}"
_STORED_COMMENTS = f"SELECT {', '.join(_COMMENT)} FROM post_comment WHERE id {AMONG}"
_STORED_USERS = f"SELECT user_id, name FROM site_user WHERE site = ? AND user_id {AMONG}"
_PUT_ANSWER = _put_sql("posted_answer", _ANSWER, 1)
_PUT_COMMENT = _put_sql("post_comment", _COMMENT, 1)
_PUT_USER = _put_sql("site_user", _USER, 2)
_LAST_COMMENTS = f"SELECT question_id, max(number) FROM post_comment WHERE question_id {AMONG} GROUP BY question_id"
_SEQS = f"SELECT id, seq FROM question WHERE id {AMONG}"
_ANSWERS_BY_POST = (
    "SELECT post_id, question_id, candidate_id FROM posted_answer JOIN candidate ON candidate.id = candidate_id"
    f" WHERE post_id {AMONG} ORDER BY number"
)

# Built once: building a statement takes longer than running it.
_ONE_ANSWER = select(*(getattr(PostedAnswerTable, name) for name in _ANSWER)).where(
    col(PostedAnswerTable.candidate_id) == bindparam("this_candidate")
)
_COMMENTS = (
    select(*(getattr(PostCommentTable, name) for name in _COMMENT))
    .where(col(PostCommentTable.question_id) == bindparam("this_question"))
    .order_by(col(PostCommentTable.posted_at), col(PostCommentTable.number))
)
_NAME = select(col(SiteUserTable.name)).where(
    col(SiteUserTable.site) == bindparam("this_site"), col(SiteUserTable.user_id) == bindparam("this_user")
)


def put_answers(db: Connection, answers: Sequence[NewPostedAnswer]) -> list[Taken]:
    """Store posted answers as candidates, within a transaction; one result each, in their order. Raises NotFoundError.

    What a source doesn't say stays as it is stored. Posts on one question that have the same text are one candidate,
    which keeps saying what it said of the first of them. An answer that was edited since is another candidate: people
    may have judged the one that is stored.
    """
    taken = candidates.put(db, [_candidate(answer) for answer in answers])
    raw = driver(db)
    keys = [candidate_id(answer.question_id, answer.body) for answer in answers]
    stored = {row[0]: tuple(map(loaded, row)) for row in raw.execute(_STORED_ANSWERS, (listed(keys),))}
    changed: dict[str, tuple[Any, ...]] = {}
    results: list[Taken] = []
    for key, answer, became in zip(keys, answers, taken, strict=True):
        before = stored.get(key)
        row = _answer_row(key, answer, before)
        if row != before:
            stored[key] = changed[key] = row
        results.append(Taken.CHANGED if became is Taken.SAME and row != before else became)
    raw.executemany(_PUT_ANSWER, map(bound_row, changed.values()))
    return results


def put_comments(db: Connection, comments: Sequence[NewComment]) -> list[Taken]:
    """Store comments, within a transaction; one result each, in their order. Their questions and candidates are stored.

    One that is stored is brought up to date, and stays where it is.
    """
    raw = driver(db)
    found = raw.execute(_STORED_COMMENTS, (listed(comment.id for comment in comments),))
    stored = {row[0]: tuple(map(loaded, row)) for row in found}
    last: dict[str, int] = dict(raw.execute(_LAST_COMMENTS, (listed({one.question_id for one in comments}),)))
    changed: dict[str, tuple[Any, ...]] = {}
    became: list[tuple[tuple[Any, ...] | None, tuple[Any, ...]]] = []
    results: list[Taken] = []
    for comment in comments:
        before = stored.get(comment.id)
        if before is None:
            last[comment.question_id] = last.get(comment.question_id, -1) + 1
        row = _comment_row(comment, before, last.get(comment.question_id, 0))
        if row != before:
            stored[comment.id] = changed[comment.id] = row
            became.append((before, row))
        results.append(_became(before, row))
    raw.executemany(_PUT_COMMENT, map(bound_row, changed.values()))
    _index(db, became)
    return results


def _index(db: Connection, became: Sequence[tuple[tuple[Any, ...] | None, tuple[Any, ...]]]) -> None:
    """Bring the full-text index up to date with comments, given as they were, if they were, and as they are."""
    if not became:
        return
    question, number, body = (_COMMENT.index(name) for name in ("question_id", "number", "body"))
    seqs: dict[str, int] = dict(driver(db).execute(_SEQS, (listed({row[question] for _, row in became}),)))

    def doc(row: tuple[Any, ...]) -> SearchDoc | None:
        return comment_doc(seqs[row[question]], row[number], row[body])

    search_index.put(db, [new for before, row in became if before is None and (new := doc(row)) is not None])
    edited = [(doc(before), doc(row)) for before, row in became if before is not None]
    search_index.replace(db, [(old, new) for old, new in edited if old is not None and new is not None])


def put_users(db: Connection, site: str, users: Sequence[tuple[str, str]]) -> list[Taken]:
    """Store names of a site's users, given as (number, name), within a transaction; one result each, in their order."""
    raw = driver(db)
    found = raw.execute(_STORED_USERS, (site, listed(user_id for user_id, _ in users)))
    stored = {user_id: loaded(name) for user_id, name in found}
    changed: dict[str, str] = {}
    results: list[Taken] = []
    for user_id, name in users:
        results.append(_became(stored.get(user_id), name))
        if stored.get(user_id) != name:
            stored[user_id] = changed[user_id] = name
    raw.executemany(_PUT_USER, ((site, user_id, bound(name)) for user_id, name in changed.items()))
    return results


def posts(db: Connection, host: str, post_ids: Collection[str]) -> dict[str, tuple[str, str | None]]:
    """Of those posts of a site that are stored: their question, and their candidate where they are answers to it.

    A post that was edited after it was judged is several candidates; the newest counts.
    """
    raw = driver(db)
    found: dict[str, tuple[str, str | None]] = {}
    for post_id, question_id, candidate in raw.execute(_ANSWERS_BY_POST, (listed(post_ids),)):
        if question_id.startswith(f"{host}:"):
            found[post_id] = (question_id, candidate)
    ids = {f"{host}:{post_id}": post_id for post_id in post_ids}
    for question_id, _ in raw.execute(_SEQS, (listed(ids),)):
        found[ids[question_id]] = (question_id, None)
    return found


def of_candidate(ws: Workspace, candidate: str) -> PostedAnswer | None:
    """What a candidate is as a post; None where it was not posted, or that isn't known."""
    with ws.read() as db:
        row = db.execute(_ONE_ANSWER, {"this_candidate": candidate}).mappings().one_or_none()
    return None if row is None else PostedAnswer(**{**row, "extra": json.loads(row["extra"])})


def comments_of(ws: Workspace, question_id: str) -> tuple[PostComment, ...]:
    """The comments on a question and on its answers, the oldest first."""
    with ws.read() as db:
        return tuple(PostComment(**row) for row in db.execute(_COMMENTS, {"this_question": question_id}).mappings())


def author_name(db: Connection, site: str, author: str, author_id: str) -> str:
    """What to call an author: as the post says, as the site's users are listed, `user 123`; "" when nobody is named."""
    if author or not author_id:
        return author
    name: str | None = db.execute(_NAME, {"this_site": site, "this_user": author_id}).scalar_one_or_none()
    return name or f"user {author_id}"


def _candidate(answer: NewPostedAnswer) -> NewCandidate:
    person = answer.author or (f"user {answer.author_id}" if answer.author_id else "")
    origin = Origin(AuthorKind.PERSON, person=person, source=answer.source)
    return NewCandidate(answer.question_id, answer.body, answer.format, origin)


def _answer_row(key: str, answer: NewPostedAnswer, before: tuple[Any, ...] | None) -> tuple[Any, ...]:
    if before is not None and before[_ANSWER.index("post_id")] != answer.post_id:
        return before
    said = {**dict.fromkeys(_ANSWER), "candidate_id": key}
    said |= {name: getattr(answer, name) for name in _ANSWER[1:-1]}
    said["extra"] = json.dumps(dict(answer.extra), sort_keys=True) if answer.extra or before is None else None
    return _with_silence(tuple(said.values()), before)


def _comment_row(comment: NewComment, before: tuple[Any, ...] | None, number: int) -> tuple[Any, ...]:
    said = [number if name == "number" else getattr(comment, name) for name in _COMMENT]
    if before is not None:
        said[1:4] = before[1:4]
    return _with_silence(said, before)


def _with_silence(said: Sequence[Any], before: tuple[Any, ...] | None) -> tuple[Any, ...]:
    """A row in which what isn't said is as it was."""
    if before is None:
        return tuple(said)
    return tuple(was if new is None or new == "" else new for new, was in zip(said, before, strict=True))


def _became(before: object, row: object) -> Taken:
    if before is None:
        return Taken.NEW
    return Taken.SAME if row == before else Taken.CHANGED
