"""Files of sealed rows: verdicts, statements, evidence, rows in quarantine elsewhere, also side by side in one file.

They are merged: whatever order rows and files come in, the same rows count in the end, and the same are in quarantine.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from sqlalchemy import Connection

from store import quarantine
from store.ingest.report import OnProgress, Tally
from store.ingest.sealed_lines import Draft, checked_sha256, read_sealed
from store.ingest.turns import write_in_turns
from store.intake import Taken
from store.manifest import read_manifest
from store.merging import Incoming, Merged, merge
from store.quarantine import Quarantined
from store.rows import ImportReport, Merging
from store.workspace import Workspace
from uq_tui.text import counted
from uq_tui.words import QuarantineReason

QUARANTINE = "rows in quarantine"
"""The name of the format in which merging writes what doesn't count."""
_Lines = Sequence[Incoming | Quarantined | Draft]
_LEAST_CHARACTERS = 200_000
"""Of a turn: all rows here of a verdict in dispute are read in each, so that many short ones would take for ever."""


def import_sealed(ws: Workspace, path: Path, noun: str, on_progress: OnProgress | None = None) -> ImportReport:
    """Merge a file into the workspace, as `store.merging.merge` does. Importing again changes nothing.

    A row that is damaged, or contradicts what is known, goes into quarantine and is reported with its line and the
    reason; so are all that it contradicts. Rows on unknown candidates are kept with a stub of the candidate. A file
    that is shorter than the manifest beside it is taken in and noted as incomplete. Drafts are passed over.

    Args:
        ws: where to.
        path: the file.
        noun: what it is said to hold, in the plural.
        on_progress: called now and then.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it can't be read, or has rows of a later schema version; nothing is stored then.
        StoreError: the workspace can't be written.
    """
    sha256 = checked_sha256(path)
    return merge_lines(ws, path, noun, read_sealed(path), on_progress, partial(_note_manifest, path, sha256))


def merge_lines(
    ws: Workspace,
    path: Path,
    noun: str,
    lines: Iterable[Incoming | Quarantined | Draft],
    on_progress: OnProgress | None = None,
    at_end: Callable[[Tally], None] = lambda tally: None,
) -> ImportReport:
    """Merge rows that were read from a file, as `import_sealed` does; `at_end` may note something more."""
    tally = Tally(path, noun)

    def done(written: _Lines, merged: Merged) -> None:
        _account(tally, written, merged)
        tell()

    def tell() -> None:
        if on_progress is not None:
            on_progress(tally.seen)

    write_in_turns(ws, lines, _store, done, _characters, _LEAST_CHARACTERS)
    tell()
    at_end(tally)
    _note_changes(tally)
    return tally.report()


def _characters(line: Incoming | Quarantined | Draft) -> int:
    return 0 if isinstance(line, Draft) else len(line.line)


def _store(conn: Connection, lines: _Lines) -> Merged:
    quarantine.put(conn, (line for line in lines if isinstance(line, Quarantined)))
    return merge(conn, [line for line in lines if isinstance(line, Incoming)])


def _account(tally: Tally, lines: _Lines, merged: Merged) -> None:
    results = iter(merged.results)
    for line in lines:
        if isinstance(line, Draft):
            tally.passed_over += 1
            tally.merged[Merging.DRAFTS] += 1
            continue
        tally.read += 1
        if isinstance(line, Quarantined):
            tally.merged[Merging(line.reason.value)] += 1
            tally.reject(line.line_number, f"{line.reason}: {line.detail}")
            continue
        result = next(results)
        if isinstance(result, Taken):
            tally.take(result, line.kind.noun)
        else:
            tally.merged[Merging(result.partition(":")[0])] += 1
            tally.reject(line.number, result)
    touched = merged.touched
    tally.merged.update(
        {
            Merging.SUPERSEDED: merged.superseded,
            Merging.STUBS: touched.stubs,
            Merging.WITHDRAWN: touched.withdrawn,
            Merging.RELEASED: touched.released,
        }
    )


def _note_changes(tally: Tally) -> None:
    drafts, withdrawn = tally.merged[Merging.DRAFTS], tally.merged[Merging.WITHDRAWN]
    if drafts:
        tally.note(f"Passed over: {counted(drafts, 'draft')}, which nobody has given yet.")
    if withdrawn:
        tally.note(f"Of the rows here {withdrawn:,} went into quarantine, since this file contradicts them.")
    if released := tally.merged[Merging.RELEASED]:
        tally.note(f"Of the rows in quarantine {released:,} count.")


def _note_manifest(path: Path, sha256: str, tally: Tally) -> None:
    try:
        manifest = read_manifest(path)
    except ValueError as error:
        tally.note(f"{error}: whether the file is complete can't be told.")
        return
    if manifest is None or manifest.sha256 == sha256:
        return
    intact = tally.seen - tally.merged[Merging(QuarantineReason.DAMAGED.value)]
    if intact < manifest.rows:
        tally.merged[Merging.INCOMPLETE] += 1
        tally.note(f"Incomplete: the manifest names {counted(manifest.rows, 'row')}, the file has {intact:,} intact.")
    else:
        tally.note("The file is not the one its manifest describes: it was changed after it was exported.")
