"""Zip archives of a form so plain that nothing can hide in one: what deviates from it is refused, never repaired.

Members follow each other from the first byte without gaps, stored or deflated, each with a local header that says what
the directory says; the directory follows, then its end record, then nothing. There is no ZIP64, no encryption, no data
descriptor, no extra field, no comment, no folder and no link. The format is that of PKWARE's APPNOTE 6.3.10, sections
4.3 and 4.4.

Nothing is written to disk. A member is read as a stream, of no more bytes than the directory says.
"""

import stat
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

_LOCAL = struct.Struct("<4s5H3L2H")
_ENTRY = struct.Struct("<4s6H3L5H2L")
_END = struct.Struct("<4s4H2LH")
_LOCAL_MARK, _ENTRY_MARK, _END_MARK = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_STORED, _DEFLATED = 0, 8
_IN_ZIP64 = 0xFFFFFFFF
"""A size or place that stands elsewhere, in a field of ZIP64."""
_LONGEST_NAME = 0xFFFF
_UNIX = 3
_CHUNK = 1 << 16
_RAW_DEFLATE = -15


class RefusedError(Exception):
    """An archive is not as it must be. The message says why, without naming the file."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What an archive may unpack to."""

    most_bytes: int
    """All members together, whatever they are packed to."""
    free_bytes: int
    """What they may have in any case."""
    most_ratio: int
    """Beyond that, how many times the archive's size they may have together."""
    most_members: int


@dataclass(frozen=True, slots=True)
class Member:
    """A file in an archive."""

    name: str
    size: int
    """In bytes, unpacked."""
    packed: int
    crc: int
    deflated: bool
    start: int
    """Where its data begin in the archive."""


def members_of(file: BinaryIO, limits: Limits) -> tuple[Member, ...]:
    """The members of an archive, in their order. Raises RefusedError."""
    size = file.seek(0, 2)
    count, directory_start = _end_of(file, size)
    if count > limits.most_members:
        raise RefusedError(f"it holds {count:,} files")
    length = size - _END.size - directory_start
    if length > count * (_ENTRY.size + _LONGEST_NAME):
        raise RefusedError("there is something between its files, or behind its directory")
    directory = _read(file, directory_start, length)
    found: list[Member] = []
    at = end = 0
    for _ in range(count):
        member, at = _entry(directory, at, end)
        end = _check_local(file, member, end)
        found.append(member)
    if at != len(directory) or end != directory_start:
        raise RefusedError("there is something between its files, or behind its directory")
    if len({one.name for one in found}) != len(found):
        raise RefusedError("two of its files have one name")
    _check_sizes(found, size, limits)
    return tuple(found)


def _end_of(file: BinaryIO, size: int) -> tuple[int, int]:
    """How many members there are, and where the directory begins."""
    if size < _END.size:
        raise RefusedError("it is too short for a zip archive")
    mark, disk, first_disk, here, count, length, start, comment = _END.unpack(_read(file, size - _END.size, _END.size))
    if mark != _END_MARK or comment:
        raise RefusedError("it doesn't end as a zip archive without a comment does")
    if disk or first_disk or here != count:
        raise RefusedError("it is a part of an archive of several files")
    if start + length != size - _END.size:
        raise RefusedError("its directory isn't where it must be")
    return count, start


def _entry(directory: bytes, at: int, start: int) -> tuple[Member, int]:
    """The member that the directory names at a place, whose local header begins at `start`, and the next place."""
    if at + _ENTRY.size > len(directory):
        raise RefusedError("its directory breaks off")
    (
        mark,
        made_by,
        _,
        flags,
        method,
        _,
        _,
        crc,
        packed,
        size,
        name_length,
        extra,
        comment,
        disk,
        _,
        attributes,
        header,
    ) = _ENTRY.unpack_from(directory, at)
    if mark != _ENTRY_MARK:
        raise RefusedError("its directory is damaged")
    name = _name(directory[at + _ENTRY.size : at + _ENTRY.size + name_length])
    if flags or extra or comment or disk:
        raise RefusedError(f"{name!a} is encrypted, or has fields that have no place here")
    if method not in (_STORED, _DEFLATED):
        raise RefusedError(f"{name!a} is packed by a method that isn't read")
    if _IN_ZIP64 in (packed, size, header):
        raise RefusedError("it has sizes of ZIP64")
    mode = attributes >> 16 if made_by >> 8 == _UNIX else 0
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG) or attributes & 0x10:
        raise RefusedError(f"{name!a} is a folder, a link or a device")
    if header != start:
        raise RefusedError("its files overlap, or leave gaps")
    if method == _STORED and size != packed:
        raise RefusedError(f"{name!a} has two sizes")
    data = header + _LOCAL.size + name_length
    return Member(name, size, packed, crc, method == _DEFLATED, data), at + _ENTRY.size + name_length


def _name(raw: bytes) -> str:
    try:
        return raw.decode("ascii")
    except UnicodeDecodeError:
        raise RefusedError("the name of one of its files is not ASCII") from None


def _check_local(file: BinaryIO, member: Member, start: int) -> int:
    """Make sure that the local header says what the directory does; where the member ends."""
    header = _read(file, start, _LOCAL.size + len(member.name))
    mark, _, flags, method, _, _, crc, packed, size, name_length, extra = _LOCAL.unpack_from(header)
    told = (mark, flags, method, crc, packed, size, name_length, extra, header[_LOCAL.size :])
    method_here = _DEFLATED if member.deflated else _STORED
    name = member.name.encode()
    if told != (_LOCAL_MARK, 0, method_here, member.crc, member.packed, member.size, len(name), 0, name):
        raise RefusedError(f"{member.name!a} is described in two ways")
    return member.start + member.packed


def _check_sizes(members: list[Member], packed: int, limits: Limits) -> None:
    most = min(limits.most_bytes, max(limits.free_bytes, limits.most_ratio * packed))
    if sum(one.size for one in members) > most:
        raise RefusedError(f"it unpacks to more than {most // 2**20:,} MiB, as a decompression bomb does")


def chunks_of(file: BinaryIO, member: Member) -> Iterator[bytes]:
    """What a member holds, in pieces, and never more than it says. Raises RefusedError where its data are others."""
    unpack = zlib.decompressobj(_RAW_DEFLATE) if member.deflated else None
    at, left, crc = member.start, member.size, 0
    packed_left = member.packed
    pending = b""
    while True:
        if not pending and packed_left:
            pending = _read(file, at, min(_CHUNK, packed_left))
            at, packed_left = at + len(pending), packed_left - len(pending)
        if unpack is None:
            data, pending = pending, b""
        else:
            data, pending = _unpacked(unpack, pending, min(_CHUNK, left + 1), member)
        left, crc = left - len(data), zlib.crc32(data, crc)
        if left < 0:
            raise RefusedError(f"{member.name!a} unpacks to more than it says")
        if data:
            yield data
        elif not pending and not packed_left:
            break
        elif unpack is not None and unpack.eof:
            raise RefusedError(f"{member.name!a} has data behind its end")
    if left or crc != member.crc or (unpack is not None and (not unpack.eof or unpack.unused_data)):
        raise RefusedError(f"{member.name!a} is damaged")


def _unpacked(unpack: "zlib._Decompress", data: bytes, most: int, member: Member) -> tuple[bytes, bytes]:
    try:
        return unpack.decompress(data, most), unpack.unconsumed_tail
    except zlib.error as error:
        raise RefusedError(f"{member.name!a} is damaged ({error})") from error


def lines_of(file: BinaryIO, member: Member, longest: int) -> Iterator[bytes]:
    """The lines of a member without their line feeds, the last of which ends it. Raises RefusedError."""
    rest: list[bytes] = []
    held = 0
    for chunk in chunks_of(file, member):
        first, *others = chunk.split(b"\n")
        rest.append(first)
        held += len(first)
        for one in others:
            yield b"".join(rest)
            rest, held = [one], len(one)
        if held > longest:
            raise RefusedError(f"{member.name!a} has a line of more than {longest // 2**20} MiB")
    if held:
        raise RefusedError(f"{member.name!a} breaks off in a line")


def _read(file: BinaryIO, at: int, length: int) -> bytes:
    file.seek(at)
    data = file.read(length)
    if len(data) != length:
        raise RefusedError("it breaks off")
    return data
