"""Unpacking as a stream: gzip, bzip2, xz, Zstandard, and zip archives that hold one file. Told by content.

What is packed is hostile until it is read: no more comes out than a multiple of what went in, no window of a
decompressor is larger than a limit, and nothing is written to disk.
"""

import bz2
import gzip
import io
import lzma
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from uq_tui.errors import ImportFileError
from uq_tui.text import counted

MOST_RATIO = 250
"""How many times its size a file may unpack to. JSON and XML of posts shrink to a tenth or so."""

FREE_BYTES = 64 * 1024 * 1024
"""What any file may unpack to, whatever the ratio."""

MOST_BYTES = 512 * 1024**3
"""What any file may unpack to at most. The largest dump has about 100 GiB."""

_WINDOW_BYTES = 256 * 1024 * 1024
"""Memory that a decompressor of xz may take."""

_ZIP_MARK = b"PK\x03\x04"
_CHUNK = 1 << 16


class PackingError(Exception):
    """Packed data break off, are damaged, or are a bomb. The message says which, without naming the file."""


class _Packing(NamedTuple):
    name: str
    mark: bytes
    open: Callable[[BinaryIO], Any]
    broken: tuple[type[Exception], ...]


class _Stream:
    """Reads what a decompressor of the standard library's kind makes of a file, stream after stream."""

    def __init__(self, file: BinaryIO, make: Callable[[], Any]) -> None:
        self._file = file
        self._make = make
        self._decompressor = make()
        self._begun = False

    def read(self, size: int) -> bytes:
        while True:
            if self._decompressor.eof:
                rest = (self._decompressor.unused_data or self._file.read(_CHUNK)).lstrip(b"\0")
                if not rest:
                    return b""
                self._decompressor, self._begun = self._make(), False
                found = self._decompressor.decompress(rest, size)
            elif self._decompressor.needs_input:
                data = self._file.read(_CHUNK)
                if not data:
                    raise EOFError("the data end before their end mark")
                found = self._decompressor.decompress(data, size)
            else:
                found = self._decompressor.decompress(b"", size)
            if found:
                return bytes(found)


def _gzip(file: BinaryIO) -> Any:
    return gzip.GzipFile(fileobj=file)


def _bzip2(file: BinaryIO) -> Any:
    return _Stream(file, bz2.BZ2Decompressor)


def _xz(file: BinaryIO) -> Any:
    return _Stream(file, lambda: lzma.LZMADecompressor(memlimit=_WINDOW_BYTES))


def _zstd(file: BinaryIO) -> Any:
    from backports import zstd  # read by few, so loaded for those

    return _Stream(file, zstd.ZstdDecompressor)


_PACKINGS = (
    _Packing("gzip", b"\x1f\x8b", _gzip, (EOFError, gzip.BadGzipFile, zlib.error)),
    _Packing("bzip2", b"BZh", _bzip2, (EOFError, OSError, ValueError)),
    _Packing("xz", b"\xfd7zXZ\0", _xz, (EOFError, lzma.LZMAError)),
    _Packing("Zstandard", b"\x28\xb5\x2f\xfd", _zstd, (EOFError, Exception)),
)


class _Guarded(io.RawIOBase):
    """What a decompressor reads, as long as it is sound and in proportion."""

    def __init__(self, source: Any, name: str, broken: tuple[type[Exception], ...], packed_bytes: int) -> None:
        self._source = source
        self._name = name
        self._broken = broken
        self._most = min(MOST_BYTES, max(FREE_BYTES, MOST_RATIO * packed_bytes))
        self._read = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        try:
            data = self._source.read(len(buffer))
        except self._broken as error:
            raise PackingError(f"its {self._name} data are damaged ({error})") from error
        self._read += len(data)
        if self._read > self._most:
            limit = f"{MOST_RATIO} times its size" if self._most < MOST_BYTES else f"{MOST_BYTES // 1024**3} GiB"
            raise PackingError(f"it unpacks to more than {limit}, as a decompression bomb does")
        buffer[: len(data)] = data
        return len(data)


def packing_of(start: bytes) -> str:
    """How a file that begins so is packed; "" for one that isn't, or only as a zip archive."""
    return next((one.name for one in _PACKINGS if start.startswith(one.mark)), "")


def is_zip(start: bytes) -> bool:
    """Whether a file that begins so is a zip archive."""
    return start.startswith(_ZIP_MARK)


def unpacked(file: BinaryIO, start: bytes, packed_bytes: int) -> io.BufferedReader | None:
    """The file unpacked, if it is packed. Reading it raises PackingError where the data are no good.

    Args:
        file: at its start.
        start: how it begins.
        packed_bytes: its size.
    """
    for packing in _PACKINGS:
        if start.startswith(packing.mark):
            guarded = _Guarded(packing.open(file), packing.name, packing.broken, packed_bytes)
            return io.BufferedReader(guarded, _CHUNK)
    return None


def members_of(file: BinaryIO, path: Path) -> tuple[str, ...]:
    """The files in a zip archive, without those that systems add. Raises ImportFileError: it is damaged."""
    return tuple(one.filename for one in _usable(_archive(file, path)))


def only_member(file: BinaryIO, path: Path) -> io.BufferedReader | None:
    """The one file that a zip archive holds, unpacked; None where it holds several, or none.

    Raises:
        ImportFileError: the archive is damaged, encrypted, or packed in a way that can't be read.
    """
    archive = _archive(file, path)
    usable = _usable(archive)
    if len(usable) != 1:
        return None
    try:
        source = archive.open(usable[0])
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, ValueError) as error:
        raise ImportFileError(
            f"{path} is a zip archive that can't be unpacked ({error}).", hint="Unpack it first, and import the file."
        ) from error
    broken = (EOFError, zipfile.BadZipFile, zlib.error, lzma.LZMAError, OSError, NotImplementedError, ValueError)
    return io.BufferedReader(_Guarded(source, "zip", broken, usable[0].compress_size), _CHUNK)


def _archive(file: BinaryIO, path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(file)
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, OverflowError) as error:
        raise ImportFileError(f"{path} is a damaged zip archive ({error}).", hint="Get the file again.") from error


def _usable(archive: zipfile.ZipFile) -> list[zipfile.ZipInfo]:
    def is_wanted(one: zipfile.ZipInfo) -> bool:
        parts = one.filename.split("/")
        return not one.is_dir() and parts[0] != "__MACOSX" and not parts[-1].startswith(".")

    return [one for one in archive.infolist() if is_wanted(one)]


def several(members: tuple[str, ...]) -> str:
    """What to say of a zip archive with not just one file."""
    return f"a zip archive of {counted(len(members), 'file')}"
