"""Comments from the `Comments.xml` of a Stack Exchange data dump, as a stream. Their posts are to be stored before."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from store import posted
from store.ingest import dump_rows
from store.ingest.dump_parts import Part, host_of, parsed_rows, part_of
from store.ingest.dump_rows import DumpedComment
from store.ingest.report import OnProgress, Tally
from store.ingest.turns import write_in_turns
from store.intake import Taken
from store.posted import NewComment
from store.rows import ImportReport
from store.workspace import Workspace


def import_comments(
    ws: Workspace, path: Path, *, site: str = "", on_progress: OnProgress | None = None
) -> ImportReport:
    """Import the comments of a dump, on questions and answers that are stored.

    Args:
        site: host of the site in any spelling; "" when the file's name or a folder in its path names it.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it is unreadable, no Comments.xml, declares entities, or nothing names its site.
    """
    tally = Tally(path, "Comments.xml")
    read_comments(ws, part_of(path), host_of(path, site, tally), tally, on_progress)
    return tally.report()


def read_comments(ws: Workspace, part: Part, host: str, tally: Tally, on_progress: OnProgress | None) -> None:
    """Import the comments of a part of a dump, and count them. Raises as `import_comments`."""

    def done(comments: Sequence[DumpedComment], results: Sequence[Taken | None]) -> None:
        for comment, taken in zip(comments, results, strict=True):
            if taken is None:
                tally.reject(comment.line, f"it is on post {comment.post_id}, which is not stored", path=part.path)
            else:
                tally.take(taken, "comments")
        if on_progress is not None:
            on_progress(tally.seen)

    rows = parsed_rows(part, "comments", lambda row: dump_rows.comment(row.attributes, row.line, host), tally)
    write_in_turns(ws, rows, partial(_put, host), done, lambda comment: len(comment.body))


def _put(host: str, db: Connection, comments: Sequence[DumpedComment]) -> list[Taken | None]:
    """What became of each comment, within a transaction; None where its post isn't stored."""
    posts = posted.posts(db, host, {comment.post_id for comment in comments})
    found = [_on(comment, *posts[comment.post_id]) for comment in comments if comment.post_id in posts]
    became = iter(posted.put_comments(db, found))
    return [next(became) if comment.post_id in posts else None for comment in comments]


def _on(comment: DumpedComment, question_id: str, candidate_id: str | None) -> NewComment:
    return NewComment(
        id=comment.id,
        question_id=question_id,
        candidate_id=candidate_id,
        body=comment.body,
        author=comment.author,
        author_id=comment.author_id,
        licence=comment.licence,
        score=comment.score,
        posted_at=comment.posted_at,
    )
