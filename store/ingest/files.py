"""Opening foreign files: gzip told by content, encodings told by their marks."""

import codecs
import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from uq_tui.errors import ImportFileError, NotFoundError

WHOLE_LIMIT = 16 * 1024 * 1024
"""Largest file in bytes, unpacked, that is read as a whole as text."""

BROKEN_GZIP = (EOFError, gzip.BadGzipFile, zlib.error)
"""What reading damaged gzip data raises."""

_GZIP_MAGIC = b"\x1f\x8b"
UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@contextmanager
def open_unpacked(path: Path) -> Iterator[io.BufferedReader]:
    """The bytes of a file, unpacked when they are gzip (told by content, whatever the name says).

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or the gzip data are damaged.
    """
    try:
        with path.open("rb") as file:
            if file.peek(2)[:2] == _GZIP_MAGIC:
                with gzip.open(file) as unpacked:
                    yield io.BufferedReader(unpacked)
            else:
                yield file
    except FileNotFoundError as error:
        raise NotFoundError(f"There is no file {path}.") from error
    except BROKEN_GZIP as error:
        raise ImportFileError(f"{path} is damaged: its gzip data end or break early ({error}).") from error
    except OSError as error:
        raise ImportFileError(f"{path} cannot be read: {error.strerror or error}.") from error


def whole_text(path: Path) -> str:
    """The text of a file in UTF-8, or UTF-16 with a byte order mark.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, is larger than WHOLE_LIMIT, or no such text.
    """
    with open_unpacked(path) as file:
        data = file.read(WHOLE_LIMIT + 1)
    if len(data) > WHOLE_LIMIT:
        raise ImportFileError(f"{path} is larger than {WHOLE_LIMIT // 2**20} MiB.")
    try:
        return data.decode("utf-16" if data.startswith(UTF16_MARKS) else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise ImportFileError(f"{path} is neither UTF-8 nor UTF-16 text (byte {error.start + 1}).") from error
