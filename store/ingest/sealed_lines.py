"""Lines of files of sealed rows: each an intact row with its kind, or what goes into quarantine."""

import codecs
import hashlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from store import (
    evidence_records,
    evidence_shape,
    quarantine_record,
    statement_record,
    statement_shape,
    verdict_record,
    verdict_shape,
)
from store.frozen_rows import BadRecordError, canonical_json
from store.ingest.files import open_unpacked
from store.ingest.jsonl import LINE_LIMIT, is_lines, read_rows
from store.ingest.packing import PackingError
from store.ingest.strict_json import StrictDecoder
from store.merging import Incoming
from store.quarantine import KEPT_OF_DAMAGED, Quarantined, cut, damaged
from store.sealed_kinds import EVIDENCE, KINDS, STATEMENT, VERDICT
from uq_tui.errors import ImportFileError
from uq_tui.words import VerdictStatus

_PEEKED = 1 << 16
_VERIFY: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    VERDICT.name: verdict_record.verify,
    STATEMENT.name: statement_record.verify,
    EVIDENCE.name: evidence_records.verify,
}
_VERSIONS = {
    VERDICT.name: verdict_shape.SCHEMA_VERSION,
    STATEMENT.name: statement_shape.SCHEMA_VERSION,
    EVIDENCE.name: evidence_shape.SCHEMA_VERSION,
    quarantine_record.RECORD: quarantine_record.SCHEMA_VERSION,
}
_NEWEST = max(_VERSIONS.values())
_KNOWN = re.compile(
    "|".join(rf'\{{"schema_version":{version},"record":"{name}",' for name, version in _VERSIONS.items()).encode()
)
"""How a line begins that is written as ours are, of a version that is known."""
_OTHER = f"it is no row of a kind that is merged: {', '.join(KINDS)}"


class Draft(NamedTuple):
    """A row of a verdict or statement that was not given yet; no workspace holds such."""

    number: int


def checked_sha256(path: Path) -> str:
    """The hash of a file, unpacked, all of whose rows are of versions that are known.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it can't be read, or has rows of a later schema version.
    """
    decoder = StrictDecoder()
    digest = hashlib.sha256()
    with open_unpacked(path) as file:
        lines = is_lines(file.peek(_PEEKED))
        try:
            for number, raw in _raw_lines(file) if lines else ():
                digest.update(raw)
                if _KNOWN.match(raw) is None:
                    _require_known(path, number, decoder.decode(raw.decode("utf-8", "replace"))[0])
        except PackingError:
            return ""  # said when the rows are read
    if lines:
        return digest.hexdigest()
    for row in read_rows(path):
        _require_known(path, row.line, row.value)
    with open_unpacked(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _require_known(path: Path, number: int, value: Mapping[str, Any]) -> None:
    version, known = value.get("schema_version"), _VERSIONS.get(str(value.get("record")), _NEWEST)
    if type(version) is int and version > known:
        raise ImportFileError(
            f"{path}, line {number}: it has schema version {version}; this uq-tui reads up to {known}.",
            hint="Nothing of the file was imported. Import it with a newer uq-tui.",
        )


def read_sealed(path: Path) -> Iterator[Incoming | Quarantined | Draft]:
    """What the lines of a file are, in order; blank ones are left out.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it can't be read.
    """
    name = str(path)
    with open_unpacked(path) as file:
        if not is_lines(file.peek(_PEEKED)):
            for row in read_rows(path):
                stands_for = canonical_json(row.value) if row.value else f"{path.name}:{row.line}: {row.problem}"
                yield _told(row.value, row.problem, stands_for.encode(), name, row.line)
            return
        decoder = StrictDecoder()
        number = 0
        try:
            for number, data in _raw_lines(file):
                raw = data.removeprefix(codecs.BOM_UTF8) if number == 1 else data
                if raw.strip(b" \t\r\n"):
                    yield read_line(raw, name, number, decoder)
        except PackingError as error:
            yield damaged(f"{path.name} breaks off".encode(), f"the file breaks off: {error}", name, number + 1)


def read_line(raw: bytes, file: str, number: int, decoder: StrictDecoder) -> Incoming | Quarantined | Draft:
    """What one line is: a row, or one that was in quarantine elsewhere; `file` and `number` say where it stands."""
    value, problem = _decoded(raw, decoder)
    return _told(value, problem, raw.rstrip(b"\r\n"), file, number)


def _told(value: Mapping[str, Any], problem: str, raw: bytes, file: str, number: int) -> Incoming | Quarantined | Draft:
    try:
        if problem:
            raise BadRecordError(problem)
        if value.get("record") == quarantine_record.RECORD:
            quarantine_record.verify(value)
            return _again(value, file, number)
        return intact(value, file, number)
    except BadRecordError as error:
        return damaged(raw, error.message, file, number)


def _again(kept: Mapping[str, Any], file: str, number: int) -> Incoming | Quarantined | Draft:
    """A line that was in quarantine elsewhere, looked at anew where all of it was kept.

    Raises:
        BadRecordError: it was never in quarantine as it is.
    """
    try:
        raw = kept["line"].encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise BadRecordError("`line` holds what no line can") from None
    if hashlib.sha256(raw).hexdigest() == kept["line_sha256"]:
        line = read_line(raw, file, number, StrictDecoder())
        return replace(line, detail=kept["detail"]) if isinstance(line, Quarantined) else line
    if len(raw) != KEPT_OF_DAMAGED:
        raise BadRecordError(
            "`line` is neither the line that `line_sha256` is of, nor the beginning that is kept of one"
        )
    return cut(raw, kept["line_sha256"], kept["detail"], file, number)


def intact(value: Mapping[str, Any], file: str, number: int) -> Incoming | Draft:
    """The row that strict JSON holds; `file` and `number` say where it stands.

    Raises:
        NewerRecordError: it has a later schema version.
        BadRecordError: it is no intact row of a kind that is merged.
    """
    kind = value.get("record")
    if not isinstance(kind, str) or kind not in KINDS:
        raise BadRecordError(_OTHER)
    line = _VERIFY[kind](value)
    if value.get("status") == VerdictStatus.DRAFT:
        return Draft(number)
    return Incoming(KINDS[kind], value, line, file, number)


def _raw_lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    number = 0
    while data := file.readline(LINE_LIMIT + 1):
        number += 1
        yield number, data
        while len(data) > LINE_LIMIT and not data.endswith(b"\n"):
            data = file.readline(LINE_LIMIT + 1)


def _decoded(raw: bytes, decoder: StrictDecoder) -> tuple[dict[str, Any], str]:
    if len(raw) > LINE_LIMIT:
        return {}, f"the line is longer than {LINE_LIMIT // 2**20} MiB"
    try:
        return decoder.decode(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return {}, f"the line is not UTF-8 text (byte {error.start + 1})"
