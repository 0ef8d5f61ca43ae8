"""JSON rows from files as people have them: one object a line, or an array; packed or not; UTF-8 or UTF-16.

Lines end at `\\n` only: U+2028, U+0085 and other separators are part of strings. Every row comes out either with its
value or with the reason why it cannot be used; nothing in a file makes the reading raise, apart from the disk.
"""

import codecs
import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from store.ingest.files import open_unpacked, start_text, utf16_of
from store.ingest.json_stream import JsonStream, Row
from store.ingest.packing import PackingError
from store.ingest.parquet_rows import is_parquet, read_parquet
from store.ingest.report import RowError, Tally
from store.ingest.strict_json import StrictDecoder

__all__ = ["LINE_LIMIT", "Row", "is_lines", "parse_each", "parse_rows", "read_rows"]

T = TypeVar("T")

LINE_LIMIT = 64 * 1024 * 1024
"""Longest line in bytes; longer ones are rejected without being held in memory."""

_PEEKED = 1 << 16


def read_rows(path: Path) -> Iterator[Row]:
    """The rows of a file, in order. Blank lines are left out. Parquet files have rows, too.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read.
    """
    with open_unpacked(path) as file:
        start = file.peek(_PEEKED)
        if is_parquet(start):
            yield from read_parquet(path)
            return
        utf16 = utf16_of(start)
        if start.startswith(codecs.BOM_UTF8):
            file.read(len(codecs.BOM_UTF8))
        last = 0
        try:
            for row in _rows(file, start_text(start), utf16=utf16):
                yield row
                last = row.line
        except PackingError as error:
            yield Row(last + 1, {}, f"the file breaks off: {error}")
        except UnicodeDecodeError as error:
            yield Row(last + 1, {}, f"the file is not UTF-16 text from here ({error.reason})")


def is_lines(start: bytes) -> bool:
    """Whether a file that begins so is one of UTF-8 lines, each with an object, or with nothing that is known."""
    if is_parquet(start) or utf16_of(start):
        return False
    text = start_text(start).lstrip(" \t\r\n")
    return not text.startswith("[") and not _is_spread(text)


def _is_spread(text: str) -> bool:
    """Whether a file begins with an object over several lines."""
    return text.startswith("{") and text[1:].lstrip(" \t\r").startswith("\n")


def _rows(file: io.BufferedReader, start: str, *, utf16: str) -> Iterator[Row]:
    text = start.lstrip(" \t\r\n")
    if text.startswith("["):
        return _array_rows(JsonStream(file, utf16=utf16))
    if _is_spread(text):
        return _object_rows(JsonStream(file, utf16=utf16))
    return _line_rows(_utf16_lines(file, utf16) if utf16 else _utf8_lines(file))


def _array_rows(stream: JsonStream) -> Iterator[Row]:
    """The elements of an array; what follows it is taken for lines."""
    stream.take("[")
    yield from stream.elements()
    if not stream.is_lost:
        yield from _line_rows(_Line(number, text) for number, text in stream.lines())


def _object_rows(stream: JsonStream) -> Iterator[Row]:
    """Objects over several lines each, one after the other. Behind one that is no JSON, a line that begins with a brace
    begins the next."""
    while not stream.take(""):
        line = stream.line
        row = stream.row()
        if row.problem and stream.line == line and not stream.pass_to_line("{"):
            yield Row(row.line, {}, f"{row.problem}; the rest of the file is lost")
            return
        yield row


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


def _line_rows(lines: "Iterable[_Line]") -> Iterator[Row]:
    decoder = StrictDecoder()
    for line in lines:
        if line.problem:
            yield Row(line.number, {}, line.problem)
        elif line.text.strip(" \t\r\n"):
            yield Row(line.number, *decoder.decode(line.text))


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


def _utf16_lines(file: io.BufferedReader, encoding: str) -> Iterator[_Line]:
    number = 0
    with io.TextIOWrapper(file, encoding=encoding, errors="surrogatepass", newline="\n") as text:
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
