"""Packed files: told by content, kept in proportion, and broken ones named."""

import bz2
import gzip
import io
import json
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from backports import zstd

from store.ingest import packing
from store.ingest.files import open_unpacked
from store.ingest.jsonl import read_rows
from store.ingest.packing import PackingError
from uq_tui.errors import ImportFileError

ROWS = b"".join(json.dumps({"n": n, "x": str(n) * 9}).encode() + b"\n" for n in range(20_000))

NOISE = b"".join(b'{"n": %d, "x": "%s"}\n' % (n, Random(n).randbytes(1500).hex().encode()) for n in range(600))
"""Rows that hardly shrink, so that many blocks come."""


def zipped(data: bytes, *others: tuple[str, bytes], name: str = "rows.jsonl") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
        for other, content in others:
            archive.writestr(other, content)
    return file.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lambda data: lzma.compress(data, preset=0),
    "Zstandard": zstd.compress,
    "zip": zipped,
}


@pytest.mark.parametrize("name", PACKERS)
def test_packed_rows_are_those_that_were_packed(tmp_path: Path, name: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(PACKERS[name](ROWS))
    rows = list(read_rows(path))
    assert [row.value["n"] for row in rows] == list(range(20_000))


@pytest.mark.parametrize("name", [name for name in PACKERS if name != "zip"])
def test_streams_one_after_the_other_are_one_file(tmp_path: Path, name: str) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(PACKERS[name](b'{"a": 1}\n') + PACKERS[name](b'{"b": 2}\n'))
    assert [row.value for row in read_rows(path)] == [{"a": 1}, {"b": 2}]


@pytest.mark.parametrize("name", [name for name in PACKERS if name != "zip"])
def test_what_breaks_off_keeps_what_came_before(tmp_path: Path, name: str) -> None:
    path = tmp_path / "rows.jsonl"
    whole = PACKERS[name](NOISE)
    path.write_bytes(whole[: len(whole) * 2 // 3])
    *rows, last = read_rows(path)
    assert [row.value["n"] for row in rows] == list(range(len(rows)))
    assert len(rows) > 100
    assert f"the file breaks off: its {name} data are damaged" in last.problem


@pytest.mark.parametrize("name", PACKERS)
def test_a_bomb_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(packing, "FREE_BYTES", 1 << 20)
    monkeypatch.setattr(packing, "MOST_RATIO", 20)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(PACKERS[name](b'{"a": 1}\n' + b" " * (8 << 20)))
    first, last = read_rows(path)
    assert first.value == {"a": 1}
    assert "it unpacks to more than 20 times its size, as a decompression bomb does" in last.problem


def test_no_file_is_larger_than_any_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "MOST_BYTES", 1000)
    path = tmp_path / "rows.jsonl"
    path.write_bytes(gzip.compress(ROWS))
    with pytest.raises(ImportFileError, match="it unpacks to more than"), open_unpacked(path) as file:
        file.read()


def test_a_zip_archive_with_what_systems_add_holds_one_file(tmp_path: Path) -> None:
    path = tmp_path / "rows.zip"
    path.write_bytes(zipped(b'{"a": 1}\n', ("__MACOSX/._rows.jsonl", b"x"), (".DS_Store", b"x"), ("folder/", b"")))
    assert [row.value for row in read_rows(path)] == [{"a": 1}]


def test_a_zip_archive_of_several_files_is_read_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(zipped(b"", ("other", b"")))
    with open_unpacked(path) as file:
        assert file.read(2) == b"PK"
        assert packing.members_of(file, path) == ("rows.jsonl", "other")


@pytest.mark.parametrize("data", [b"PK\x03\x04 and no more", b"PK\x03\x04" + bytes(200)])
def test_a_damaged_zip_archive_is_named(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "x.zip"
    path.write_bytes(data)
    with pytest.raises(ImportFileError, match="a damaged zip archive"), open_unpacked(path):
        pass


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.zip"
    data = bytearray(zipped(b'{"a": 1}\n'))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    path.write_bytes(data)
    with pytest.raises(ImportFileError, match=r"can't be unpacked.*encrypted"), open_unpacked(path):
        pass


def test_a_window_of_memory_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packing, "_WINDOW_BYTES", 1 << 20)
    packed = lzma.compress(b"{}\n")
    file = packing.unpacked(io.BytesIO(packed), packed[:8], len(packed))
    assert file is not None
    with pytest.raises(PackingError, match="xz data are damaged"):
        file.read()
