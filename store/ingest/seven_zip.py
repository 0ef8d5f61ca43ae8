"""7z archives, read as streams: nothing is written to disk, and no member is held in memory.

An archive is hostile until it is read: its list of members is bounded before it is parsed, and what members say of
their sizes before anything is unpacked.
"""

import queue
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

import py7zr
from py7zr.io import Py7zIO, WriterFactory

from store.ingest import under_way
from store.ingest.packing import FREE_BYTES, MOST_BYTES, MOST_RATIO, PackingError
from uq_tui.errors import ImportFileError, NotFoundError

MARK = b"7z\xbc\xaf\x27\x1c"
"""How such files begin."""

_HEADER_BYTES = 32
_SIZE_OF_LIST = struct.Struct("<Q")
_SIZE_OF_LIST_AT = 20
_MOST_LIST_BYTES = 16 * 1024
"""Of the list of members as it is stored. A dump's has some hundred bytes."""
_MOST_MEMBERS = 200
_PIECE_BYTES = 1 << 20
_PIECES_AHEAD = 4
"""What is unpacked before it is read."""


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive."""

    name: str
    size: int
    """In bytes, unpacked, as the archive says."""


def members_of(path: Path) -> tuple[Member, ...]:
    """The files in an archive, in its order.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, is damaged or encrypted, has too many members, two of one name, or would
            unpack to more than what is ever right.
    """
    with _opened(path) as file, _archive(file, path) as archive:
        if archive.needs_password():
            raise _encrypted(path)
        listed = archive.list()
        members = tuple(Member(one.filename, one.uncompressed) for one in listed if one.is_file)
    if len(listed) > _MOST_MEMBERS:
        raise ImportFileError(f"{path} holds {len(listed):,} files; no dump has more than {_MOST_MEMBERS}.")
    if len({member.name for member in members}) < len(members):
        raise ImportFileError(f"{path} holds two files of one name.")
    whole = sum(member.size for member in members)
    if whole > min(MOST_BYTES, max(FREE_BYTES, MOST_RATIO * path.stat().st_size)):
        raise ImportFileError(
            f"{path} would unpack to {whole:,} bytes, as a decompression bomb does; the limit is {MOST_RATIO} times"
            f" its size, and {MOST_BYTES // 1024**3} GiB."
        )
    return members


@contextmanager
def open_member(path: Path, name: str) -> Iterator["MemberStream"]:
    """A file in an archive, unpacked while it is read. Reading it raises PackingError where the data are no good.

    Raises:
        NotFoundError: there is no such archive.
        ImportFileError: it cannot be read, or is damaged or encrypted.
    """
    with _opened(path) as file, _archive(file, path) as archive:
        under_way.opened(file, path.stat().st_size)
        stream = MemberStream()
        unpacking = threading.Thread(target=stream.fill, args=(archive, name), name="unpacking-7z", daemon=True)
        unpacking.start()
        try:
            yield stream
        finally:
            stream.stop()
            unpacking.join()


class _NotReadAnyMore(Exception):  # noqa: N818 - no error: whoever read has had enough
    """Nobody reads what is unpacked."""


class MemberStream:
    """The bytes of a member. A thread unpacks them a few pieces ahead of whoever reads."""

    def __init__(self) -> None:
        self._pieces: queue.Queue[bytes | PackingError] = queue.Queue(_PIECES_AHEAD)
        self._piece = memoryview(b"")
        self._is_stopped = threading.Event()
        self._is_at_end = False

    def read(self, size: int, /) -> bytes:
        """At most `size` bytes; none at the end. Raises PackingError: the data are damaged."""
        if not self._piece and not self._is_at_end:
            piece = self._pieces.get()
            if isinstance(piece, PackingError):
                self._is_at_end = True
                raise piece
            self._is_at_end = not piece
            self._piece = memoryview(piece)
        found, self._piece = self._piece[:size], self._piece[size:]
        return bytes(found)

    def fill(self, archive: py7zr.SevenZipFile, name: str) -> None:
        """Unpack the member, for whoever reads, until its end or until nobody reads. In a thread of its own."""
        try:
            archive.extract(targets=[name], factory=_Into(self))
        except _NotReadAnyMore:
            return
        except Exception as error:  # the thread's end: whoever reads is told, and decoders raise whatever they like
            self._put(PackingError(f"its 7z data are damaged ({error})"))
        else:
            self._put(b"")

    def put(self, data: bytes) -> None:
        """Hand on what was unpacked; waits until there is room. Raises when nobody reads."""
        for start in range(0, len(data), _PIECE_BYTES):
            self._put(bytes(data[start : start + _PIECE_BYTES]))
            if self._is_stopped.is_set():
                raise _NotReadAnyMore

    def stop(self) -> None:
        """Nothing more is read."""
        self._is_stopped.set()
        while not self._pieces.empty():
            self._pieces.get()

    def _put(self, piece: bytes | PackingError) -> None:
        while not self._is_stopped.is_set():
            try:
                self._pieces.put(piece, timeout=1)
            except queue.Full:
                continue
            return


class _Into(WriterFactory):
    """Has a member written to a stream."""

    def __init__(self, stream: MemberStream) -> None:
        self._stream = stream

    def create(self, filename: str) -> Py7zIO:
        return _Sink(self._stream)


class _Sink(Py7zIO):
    """What py7zr writes a member to."""

    def __init__(self, stream: MemberStream) -> None:
        self._stream = stream
        self._size = 0

    def write(self, s: bytes | bytearray) -> int:
        self._stream.put(bytes(s))
        self._size += len(s)
        return len(s)

    def read(self, size: int | None = None) -> bytes:
        return b""

    def seek(self, offset: int, whence: int = 0) -> int:
        return 0

    def flush(self) -> None:
        return

    def size(self) -> int:
        return self._size


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    try:
        with path.open("rb") as file:
            header = file.read(_HEADER_BYTES)
            if len(header) < _HEADER_BYTES or not header.startswith(MARK):
                raise ImportFileError(f"{path} is no 7z archive, or breaks off.")
            (size,) = _SIZE_OF_LIST.unpack_from(header, _SIZE_OF_LIST_AT)
            if size > _MOST_LIST_BYTES:
                raise ImportFileError(f"{path} has a list of members of {size:,} bytes, which no dump has.")
            file.seek(0)
            yield file
    except FileNotFoundError as error:
        raise NotFoundError(f"There is no file {path}.") from error
    except OSError as error:
        raise ImportFileError(f"{path} cannot be read: {error.strerror or error}.") from error


@contextmanager
def _archive(file: BinaryIO, path: Path) -> Iterator[py7zr.SevenZipFile]:
    try:
        # A file rather than its name: given a name, members are unpacked side by side.
        archive = py7zr.SevenZipFile(file, "r")
    except py7zr.PasswordRequired as error:
        raise _encrypted(path) from error
    except Exception as error:  # a parser of hostile bytes, of which some kinds of error aren't its own
        raise ImportFileError(
            f"{path} is a damaged 7z archive, or one of a kind that can't be read ({error}).",
            hint="Get the file again, or unpack it first and import the folder.",
        ) from error
    with archive:
        yield archive


def _encrypted(path: Path) -> ImportFileError:
    return ImportFileError(f"{path} is encrypted.", hint="Unpack it first, and import the folder.")
