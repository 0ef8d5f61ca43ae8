"""Verdicts as JSONL: one revision a line, verbatim as it was frozen, with a manifest beside the file."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

from exports.atomic import publish, staged
from store import verdicts
from store.manifest import Manifest, manifest_bytes, manifest_path
from store.verdict_shape import SCHEMA_VERSION
from store.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written. `sha256` is of the whole file."""

    path: Path
    rows: int
    sha256: str


def export_verdicts(ws: Workspace, path: Path, *, reviewer_id: str = "") -> ExportReport:
    """Write all verdict revisions, or those of one reviewer, to `path` and a manifest beside it.

    The same verdicts give the same bytes. Both files appear whole, in place of earlier ones, or not at all.

    Raises:
        ExportError: they can't be written; earlier files are as they were.
    """
    digest = hashlib.sha256()
    rows = 0
    with staged(path) as file, staged(manifest_path(path)) as beside:
        for record in verdicts.records(ws, reviewer_id=reviewer_id):
            line = record.encode() + b"\n"
            file.write(line)
            digest.update(line)
            rows += 1
        beside.write(manifest_bytes(Manifest(path.name, rows, SCHEMA_VERSION, digest.hexdigest())))
        publish(file, beside)
    return ExportReport(path, rows, digest.hexdigest())
