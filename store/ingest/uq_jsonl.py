"""Questions as JSON rows: the UQ dataset's and crawler's, the Stack Exchange API's, and what is like them.

Read are: `question_id` or `id`; `title`; the body under `body_markdown`, `body` or `question`; `link` or `url`; `site`;
`tags`; `category`; `score`; `views`; `answer_count`; `creation_date`; `last_edit_date`; `licence`; `author` or `owner`;
`comments` and posted `answers`, as `nested_posts` has them; neighbours, as `neighbour_rows` has them. Every other key
is kept. A `category` that is one of Stack Exchange's five domains is the question's domain, too.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from store.identity import (
    UNNAMED_SOURCE,
    canonical_host,
    post_of_link,
    question_id_for_post,
    question_id_for_text,
)
from store.ingest import fields
from store.ingest.jsonl import parse_rows
from store.ingest.neighbour_rows import neighbours_within, with_plain_names
from store.ingest.nested_posts import ANSWERS, COMMENTS, answers_within, author_of, comments_within, text_of
from store.ingest.question_rows import Post, store_posts
from store.ingest.report import OnProgress, RowError, Tally
from store.ingest.stack_exchange import checked_site, is_network_host, licence_at
from store.intake import NewQuestion
from store.rows import ImportReport
from store.search import indexed, plain_text
from store.workspace import Workspace
from uq_tui.words import QuestionStatus, TextFormat

BODY_KEYS = ("body_markdown", "body", "question")
"""Keys that hold a question's text, the best one first."""

_ID = ("question_id", "id")
_LINK = ("link", "url", "source_url")
_LICENCE = ("licence", "license", "content_license")
_VIEWS = ("views", "view_count")
_ASKED = ("creation_date", "asked_at", "created_at")
_EDITED = ("last_edit_date", "edited_at")
_PLAIN_KEYS = (
    *("title", "site", "tags", "category", "score", "answer_count", "author", "author_id", "edited_at"),
    *("dataset_version", "format"),
)
_TOLD_BY_OTHERS = ("licence_url", "author_url", "edited", "subset")
"""Keys of versions of a dataset (`exports.dataset`) that say again what others do, or what a version says here."""
_POST_ID = re.compile("[0-9]{1,18}")
_OWN_ID = re.compile(r"([a-z0-9-]+(?:\.[a-z0-9-]+)+):([0-9]{1,18})")
_USED = frozenset((*_ID, *_LINK, *_LICENCE, *_VIEWS, *_PLAIN_KEYS, *_TOLD_BY_OTHERS))
"""Keys whose values have columns of their own."""
_STATUSES = frozenset(QuestionStatus)


def import_questions(
    ws: Workspace,
    path: Path,
    *,
    site: str = "",
    questions_only: bool = False,
    on_progress: OnProgress | None = None,
) -> ImportReport:
    """Import questions from JSON rows, with comments and posted answers unless `questions_only`.

    `site` is that of rows which name none themselves.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or `site` is no site.
    """
    site = checked_site(site)
    tally = Tally(path, "questions")

    def parse(row: Mapping[str, Any]) -> Post:
        return post_of(row, site=site, source=path.name, questions_only=questions_only)

    store_posts(ws, parse_rows(path, parse, tally), tally, on_progress)
    return tally.report()


def post_of(
    row: Mapping[str, Any], *, site: str, source: str, questions_only: bool = False, from_api: bool = False
) -> Post:
    """The question in a row, with the comments and posted answers in it. Raises RowError, as `question_of`.

    Where these have no texts, they stay with the question as the row has them.
    """
    question = question_of(row, site=site, source=source, from_api=from_api)
    host = question.site if question.id.startswith(f"{question.site}:") else ""
    answers, on_answers = answers_within(row, question.id, host, source=source)
    comments = comments_within(row, question.id, None, host)
    taken = {key for key, found in ((ANSWERS, answers), (COMMENTS, comments)) if found}
    extra = {key: value for key, value in question.extra.items() if key not in taken}
    question = replace(question, extra=extra) if taken else question
    return Post(question) if questions_only else Post(question, answers, (*comments, *on_answers))


def question_of(row: Mapping[str, Any], *, site: str, source: str, from_api: bool = False) -> NewQuestion:
    """The question in a row; one `from_api` may have a title only, and its Markdown has entities.

    Its id is that of the post its link names, else of the site and the post id in the row (`site` where the row names
    none), else a hash of its body.

    Raises:
        RowError: it has no body, a field has a value of a wrong kind, or a neighbour in it lacks something.
    """
    row = with_plain_names(row)
    around, around_keys = neighbours_within(row, source=source)
    taken = _USED | around_keys | ({"status"} if row.get("status") in _STATUSES else set())
    body_key = next((key for key in BODY_KEYS if row.get(key) not in (None, "")), "")
    body, body_format = text_of(row) if from_api else _body(row, body_key)
    if not body.strip() and not (from_api and fields.text(row, "title").strip()):
        raise RowError(f"no text under {', '.join(f'`{key}`' for key in BODY_KEYS)}")
    identifier = fields.identifier(row, *_ID)
    link = fields.text(row, *_LINK)
    host, post_id = _post(row, link, identifier, site)
    asked_key, asked_at = _moment(row, _ASKED)
    edited_key, edited_at = _moment(row, _EDITED)
    author, author_id = author_of(row)
    title = fields.text(row, "title")
    return NewQuestion(
        id=question_id_for_post(host, post_id) if host else question_id_for_text(UNNAMED_SOURCE, body),
        title=(fields.unescaped(title) if host else title) or fields.title_of(plain_text(body, body_format)),
        body=body,
        format=body_format,
        source=source,
        site=host or indexed(fields.text(row, "site")),
        status=_status(row),
        score=fields.integer(row, "score"),
        tags=fields.tags(row),
        asked_at=asked_at,
        link=link or (f"https://{host}/questions/{post_id}" if host else ""),
        author=author,
        author_id=author_id,
        edited_at=edited_at,
        licence=fields.text(row, *_LICENCE) or (licence_at(asked_at) if is_network_host(host) else ""),
        category=fields.text(row, "category"),
        dataset_version=fields.text(row, "dataset_version"),
        views=fields.integer(row, *_VIEWS),
        answers=fields.integer(row, "answer_count"),
        source_id=identifier,
        extra={key: row[key] for key in row.keys() - taken - {body_key, asked_key, edited_key}},
        neighbours=around,
    )


def _body(row: Mapping[str, Any], body_key: str) -> tuple[str, TextFormat]:
    body, named = fields.text(row, *BODY_KEYS), fields.text(row, "format")
    if named or not body.strip():
        return body, fields.text_format(named) if named else TextFormat.PLAIN
    return body, TextFormat.MARKDOWN if body_key == "body_markdown" else fields.format_of(body)


def _moment(row: Mapping[str, Any], keys: Sequence[str]) -> tuple[str, str | None]:
    """The first of these keys that holds a time, and the time; "" and None where none does."""
    for key in keys:
        at = fields.moment(row[key]) if key in row else None
        if at is not None:
            return key, at
    return "", None


def _post(row: Mapping[str, Any], link: str, identifier: str, site: str) -> tuple[str, int]:
    """Host and post id, or "" and 0 when the row doesn't name a post."""
    post = post_of_link(link)
    if post is not None:
        return post
    own = _OWN_ID.fullmatch(identifier)
    if own:
        return canonical_host(own[1]), int(own[2])
    named = fields.text(row, "site")
    # A short name is no proof: "mathematics" and "mysite" would read as hosts, too.
    host = (canonical_host(named) if "." in named else "") or canonical_host(site)
    return (host, int(identifier)) if host and _POST_ID.fullmatch(identifier) else ("", 0)


def _status(row: Mapping[str, Any]) -> QuestionStatus | None:
    if row.get("status") in _STATUSES:
        return QuestionStatus(row["status"])
    answers = fields.integer(row, "answer_count")
    accepted = row.get("accepted_answer_id") not in (None, "")
    closed = row.get("closed_date") not in (None, "")
    answered = row.get("is_answered") is True
    if answers is None and not (accepted or closed or answered):
        return None
    return fields.status_of(accepted=accepted, closed=closed, answers=max(answers or 0, answered))
