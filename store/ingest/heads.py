"""What a file looks like at its start, for formats to recognise it by."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

from store.ingest.csv_rows import column_name, csv_delimiter
from store.ingest.files import open_unpacked, start_text
from store.ingest.jsonl import Row, read_rows
from store.ingest.packing import is_zip, members_of
from store.ingest.parquet_rows import columns_of, is_parquet
from uq_tui.errors import ImportFileError

LOOKED_AT = 200
"""Rows that are asked what a file holds."""

_START_BYTES = 1 << 16
_ELEMENT = re.compile(r"<([A-Za-z_][\w.:-]*)")
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"(\s*:)?|[\[\]{}"]', re.DOTALL)


@dataclass(frozen=True)
class Head:
    """The start of a file.

    Attributes:
        path: the file.
        start: its first bytes, unpacked.
        packed: how the file is packed, "" where it isn't.
        members: the names of the files in a zip archive that holds several, or none.
        row: the row that is looked at; none at first, when a file may be told without its rows.
    """

    path: Path
    start: bytes
    members: tuple[str, ...] = ()
    row: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def text(self) -> str:
        """`start` as text; whatever can't be decoded is replaced."""
        return start_text(self.start)

    @cached_property
    def is_parquet(self) -> bool:
        """Whether it is an Apache Parquet file."""
        return is_parquet(self.start)

    @cached_property
    def is_zip(self) -> bool:
        """Whether it is a zip archive that doesn't hold just one file; such a one is looked into."""
        return is_zip(self.start)

    @cached_property
    def root(self) -> str:
        """The name of an XML file's root element; "" for other files. `html` is one, too."""
        found = _ELEMENT.search(self.text) if self.text.lstrip().startswith("<") else None
        return found[1] if found else ""

    @cached_property
    def keys(self) -> frozenset[str]:
        """Keys of the JSON object that the file starts with, at its top level, as far as they stand in `start`."""
        return frozenset(_top_keys(self.text)) if self.text.lstrip().startswith("{") else frozenset()

    @cached_property
    def columns(self) -> frozenset[str]:
        """The columns of a Parquet file, by `column_name`; those of a CSV file are asked for by `has_columns`."""
        return frozenset(column_name(name) for name in columns_of(self.path)) if self.is_parquet else frozenset()

    def has_columns(self, names: Iterable[str]) -> bool:
        """Whether a CSV file has all these columns, named as `column_name` names them."""
        return not self.is_parquet and bool(csv_delimiter(self.text, names))

    def rows(self) -> Iterator[Row]:
        """The first rows, read anew."""
        return islice(read_rows(self.path), LOOKED_AT)


def head_of(path: Path) -> Head:
    """The start of a file.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or is a damaged archive.
    """
    with open_unpacked(path) as file:
        start = file.read(_START_BYTES)
        if not is_zip(start):
            return Head(path, start)
        if not file.seekable():
            raise ImportFileError(f"{path} is packed twice.", hint="Unpack it once first.")
        return Head(path, start, members_of(file, path))


def _top_keys(text: str) -> Iterator[str]:
    depth = 0
    for token in _TOKEN.finditer(text):
        match token[0][0]:
            case "{" | "[":
                depth += 1
            case "}" | "]":
                depth -= 1
                if depth == 0:
                    return
            case _:
                if token[1] is None:  # a quote that doesn't close before the end
                    return
                if depth == 1 and token[2]:
                    yield token[1]
