"""What rows of a Stack Exchange dump say, by kind: questions, answers, comments, users."""

from collections.abc import Mapping
from dataclasses import dataclass

from store.identity import question_id_for_post
from store.ingest import fields
from store.ingest.report import RowError
from store.ingest.stack_exchange import licence_at
from store.intake import NewQuestion
from store.posted import NewPostedAnswer
from store.search import plain_text
from uq_tui.words import TextFormat

QUESTION = "1"
ANSWER = "2"
"""The values of `PostTypeId` that are wanted."""

OTHER_POSTS = {
    "3": "orphaned tag wiki",
    "4": "tag wiki excerpt",
    "5": "tag wiki",
    "6": "moderator nomination",
    "7": "wiki placeholder",
    "8": "privilege wiki",
}
"""The others, as one is called; the dump's own documentation ends here."""

PLANTED = frozenset({"1000000001", "1000000010"})
"""Ids of rows in recent dumps that are no posts: they were planted there, to tell who uses a dump."""

_ACCEPTED = "AcceptedAnswerId"
_USED = frozenset(
    {
        *("Id", "PostTypeId", "ParentId", "CreationDate", "Score", "ViewCount", "Body", "OwnerUserId", "LastEditDate"),
        *("OwnerDisplayName", "Title", "Tags", "AnswerCount", "ClosedDate", "ContentLicense"),
    }
)
"""Attributes that have columns of their own. Which answer was accepted is kept as it is said, for the answer's row."""

Attributes = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class DumpedComment:
    """A comment that doesn't know yet where its post is stored."""

    line: int
    id: str
    post_id: str
    body: str
    author: str
    author_id: str
    licence: str
    score: int | None
    posted_at: str | None


def question(row: Attributes, host: str, source: str) -> NewQuestion:
    """The question in a row of Posts.xml. Raises RowError."""
    post_id, question_id = _ids(row, "Id", host)
    body = _body(row)
    asked_at = fields.moment(row.get("CreationDate"))
    answers = fields.integer(row, "AnswerCount")
    return NewQuestion(
        id=question_id,
        title=row.get("Title", "") or fields.title_of(plain_text(body, TextFormat.HTML)),
        body=body,
        format=TextFormat.HTML,
        source=source,
        site=host,
        status=fields.status_of(accepted=_ACCEPTED in row, closed="ClosedDate" in row, answers=answers or 0),
        score=fields.integer(row, "Score"),
        tags=tuple(fields.split_tags(row.get("Tags", ""))),
        asked_at=asked_at,
        link=f"https://{host}/questions/{post_id}",
        author=row.get("OwnerDisplayName", ""),
        author_id=row.get("OwnerUserId", ""),
        licence=row.get("ContentLicense", "") or licence_at(asked_at),
        views=fields.integer(row, "ViewCount"),
        answers=answers,
        source_id=post_id,
        edited_at=fields.moment(row.get("LastEditDate")),
        extra=_rest(row),
    )


def answer(row: Attributes, host: str, source: str) -> NewPostedAnswer:
    """The answer in a row of Posts.xml; whether it was accepted, only its question says. Raises RowError."""
    post_id, _ = _ids(row, "Id", host)
    _, question_id = _ids(row, "ParentId", host)
    posted_at = fields.moment(row.get("CreationDate"))
    return NewPostedAnswer(
        question_id=question_id,
        body=_body(row),
        format=TextFormat.HTML,
        post_id=post_id,
        link=f"https://{host}/a/{post_id}",
        author=row.get("OwnerDisplayName", ""),
        author_id=row.get("OwnerUserId", ""),
        licence=row.get("ContentLicense", "") or licence_at(posted_at),
        score=fields.integer(row, "Score"),
        posted_at=posted_at,
        edited_at=fields.moment(row.get("LastEditDate")),
        source=source,
        extra=_rest(row),
    )


def comment(row: Attributes, line: int, host: str) -> DumpedComment:
    """The comment in a row of Comments.xml. Raises RowError."""
    comment_id, _ = _ids(row, "Id", host)
    post_id, _ = _ids(row, "PostId", host)
    posted_at = fields.moment(row.get("CreationDate"))
    body = row.get("Text", "")
    if not body.strip():
        raise RowError("it has no text")
    return DumpedComment(
        line=line,
        id=f"{host}:c{comment_id}",
        post_id=post_id,
        body=body,
        author=row.get("UserDisplayName", ""),
        author_id=row.get("UserId", ""),
        licence=row.get("ContentLicense", "") or licence_at(posted_at),
        score=fields.integer(row, "Score"),
        posted_at=posted_at,
    )


def user(row: Attributes) -> tuple[str, str]:
    """Number and name in a row of Users.xml. Raises RowError."""
    number, name = row.get("Id", ""), row.get("DisplayName", "")
    if not number:
        raise RowError("no `Id`")
    if not name.strip():
        raise RowError("no `DisplayName`")
    return number, name


def _ids(row: Attributes, name: str, host: str) -> tuple[str, str]:
    """The number in a field, and what a question of that number is called here."""
    number = row.get(name, "").strip()
    if not number:
        raise RowError(f"no `{name}`")
    try:
        question_id = question_id_for_post(host, number)
    except ValueError:
        raise RowError(f"`{name}` is {number!r}") from None
    return question_id.rpartition(":")[2], question_id


def _body(row: Attributes) -> str:
    body = row.get("Body", "")
    if not body.strip():
        raise RowError("it has no body")
    return body


def _rest(row: Attributes) -> dict[str, str]:
    return {key: value for key, value in row.items() if key not in _USED}
