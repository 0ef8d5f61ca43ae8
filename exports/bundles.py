"""Bundles: zip archives that take a share of a queue to a reviewer elsewhere, and what they said back.

The format is described in `store.bundle_shape`. The same content gives the same bytes.
"""

import hashlib
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any
from zipfile import LargeZipFile

from exports.atomic import no_room_aside, publish, staged
from exports.bundle_parts import (
    Share,
    candidate_rows,
    item_rows,
    question_rows,
    returned_manifest,
    work_manifest,
)
from exports.plain_zip import Part, write_zip
from exports.rows import PLAIN, Manner, stopped
from store import bundle_shape as shape
from store import bundles
from store.frozen_rows import canonical_json
from store.review_rows import Queue
from store.rows import Reviewer
from store.withheld import NOTHING, Withheld
from store.workspace import Workspace
from uq_tui.errors import ExportError
from uq_tui.text import counted


@dataclass(frozen=True, slots=True)
class BundleReport:
    """What was written. `sha256` is of the whole file."""

    path: Path
    rows: Mapping[str, int]
    """By member."""
    sha256: str


def write_work(ws: Workspace, share: Share, path: Path, manner: Manner = PLAIN) -> BundleReport:
    """Write a reviewer's share of a queue. It appears whole, in place of an earlier file, or not at all.

    Raises:
        ExportError: it can't be written, a text of it is too long for a bundle, or it was cancelled.
    """
    return _write(
        path,
        work_manifest(share),
        {
            shape.QUESTIONS: map(canonical_json, question_rows(ws, share.question_ids)),
            shape.CANDIDATES: map(canonical_json, candidate_rows(ws, share)),
            shape.ITEMS: map(canonical_json, item_rows(share)),
        },
        manner,
    )


def write_returned(
    ws: Workspace, queue: Queue, reviewer: Reviewer, path: Path, *, without: Withheld = NOTHING
) -> BundleReport:
    """Write what a reviewer has said of their share of a queue: all revisions of their verdicts, verbatim as they were
    frozen, and their statements apart from scratch notes.

    Rows `without` are left out. It appears whole, in place of an earlier file, or not at all. Raises ExportError.
    """
    return _write(
        path,
        returned_manifest(queue, reviewer),
        {
            shape.VERDICTS: bundles.verdict_lines(ws, queue.id, reviewer.id, without),
            shape.STATEMENTS: bundles.statement_lines(ws, queue.id, reviewer.id, without),
        },
    )


@dataclass(slots=True)
class _Writing:
    """A bundle that is being written."""

    path: Path
    manner: Manner
    rows: int = 0

    def go_on(self) -> None:
        """Raises ExportError: it is cancelled."""
        if self.manner.is_cancelled():
            raise stopped(self.path)

    def counted(self, lines: Iterable[str]) -> Iterator[str]:
        """The lines, while they are counted and it goes on."""
        for line in lines:
            self.go_on()
            yield line
            self.rows += 1
            self.manner.on_progress(self.rows)


def _write(
    path: Path, manifest: Mapping[str, Any], members: Mapping[str, Iterable[str]], manner: Manner = PLAIN
) -> BundleReport:
    writing = _Writing(path, manner)
    try:
        with ExitStack() as opened, staged(path) as out:
            described, parts = {}, []
            for name, lines in members.items():
                file = opened.enter_context(tempfile.TemporaryFile())
                described[name] = _write_lines(file, writing.counted(lines), path)
                parts.append(Part(name, file))
            head = canonical_json({**manifest, "members": described}).encode() + b"\n"
            if len(head) > shape.MOST_MANIFEST_BYTES:
                raise ExportError(f"{path} can't be written: the guideline of its queue is too long for a bundle.")
            first = opened.enter_context(tempfile.TemporaryFile())
            first.write(head)
            sha256 = write_zip(out, [Part(shape.MANIFEST, first), *parts], writing.go_on)
            publish(out)
    except LargeZipFile as error:
        raise ExportError(
            f"{path} can't be written: it would hold more than 2 GiB.", hint="Divide the work."
        ) from error
    except OSError as error:  # of temporary files: `staged` tells of its own
        raise no_room_aside(path, error) from error
    return BundleReport(path, {name: told["rows"] for name, told in described.items()}, sha256)


def _write_lines(file: IO[bytes], lines: Iterable[str], path: Path) -> dict[str, Any]:
    """Write rows, and describe the member as the manifest does."""
    digest, rows, size = hashlib.sha256(), 0, 0
    for line in lines:
        data = line.encode() + b"\n"
        if len(data) > shape.MOST_LINE_BYTES:
            most = counted(shape.MOST_LINE_BYTES // 2**20, "MiB", "MiB")
            raise ExportError(f"{path} can't be written: one of its texts has more than {most}.")
        file.write(data)
        digest.update(data)
        rows, size = rows + 1, size + len(data)
    return {"rows": rows, "bytes": size, "sha256": digest.hexdigest()}
