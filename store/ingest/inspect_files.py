"""Opening Inspect logs: one JSON document, or an `.eval` archive with a member for each sample.

Nothing is extracted to disk. Members are read one by one within limits; those that can't be read are named, and the
others are read. Inspect writes NaN for what was not scored, which is no JSON: it is read as null here.
"""

import json
import lzma
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from store.ingest.files import open_unpacked
from store.ingest.report import RowError
from uq_tui.errors import ImportFileError, NotFoundError
from uq_tui.text import counted

MOST_MEMBERS = 200_000
"""Files that an archive may hold."""
MOST_MEMBER_BYTES = 64 * 1024 * 1024
"""What a sample, or a log that is one document, may unpack to."""
MOST_RATIO = 250
"""How many times its size a member may unpack to, beyond FREE_BYTES."""
FREE_BYTES = 1024 * 1024
MOST_DEPTH = 200
"""Deepest nesting: messages hold tool calls that hold whatever a tool takes."""

_HEADER = "header.json"
_START = "_journal/start.json"
_SAMPLE = re.compile(r"samples/[^/]+\.json")


@dataclass(frozen=True, slots=True)
class Sample:
    """One sample of a log. Exactly one of `value` and `problem` says something."""

    number: int
    """From 1, in the order of the file."""
    name: str
    """Of its member; "" in a document."""
    value: dict[str, Any]
    problem: str


@dataclass(frozen=True, slots=True)
class Log:
    """A log, opened."""

    header: dict[str, Any]
    """All but its samples."""
    finished: bool
    """Its end is there. One that was cut off, or still runs, has its first entries and some samples only."""
    samples: Iterator[Sample]


@contextmanager
def open_log(path: Path) -> Iterator[Log]:
    """Open a log of either kind.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, is no log, or is beyond a limit.
    """
    if not path.exists():
        raise NotFoundError(f"There is no file {path}.")
    if zipfile.is_zipfile(path):
        with _archive(path) as archive:
            yield _archived(archive, path)
    else:
        document = _document(path)
        samples = document.pop("samples", None) or []
        if not isinstance(samples, list):
            raise ImportFileError(f"{path} is no log of Inspect: its `samples` are not a list.")
        numbered = (
            Sample(number, "", one if isinstance(one, dict) else {}, "" if isinstance(one, dict) else "no object")
            for number, one in enumerate(samples, 1)
        )
        yield Log(document, document.get("status") != "started", numbered)


def _document(path: Path) -> dict[str, Any]:
    with open_unpacked(path) as file:
        data = file.read(MOST_MEMBER_BYTES + 1)
    if len(data) > MOST_MEMBER_BYTES:
        raise ImportFileError(
            f"{path} is a log in one document of more than {MOST_MEMBER_BYTES // 2**20} MiB.",
            hint="Convert it: `inspect log convert --to eval` writes one that is read sample by sample.",
        )
    try:
        return parsed(data)
    except RowError as error:
        raise ImportFileError(f"{path} is no log of Inspect: {error}.") from error


@contextmanager
def _archive(path: Path) -> Iterator[Any]:
    """The archive, with the interface of `zipfile.ZipFile`, which reads no Zstandard before Python 3.14."""
    from backports.zstd import zipfile as zstd_zipfile  # loaded for logs only

    try:
        with zstd_zipfile.ZipFile(path) as archive:
            yield archive
    except _broken() as error:
        raise ImportFileError(f"{path} is a damaged zip archive ({error}).", hint="Get the file again.") from error


@cache
def _broken() -> tuple[type[Exception], ...]:
    """What reading a damaged archive raises. The library's errors are its own, not those of `zipfile`."""
    from backports import zstd
    from backports.zstd import zipfile as zstd_zipfile

    own = (zstd_zipfile.BadZipFile, zstd_zipfile.LargeZipFile, zstd.ZstdError)
    return (*own, zlib.error, lzma.LZMAError, OSError, EOFError, RuntimeError, NotImplementedError, ValueError)


def _archived(archive: Any, path: Path) -> Log:
    members: list[zipfile.ZipInfo] = archive.infolist()
    if len(members) > MOST_MEMBERS:
        raise ImportFileError(f"{path} holds {counted(len(members), 'file')}; a log has at most {MOST_MEMBERS:,}.")
    names = Counter(one.filename for one in members)
    found = next((name for name in (_HEADER, _START) if names[name]), "")
    if not found:
        raise ImportFileError(f"{path} is no log of Inspect: it has neither {_HEADER} nor {_START}.")
    try:
        header = parsed(_member(archive, archive.getinfo(found)))
    except RowError as error:
        raise ImportFileError(f"{path} is no log of Inspect: its {found} is no good ({error}).") from error
    return Log(header, found == _HEADER, _samples(archive, members))


def _samples(archive: Any, members: list[zipfile.ZipInfo]) -> Iterator[Sample]:
    seen = set()
    wanted = (one for one in members if _SAMPLE.fullmatch(one.filename))
    for number, member in enumerate(wanted, 1):
        value: dict[str, Any] = {}
        problem = ""
        try:
            if member.filename in seen:
                raise RowError("it is there twice")
            seen.add(member.filename)
            value = parsed(_member(archive, member))
        except RowError as error:
            problem = str(error)
        yield Sample(number, member.filename, value, problem)


def _member(archive: Any, member: zipfile.ZipInfo) -> bytes:
    """What a member holds. Raises RowError: it is damaged, encrypted, or a bomb."""
    most = min(MOST_MEMBER_BYTES, max(FREE_BYTES, MOST_RATIO * member.compress_size))
    try:
        with archive.open(member) as file:
            data: bytes = file.read(most + 1)
    except _broken() as error:
        raise RowError(f"it can't be unpacked ({error})") from error
    if len(data) > most:
        limit = f"{MOST_RATIO} times its size" if most < MOST_MEMBER_BYTES else f"{most // 2**20} MiB"
        raise RowError(f"it unpacks to more than {limit}")
    return data


def parsed(data: bytes) -> dict[str, Any]:
    """The JSON object that bytes are. Raises RowError: they are none."""
    problems: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            problems.append("a key stands twice in one object")
        return made

    try:
        value = json.loads(
            data.decode("utf-8-sig"), object_pairs_hook=once, parse_constant=lambda _name: None, parse_int=_whole
        )
    except (ValueError, RecursionError) as error:
        said = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise RowError(f"not JSON: {said}") from error
    if problems:
        raise RowError(problems[0])
    if not isinstance(value, dict):
        raise RowError("not a JSON object")
    if _is_deep(value):
        raise RowError(f"nested more than {MOST_DEPTH} deep")
    return value


def _whole(digits: str) -> int | str:
    """A whole number; as text where it has more digits than anybody counts to."""
    return int(digits) if len(digits) <= 100 else digits


def _is_deep(value: Any) -> bool:
    level = [value]
    for _ in range(MOST_DEPTH):
        level = [
            child
            for one in level
            if isinstance(one, dict | list)
            for child in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return False
    return True
