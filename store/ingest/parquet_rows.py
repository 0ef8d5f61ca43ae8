"""Rows of Apache Parquet files, batch by batch, as JSON has them.

DuckDB reads them, in a database without files, network or extensions, in bounded memory. Times become ISO 8601 text,
decimals numbers, bytes text; a float that is no number is what data frames write for a missing value, and becomes null.
"""

import math
import re
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import UUID

from store.ingest.json_stream import Row
from store.ingest.strict_json import StrictDecoder
from uq_tui.errors import ImportFileError, NotFoundError

if TYPE_CHECKING:
    import duckdb

SEALED_ROW = "sealed_row"
"""The last column of a file that `exports.parquet` wrote: rows as lines of JSON. The others repeat what is in them."""

_MARK = b"PAR1"
_BATCH = 256
_MEMORY = "1GB"
"""A group of rows is unpacked as a whole, and writers choose how large it is."""
_PATTERN = re.compile(r"[*?\[]")


def is_parquet(start: bytes) -> bool:
    """Whether a file that begins so is a Parquet file."""
    return start.startswith(_MARK)


def columns_of(path: Path) -> tuple[str, ...]:
    """The names of a file's columns, in order.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it is no intact Parquet file.
    """
    with _selected(path) as found:
        return tuple(str(column[0]) for column in found.description or ())


def read_parquet(path: Path) -> Iterator[Row]:
    """The rows of a file, in order; `line` is a row's number, from 1. A row that can't be read ends the file.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it is no intact Parquet file.
    """
    import duckdb

    with _selected(path) as found:
        names = [str(column[0]) for column in found.description or ()]
        decoder = StrictDecoder()
        line = 0
        while True:
            try:
                batch = found.fetchmany(_BATCH)
            except duckdb.OutOfMemoryException:
                yield Row(line + 1, {}, f"not read from here: a group of its rows takes more memory than {_MEMORY}")
                return
            except (duckdb.Error, ValueError, OverflowError) as error:
                yield Row(line + 1, {}, f"the file breaks off: its Parquet data are damaged ({said(error)})")
                return
            if not batch:
                return
            for values in batch:
                line += 1
                yield _row(line, names, values, decoder)


@contextmanager
def _selected(path: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A connection that has all rows of the file to give."""
    import duckdb

    if not path.is_file():
        raise NotFoundError(f"There is no file {path}.")
    with _plainly_named(path) as file, ExitStack() as open_until_read:
        try:
            db = open_until_read.enter_context(no_surroundings(file))
            db.execute(f"SELECT * FROM read_parquet({quoted(str(file))}, hive_partitioning = false)")
        except (duckdb.Error, UnicodeEncodeError) as error:
            raise ImportFileError(
                f"{path} is no Parquet file that can be read ({said(error)}).", hint="Get the file again."
            ) from error
        yield db


@contextmanager
def no_surroundings(*files: Path) -> "Iterator[duckdb.DuckDBPyConnection]":
    """A database in memory that reaches these files and nothing else. Raises duckdb.Error."""
    import duckdb

    settings: dict[str, Any] = {
        "threads": "1",
        "memory_limit": _MEMORY,
        "temp_directory": "",
        "autoinstall_known_extensions": "false",
        "autoload_known_extensions": "false",
        "allow_community_extensions": "false",
    }
    with duckdb.connect(":memory:", config=settings) as db:
        db.execute("SET enable_progress_bar = false")  # it would be drawn over ours, and hold all rows
        db.execute(f"SET allowed_paths = [{', '.join(quoted(str(file)) for file in files)}]")
        db.execute("SET enable_external_access = false")
        db.execute("SET lock_configuration = true")
        yield db


@contextmanager
def _plainly_named(path: Path) -> Iterator[Path]:
    """The file under a name that DuckDB doesn't take for a pattern of names."""
    path = path.absolute()
    if not _PATTERN.search(str(path)):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="uq-tui-") as folder:
        link = Path(folder) / "rows.parquet"
        link.symlink_to(path)
        yield link


def quoted(text: str) -> str:
    """A text as SQL has it."""
    return "'" + text.replace("'", "''") + "'"


def said(error: Exception) -> str:
    """What DuckDB says, without the query that it says it about."""
    return " ".join(str(error).partition("\n\nLINE ")[0].split())[:300]


def _row(line: int, names: list[str], values: tuple[Any, ...], decoder: StrictDecoder) -> Row:
    if names[-1] == SEALED_ROW and isinstance(values[-1], str):
        return Row(line, *decoder.decode(values[-1]))
    try:
        return Row(line, {name: _plain(value) for name, value in zip(names, values, strict=True)}, "")
    except ValueError as error:
        return Row(line, {}, str(error))


def _plain(value: Any) -> Any:
    """A value of DuckDB's as JSON has it. Raises ValueError: there is none."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case list() | tuple():
            return [_plain(one) for one in value]
        case dict():
            return {str(key): _plain(one) for key, one in value.items()}
        case datetime() | date() | time():
            return value.isoformat()
        case Decimal():
            whole = value == value.to_integral_value() if value.is_finite() else False
            return int(value) if whole else _plain(float(value))
        case bytes() | bytearray() | memoryview():
            try:
                return bytes(value).decode("utf-8")
            except UnicodeDecodeError:
                raise ValueError("a cell has bytes that are not UTF-8 text") from None
        case UUID() | timedelta():
            return str(value)
        case _:
            raise ValueError(f"a cell has a value of the type {type(value).__name__}")
