"""Opening foreign files: packing told by content, encodings told by their marks."""

import codecs
import io
import stat
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from store.ingest import under_way
from store.ingest.packing import PackingError, is_zip, only_member, packing_of, unpacked
from uq_tui.errors import ImportFileError, NotFoundError

WHOLE_LIMIT = 16 * 1024 * 1024
"""Largest file in bytes, unpacked, that is read as a whole as text."""

BROKEN_GZIP = (PackingError,)
"""What reading damaged packed data raises, however they are packed. Its message says what is wrong."""

_UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARK_BYTES = 8
_BUFFER = 1 << 16


_KINDS = {
    stat.S_IFIFO: "a pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
    stat.S_IFDIR: "a folder",
}
"""What lies in folders besides files, by its mode."""


def check_kind(path: Path, *others: int) -> None:
    """See that a path leads to a file, or to something of the `others`, which are kinds of a mode (`stat.S_IFDIR`).

    Reading anything else may never end, or never begin.

    Raises:
        NotFoundError: nothing is there.
        ImportFileError: something else is, or what it is can't be told.
    """
    try:
        kind = stat.S_IFMT(path.stat().st_mode)
    except FileNotFoundError as error:
        raise NotFoundError(f"There is no file {path}.") from error
    except OSError as error:
        raise ImportFileError(f"{path} cannot be read: {error.strerror or error}.") from error
    except ValueError as error:
        raise ImportFileError(f"{str(path)!a} is no name of a file: {error}.") from error
    if kind != stat.S_IFREG and kind not in others:
        hint = "Write what it gives into a file, and import that: files are read more than once."
        hint = "" if kind == stat.S_IFDIR else hint
        raise ImportFileError(f"{path} is {_KINDS.get(kind, 'something else')}, not a file.", hint=hint)


@contextmanager
def open_unpacked(path: Path, *, may_be_pipe: bool = False) -> Iterator[io.BufferedReader]:
    """The bytes of a file, unpacked where they are gzip, bzip2, xz, Zstandard, or a zip archive that holds one file.

    A zip archive of several files is read as it is. A pipe is refused unless it `may_be_pipe`: whoever opens it
    reads it once then.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it is no file, it cannot be read, or what is packed is damaged or a bomb.
    """
    check_kind(path, *((stat.S_IFIFO,) if may_be_pipe else ()))
    try:
        with ExitStack() as opened, _buffered(path) as file:
            start = file.peek(_MARK_BYTES)[:_MARK_BYTES]
            size = path.stat().st_size
            under_way.opened(file, size)
            if packing_of(start):
                inner = unpacked(file, start, size)
            elif is_zip(start):
                inner = only_member(file, path)
                if inner is None:
                    file.seek(0)
            else:
                inner = None
            yield file if inner is None else opened.enter_context(inner)
    except FileNotFoundError as error:
        raise NotFoundError(f"There is no file {path}.") from error
    except PackingError as error:
        raise ImportFileError(
            f"{path} can't be read: {error}.", hint="Get the file again, or unpack it first."
        ) from error
    except OSError as error:
        raise ImportFileError(f"{path} cannot be read: {error.strerror or error}.") from error


def _buffered(path: Path) -> io.BufferedReader:
    return io.BufferedReader(path.open("rb", buffering=0), _BUFFER)


def utf16_of(start: bytes) -> str:
    """The codec of a text in UTF-16 that begins so; "" for one in UTF-8.

    Where no mark tells, every second of the first four bytes is zero in text that begins with two signs of ASCII, as
    JSON, XML and names of columns do.
    """
    if start.startswith(_UTF16_MARKS):
        return "utf-16"
    zeros = [byte == 0 for byte in start[:4]]
    if zeros == [False, True, False, True]:
        return "utf-16-le"
    return "utf-16-be" if zeros == [True, False, True, False] else ""


def start_text(start: bytes) -> str:
    """The start of a file as text; whatever can't be decoded is replaced."""
    return start.decode(utf16_of(start) or "utf-8-sig", "replace")


def whole_text(path: Path) -> str:
    """The text of a file in UTF-8 or UTF-16.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, is larger than WHOLE_LIMIT, or no such text.
    """
    with open_unpacked(path) as file:
        data = file.read(WHOLE_LIMIT + 1)
    if len(data) > WHOLE_LIMIT:
        raise ImportFileError(f"{path} is larger than {WHOLE_LIMIT // 2**20} MiB.")
    try:
        return data.decode(utf16_of(data) or "utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportFileError(f"{path} is neither UTF-8 nor UTF-16 text (byte {error.start + 1}).") from error
