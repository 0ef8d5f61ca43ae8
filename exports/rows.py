"""Sealed rows as JSONL: one revision a line, verbatim as it was frozen, with a manifest beside the file."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from exports.atomic import publish, staged
from store.manifest import Manifest, manifest_bytes, manifest_path


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written. `sha256` is of the whole file."""

    path: Path
    rows: int
    sha256: str


def export_rows(path: Path, records: Iterable[str], schema_version: int) -> ExportReport:
    """Write rows to `path` and a manifest beside it.

    The same rows give the same bytes. Both files appear whole, in place of earlier ones, or not at all.

    Raises:
        ExportError: they can't be written; earlier files are as they were.
    """
    digest = hashlib.sha256()
    rows = 0
    with staged(path) as file, staged(manifest_path(path)) as beside:
        for record in records:
            line = record.encode() + b"\n"
            file.write(line)
            digest.update(line)
            rows += 1
        beside.write(manifest_bytes(Manifest(path.name, rows, schema_version, digest.hexdigest())))
        publish(file, beside)
    return ExportReport(path, rows, digest.hexdigest())
