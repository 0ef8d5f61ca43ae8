"""Verdict rows as Parquet, a row for each revision: every key a typed column, and the row itself as its line of JSON.

Objects are structs and lists of them lists of structs, so that DuckDB, pandas and Polars query them as they are;
`extra` is JSON text, since its keys differ. What a row of an earlier version lacks is null, and so is a number beyond
64 bits. NUL and halves of surrogate pairs, which readers refuse, are U+FFFD in these columns. The last column,
`sealed_row`, has the line unchanged: that is what `uq-tui import` takes.
"""

import json
import re
import tempfile
from collections import Counter
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Any

from exports.atomic import publish, staged
from exports.written import Job, Losses, OtherFormat, Written
from store.frozen_rows import canonical_json
from store.ingest.parquet_rows import SEALED_ROW, no_surroundings, quoted, said
from store.record_shape import Later
from store.verdict_shape import SHAPE
from uq_tui.errors import ExportError

_UNREADABLE = re.compile("[\0\ud800-\udfff]")
_ROWS_OF_A_GROUP = 2048
"""Evidence makes rows large, and readers unpack a group as a whole."""
_LARGEST = 2**63
_BLOCK = 1024 * 1024
_LONGEST_LINE = 256 * 1024 * 1024

LOSSES = Losses("verdict rows")


def write_parquet(job: Job) -> Written:
    """Write all revisions, in the order of their rows. The same rows give the same bytes.

    Raises:
        ExportError: they can't be written; an earlier file is as it was.
    """
    import duckdb

    with staged(job.path) as file, tempfile.TemporaryDirectory(prefix=".uq-tui-", dir=job.path.parent) as folder:
        lines, made = Path(folder) / "rows.jsonl", Path(folder) / "rows.parquet"
        try:
            rows = _write_lines(lines, job)
            _convert(lines, made)
            with made.open("rb") as source:
                while block := source.read(_BLOCK):
                    file.write(block)
        except (duckdb.Error, OSError) as error:
            cause = error.strerror if isinstance(error, OSError) and error.strerror else said(error)
            raise ExportError(
                f"{job.path} can't be written: {cause}.",
                hint="A file of that name is as it was. Make room or name another folder, then export again.",
            ) from error
        publish(file)
    return Written(job.path, rows, Counter())


def _write_lines(path: Path, job: Job) -> int:
    rows = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for line in job.watched(job.lines):
            row = json.loads(line)
            fitted = {key: _fitted(row.get(key), kind) for key, kind in SHAPE.items()}
            file.write(canonical_json({**fitted, SEALED_ROW: line}) + "\n")
            rows += 1
    return rows


def _fitted(value: Any, kind: Any) -> Any:
    """A value of a row as its column holds it."""
    inner = kind.shape if isinstance(kind, Later) else kind
    inner = inner[0] if isinstance(inner, tuple) else inner
    if value is None:
        return None
    if isinstance(inner, Mapping):
        return {key: _fitted(value.get(key), part) for key, part in inner.items()}
    if isinstance(inner, list):
        return [_fitted(one, inner[0]) for one in value]
    if inner is dict:
        return _plain(canonical_json(value))
    if inner is int:
        return value if -_LARGEST <= value < _LARGEST else None
    return _plain(value) if isinstance(value, str) else value


def _plain(text: str) -> str:
    return _UNREADABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def _convert(lines: Path, made: Path) -> None:
    """Have DuckDB write the lines as Parquet."""
    columns = ", ".join(f"{quoted(name)}: {quoted(kind)}" for name, kind in _COLUMNS.items())
    options = f"format = 'newline_delimited', maximum_object_size = {_LONGEST_LINE}, columns = {{{columns}}}"
    with no_surroundings(lines, made) as db:
        db.execute(
            f"COPY (SELECT * FROM read_json({quoted(str(lines))}, {options})) TO {quoted(str(made))}"
            f" (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE {_ROWS_OF_A_GROUP})"
        )


def _type(kind: Any) -> str:
    """The type of a column in DuckDB's words."""
    inner = kind.shape if isinstance(kind, Later) else kind
    inner = inner[0] if isinstance(inner, tuple) else inner
    if isinstance(inner, Mapping):
        return f"STRUCT({', '.join(f'{_name(key)} {_type(part)}' for key, part in inner.items())})"
    if isinstance(inner, list):
        return f"{_type(inner[0])}[]"
    if inner is dict or issubclass(inner, StrEnum):
        return "VARCHAR"
    return {str: "VARCHAR", int: "BIGINT", float: "DOUBLE", bool: "BOOLEAN"}[inner]


def _name(key: str) -> str:
    return f'"{key}"'


_COLUMNS: Mapping[str, str] = {**{key: _type(kind) for key, kind in SHAPE.items()}, SEALED_ROW: "VARCHAR"}

PARQUET = OtherFormat(
    name="parquet",
    noun="row",
    suffix=".parquet",
    about="verdict rows in typed columns, with each row whole beside them",
    write=write_parquet,
    losses=LOSSES,
    has_texts=False,
)
