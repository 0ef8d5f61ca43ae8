"""JSON of any size as a stream: an array element by element, in the memory that one element takes."""

import codecs
import re
from collections.abc import Callable, Iterator, MutableMapping
from dataclasses import dataclass
from typing import Any, BinaryIO

from store.ingest.strict_json import StrictDecoder

LONGEST = 64 * 1024 * 1024
"""Characters that one element may have."""

_CHUNK = 1 << 18
_SPACE = re.compile(r"[ \t\r\n]*")
_TOKEN = re.compile(r'"(?:[^"\\\n]++|\\[^\n])*+"|[\[{]++|[\]}]++|[,"]')
"""A string, which is on one line; brackets in a row. Nothing is tried twice: that takes 100 times the memory."""
_WIDEST = 100
"""Blanks before an element by which others are known to begin."""
_ESCAPED_BYTE = re.compile("[\udc80-\udcff]")
"""What a byte that is no UTF-8 is read as."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a file. Exactly one of `value` and `problem` says something."""

    line: int
    """From 1; in an array, the line on which the element starts."""
    value: dict[str, Any]
    problem: str


class JsonStream:
    """Reads JSON from a file that is at its start, or behind a byte order mark of UTF-8. Lines count from 1.

    `utf16` is the codec of a file in UTF-16, as `files.utf16_of` tells it, else "".

    Reading raises UnicodeDecodeError where UTF-16 is broken, and whatever reading the file does.
    """

    def __init__(self, file: BinaryIO, *, utf16: str) -> None:
        self.line = 1
        """The line that is read now."""
        self.is_lost = False
        """An array broke off, so that nothing behind it can be read."""
        self._file = file
        decoder = codecs.getincrementaldecoder(utf16 or "utf-8")
        self._decode = decoder("surrogatepass" if utf16 else "surrogateescape").decode
        self._decoder = StrictDecoder()
        self._text = ""
        self._at = 0
        self._before = ""
        """What was passed of this line, or the end of it."""
        self._ended = False
        self._has_bad_bytes = False

    def take(self, sign: str) -> bool:
        """Whether the next sign behind white space is this one, which is passed then; "" is the end."""
        while True:
            self._pass_to(_end(_SPACE, self._text, self._at))
            if self._at < len(self._text) or not self._more():
                break
        if not sign:
            return self._at == len(self._text)
        found = self._text.startswith(sign, self._at)
        self._at += found
        return found

    def elements(self) -> Iterator[Row]:
        """The elements of the array whose bracket was taken, to its end. One that is no good spoils only itself."""
        if self.take("]"):
            return
        opening = ""
        while True:
            opening = opening or self._opening()
            row = self.row(opening)
            is_cut_short = False
            if row.problem and not self._is_at_end_of_element() and not self._pass_element(opening):
                is_cut_short = bool(opening) and self.pass_to_line(opening)
                if not is_cut_short:
                    self.is_lost = True
                    yield Row(row.line, {}, f"{row.problem}; the rest of the array is lost")
                    return
            yield row
            if is_cut_short:
                continue
            if self.take("]"):
                return
            if not self.take(","):
                self.is_lost = True
                yield Row(self.line, {}, "no comma or bracket follows; the rest of the array is lost")
                return
            if self.take("]"):
                return

    def row(self, opening: str = "") -> Row:
        """The object that comes next; `opening` is how a line begins on which another one starts, "" for unknown."""
        self.take(" ")
        line = self.line
        value, problem = self._next(self._decoder.decode_at, opening)
        return Row(line, value, problem)

    def pass_to_line(self, opening: str) -> bool:
        """Pass to the end of the line before the next that begins so; False, at the end, where none does."""
        while (found := self._text.find("\n" + opening, self._at)) < 0:
            self._pass_to(max(self._at, len(self._text) - len(opening)))
            if not self._more():
                return False
        self._pass_to(found)
        return True

    def value(self) -> tuple[Any, str]:
        """The value that comes next, and what is wrong with it; behind a wrong one, nothing can be read."""
        self.take(" ")
        return self._next(self._decoder.value_at)

    def lines(self) -> Iterator[tuple[int, str]]:
        """What is left, line by line, with the lines' numbers."""
        while True:
            end = self._text.find("\n", self._at)
            if end < 0:
                if len(self._text) - self._at < LONGEST and self._more():
                    continue
                end = len(self._text)
            line, text = self.line, self._text[self._at : end]
            self._pass_to(min(end + 1, len(self._text)))
            if text.strip():
                yield line, text
            if self._at == len(self._text) and not self._more():
                return

    def _next(self, decode: Callable[[str, int], tuple[Any, str, int | None]], opening: str = "") -> tuple[Any, str]:
        while True:
            value, problem, end = decode(self._text, self._at)
            if not self._decoder.ran_out or len(self._text) - self._at > LONGEST or not self._more():
                break
        if end is None:
            return value, problem
        if opening and self._is_closed_by_others(end - self._at, opening):
            return {}, "not JSON: cut short, so that what follows is within it"
        if not problem and self._has_bad_bytes and _ESCAPED_BYTE.search(self._text, self._at, end):
            value, problem = {}, "the row is not UTF-8 text"
        self._pass_to(end)
        return value, problem

    def _is_closed_by_others(self, length: int, opening: str) -> bool:
        """Whether the element that comes next was cut short, and ends with the brackets of others, or of the array.

        The array then doesn't go on behind it, and lines in it begin as elements, or the end of the array, do.
        """
        if self._text.find("\n", self._at, self._at + length) < 0:
            return False
        while True:
            behind = _end(_SPACE, self._text, self._at + length)
            if behind < len(self._text) or not self._more():
                break
        if self._text.startswith((",", "]"), behind):
            return False
        others = re.compile(rf"\n(?:{re.escape(opening)}|[ \t]{{0,{len(opening) - 1}}}\])")
        return others.search(self._text, self._at, self._at + length) is not None

    def _is_at_end_of_element(self) -> bool:
        self.take(" ")
        return self._text.startswith((",", "]"), self._at)

    def _opening(self) -> str:
        """How the line begins on which an element stands, up to its brace; "" where something else stands before it."""
        is_first = not self._before.strip() and self._text.startswith("{", self._at)
        return f"{self._before}{{" if is_first and self.line > 1 else ""

    def _pass_element(self, opening: str) -> bool:
        """Pass what can't be read, to the comma or bracket that ends it; False where none does.

        None does before a line that begins as the array's elements do: what is passed was cut short then.
        """
        while True:
            next_one = self._text.find("\n" + opening, self._at) if opening else -1
            before = len(self._text) if next_one < 0 else next_one
            end = _end_of_element(self._text, self._at, before, is_cut_short_by_bracket=bool(opening))
            if end is not None:
                self._pass_to(end)
                return True
            if next_one >= 0:
                return False
            if len(self._text) - self._at > LONGEST or not self._more():
                return False

    def _pass_to(self, end: int) -> None:
        self.line += self._text.count("\n", self._at, end)
        passed = self._text[max(self._at, end - _WIDEST) : end]
        _, newline, begun = passed.rpartition("\n")
        self._before = begun if newline else (self._before + passed)[-_WIDEST:]
        self._at = end

    def _more(self) -> bool:
        """Have more text in the buffer, twice as much as is left of it; False where there is no more."""
        if self._ended:
            return False
        left = self._text[self._at :]
        data = self._file.read(max(_CHUNK, len(left)))
        self._ended = not data
        text = self._decode(data, self._ended)
        self._has_bad_bytes = self._has_bad_bytes or bool(not text.isascii() and _ESCAPED_BYTE.search(text))
        self._text, self._at = left + text, 0
        return bool(text) or not self._ended


def read_under(stream: JsonStream, key: str, beside: MutableMapping[str, Any]) -> Iterator[Row]:
    """The elements of the array under a key of the one object that a file consists of.

    Args:
        stream: at its start.
        key: the array's.
        beside: is given the object's other values, as they are read.
    """
    if not stream.take("{"):
        yield Row(stream.line, {}, "not a JSON object")
        return
    while not stream.take("}"):
        name, problem = stream.value()
        if problem or not isinstance(name, str) or not stream.take(":"):
            yield Row(stream.line, {}, f"{problem or 'no key'}; the rest of the file is lost")
            return
        if name == key and stream.take("["):
            yield from stream.elements()
            if stream.is_lost:
                return
        else:
            beside[name], problem = stream.value()
            if problem:
                yield Row(stream.line, {}, f"`{name}`: {problem}; the rest of the file is lost")
                return
        stream.take(",")


def _end(pattern: re.Pattern[str], text: str, start: int) -> int:
    found = pattern.match(text, start)
    return found.end() if found else start


def _end_of_element(text: str, start: int, before: int, *, is_cut_short_by_bracket: bool) -> int | None:
    """Where the element that starts at `start` ends, by its brackets and quotes; None when it doesn't by `before`.

    A square bracket where only braces are open closes one of them, or it is not the element's, so that this is cut
    short.
    """
    depth = squares = 0
    for token in _TOKEN.finditer(text, start, before):
        signs = token[0]
        if signs[0] in "[{":
            depth += len(signs)
            squares += signs.count("[")
        elif signs[0] in "]}":
            if 0 <= depth < len(signs) and signs[depth] == "]":
                return token.start() + depth
            depth -= len(signs)
            squares -= signs.count("]")
            if is_cut_short_by_bracket and squares < 0:
                return None
        elif signs == '"':
            return None  # a quote that never closes
        elif signs == "," and depth <= 0:
            return token.start()
    return None
