"""Verdict files: a union of what is stored and what is in the file, by verdict and revision."""

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection

from store.frozen_rows import BadRecordError, NewerRecordError
from store.ingest.files import open_unpacked
from store.ingest.jsonl import Row, read_rows
from store.ingest.report import OnProgress, Tally, chunks
from store.intake import Taken
from store.manifest import read_manifest
from store.rows import ImportReport
from store.verdict_record import verify
from store.verdicts import put_record
from store.workspace import Workspace
from uq_tui.errors import ImportFileError
from uq_tui.text import counted


class _Survey(NamedTuple):
    intact: int
    sha256: str
    """Of the whole file, unpacked."""


def import_verdicts(ws: Workspace, path: Path, *, on_progress: OnProgress | None = None) -> ImportReport:
    """Take in a file of verdict rows. What is stored stays: importing again, or in another order, changes nothing.

    A row that is damaged, or whose revision is stored with other content, is rejected with its line and the
    reason; the rows around it are kept. Verdicts on unknown candidates are kept with a stub of the candidate.
    A file that is shorter than the manifest beside it is taken in and noted as incomplete.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it can't be read, or has rows of a later schema version; nothing is stored then.
    """
    survey = _survey(path)
    tally = Tally(path, "verdicts")
    for rows in chunks(_intact_rows(path, tally), characters=lambda row: len(str(row.value))):
        _put_all(ws, rows, tally)
        if on_progress is not None:
            on_progress(tally.seen)
    _note_manifest(path, survey, tally)
    return tally.report()


def _survey(path: Path) -> _Survey:
    intact = 0
    for row in read_rows(path):
        try:
            _verify(row)
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


def _verify(row: Row) -> None:
    if row.problem:
        raise BadRecordError(row.problem)
    verify(row.value)


def _intact_rows(path: Path, tally: Tally) -> Iterator[Row]:
    for row in read_rows(path):
        tally.read += 1
        try:
            _verify(row)
        except BadRecordError as error:
            tally.reject(row.line, error.message)
        else:
            yield row


def _put_all(ws: Workspace, rows: Sequence[Row], tally: Tally) -> None:
    def put_each(conn: Connection) -> list[Taken | BadRecordError]:
        return [_put(conn, row) for row in rows]

    for row, result in zip(rows, ws.write(put_each), strict=True):
        if isinstance(result, BadRecordError):
            tally.reject(row.line, result.message)
        else:
            tally.take(result, "verdicts")


def _put(conn: Connection, row: Row) -> Taken | BadRecordError:
    try:
        return put_record(conn, row.value)
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
