"""The row that takes a line in quarantine to another file or workspace, where it is looked at again."""

from collections.abc import Iterator, Mapping
from typing import Any

from store.frozen_rows import sealed, verify_row
from store.quarantine import Quarantined, sha256_of
from store.record_shape import HASH_KEY, SHA256, is_text, misfits
from uq_tui.words import QuarantineReason

SCHEMA_VERSION = 1
RECORD = "quarantine"

SHAPE: Mapping[str, Any] = {
    "schema_version": int,
    "record": str,
    "reason": QuarantineReason,
    "detail": str,
    "line_sha256": str,
    "line": str,
    HASH_KEY: str,
}
"""Read as `store.record_shape` says. Where a line came from stays behind: it would depend on the order of files."""


def build(line: Quarantined) -> str:
    """The sealed row."""
    return sealed(
        {
            "schema_version": SCHEMA_VERSION,
            "record": RECORD,
            "reason": line.reason.value,
            "detail": line.detail,
            "line_sha256": sha256_of(line),
            "line": line.line,
        }
    )


def problems(record: Mapping[str, Any]) -> Iterator[str]:
    """What keeps a parsed row from being a version 1 quarantine row, hash apart; nothing when it is one."""
    yield from misfits(record, SHAPE)
    if record.get("reason") == "":
        yield "`reason` is empty"
    if not is_text(record.get("line_sha256"), SHA256):
        yield "`line_sha256` is not 64 hexadecimal digits"


def verify(record: Mapping[str, Any]) -> str:
    """Make sure that a row read from strict JSON is an intact quarantine row of a version we know; its sealed line.

    Raises:
        NewerRecordError: the row has a later schema version.
        BadRecordError: it isn't such a row, a key is missing or has another type, or the hash doesn't fit.
    """
    return verify_row(record, RECORD, SCHEMA_VERSION, problems)
