"""Verdict files: a union of what is stored and what is in the file, by verdict and revision."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection

from store.ingest.jsonl import Row, open_unpacked, read_rows
from store.manifest import read_manifest
from store.rows import ImportReport, RejectedRow
from store.verdict_record import BadRecordError, NewerRecordError, verify
from store.verdicts import Put, put_record
from store.workspace import Workspace
from uq_tui.errors import ImportFileError

_ROWS_A_WRITE = 25
"""So few that a write ends within about 50 ms."""

_MOST_REJECTED = 200
"""Rejected rows a report names; the others are counted."""


class _Survey(NamedTuple):
    rows: int
    intact: int
    sha256: str
    """Of the whole file, unpacked."""


@dataclass
class _Tally:
    file: str
    dealt_with: int = 0
    put: dict[Put, int] = field(default_factory=lambda: dict.fromkeys(Put, 0))
    rejected: list[RejectedRow] = field(default_factory=list)
    rejected_total: int = 0

    def reject(self, line: int, reason: str) -> None:
        self.rejected_total += 1
        if len(self.rejected) < _MOST_REJECTED:
            self.rejected.append(RejectedRow(self.file, line, reason))


def import_verdicts(ws: Workspace, path: Path, *, on_progress: Callable[[int], None] | None = None) -> ImportReport:
    """Take in a file of verdict rows. What is stored stays: importing again, or in another order, changes nothing.

    A row that is damaged, or whose revision is stored with other content, is rejected with its line and the
    reason; the rows around it are kept. Verdicts on unknown candidates are kept with a stub of the candidate.
    `on_progress` is told how many rows have been dealt with.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it can't be read, or has rows of a later schema version; nothing is stored then.
    """
    survey = _survey(path)
    tally = _Tally(str(path))
    for rows in _intact_rows(path, tally):
        _put_all(ws, rows, tally)
        if on_progress is not None:
            on_progress(tally.dealt_with)
    return ImportReport(
        file=str(path),
        format="verdicts",
        read=survey.rows,
        new=tally.put[Put.NEW],
        changed=0,
        same=tally.put[Put.SAME],
        passed_over=0,
        rejected=tuple(tally.rejected),
        rejected_total=tally.rejected_total,
        counts={"verdicts": tally.put[Put.NEW]},
        notes=_notes(path, survey),
    )


def _survey(path: Path) -> _Survey:
    rows = damaged = 0
    for row in read_rows(path):
        rows += 1
        try:
            _verify(row)
        except NewerRecordError as error:
            raise ImportFileError(
                f"{path}, line {row.line}: {error.message}.",
                hint="Nothing of the file was imported. Import it with a newer uq-tui.",
            ) from error
        except BadRecordError:
            damaged += 1  # said with its reason when the rows are stored
    with open_unpacked(path) as file:
        return _Survey(rows, rows - damaged, hashlib.file_digest(file, "sha256").hexdigest())


def _verify(row: Row) -> None:
    if row.problem:
        raise BadRecordError(row.problem)
    verify(row.value)


def _intact_rows(path: Path, tally: _Tally) -> Iterator[list[Row]]:
    intact: list[Row] = []
    for row in read_rows(path):
        tally.dealt_with += 1
        try:
            _verify(row)
            intact.append(row)
        except BadRecordError as error:
            tally.reject(row.line, error.message)
        if len(intact) == _ROWS_A_WRITE:
            yield intact
            intact = []
    yield intact


def _put_all(ws: Workspace, rows: Sequence[Row], tally: _Tally) -> None:
    def put_each(conn: Connection) -> list[Put | BadRecordError]:
        return [_put(conn, row) for row in rows]

    for row, result in zip(rows, ws.write(put_each), strict=True):
        if isinstance(result, BadRecordError):
            tally.reject(row.line, result.message)
        elif result is Put.CONFLICT:
            name = f"{row.value['verdict_id']}#{row.value['revision']}"
            tally.reject(row.line, f"conflict: {name} is stored with other content, which was kept")
        else:
            tally.put[result] += 1


def _put(conn: Connection, row: Row) -> Put | BadRecordError:
    try:
        return put_record(conn, row.value)
    except BadRecordError as error:
        return error


def _notes(path: Path, survey: _Survey) -> tuple[str, ...]:
    try:
        manifest = read_manifest(path)
    except ValueError as error:
        return (f"{error}: whether the file is complete can't be told.",)
    if manifest is None or manifest.sha256 == survey.sha256:
        return ()
    if survey.intact < manifest.rows:
        return (f"Incomplete: the manifest names {manifest.rows:,} rows, the file has {survey.intact:,} intact ones.",)
    return ("The file is not the one its manifest describes: it was changed after it was exported.",)
