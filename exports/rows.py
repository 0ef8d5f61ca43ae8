"""Sealed rows as JSONL: one revision a line, verbatim as it was frozen, with a manifest beside the file."""

import hashlib
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from exports.atomic import publish, staged
from exports.signature import sign, signature_path
from store.manifest import Manifest, manifest_bytes, manifest_path
from uq_tui.errors import ExportError

AT_ONCE = 500
"""Rows between two looks at whether to go on."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How a file of rows is written."""

    key: Path | None = None
    """The SSH key that the file is signed with."""
    on_progress: Callable[[int], None] = lambda rows: None
    """Told how many rows are written."""
    is_cancelled: Callable[[], bool] = lambda: False


PLAIN = Manner()


def stopped(path: Path) -> ExportError:
    """What is raised once an export to `path` is cancelled."""
    return ExportError("The export was stopped.", hint=f"A file {path} is as it was.")


@dataclass(frozen=True, slots=True)
class ExportReport:
    """What was written. `sha256` is of the whole file."""

    path: Path
    rows: int
    sha256: str


def export_rows(path: Path, records: Iterable[str], schema_version: int, manner: Manner = PLAIN) -> ExportReport:
    """Write rows to `path` and a manifest beside it, and a signature where a key is given.

    The same rows give the same bytes. All files appear whole, in place of earlier ones, or none does.

    Raises:
        ExportError: they can't be written, or it was cancelled; earlier files are as they were.
        SignatureError: they can't be signed; likewise.
    """
    digest = hashlib.sha256()
    rows = 0
    left = iter(records)
    with ExitStack() as files:
        file, beside = (files.enter_context(staged(place)) for place in (path, manifest_path(path)))
        while chunk := list(islice(left, AT_ONCE)):
            if manner.is_cancelled():
                raise stopped(path)
            lines = "\n".join([*chunk, ""]).encode()
            file.write(lines)
            digest.update(lines)
            rows += len(chunk)
            manner.on_progress(rows)
        if manner.is_cancelled():  # also before the first row came
            raise stopped(path)
        beside.write(manifest_bytes(Manifest(path.name, rows, schema_version, digest.hexdigest())))
        signed = []
        if manner.key is not None:
            signature = files.enter_context(staged(signature_path(path)))
            with file.reader() as written:
                signature.write(sign(written, manner.key))
            signed.append(signature)
        publish(file, beside, *signed)
    return ExportReport(path, rows, digest.hexdigest())
