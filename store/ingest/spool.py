"""Rows put aside on disk until all others are stored: a file may name an answer before its question."""

import json
import tempfile
from collections.abc import Iterator, Mapping
from types import TracebackType
from typing import IO


class Spool:
    """Rows in the order they were put aside, in a temporary file without a name. To be used in a `with` block."""

    def __init__(self) -> None:
        self._file: IO[str] | None = None

    def __enter__(self) -> "Spool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def put(self, line: int, row: Mapping[str, str]) -> None:
        """Put a row aside."""
        if self._file is None:
            self._file = tempfile.TemporaryFile("w+", encoding="ascii")  # noqa: SIM115 - closed with the block
        self._file.write(json.dumps([line, dict(row)]) + "\n")

    def rows(self) -> Iterator[tuple[int, dict[str, str]]]:
        """The rows with their lines, once all are put."""
        if self._file is not None:
            self._file.seek(0)
            for text in self._file:
                line, row = json.loads(text)
                yield line, row
