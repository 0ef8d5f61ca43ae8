"""JSON rows from files as people have them: one object a line, or an array; plain or gzipped; UTF-8 or UTF-16.

Lines end at `\\n` only: U+2028, U+0085 and other separators are part of strings. Every row comes out either with its
value or with the reason why it cannot be used; nothing in a file makes the reading raise, apart from the disk.
"""

import codecs
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from store.ingest.files import BROKEN_GZIP, UTF16_MARKS, open_unpacked
from store.ingest.report import RowError, Tally
from store.ingest.strict_json import StrictDecoder
from uq_tui.errors import ImportFileError

T = TypeVar("T")

LINE_LIMIT = 64 * 1024 * 1024
"""Longest line in bytes; longer ones are rejected without being held in memory."""

ARRAY_LIMIT = 256 * 1024 * 1024
"""Largest file in bytes, unpacked, that may be one JSON array: it is read as a whole."""

_SPACE_OR_COMMA = re.compile(r"[ \t\r\n]*,?[ \t\r\n]*")
_SPACE = re.compile(r"[ \t\r\n]*")


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file. Exactly one of `value` and `problem` says something."""

    line: int
    """From 1; in an array, the line on which the element starts."""
    value: dict[str, Any]
    problem: str


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file, in order. Blank lines are left out.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or is an array of more than ARRAY_LIMIT bytes.
    """
    with open_unpacked(path) as file:
        start = file.peek(4)[:4]
        if start.startswith(UTF16_MARKS):
            lines = _utf16_lines(file)
        else:
            if start.startswith(codecs.BOM_UTF8):
                file.read(len(codecs.BOM_UTF8))
            lines = _utf8_lines(file)
        last = 0
        try:
            for row in _rows(lines, path):
                yield row
                last = row.line
        except BROKEN_GZIP as error:
            yield Row(last + 1, {}, f"the file breaks off: its gzip data are damaged ({error})")


def parse_rows(path: Path, parse: Callable[[Mapping[str, Any]], T], tally: Tally) -> Iterator[T]:
    """What `parse` makes of each row. Rows are counted as read; those it refuses with RowError are reported.

    Raises:
        NotFoundError, ImportFileError: as `read_rows`.
    """
    return parse_each(read_rows(path), parse, tally, path=path)


def parse_each(
    rows: Iterable[Row], parse: Callable[[Mapping[str, Any]], T], tally: Tally, *, path: Path | None = None
) -> Iterator[T]:
    """As `parse_rows`, for rows from wherever; `path` where they are not in the file of the report itself."""
    for row in rows:
        tally.read += 1
        try:
            if row.problem:
                raise RowError(row.problem)
            made = parse(row.value)
        except RowError as error:
            tally.reject(row.line, str(error), path=path)
        else:
            yield made


def _rows(lines: "Iterator[_Line]", path: Path) -> Iterator[Row]:
    decoder = StrictDecoder()
    first = True
    for line in lines:
        if not line.problem and not line.text.strip(" \t\r\n"):
            continue
        if first and line.text.lstrip(" \t\r\n").startswith("["):
            yield from _array_rows(line, lines, path)
            return
        first = False
        value, problem = ({}, line.problem) if line.problem else decoder.decode(line.text)
        yield Row(line.number, value, problem)


@dataclass(frozen=True, slots=True)
class _Line:
    number: int
    text: str
    problem: str = ""


def _utf8_lines(file: io.BufferedReader) -> Iterator[_Line]:
    number = 0
    while data := file.readline(LINE_LIMIT + 1):
        number += 1
        if len(data) > LINE_LIMIT:
            while data and not data.endswith(b"\n"):
                data = file.readline(LINE_LIMIT)
            yield _Line(number, "", f"the line is longer than {LINE_LIMIT // 2**20} MiB")
            continue
        try:
            yield _Line(number, data.decode("utf-8"))
        except UnicodeDecodeError as error:
            yield _Line(number, "", f"the line is not UTF-8 text (byte {error.start + 1})")


def _utf16_lines(file: io.BufferedReader) -> Iterator[_Line]:
    number = 0
    with io.TextIOWrapper(file, encoding="utf-16", errors="surrogatepass", newline="\n") as text:
        while True:
            number += 1
            try:
                line = text.readline(LINE_LIMIT + 1)
            except UnicodeDecodeError as error:
                yield _Line(number, "", f"the file is not UTF-16 text from here ({error.reason})")
                return
            if not line:
                return
            if len(line) > LINE_LIMIT:
                yield _Line(number, "", f"the file has a line of more than {LINE_LIMIT // 2**20} MiB, not read further")
                return
            yield _Line(number, line)


def _array_rows(first: _Line, rest: Iterator[_Line], path: Path) -> Iterator[Row]:
    parts, size = [first.text], len(first.text)
    for line in rest:
        size += len(line.text)
        if size > ARRAY_LIMIT:
            raise ImportFileError(
                f"{path} is one JSON array of more than {ARRAY_LIMIT // 2**20} MiB.",
                hint="Write one object a line instead (`jq -c '.[]'`).",
            )
        if line.problem:
            yield Row(line.number, {}, line.problem)
            return
        parts.append(line.text)
    text = "".join(parts)
    decoder = StrictDecoder()
    counted, number = 0, first.number
    position: int | None = text.index("[") + 1
    separator = _SPACE
    while position is not None:
        found = separator.match(text, position)
        position = found.end() if found else position
        number += text.count("\n", counted, position)
        counted, separator = position, _SPACE_OR_COMMA
        if text.startswith("]", position):
            return
        value, problem, position = decoder.decode_at(text, position)
        yield Row(number, value, problem if position is not None else f"{problem}; the rest of the array is lost")
