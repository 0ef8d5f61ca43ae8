"""What came back in a bundle: verdicts and statements, merged into the workspace as files of them are."""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection

from store import bundle_shape as shape
from store import bundles, statement_record, statements, verdict_record, verdicts
from store.frozen_rows import BadRecordError, NewerRecordError
from store.ingest.bundle_file import Bundle, sha256_of
from store.ingest.json_stream import Row
from store.ingest.report import OnProgress, Tally, chunks
from store.ingest.sealed_jsonl import Kind
from store.ingest.strict_zip import RefusedError
from store.intake import Taken
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.errors import ImportFileError
from uq_tui.words import BundleDirection


class Returned(NamedTuple):
    """A member of a returned bundle: what its rows are."""

    member: str
    kind: Kind


MEMBERS = (
    Returned(shape.VERDICTS, Kind("verdicts", verdict_record.verify, verdicts.put_record)),
    Returned(shape.STATEMENTS, Kind("statements", statement_record.verify, statements.put_record)),
)


def take_returned(ws: Workspace, bundle: Bundle, on_progress: OnProgress | None) -> ImportReport:
    """Take in what came back in an open bundle. Taking it in again, or in another order, changes nothing.

    Raises:
        RefusedError: a row of it is damaged, or somebody else's.
        ImportFileError: a row is of a later schema version. In either case nothing was stored.
    """
    for one in MEMBERS:
        for row in intact_rows(bundle, one):
            if row.value["reviewer"]["id"] != bundle.manifest["reviewer"]["id"]:
                raise RefusedError(f"{one.member}, line {row.line}: it is by another reviewer than the bundle")
    tally = Tally(bundle.path, "returned bundle")
    for one in MEMBERS:
        for rows in chunks(intact_rows(bundle, one), characters=lambda row: len(str(row.value))):
            tally.read += len(rows)
            _put_all(ws, one.kind, rows, tally)
            if on_progress is not None:
                on_progress(tally.seen)
    queue, reviewer = bundle.manifest["queue"], bundle.manifest["reviewer"]
    verdicts = bundle.manifest["members"][shape.VERDICTS]["rows"]
    of_share = (queue["id"], reviewer["id"], bundle.path.name, sha256_of(bundle.path), verdicts)
    bundles.note(ws, BundleDirection.RETURNED, *of_share)
    return tally.report()


def intact_rows(bundle: Bundle, one: Returned) -> Iterator[Row]:
    """The rows of a member, each of which is intact.

    Raises:
        RefusedError: one isn't.
        ImportFileError: one is of a later schema version.
    """
    for line, value in bundle.rows_of(one.member):
        try:
            one.kind.verify(value)
        except NewerRecordError as error:
            raise ImportFileError(
                f"{bundle.path}, {one.member}, line {line}: {error.message}.",
                hint="Nothing of the bundle was taken in. Take it in with a newer uq-tui.",
            ) from error
        except BadRecordError as error:
            raise RefusedError(f"{one.member}, line {line}: {error.message}") from error
        yield Row(line, value, "")


def _put_all(ws: Workspace, kind: Kind, rows: list[Row], tally: Tally) -> None:
    def put_each(conn: Connection) -> list[Taken | BadRecordError]:
        return [_put(conn, kind, row) for row in rows]

    for row, result in zip(rows, ws.write(put_each), strict=True):
        if isinstance(result, BadRecordError):
            tally.reject(row.line, result.message)
        else:
            tally.take(result, kind.noun)


def _put(conn: Connection, kind: Kind, row: Row) -> Taken | BadRecordError:
    try:
        return kind.put(conn, row.value)
    except BadRecordError as error:
        return error
