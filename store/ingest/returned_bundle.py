"""What came back in a bundle: verdicts and statements, merged into the workspace as files of them are."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from store import bundle_shape as shape
from store import bundles, shares
from store.frozen_rows import BadRecordError, NewerRecordError
from store.ingest.bundle_file import Bundle, sha256_of
from store.ingest.report import OnProgress
from store.ingest.sealed_jsonl import merge_lines
from store.ingest.sealed_lines import Draft, intact
from store.ingest.strict_zip import RefusedError
from store.merging import Incoming
from store.rows import ImportReport
from store.sealed_kinds import STATEMENT, VERDICT
from store.workspace import Workspace
from uq_tui.errors import ImportFileError
from uq_tui.text import counted
from uq_tui.words import BundleDirection

RETURNED = "returned bundle"
"""The format, as reports name it."""
MEMBERS = {shape.VERDICTS: VERDICT, shape.STATEMENTS: STATEMENT}
"""The members of a returned bundle, and what their rows are."""


def take_returned(ws: Workspace, bundle: Bundle, on_progress: OnProgress | None) -> ImportReport:
    """Take in what came back in an open bundle. Taking it in again, or in another order, changes nothing.

    Raises:
        RefusedError: a row of it is damaged, or somebody else's.
        ImportFileError: a row is of a later schema version. In either case nothing was stored.
    """
    for member in MEMBERS:
        for row in intact_rows(bundle, member):
            if row.record["reviewer"]["id"] != bundle.manifest["reviewer"]["id"]:
                raise RefusedError(f"{member}, line {row.number}: it is by another reviewer than the bundle")
    rows = (row for member in MEMBERS for row in intact_rows(bundle, member))
    report = merge_lines(ws, bundle.path, RETURNED, rows, on_progress)
    queue, reviewer = bundle.manifest["queue"], bundle.manifest["reviewer"]
    verdicts = bundle.manifest["members"][shape.VERDICTS]["rows"]
    of_share = (queue["id"], reviewer["id"], bundle.path.name, sha256_of(bundle.path), verdicts)
    bundles.note(ws, BundleDirection.RETURNED, *of_share)
    return replace(report, notes=(*report.notes, *_how_far(ws, queue, reviewer)))


def _how_far(ws: Workspace, queue: Mapping[str, Any], reviewer: Mapping[str, Any]) -> Iterator[str]:
    """How much of the share has come back by now, where the queue is here."""
    for share in shares.status(ws, queue["id"]):
        if share.reviewer_id == reviewer["id"]:
            back = f"{share.returned:,} of {counted(share.items, 'item')} back"
            yield f"“{queue['name']}”, share of {reviewer['handle']}: {back}."


def intact_rows(bundle: Bundle, member: str) -> Iterator[Incoming]:
    """The rows of a member, each of which is intact.

    Raises:
        RefusedError: one isn't, or was not given yet.
        ImportFileError: one is of a later schema version.
    """
    for line, value in bundle.rows_of(member):
        try:
            row = intact(value, str(bundle.path), line)
        except NewerRecordError as error:
            raise ImportFileError(
                f"{bundle.path}, {member}, line {line}: {error.message}.",
                hint="Nothing of the bundle was taken in. Take it in with a newer uq-tui.",
            ) from error
        except BadRecordError as error:
            raise RefusedError(f"{member}, line {line}: {error.message}") from error
        if isinstance(row, Draft) or row.kind is not MEMBERS[member]:
            raise RefusedError(f"{member}, line {line}: it is none of the {MEMBERS[member].noun} that were given")
        yield row
