"""CSV with a header line, as people have it: commas, semicolons or tabs; newlines in quotes; UTF-8 or UTF-16; gzipped.

Every row comes out either with its cells by column or with the reason why it cannot be used, as those of JSON files do.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from store.ingest.files import open_unpacked, start_text, utf16_of
from store.ingest.jsonl import LINE_LIMIT, Row
from store.ingest.packing import PackingError
from uq_tui.errors import ImportFileError
from uq_tui.text import counted

_DELIMITERS = (",", ";", "\t")
_IN_BRACKETS = re.compile(r"\([^)]*\)|\[[^\]]*\]|\{[^}]*\}|<[^>]*>")
_LONGEST_NAME = 500
"""Characters. What is longer is no name; to look for brackets takes the square of its length where they don't close."""
_BRACKET = re.compile(r"[()\[\]{}<>]")
_BETWEEN_WORDS = re.compile(r"[\s_\-]+")
_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
"""What a byte that is no UTF-8 is read as."""


def column_name(name: str) -> str:
    """The name of a column without what people add to it: `Original Question (LaTeX)` is `original_question`.

    Brackets go with what is in them, unless nothing else is there. Nothing is raised.
    """
    if len(name) > _LONGEST_NAME:
        return name
    plain = _IN_BRACKETS.sub(" ", name)
    plain = plain if plain.strip() else _BRACKET.sub(" ", name)
    return "_".join(word for word in _BETWEEN_WORDS.split(plain.lower()) if word)


def csv_delimiter(text: str, wanted: Iterable[str]) -> str:
    """What separates the columns, by the start of a file: the mark with which all `wanted` ones are there, else ""."""
    names = frozenset(wanted)
    return next((mark for mark in _DELIMITERS if names <= set(_header(text, mark))), "")


def _header(text: str, delimiter: str) -> list[str]:
    try:
        return [column_name(name) for name in next(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter), [])]
    except csv.Error:
        return []


def read_csv(path: Path, wanted: Iterable[str]) -> Iterator[Row]:
    """The rows of a file behind its header line, in order, cells by `column_name`; blank lines are left out.

    Args:
        path: the file.
        wanted: columns that its header has, by which the mark between columns is told.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, its first line is no CSV or lacks a wanted column, or a column is there
            twice.
    """
    wanted = tuple(wanted)
    csv.field_size_limit(max(LINE_LIMIT, csv.field_size_limit()))  # a cell may be a whole solution
    with open_unpacked(path) as file:
        start = file.peek(io.DEFAULT_BUFFER_SIZE)  # holds any header
        utf16 = utf16_of(start)
        delimiter = csv_delimiter(start_text(start), wanted)
        if not delimiter:
            raise ImportFileError(
                f"The first line of {path} does not name the columns {', '.join(wanted)}.",
                hint="It names the columns, with commas, semicolons or tabs between them.",
            )
        encoding, errors = (utf16, "surrogatepass") if utf16 else ("utf-8-sig", "surrogateescape")
        with io.TextIOWrapper(file, encoding=encoding, errors=errors, newline="") as text:
            yield from _rows(csv.reader(text, delimiter=delimiter, strict=True), path)


def _rows(lines: Any, path: Path) -> Iterator[Row]:
    names = [column_name(name) for name in _first(lines, path)]
    twice = next((name for name, count in Counter(names).items() if name and count > 1), "")
    if twice:
        raise ImportFileError(f"{path} has two columns that are called {twice!a}.", hint="Leave one of them out.")
    broken: Row | None = None
    behind = 0
    """Rows behind a broken one that may be the rest of it."""
    for line, read in _read(lines):
        if isinstance(read, list) and not any(value.strip() for value in read):
            continue
        if isinstance(read, csv.Error) and broken is None:
            broken = Row(line, {}, f"the line is no CSV: {read}")
        elif isinstance(read, csv.Error) or (broken and isinstance(read, list) and len(read) != len(names)):
            behind += 1
        else:
            if broken is not None:
                yield _with_rest(broken, behind)
                broken, behind = None, 0
            yield _row(line, names, read)
    if broken is not None:
        yield _with_rest(broken, behind)


def _read(lines: Any) -> Iterator[tuple[int, "list[str] | csv.Error | UnicodeDecodeError | PackingError"]]:
    """Each row, or why it can't be read, with its line. Behind a line that is no CSV the reader goes on."""
    while True:
        line = lines.line_num + 1
        try:
            yield line, next(lines)
        except csv.Error as error:
            yield line, error
        except (UnicodeDecodeError, PackingError) as error:
            yield line, error
            return
        except StopIteration:
            return


def _with_rest(broken: Row, behind: int) -> Row:
    passed = f"; {counted(behind, 'row')} behind it passed over, as part of it" if behind else ""
    return replace(broken, problem=broken.problem + passed)


def _first(lines: Any, path: Path) -> list[str]:
    try:
        return list(next(lines, []))
    except (csv.Error, UnicodeDecodeError) as error:
        raise ImportFileError(
            f"The first line of {path} is no CSV: {_why(error)}.", hint="It names the columns."
        ) from error


def _why(error: Exception) -> str:
    return f"no {error.encoding.upper()} text" if isinstance(error, UnicodeDecodeError) else str(error)


def _row(line: int, names: list[str], read: list[str] | UnicodeDecodeError | PackingError) -> Row:
    if not isinstance(read, list):
        return Row(line, {}, f"the line is no CSV, and nothing after it is read: {_why(read)}")
    if len(read) != len(names):
        return Row(line, {}, f"{len(read)} fields, where the first line has {len(names)}")
    if any(not value.isascii() and _ESCAPED_BYTE.search(value) for value in read):
        return Row(line, {}, "the row is not UTF-8 text")
    return Row(line, dict(zip(names, read, strict=True)), "")
