"""Names of users from the `Users.xml` of a Stack Exchange data dump, as a stream. Nothing else of them is kept."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from store import posted
from store.ingest import dump_rows
from store.ingest.dump_parts import Part, host_of, parsed_rows, part_of
from store.ingest.report import OnProgress, Tally
from store.ingest.turns import write_in_turns
from store.intake import Taken
from store.rows import ImportReport
from store.workspace import Workspace


def import_users(ws: Workspace, path: Path, *, site: str = "", on_progress: OnProgress | None = None) -> ImportReport:
    """Import the names of a dump's users, by which posts are attributed that give only a number.

    Args:
        site: host of the site in any spelling; "" when the file's name or a folder in its path names it.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it is unreadable, no Users.xml, declares entities, or nothing names its site.
    """
    tally = Tally(path, "Users.xml")
    read_users(ws, part_of(path), host_of(path, site, tally), tally, on_progress)
    return tally.report()


def read_users(ws: Workspace, part: Part, host: str, tally: Tally, on_progress: OnProgress | None) -> None:
    """Import the users of a part of a dump, and count them. Raises as `import_users`."""

    def done(users: Sequence[tuple[str, str]], results: Sequence[Taken]) -> None:
        for taken in results:
            tally.take(taken, "users")
        if on_progress is not None:
            on_progress(tally.seen)

    rows = parsed_rows(part, "users", lambda row: dump_rows.user(row.attributes), tally)
    write_in_turns(ws, rows, partial(_put, host), done, lambda user: len(user[1]))


def _put(host: str, db: Connection, users: Sequence[tuple[str, str]]) -> list[Taken]:
    return posted.put_users(db, host, users)
