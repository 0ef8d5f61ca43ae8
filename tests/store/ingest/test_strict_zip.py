"""Archives of the plain form are read as they are; whatever deviates from it is refused."""

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.ingest.strict_zip import Limits, RefusedError, chunks_of, lines_of, members_of
from tests.store.ingest.bundled import packed

LIMITS = Limits(most_bytes=1 << 24, free_bytes=1 << 20, most_ratio=100, most_members=3)
GOOD = {"a.txt": b"first\nsecond\n", "b.txt": b"x" * 5_000 + b"\n"}


def read(data: bytes) -> dict[str, bytes]:
    file = io.BytesIO(data)
    return {one.name: b"".join(chunks_of(file, one)) for one in members_of(file, LIMITS)}


@given(st.dictionaries(st.sampled_from(["a", "b", "c"]), st.binary(max_size=3_000), max_size=3), st.booleans())
def test_what_was_packed_is_read(members: dict[str, bytes], stored: bool) -> None:
    method = zipfile.ZIP_STORED if stored else zipfile.ZIP_DEFLATED
    assert read(packed(members, compress_type=method)) == members


def _zip64(data: bytes) -> bytes:
    out = io.BytesIO()
    with (
        zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive,
        archive.open("a.txt", "w", force_zip64=True) as file,
    ):
        file.write(data)
    return out.getvalue()


def _streamed(data: bytes) -> bytes:
    """With a data descriptor, as archives are that were written to a pipe."""

    class Pipe(io.RawIOBase):
        def __init__(self) -> None:
            self.data = b""

        def writable(self) -> bool:
            return True

        def write(self, more: object) -> int:
            assert isinstance(more, bytes | bytearray | memoryview)
            self.data += bytes(more)
            return len(bytes(more))

    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.txt", data)
    return out.data


def _with_comment() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", b"a\n")
        archive.comment = b"PK\x05\x06 and more"
    return out.getvalue()


def _twice() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.txt", b"one\n")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a.txt", b"two\n")
    return out.getvalue()


def _changed(at_mark: bytes, offset: int, value: bytes, *, last: bool = False) -> bytes:
    """The good archive with some bytes behind a mark replaced."""
    data = bytearray(packed(GOOD))
    start = (data.rfind if last else data.find)(at_mark) + offset
    data[start : start + len(value)] = value
    return bytes(data)


LOCAL, ENTRY, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
HOSTILE: dict[str, Callable[[], bytes]] = {
    "nothing": lambda: b"",
    "no archive": lambda: b"SQLite format 3\0" + bytes(100),
    "something before it": lambda: b"#!/bin/sh\n" + packed(GOOD),
    "something behind it": lambda: packed(GOOD) + b"\0",
    "one archive behind another": lambda: packed(GOOD) + packed({"c.txt": b"c\n"}),
    "a comment": _with_comment,
    "ZIP64": lambda: _zip64(b"a\n"),
    "a data descriptor": lambda: _streamed(b"a\n"),
    "two files of one name": _twice,
    "a folder": lambda: packed({"a/": b""}, external_attr=0o040755 << 16 | 0x10),
    "a link": lambda: packed({"a.txt": b"/etc/passwd"}, external_attr=0o120777 << 16),
    "a device": lambda: packed({"a.txt": b""}, external_attr=0o020666 << 16),
    "an extra field": lambda: packed({"a.txt": b"a\n"}, extra=struct.pack("<2H4s", 0x5455, 4, b"time")),
    "a comment on a file": lambda: packed({"a.txt": b"a\n"}, comment=b"hidden"),
    "a method that is rare": lambda: packed({"a.txt": b"a\n"}, compress_type=zipfile.ZIP_BZIP2),
    "a name that is no ASCII": lambda: packed({"ä.txt": b"a\n"}),
    "too many files": lambda: packed({f"{n}.txt": b"a\n" for n in range(4)}),
    "a bomb": lambda: packed({"a.txt": bytes(1 << 21)}),
    "encryption": lambda: _changed(ENTRY, 8, b"\1\0"),
    "another name in its header": lambda: _changed(b"a.txt", 0, b"z.txt"),
    "another size in its header": lambda: _changed(LOCAL, 22, b"\1\0\0\0"),
    "another size in the directory": lambda: _changed(ENTRY, 24, b"\1\0\0\0"),
    "another place in the directory": lambda: _changed(ENTRY, 42, b"\1\0\0\0"),
    "another number of files": lambda: _changed(END, 8, b"\1\0\1\0"),
    "another disk": lambda: _changed(END, 4, b"\1\0"),
    "another place of the directory": lambda: _changed(END, 16, b"\0\0\0\0"),
    "a damaged sum": lambda: _changed(ENTRY, 16, b"\1\1\1\1"),
}


@pytest.mark.parametrize("archive", HOSTILE.values(), ids=HOSTILE)
def test_whatever_deviates_from_the_form_is_refused(archive: Callable[[], bytes]) -> None:
    with pytest.raises(RefusedError):
        read(archive())


@pytest.mark.parametrize("cut", [1, 22, 60, 100])
def test_what_breaks_off_is_refused(cut: int) -> None:
    with pytest.raises(RefusedError):
        read(packed(GOOD)[:-cut])


@given(st.data())
def test_a_flipped_bit_is_refused_or_changes_nothing_that_is_read(data: st.DataObject) -> None:
    whole = bytearray(packed(GOOD))
    whole[data.draw(st.integers(0, len(whole) - 1))] ^= 1 << data.draw(st.integers(0, 7))
    try:
        found = read(bytes(whole))
    except RefusedError:
        return
    assert found == GOOD  # times and versions in headers, which nobody reads


def _lying(told: int, data: bytes) -> bytes:
    """An archive that says of its file that it has `told` bytes, in both places."""
    whole = bytearray(packed({"a.txt": data}))
    for mark, offset in ((LOCAL, 22), (ENTRY, 24)):
        at = whole.find(mark) + offset
        whole[at : at + 4] = struct.pack("<L", told)
    return bytes(whole)


@pytest.mark.parametrize("told", [0, 10, 99, 101, 100_000])
def test_no_more_is_unpacked_than_was_said(told: int) -> None:
    with pytest.raises(RefusedError, match="more than it says" if told < 100 else "is damaged"):
        read(_lying(told, bytes(100)))


def test_a_directory_is_not_read_that_is_longer_than_its_files_can_make_it(tmp_path: Path) -> None:
    path = tmp_path / "long.zip"
    length = 1 << 31
    with path.open("wb") as file:
        file.seek(length)  # a hole
        file.write(END + struct.pack("<4H2LH", 0, 0, 1, 1, length, 0, 0))
    with path.open("rb") as file, pytest.raises(RefusedError, match="behind its directory"):
        members_of(file, LIMITS)


def test_data_behind_the_end_of_a_member_are_refused() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    data = packer.compress(b"a\n") + packer.flush() + b"hidden"
    sizes = struct.pack("<3L", zlib.crc32(b"a\n"), len(data), 2)
    local = LOCAL + struct.pack("<5H", 20, 0, 8, 0, 33) + sizes + struct.pack("<2H", 1, 0) + b"a"
    entry = ENTRY + struct.pack("<6H", 20, 20, 0, 8, 0, 33) + sizes + struct.pack("<5H2L", 1, 0, 0, 0, 0, 0, 0) + b"a"
    end = END + struct.pack("<4H2LH", 0, 0, 1, 1, len(entry), len(local) + len(data), 0)
    with pytest.raises(RefusedError):
        read(local + data + entry + end)


LINES = st.lists(st.binary(max_size=300).map(lambda one: one.replace(b"\n", b"")), max_size=20)


@given(LINES)
def test_lines_are_read_as_they_were_written(lines: list[bytes]) -> None:
    file = io.BytesIO(packed({"a.txt": b"".join(one + b"\n" for one in lines)}))
    (member,) = members_of(file, LIMITS)
    assert list(lines_of(file, member, 1_000)) == lines


@pytest.mark.parametrize(("data", "message"), [(b"one\ntwo", "breaks off"), (b"x" * 200_000 + b"\n", "a line of more")])
def test_a_line_without_end_and_one_that_is_too_long_are_refused(data: bytes, message: str) -> None:
    file = io.BytesIO(packed({"a.txt": data}))
    (member,) = members_of(file, LIMITS)
    with pytest.raises(RefusedError, match=message):
        list(lines_of(file, member, 100_000))
