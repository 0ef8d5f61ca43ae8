"""Real files, mutated, and files made to take all memory. Long: `make fuzz` runs them, the same examples each time."""

import bz2
import gzip
import io
import json
import lzma
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import takewhile
from pathlib import Path
from random import Random
from typing import IO, Any

import py7zr
import pytest
from backports import zstd

from store.workspace import Workspace
from tests.shared import shared_file
from tests.store.ingest.fuzzing import mutated_by, outcome
from tests.store.ingest.test_shared_data import FORMAT_OF

pytestmark = pytest.mark.long

SMALL = 150_000
ROUNDS_OF_SMALL, ROUNDS_OF_LARGE = 30, 3
MOST_RESIDENT = 450 * 1_000_000
MEBIBYTE = 1 << 20
BOMB = 400
"""Mebibytes that a bomb unpacks to."""

IMPORT = """
import sys
from pathlib import Path
from store.ingest.importer import import_file
from store.workspace import Workspace
from uq_tui.errors import UqError

ws = Workspace.open(Path(sys.argv[2]))
try:
    report = import_file(ws, Path(sys.argv[1]), site="math")
    said = f"{report.read} {report.new} {report.rejected_total}"
except UqError as error:
    said = "0 0 1"
ws.close()
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(said, int(peak.split()[1]) * 1024)
"""


def sources(pattern: str) -> list[Path]:
    """The real files that fit this pattern, and none before it."""
    folder = shared_file("data")
    before = takewhile(lambda one: one != pattern, FORMAT_OF)
    return sorted({*folder.glob(pattern)} - {path for one in before for path in folder.glob(one)})


@pytest.mark.shared
@pytest.mark.parametrize("pattern", FORMAT_OF)
def test_real_files_with_hostile_bytes(workspace: Workspace, tmp_path: Path, pattern: str) -> None:
    for source in sources(pattern):
        data = source.read_bytes()
        path = tmp_path / source.name
        path.write_bytes(data)
        for number in range(ROUNDS_OF_SMALL if len(data) < SMALL else ROUNDS_OF_LARGE):
            path.write_bytes(mutated_by(Random(f"{source.name} {number}"), data))
            outcome(workspace, path)


def peak_of(path: Path) -> tuple[int, int, int, int]:
    """Rows read, things that are new, rejections, and the most memory that the import had, in bytes."""
    command = [sys.executable, "-c", IMPORT, str(path), str(path.with_name("large.db"))]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    read, new, rejected, peak = map(int, done.stdout.split())
    return read, new, rejected, peak


def _spread(file: IO[bytes], start: bytes, mebibytes: int, filling: bytes = b" ") -> None:
    file.write(start)
    for _ in range(mebibytes):
        file.write(filling * (MEBIBYTE // len(filling)))


ROW = b'{"id": "1", "body": "Is 1 prime?"}\n'


def _packed(opened: Callable[[Path], Any], path: Path, filling: bytes) -> None:
    with opened(path) as file:
        _spread(file, ROW, BOMB, filling)


def _zip(path: Path, filling: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("a.jsonl", "w") as file:
        _spread(file, ROW, BOMB, filling)


def _zip_in_zip(path: Path, filling: bytes) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.jsonl", ROW + filling * (200 * MEBIBYTE // len(filling)))
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("b.zip", inner.getvalue())


def _seven_zip(path: Path, filling: bytes) -> None:
    with py7zr.SevenZipFile(path, "w") as archive:
        archive.writestr(b"<posts>\n" + filling * (300 * MEBIBYTE // len(filling)), "Posts.xml")


def _log(path: Path, filling: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", '{"status": "success", "eval": {"model": "m", "task": "t"}}')
        for number in range(3):
            with archive.open(f"samples/{number}_epoch_1.json", "w") as file:
                _spread(file, b"", 100, filling)


BOMBS: dict[str, Callable[[Path, bytes], None]] = {
    "gzip": partial(_packed, partial(gzip.open, mode="wb", compresslevel=6)),
    "bzip2": partial(_packed, partial(bz2.open, mode="wb", compresslevel=1)),
    "xz": partial(_packed, partial(lzma.open, mode="wb", preset=0)),
    "Zstandard": partial(_packed, partial(zstd.open, mode="wb")),
    "zip": _zip,
    "zip in zip": _zip_in_zip,
    "7z": _seven_zip,
    "log": _log,
}


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
@pytest.mark.parametrize("filling", [b" ", b"["], ids=["blanks", "nested"])
@pytest.mark.parametrize("name", BOMBS)
def test_bombs_take_little_memory(tmp_path: Path, name: str, filling: bytes) -> None:
    path = tmp_path / "bomb"
    BOMBS[name](path, filling)
    _, new, rejected, peak = peak_of(path)
    assert new <= 1
    assert rejected >= 1
    assert peak < MOST_RESIDENT


def entities(levels: int) -> str:
    more = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, levels))
    return f'<!DOCTYPE posts [<!ENTITY e0 "lol">{more}]>'


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
@pytest.mark.parametrize("declared", [entities(12), '<!DOCTYPE posts [<!ENTITY e11 SYSTEM "file:///etc/passwd">]>'])
def test_entities_are_neither_expanded_nor_fetched(tmp_path: Path, declared: str) -> None:
    path = tmp_path / "Posts.xml"
    path.write_text(f'{declared}<posts><row Id="1" PostTypeId="1" Title="t" Body="&e11;" /></posts>')
    _, new, rejected, peak = peak_of(path)
    assert (new, rejected) == (0, 1)
    assert peak < MOST_RESIDENT


def _array(size: int) -> Iterator[bytes]:
    yield b"["
    body = "Is it so? " * 100
    for number in range(size):
        yield b",\n" * (number > 0) + json.dumps({"id": str(number), "body": f"{number}. {body}"}).encode()
    yield b"]"


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the peak is read from /proc")
def test_an_array_of_300_megabytes(tmp_path: Path) -> None:
    path, rows = tmp_path / "rows.json", 290_000
    _written(path, _array(rows))
    read, new, rejected, peak = peak_of(path)
    assert path.stat().st_size > 290_000_000
    assert (read, new, rejected) == (rows, rows, 0)
    assert peak < MOST_RESIDENT


def _written(path: Path, parts: Iterable[bytes]) -> None:
    with path.open("wb") as file:
        file.writelines(parts)
