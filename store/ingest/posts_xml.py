"""Questions and answers from the `Posts.xml` of a Stack Exchange data dump, as a stream.

The file names no site. A question has its own row, and so has each answer; an answer that comes before its question is
put aside and tried again at the end.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection

from store import intake, posted, search_index
from store.driver import AMONG, driver, listed
from store.ingest import dump_rows
from store.ingest.dump_parts import Part, host_of, part_of
from store.ingest.dump_xml import XmlRow, xml_rows
from store.ingest.report import OnProgress, RowError, Tally
from store.ingest.spool import Spool
from store.ingest.turns import write_in_turns
from store.intake import NewQuestion, Taken
from store.posted import NewPostedAnswer
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.text import counted
from uq_tui.words import QuestionStatus

_ACCEPTED = (
    "SELECT id, CASE status WHEN 'accepted' THEN json_extract(extra, '$.AcceptedAnswerId') END"
    f" FROM question WHERE id {AMONG}"
)
"""Stored questions, and the number of the answer that whoever asked has accepted."""


class _Post(NamedTuple):
    """A row, and what it is."""

    row: XmlRow
    is_: NewQuestion | NewPostedAnswer


def import_posts(
    ws: Workspace,
    path: Path,
    *,
    site: str = "",
    questions_only: bool = False,
    on_progress: OnProgress | None = None,
) -> ImportReport:
    """Import the questions and answers of a dump; tag wikis and other posts are passed over.

    Args:
        site: host of the site in any spelling; "" when the file's name or a folder in its path names it.
        questions_only: answers are passed over, too.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it is unreadable, no Posts.xml, declares entities, or nothing names its site.
    """
    tally = Tally(path, "Posts.xml")
    host = host_of(path, site, tally)
    read_posts(ws, part_of(path), host, tally, questions_only=questions_only, on_progress=on_progress)
    return tally.report()


def read_posts(
    ws: Workspace, part: Part, host: str, tally: Tally, *, questions_only: bool, on_progress: OnProgress | None
) -> None:
    """Import the posts of a part of a dump, and count them. Raises as `import_posts`."""
    _PostsImport(ws, part, host, tally, questions_only, on_progress).run()


class _PostsImport:
    """The import of one Posts.xml."""

    def __init__(
        self,
        ws: Workspace,
        part: Part,
        host: str,
        tally: Tally,
        questions_only: bool,
        on_progress: OnProgress | None,
    ) -> None:
        self._ws = ws
        self._part = part
        self._host = host
        self._tally = tally
        self._questions_only = questions_only
        self._on_progress = on_progress
        self._passed_over: Counter[str] = Counter()

    def run(self) -> None:
        with Spool() as early, Spool() as orphans:
            with self._part.open() as file:
                self._write(self._posts(xml_rows(file, self._part.path, "posts", self._tally)), early)
            self._write(self._parsed(XmlRow(*row) for row in early.rows()), orphans)
            for line, row in orphans.rows():
                self._reject(line, f"it answers post {row['ParentId']}, which is neither in this file nor stored")
        if self._passed_over:
            kinds = ", ".join(counted(n, kind) for kind, n in self._passed_over.items())
            self._tally.note(f"Passed over: {kinds}.")

    def _posts(self, rows: Iterable[XmlRow]) -> Iterator[_Post]:
        for row in rows:
            kind = row.attributes.get("PostTypeId", "")
            if row.attributes.get("Id") in dump_rows.PLANTED:
                self._pass_over("planted row")
            elif kind == dump_rows.QUESTION or (kind == dump_rows.ANSWER and not self._questions_only):
                self._tally.read += 1
                yield from self._parsed([row])
            elif kind == dump_rows.ANSWER:
                self._pass_over("answer")
            else:
                self._pass_over(dump_rows.OTHER_POSTS.get(kind, "other post"))

    def _pass_over(self, kind: str) -> None:
        self._tally.passed_over += 1
        self._passed_over[kind] += 1

    def _parsed(self, rows: Iterable[XmlRow]) -> Iterator[_Post]:
        for row in rows:
            is_question = row.attributes["PostTypeId"] == dump_rows.QUESTION
            parse = dump_rows.question if is_question else dump_rows.answer
            try:
                yield _Post(row, parse(row.attributes, self._host, self._part.name))
            except RowError as error:
                self._reject(row.line, str(error))

    def _reject(self, line: int, reason: str) -> None:
        self._tally.reject(line, reason, path=self._part.path)

    def _write(self, posts: Iterable[_Post], aside: Spool) -> None:
        """Write posts as they come; answers whose question isn't stored are put aside."""

        def done(written: Sequence[_Post], results: Sequence[Taken | None]) -> None:
            for post, taken in zip(written, results, strict=True):
                if taken is None:
                    aside.put(*post.row)
                elif isinstance(post.is_, NewQuestion):
                    self._tally.take(taken, "questions", (post.is_.status or QuestionStatus.UNANSWERED).value)
                else:
                    self._tally.take(taken, "posted answers")
            if self._on_progress is not None:
                self._on_progress(self._tally.seen)

        write_in_turns(self._ws, posts, _put, done, lambda post: len(post.is_.body))


def _put(db: Connection, posts: Sequence[_Post]) -> list[Taken | None]:
    """What became of each post, within a transaction; None for an answer whose question isn't stored."""
    with search_index.gathered(db):
        questions = iter(intake.put(db, [post.is_ for post in posts if isinstance(post.is_, NewQuestion)]))
        answers = [post.is_ for post in posts if isinstance(post.is_, NewPostedAnswer)]
        accepted: dict[str, str | None] = dict(
            driver(db).execute(_ACCEPTED, (listed({answer.question_id for answer in answers}),))
        )
        stored = [
            replace(answer, accepted=True) if accepted[answer.question_id] == answer.post_id else answer
            for answer in answers
            if answer.question_id in accepted
        ]
        became = iter(posted.put_answers(db, stored))
    results: list[Taken | None] = []
    for post in posts:
        if isinstance(post.is_, NewQuestion):
            results.append(next(questions))
        else:
            results.append(next(became) if post.is_.question_id in accepted else None)
    return results
