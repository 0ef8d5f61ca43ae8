"""The rows of a Stack Exchange dump's XML files, as a stream: `<posts><row Id="1" .../>...</posts>`.

Attributes are decoded once, by the XML parser. A DOCTYPE is not fetched; a file that declares entities is refused. A
row that is not well-formed is rejected, and reading goes on behind its line: dumps have one row a line.
"""

import codecs
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, Protocol
from xml.parsers import expat

from store.ingest.files import BROKEN_GZIP, utf16_of
from store.ingest.report import Tally
from uq_tui.errors import ImportFileError

_READ_BYTES = 1 << 16
_LONGEST_ROW = 16 << 20
"""Bytes. A row is held as a whole, and a post has at most 30,000 characters."""
_DEEPEST = 3
"""Levels of elements; a dump has two."""
_MOST_BAD = 1_000
"""Bad rows in succession after which nothing good is expected any more."""
_MARKS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
_BLANKS = re.compile(rb"\s*")


class Bytes(Protocol):
    """What rows are read from."""

    def read(self, size: int, /) -> bytes:
        """At most so many bytes; none at the end."""
        ...


class XmlRow(NamedTuple):
    """A row and the line it begins on, from 1."""

    line: int
    attributes: Mapping[str, str]


def xml_rows(file: Bytes, path: Path, root: str, tally: Tally) -> Iterator[XmlRow]:
    """The rows under a root element of this name. What cannot be read is rejected in `tally`, once each.

    Raises:
        ImportFileError: the root is another one, or the file declares entities.
    """
    return _Reader(file, path, root, tally).rows()


class _Reader:
    """One file and the parser of what is read now: behind a bad row, what follows gets a new one."""

    def __init__(self, file: Bytes, path: Path, root: str, tally: Tally) -> None:
        self._file = file
        self._path = path
        self._root = root
        self._tally = tally
        self._is_over = False
        """Whether nothing behind can be read."""
        self._is_wide = False
        """Whether characters have two bytes, so that line ends can't be told."""
        self._encoding: str | None = None
        self._bad = 0
        """Bad rows in succession."""
        self._found: list[XmlRow] = []
        self._held = b""
        """What the parser got from the end of the last good row on: from byte `_end`, and line `_end_line`."""
        self._held_from = 0
        self._end = 0
        self._end_line = 1
        self._depth = 0
        self._lines_before = 0
        """Lines of the file before the first that this parser got."""
        self._parser = self._made_parser()
        self._parser.StartElementHandler = self._take_root
        self._parser.StartDoctypeDeclHandler = lambda *_: tally.note("Its DOCTYPE was not followed.")
        self._parser.XmlDeclHandler = self._take_declaration

    def rows(self) -> Iterator[XmlRow]:
        while not self._is_over:
            data = self._read()
            if data is None:
                return
            rest: bytes | None = data
            while rest is not None:
                problem = self._parse(rest, is_last=not data)
                if self._found:
                    self._bad = 0
                    yield from self._found
                    self._found.clear()
                rest = None if problem is None else self._behind_bad_row(problem, is_last=not data)
            self._is_over |= not data

    def _read(self) -> bytes | None:
        """What comes next; None when that is damaged, which is rejected here."""
        try:
            data = self._file.read(_READ_BYTES)
        except BROKEN_GZIP as error:
            self._give_up(self._end_line, f"the file breaks off: {error}")
            return None
        if self._end == 0 and (utf16 := utf16_of(data)):
            self._is_wide = True
            mark = _MARKS.get(utf16, b"")  # the parser tells no order of bytes without it
            return mark + data
        return data

    def _parse(self, data: bytes, *, is_last: bool) -> expat.ExpatError | None:
        self._held += data
        try:
            self._parser.Parse(data, is_last)
        except expat.ExpatError as error:
            return error
        finally:
            self._held = self._held[self._end - self._held_from :]
            self._held_from = self._end
        if len(self._held) > _LONGEST_ROW:
            line = self._end_line + self._held.count(b"\n", 0, self._next_line())
            self._give_up(line, f"a row has more than {_LONGEST_ROW >> 20} MiB")
        return None

    def _behind_bad_row(self, problem: expat.ExpatError, *, is_last: bool) -> bytes | None:
        """Reject the row and have a parser for what follows its line; what is read of that, None when nothing does."""
        reason = expat.ErrorString(problem.code)
        line = problem.lineno + self._lines_before
        self._bad += 1
        if is_last or self._is_wide or not self._depth or self._bad > _MOST_BAD:
            self._give_up(line, f"the file is not well-formed XML from here: {reason}")
            return None
        start = self._next_line() if line > self._end_line else 0
        line = self._end_line + self._held.count(b"\n", 0, start)
        while (end := self._held.find(b"\n", start)) < 0:
            more = self._read()
            self._held += more or b""
            if not more or len(self._held) > _LONGEST_ROW:
                self._give_up(line, f"the file is not well-formed XML from here: {reason}")
            return None
        self._tally.reject(line, f"the row is not well-formed XML: {reason}", path=self._path)
        rest = self._held[end + 1 :]
        self._begin_anew(line)
        return rest

    def _next_line(self) -> int:
        """Where in what is held the first line begins that has something on it, behind that of the last good row."""
        blanks = _BLANKS.match(self._held, self._held.find(b"\n") + 1)
        return blanks.end() if blanks else 0

    def _begin_anew(self, bad_line: int) -> None:
        """Have a parser for what follows the end of a line; the line's end is the first it gets, behind a root."""
        prologue = f"<{self._root}>".encode()
        self._parser = self._made_parser()
        self._parser.Parse(prologue + b"\n", False)
        self._parser.StartElementHandler = self._take
        self._parser.EndElementHandler = self._leave
        self._depth = 1
        self._lines_before = bad_line - 1
        self._held = b"\n"
        self._held_from = self._end = len(prologue)
        self._end_line = bad_line

    def _give_up(self, line: int, reason: str) -> None:
        if not self._is_over:
            self._tally.reject(line, reason, path=self._path)
        self._is_over = True

    def _made_parser(self) -> expat.XMLParserType:
        parser = expat.ParserCreate(self._encoding)
        parser.EntityDeclHandler = self._refuse_entities
        return parser

    def _refuse_entities(self, *_: object) -> None:
        raise ImportFileError(f"{self._path} declares entities, which no dump does; it was not read any further.")

    def _take_declaration(self, version: str, encoding: str | None, standalone: int) -> None:
        self._encoding = encoding

    def _take_root(self, name: str, attributes: dict[str, str]) -> None:
        if name != self._root:
            raise ImportFileError(
                f"{self._path} holds <{name}>, not <{self._root}>.", hint="Import the dump's own files."
            )
        self._depth = 1
        self._end = self._parser.CurrentByteIndex
        self._end_line = self._parser.CurrentLineNumber
        self._parser.StartElementHandler = self._take
        self._parser.EndElementHandler = self._leave

    def _take(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if name == "row" and self._depth == 2:
            self._found.append(XmlRow(self._parser.CurrentLineNumber + self._lines_before, attributes))
        elif self._depth <= _DEEPEST:
            line = self._parser.CurrentLineNumber + self._lines_before
            self._tally.reject(line, f"<{name}> is no row", path=self._path)
        else:
            raise ImportFileError(f"{self._path} has elements within elements, which no dump has.")

    def _leave(self, name: str) -> None:
        self._depth -= 1
        self._end = self._parser.CurrentByteIndex
        self._end_line = self._parser.CurrentLineNumber + self._lines_before
