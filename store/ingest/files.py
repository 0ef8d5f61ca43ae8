"""Opening foreign files: packing told by content, encodings told by their marks."""

import codecs
import io
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

UTF16_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_MARK_BYTES = 8
_BUFFER = 1 << 16


@contextmanager
def open_unpacked(path: Path) -> Iterator[io.BufferedReader]:
    """The bytes of a file, unpacked where they are gzip, bzip2, xz, Zstandard, or a zip archive that holds one file.

    A zip archive of several files is read as it is.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, or what is packed is damaged or a bomb.
    """
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
