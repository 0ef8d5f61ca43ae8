"""Answers of the Stack Exchange API as JSON: a page `{"items": [...], "has_more": ...}`, or the items alone.

Items are questions, posted answers and comments, in any order; an answer or a comment finds what it belongs to among
the items and among what is stored. Titles and names come with HTML entities, times in seconds since 1970, each item
with its licence. Users who are gone have a name and no number. The API leaves bodies out unless a filter asks for them:
a question is then stored with its title alone, until its body comes.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from store import posted
from store.identity import question_id_for_post
from store.ingest import fields
from store.ingest.files import open_unpacked, start_text, utf16_of
from store.ingest.heads import Head
from store.ingest.json_stream import JsonStream, Row, read_under
from store.ingest.jsonl import read_rows
from store.ingest.nested_posts import ANSWER_ID, answer_of, comment_of, host_of
from store.ingest.packing import PackingError
from store.ingest.question_rows import Post, Stored, count, put_posts
from store.ingest.report import OnProgress, RowError, Tally
from store.ingest.spool import Spool
from store.ingest.stack_exchange import SITE_HINT, checked_site
from store.ingest.turns import write_in_turns
from store.ingest.uq_jsonl import post_of
from store.intake import Taken
from store.posted import NewComment, NewPostedAnswer
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.errors import ImportFileError

NAME = "Stack Exchange API"

_ITEMS = "items"
_WRAPPER = frozenset(("has_more", "quota_max", "quota_remaining", "backoff"))
_ERROR = ("error_id", "error_name", "error_message")
_OF_QUESTIONS = ("is_answered", "last_activity_date")
"""Keys that the API's questions have, and hardly any other rows with a `question_id`."""
_IN_ITEMS = ('"question_id"', '"answer_id"', '"comment_id"')


@dataclass(frozen=True, slots=True)
class _Item:
    """An item, with the post that it belongs to where that is another one."""

    row: Row
    is_: Post | NewPostedAnswer | NewComment
    host: str = ""
    parent: str = ""

    @property
    def characters(self) -> int:
        return self.is_.characters if isinstance(self.is_, Post) else len(self.is_.body)


def tells(head: Head) -> bool:
    """Whether a file is the API's: a page, an error, or the row is an item."""
    if _ERROR[0] in head.keys and _ERROR[1] in head.keys:
        return True
    if _ITEMS in head.keys:
        return bool(_WRAPPER & head.keys) or any(key in head.text for key in _IN_ITEMS)
    row = head.row
    if ANSWER_ID in row:
        return "question_id" in row and "creation_date" in row
    return "question_id" in row and "title" in row and any(key in row for key in _OF_QUESTIONS)


def import_api(
    ws: Workspace,
    path: Path,
    *,
    site: str = "",
    questions_only: bool = False,
    on_progress: OnProgress | None = None,
) -> ImportReport:
    """Import items of the API.

    Args:
        site: the site of items without a link.
        questions_only: leave out answers and comments.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, is an error of the API, or `site` is no site.
    """
    reader = _Reader(ws, path, checked_site(site), questions_only, on_progress)
    reader.run()
    return reader.tally.report()


class _Reader:
    """The import of one file."""

    def __init__(
        self, ws: Workspace, path: Path, site: str, questions_only: bool, on_progress: OnProgress | None
    ) -> None:
        self.tally = Tally(path, NAME)
        self._ws = ws
        self._path = path
        self._site = site
        self._questions_only = questions_only
        self._on_progress = on_progress
        self._bodiless = 0

    def run(self) -> None:
        with Spool() as early, Spool() as orphans:
            self._write(self._parsed(self._rows()), early)
            self._write(self._parsed(Row(line, row, "") for line, row in early.rows()), orphans)
            for line, row in orphans.rows():
                post = row.get("question_id") or row.get("post_id")
                self.tally.reject(line, f"it belongs to post {post}, which is neither in this file nor stored")
        if self._bodiless:
            self.tally.note(
                f"{self._bodiless:,} without a body, stored with the title alone: the API gives bodies to a filter"
                " that asks for them (`filter=withbody`)."
            )

    def _rows(self) -> Iterator[Row]:
        for row in self._items():
            if self._questions_only and not row.problem and _is_answer_or_comment(row.value):
                self.tally.passed_over += 1
                continue
            self.tally.read += 1
            if row.problem:
                self.tally.reject(row.line, row.problem)
            else:
                yield row

    def _items(self) -> Iterator[Row]:
        with open_unpacked(self._path) as file:
            start = file.peek(1 << 12)
            utf16 = utf16_of(start)
            text = start_text(start).lstrip()
            if text.startswith("{") and (f'"{_ITEMS}"' in text or f'"{_ERROR[0]}"' in text):
                if start.startswith(b"\xef\xbb\xbf"):
                    file.read(3)
                yield from self._page(JsonStream(file, utf16=utf16))
                return
        yield from read_rows(self._path)

    def _page(self, stream: JsonStream) -> Iterator[Row]:
        beside: dict[str, Any] = {}
        try:
            yield from read_under(stream, _ITEMS, beside)
        except PackingError as error:
            yield Row(stream.line, {}, f"the file breaks off: {error}")
        except UnicodeDecodeError as error:
            yield Row(stream.line, {}, f"the file is not UTF-16 text from here ({error.reason})")
        if _ERROR[0] in beside:
            self._refuse(beside)
        if beside.get("has_more") is True:
            self.tally.note("The API had more pages than this one.")

    def _refuse(self, beside: Mapping[str, Any]) -> None:
        said = ", ".join(str(beside[key]) for key in _ERROR if beside.get(key) not in (None, ""))
        problem = f"an error of the Stack Exchange API ({said})"
        if self.tally.seen:
            self.tally.note(f"Behind the items stands {problem}.")
            return
        raise ImportFileError(
            f"{self._path} holds {problem}, and no items.", hint="Ask the API again, later if it throttled you."
        )

    def _parsed(self, rows: Iterable[Row]) -> Iterator[_Item]:
        for row in rows:
            try:
                yield self._item(row)
            except RowError as error:
                self.tally.reject(row.line, str(error))

    def _item(self, row: Row) -> _Item:
        value = row.value
        if "comment_id" in value or ANSWER_ID in value:
            host = host_of(value, self._site)
            if not host:
                raise RowError(f"nothing says which site it is from. {SITE_HINT}")
            parent = fields.identifier(value, "post_id" if "comment_id" in value else "question_id")
            if "comment_id" in value:
                comment = comment_of(value, "", None, host)
                if not comment.body.strip():
                    raise RowError("the comment has no text; the API gives it to a filter with `comment.body`")
                return _Item(row, comment, host, parent)
            try:
                question_id = question_id_for_post(host, parent)
            except ValueError:
                raise RowError(f"`question_id` is {parent!r}") from None
            return _Item(row, answer_of(value, question_id, host, source=self._path.name), host, parent)
        if "question_id" not in value:
            raise RowError("it is neither a question, an answer nor a comment")
        post = post_of(
            value, site=self._site, source=self._path.name, questions_only=self._questions_only, from_api=True
        )
        self._bodiless += not post.question.body
        return _Item(row, post)

    def _write(self, items: Iterable[_Item], aside: Spool) -> None:
        """Write items as they come; those whose post isn't stored are put aside."""

        def done(written: Sequence[_Item], results: Sequence[Stored | Taken | None]) -> None:
            for item, result in zip(written, results, strict=True):
                if isinstance(result, Stored) and isinstance(item.is_, Post):
                    count(self.tally, item.is_, result)
                elif isinstance(result, Taken):
                    self.tally.take(result, "posted answers" if isinstance(item.is_, NewPostedAnswer) else "comments")
                else:
                    aside.put(item.row.line, item.row.value)
            if self._on_progress is not None:
                self._on_progress(self.tally.seen)

        write_in_turns(self._ws, items, _put, done, lambda item: item.characters)


def _is_answer_or_comment(row: Mapping[str, Any]) -> bool:
    return ANSWER_ID in row or "comment_id" in row


def _put(db: Connection, items: Sequence[_Item]) -> list[Stored | Taken | None]:
    """What became of each item, within a transaction; None for one that belongs to no post that is stored."""
    questions = iter(put_posts(db, [item.is_ for item in items if isinstance(item.is_, Post)]))
    return [next(questions) if isinstance(item.is_, Post) else _put_on_post(db, item) for item in items]


def _put_on_post(db: Connection, item: _Item) -> Taken | None:
    found = posted.posts(db, item.host, (item.parent,)).get(item.parent)
    if found is None:
        return None
    question_id, candidate = found
    if isinstance(item.is_, NewPostedAnswer):
        return posted.put_answers(db, [item.is_])[0]
    assert isinstance(item.is_, NewComment)
    comment = replace(item.is_, question_id=question_id, candidate_id=candidate)
    return posted.put_comments(db, [comment])[0]
