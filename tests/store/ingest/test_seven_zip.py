"""7z archives: what is in them, hostile ones, and members as streams."""

import os
import struct
import threading
import zlib
from pathlib import Path

import py7zr
import pytest

from store.ingest.packing import PackingError
from store.ingest.seven_zip import Member, members_of, open_member
from uq_tui.errors import ImportFileError, NotFoundError

LARGE = os.urandom(1 << 20) * 12


def packed(path: Path, password: str | None = None, **members: bytes) -> Path:
    """An archive of these members."""
    with py7zr.SevenZipFile(path, "w", password=password) as archive:
        for name, content in members.items():
            archive.writestr(content, name)
    return path


def unpacked(path: Path, name: str) -> bytes:
    with open_member(path, name) as stream:
        return b"".join(iter(lambda: stream.read(1 << 16), b""))


def test_members_with_their_sizes(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.7z", a=b"one", b=b"", c=b"three")
    assert members_of(path) == (Member("a", 3), Member("b", 0), Member("c", 5))


def test_members_are_read_in_any_order(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.7z", a=b"one", b=LARGE, c=b"three", d=b"")
    assert [unpacked(path, name) for name in "cabd"] == [b"three", b"one", LARGE, b""]


def test_reading_may_stop_early(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.7z", a=LARGE)
    with open_member(path, "a") as stream:
        assert stream.read(10) == LARGE[:10]
    assert not [one for one in threading.enumerate() if one.name == "unpacking-7z"]


def test_damaged_data_are_said_where_they_are_read(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.7z", a=LARGE)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    with pytest.raises(PackingError, match="its 7z data are damaged"):
        unpacked(path, "a")


def test_encrypted_archives_are_refused(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.7z", password="secret", a=b"one")
    with pytest.raises(ImportFileError, match="is encrypted"):
        members_of(path)
    with py7zr.SevenZipFile(tmp_path / "y.7z", "w", password="secret", header_encryption=True) as archive:
        archive.writestr(b"one", "a")
    with pytest.raises(ImportFileError, match="is encrypted"):
        members_of(tmp_path / "y.7z")


def test_bombs_are_refused_by_their_sizes(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.7z", a=b"\0" * (65 << 20))
    with pytest.raises(ImportFileError, match="as a decompression bomb does"):
        members_of(path)


def test_two_files_of_one_name_and_too_many_files(tmp_path: Path) -> None:
    path = tmp_path / "x.7z"
    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writestr(b"1", "Posts.xml")
        archive.writestr(b"2", "Posts.xml")
    with pytest.raises(ImportFileError, match="two files of one name"):
        members_of(path)
    with py7zr.SevenZipFile(path, "w") as archive:
        for number in range(201):
            archive.writestr(b"", f"{number}")
    with pytest.raises(ImportFileError, match="holds 201 files"):
        members_of(path)


def test_a_list_of_members_out_of_all_proportion_is_not_read(tmp_path: Path) -> None:
    start = struct.pack("<QQL", 0, 1 << 40, 0)
    path = tmp_path / "x.7z"
    path.write_bytes(b"7z\xbc\xaf\x27\x1c\0\4" + struct.pack("<L", zlib.crc32(start)) + start)
    with pytest.raises(ImportFileError, match="a list of members of 1,099,511,627,776 bytes"):
        members_of(path)


@pytest.mark.parametrize("length", [0, 3, 31, 32, 60])
def test_archives_that_break_off(tmp_path: Path, length: int) -> None:
    path = packed(tmp_path / "x.7z", a=b"one")
    path.write_bytes(path.read_bytes()[:length])
    with pytest.raises(ImportFileError, match=r"breaks off|is a damaged 7z archive"):
        members_of(path)


def test_a_missing_archive(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        members_of(tmp_path / "none.7z")


def test_whatever_byte_is_wrong_only_typed_errors_escape(tmp_path: Path) -> None:
    path = packed(tmp_path / "x.7z", a=b"one", b=b"two" * 50)
    sound = path.read_bytes()
    for at in range(len(sound)):
        path.write_bytes(sound[:at] + bytes([sound[at] ^ 0xFF]) + sound[at + 1 :])
        try:
            for member in members_of(path):
                unpacked(path, member.name)
        except (ImportFileError, PackingError):
            continue
