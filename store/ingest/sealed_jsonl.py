"""Files of sealed rows: a union of what is stored and what is in the file, by row and revision."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Connection

from store.frozen_rows import BadRecordError, NewerRecordError
from store.ingest.files import open_unpacked
from store.ingest.jsonl import Row, read_rows
from store.ingest.report import OnProgress, Tally, chunks
from store.intake import Taken
from store.manifest import read_manifest
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.errors import ImportFileError
from uq_tui.text import counted


class Kind(NamedTuple):
    """What a file holds, and how its rows are checked and stored."""

    noun: str
    """In the plural, as reports name it."""
    verify: Callable[[Mapping[str, Any]], None]
    """Raises BadRecordError for a row that isn't intact."""
    put: Callable[[Connection, Mapping[str, Any]], Taken]
    """Stores an intact one. Raises BadRecordError where the workspace contradicts it."""


class _Survey(NamedTuple):
    intact: int
    sha256: str
    """Of the whole file, unpacked."""


def import_sealed(ws: Workspace, path: Path, kind: Kind, on_progress: OnProgress | None) -> ImportReport:
    """Take in a file of sealed rows. What is stored stays: importing again, or in another order, changes nothing.

    A row that is damaged, or whose revision is stored with other content, is rejected with its line and the
    reason; the rows around it are kept. Rows on unknown candidates are kept with a stub of the candidate.
    A file that is shorter than the manifest beside it is taken in and noted as incomplete.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it can't be read, or has rows of a later schema version; nothing is stored then.
    """
    survey = _survey(path, kind)
    tally = Tally(path, kind.noun)
    for rows in chunks(_intact_rows(path, kind, tally), characters=lambda row: len(str(row.value))):
        _put_all(ws, kind, rows, tally)
        if on_progress is not None:
            on_progress(tally.seen)
    _note_manifest(path, survey, tally)
    return tally.report()


def _survey(path: Path, kind: Kind) -> _Survey:
    intact = 0
    for row in read_rows(path):
        try:
            _verify(row, kind)
            intact += 1
        except NewerRecordError as error:
            raise ImportFileError(
                f"{path}, line {row.line}: {error.message}.",
                hint="Nothing of the file was imported. Import it with a newer uq-tui.",
            ) from error
        except BadRecordError:
            continue  # said with its reason when the rows are stored
    with open_unpacked(path) as file:
        return _Survey(intact, hashlib.file_digest(file, "sha256").hexdigest())


def _verify(row: Row, kind: Kind) -> None:
    if row.problem:
        raise BadRecordError(row.problem)
    kind.verify(row.value)


def _intact_rows(path: Path, kind: Kind, tally: Tally) -> Iterator[Row]:
    for row in read_rows(path):
        tally.read += 1
        try:
            _verify(row, kind)
        except BadRecordError as error:
            tally.reject(row.line, error.message)
        else:
            yield row


def _put_all(ws: Workspace, kind: Kind, rows: Sequence[Row], tally: Tally) -> None:
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


def _note_manifest(path: Path, survey: _Survey, tally: Tally) -> None:
    try:
        manifest = read_manifest(path)
    except ValueError as error:
        tally.note(f"{error}: whether the file is complete can't be told.")
        return
    if manifest is None or manifest.sha256 == survey.sha256:
        return
    if survey.intact < manifest.rows:
        tally.note(
            f"Incomplete: the manifest names {counted(manifest.rows, 'row')}, the file has {survey.intact:,} intact."
        )
    else:
        tally.note("The file is not the one its manifest describes: it was changed after it was exported.")
