"""Answers and comments that stand within the row of what they belong to, as the Stack Exchange API and UQ give them."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from store.identity import candidate_id, canonical_host, text_sha256
from store.ingest import fields
from store.ingest.report import RowError
from store.ingest.stack_exchange import is_network_host, licence_at
from store.posted import NewComment, NewPostedAnswer
from store.search import plain_text
from uq_tui.words import TextFormat

ANSWERS = "answers"
COMMENTS = "comments"
ANSWER_ID = "answer_id"

_OWNER = "owner"
_LICENCE = ("content_license", "licence", "license")
_POSTED = ("creation_date", "created_at")
_EDITED = ("last_edit_date", "edited_at")
_USED_OF_ANSWER = frozenset(
    {
        *(ANSWER_ID, "question_id", "body", "body_markdown", "link", "share_link", _OWNER, *_LICENCE, "score"),
        *("is_accepted", *_POSTED, *_EDITED, COMMENTS),
    }
)


class Author(NamedTuple):
    """Who posted something: a name, and the site's own number of them; "" where the source names nobody."""

    name: str
    id: str


def author_of(row: Mapping[str, Any]) -> Author:
    """The author of a row of the API: `owner`, which has no `user_id` when the user is gone. Raises RowError."""
    owner = row.get(_OWNER)
    if not isinstance(owner, dict):
        return Author(fields.text(row, "author"), fields.identifier(row, "author_id"))
    name = fields.text(row, "author") or fields.text(owner, "display_name")
    return Author(fields.unescaped(name), fields.identifier(owner, "user_id"))


def host_of(row: Mapping[str, Any], site: str) -> str:
    """The host of the site that a row of the API is from: by its link, its author's, or else `site`."""
    owner = row.get(_OWNER)
    for link in (row.get("link"), row.get("share_link"), owner.get("link") if isinstance(owner, dict) else None):
        host = canonical_host(link) if isinstance(link, str) and "://" in link else ""
        if host:
            return host
    return canonical_host(site)


def text_of(row: Mapping[str, Any]) -> tuple[str, TextFormat]:
    """The text of a post of the API: its HTML, or else its Markdown, which the API gives with entities."""
    body = fields.text(row, "body")
    if body.strip():
        return body, TextFormat.HTML
    return fields.unescaped(fields.text(row, "body_markdown")), TextFormat.MARKDOWN


def answer_of(row: Mapping[str, Any], question_id: str, host: str, *, source: str) -> NewPostedAnswer:
    """The posted answer in a row of the API. Raises RowError: it has no text, or a field is of a wrong kind."""
    post_id = fields.identifier(row, ANSWER_ID)
    body, body_format = text_of(row)
    if not body.strip():
        raise RowError("the answer has no text; the API gives it to a filter with `answer.body`")
    name, user = author_of(row)
    posted_at = fields.moment(row.get("creation_date"))
    accepted = row.get("is_accepted", False)
    if not isinstance(accepted, bool):
        raise RowError("`is_accepted` is neither true nor false")
    return NewPostedAnswer(
        question_id=question_id,
        body=body,
        format=body_format,
        post_id=post_id,
        link=fields.text(row, "link", "share_link") or (f"https://{host}/a/{post_id}" if host else ""),
        author=name,
        author_id=user,
        licence=fields.text(row, *_LICENCE) or (licence_at(posted_at) if is_network_host(host) else ""),
        score=fields.integer(row, "score"),
        accepted=accepted,
        posted_at=posted_at,
        edited_at=fields.moment(row.get("last_edit_date")),
        source=source,
        extra={key: value for key, value in row.items() if key not in _USED_OF_ANSWER},
    )


def answers_within(
    row: Mapping[str, Any], question_id: str, host: str, *, source: str
) -> tuple[tuple[NewPostedAnswer, ...], tuple[NewComment, ...]]:
    """The answers in a question's row and the comments on them; none where the row gives no texts. Raises RowError."""
    given = row.get(ANSWERS)
    if not isinstance(given, list) or not all(isinstance(one, dict) and ANSWER_ID in one for one in given):
        return (), ()
    with_text = [one for one in given if text_of(one)[0].strip()]
    answers = tuple(answer_of(one, question_id, host, source=source) for one in with_text)
    comments = [
        comment
        for one, answer in zip(with_text, answers, strict=True)
        for comment in comments_within(one, question_id, candidate_id(question_id, answer.body), host)
    ]
    return answers, tuple(comments)


def comments_within(
    row: Mapping[str, Any], question_id: str, candidate: str | None, host: str
) -> tuple[NewComment, ...]:
    """The comments in the row of what they are on: texts, or objects as the API's. Those without text are left out.

    Raises:
        RowError: a field has a value of a wrong kind.
    """
    given = row.get(COMMENTS)
    if not isinstance(given, list):
        return ()
    rows = ({"text": one} if isinstance(one, str) else one for one in given)
    made = (comment_of(one, question_id, candidate, host) for one in rows if isinstance(one, dict))
    return tuple(comment for comment in made if comment.body.strip())


def comment_of(row: Mapping[str, Any], question_id: str, candidate: str | None, host: str) -> NewComment:
    """The comment in a row. Raises RowError: a field has a value of a wrong kind."""
    name, user = author_of(row)
    posted_at = next((at for at in (fields.moment(row.get(key)) for key in _POSTED) if at), None)
    body = _comment_text(row)
    number = fields.identifier(row, "comment_id")
    own = text_sha256(f"{candidate or ''}\n{body}")[:16]
    return NewComment(
        id=f"{host}:c{number}" if host and number else f"{question_id}:c{own}",
        question_id=question_id,
        candidate_id=candidate,
        body=body,
        author=name,
        author_id=user,
        licence=fields.text(row, *_LICENCE) or (licence_at(posted_at) if is_network_host(host) else ""),
        score=fields.integer(row, "score"),
        posted_at=posted_at,
    )


def _comment_text(row: Mapping[str, Any]) -> str:
    markdown = fields.text(row, "body_markdown")
    if markdown:
        return fields.unescaped(markdown)
    html = fields.text(row, "body")
    return plain_text(html, TextFormat.HTML) if html else fields.text(row, "text")
