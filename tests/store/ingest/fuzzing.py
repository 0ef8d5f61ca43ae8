"""Files to be mutated, and how: one of every format as its rows, hostile rows and bytes, and what must hold.

A row that is replaced leaves the lines of all others where they were, and so does one that is taken out. So what a file
with a bad row reports is what it reports without that row, and one rejection more.
"""

import bz2
import codecs
import csv
import gzip
import io
import json
import lzma
import sqlite3
import zipfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from backports import zstd
from hypothesis import strategies as st

from store.ingest import site_list
from store.ingest.importer import import_file
from store.rows import ImportReport
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from uq_tui.errors import UqError

SITE = "math.stackexchange.com"
DUMP = FIXTURES / "dump-2018" / "physics.stackexchange.com"
DEEP = 100_000
LONG_CELL = 200_000
"""Characters; more than the 128 KiB at which Python's reader of CSV stops by itself."""
WITH_SEVERAL = frozenset(
    (
        *("questions", "ExpertMath", "IMO-Bench", "Open Proof Corpus", "rated proofs of DeepSeekMath-V2"),
        *("RealMath-Eval", "TheoremQA", "Inspect log", "Label Studio export", "pack", "Stack Exchange API"),
    )
)
"""Formats whose rows may bring several things each: a question with its answers."""


@dataclass(frozen=True)
class Stock:
    """A file as its rows.

    Attributes:
        rows: without line ends between them; a row of CSV may have several lines.
        before: what stands before the first row, with its line end.
        behind: what stands behind the last line end.
        between: what follows a row that isn't the last.
    """

    name: str
    rows: tuple[bytes, ...]
    before: bytes = b""
    behind: bytes = b""
    between: bytes = b""

    def file(self, at: int | None = None, row: bytes | None = None) -> bytes:
        """The file; its row `at`, from 0, replaced by `row`, or by a blank line."""
        rows: list[bytes | None] = list(self.rows)
        if at is not None:
            rows[at] = row
        last = max((number for number, one in enumerate(rows) if one is not None), default=-1)
        lines = [b"" if one is None else one + self.between * (number < last) for number, one in enumerate(rows)]
        if at is not None:
            lines[at] += b"\n" * (self.rows[at].count(b"\n") - lines[at].count(b"\n"))
        return self.before + b"".join(line + b"\n" for line in lines) + self.behind

    def line_of(self, at: int) -> int:
        """The line on which a row begins, from 1."""
        return 1 + self.before.count(b"\n") + sum(1 + row.count(b"\n") for row in self.rows[:at])


def _encoded(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode()


def _json_rows(path: Path) -> tuple[bytes, ...]:
    text = path.read_text(encoding="utf-8")
    values = json.loads(text) if text.startswith("[") else [json.loads(line) for line in text.splitlines() if line]
    return tuple(map(_encoded, values))


def as_lines(name: str, rows: Sequence[bytes]) -> Stock:
    """Rows as JSON lines."""
    return Stock(name, tuple(rows))


def as_array(name: str, rows: Sequence[bytes]) -> Stock:
    """Rows as one JSON array."""
    return Stock(f"{name} (array)", tuple(rows), b"[\n", b"]\n", b",")


def as_xml(path: Path) -> Stock:
    """A file of a dump, each row on its line."""
    lines = path.read_bytes().splitlines()
    rows = [number for number, line in enumerate(lines) if line.lstrip().startswith(b"<row")]
    before = b"\n".join(lines[: rows[0]]) + b"\n"
    return Stock(path.name, tuple(lines[rows[0] : rows[-1] + 1]), before, b"\n".join(lines[rows[-1] + 1 :]))


def as_csv(path: Path) -> Stock:
    """A CSV file with commas."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        first, *rows = (_csv_row(row) for row in csv.reader(file) if row)
    return Stock(path.name, tuple(rows), first + b"\n")


def _csv_row(cells: Sequence[str]) -> bytes:
    made = io.StringIO(newline="")
    csv.writer(made, lineterminator="", quoting=csv.QUOTE_ALL).writerow(cells)
    return made.getvalue().encode()


API_ITEMS: tuple[Mapping[str, Any], ...] = tuple(
    {
        "question_id": number,
        "title": f"Is {number} &lt; 9?",
        "body": f"<p>Is {number} less?</p>",
        "link": f"https://{SITE}/questions/{number}/is",
        "owner": {"user_id": 3, "display_name": "Ann &amp; Bo"},
        "tags": ["order"],
        "score": number,
        "creation_date": 1_600_000_000 + number,
        "answers": [{"answer_id": 70 + number, "body": "<p>Yes.</p>", "creation_date": 1_600_000_100}],
    }
    for number in range(901, 904)
)
SCORES: tuple[Mapping[str, Any], ...] = tuple(
    {"question_id": question, "answer": answer, "scorer": "rm", "value": value}
    for question, answer, value in (("fuzz-1", "No, never.", 0.5), ("fuzz-1", "Yes, always.", -1), ("fuzz-2", "No.", 3))
)
ANSWERED: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    ("fuzz-1", "Is every ring a field?", ("No, never.", "Yes, always.")),
    ("fuzz-2", "Is every field finite?", ("No.",)),
)


def _questions() -> tuple[bytes, ...]:
    return tuple(_encoded({"id": one, "title": text, "question": text}) for one, text, _ in ANSWERED)


def _answers() -> tuple[bytes, ...]:
    return tuple(
        _encoded({"question_id": one, "answer": answer, "model_name": "m"})
        for one, _, answers in ANSWERED
        for answer in answers
    )


LINES = ("uq-questions", "uq-answers", "uq-validations", "questions-with-variants", "integer-variants", "neighbours")
JSON_FILES = (
    *(FIXTURES / f"{name}.jsonl" for name in LINES),
    *(FIXTURES / "pack" / f"{name}.jsonl" for name in ("questions", "neighbours", "candidates")),
    FIXTURES / "label-studio.json",
    *(FIXTURES / "graded" / f"{name}.jsonl" for name in ("corpus-proofs", "rated-proofs", "segments")),
    *(FIXTURES / "graded" / f"{name}.json" for name in ("marked", "theorems", "theorem-errors", "corpus-problems")),
)
CSV_FILES = (
    *(FIXTURES / f"{name}.csv" for name in ("expertmath", "expertmath-candidates")),
    *(FIXTURES / "graded" / f"{name}.csv" for name in ("answerbench", "proofbench")),
)
XML_FILES = tuple(DUMP / f"{name}.xml" for name in ("Users", "Posts", "Comments"))


@cache
def stocks() -> dict[str, Stock]:
    """One file of every format that has rows, by name."""
    rows = {path.name: _json_rows(path) for path in JSON_FILES}
    rows |= {"scores": tuple(map(_encoded, SCORES)), "api": tuple(map(_encoded, API_ITEMS))}
    sites = ({"name": f"Site {n}", "site_url": f"https://s{n}.com", "api_site_parameter": f"s{n}"} for n in range(3))
    rows["sites"] = tuple(map(_encoded, sites))
    columns = list(SCORES[0])
    found = [
        *(make(name, some) for name, some in rows.items() for make in (as_lines, as_array)),
        *map(as_csv, CSV_FILES),
        Stock(
            "scores.csv", tuple(_csv_row([str(v) for v in row.values()]) for row in SCORES), _csv_row(columns) + b"\n"
        ),
        *map(as_xml, XML_FILES),
        # A page is told by a key before its items where the first of these takes up all that is looked at.
        Stock("page", rows["api"], b'{"has_more": false, "items": [\n', b'], "quota_max": 300}\n', b","),
    ]
    return {one.name: one for one in found}


def fill(ws: Workspace, folder: Path) -> None:
    """Have a workspace hold whatever the files belong to that bring no questions."""
    for name, rows in (("questions.jsonl", _questions()), ("answers.jsonl", _answers())):
        brought(ws, folder, name, as_lines(name, rows).file())
    import_file(ws, FIXTURES / "pack")
    import_file(ws, DUMP, site=SITE)
    for path in (*JSON_FILES, *CSV_FILES, *JSON_FILES):
        import_file(ws, path, site=SITE)


def brought(ws: Workspace, folder: Path, name: str, data: bytes) -> ImportReport:
    """The report of importing a file of these bytes, which has to be in a format. Raises UqError, and nothing else."""
    path = folder / name
    path.write_bytes(data)
    return import_file(ws, path, site=SITE)


# What must hold


def things(report: ImportReport) -> int:
    """What an import found that can be used, new or not."""
    return report.new + report.changed + report.same


def check_counts(report: ImportReport) -> None:
    """Every row that was read brought something, or was rejected, and what is passed over is not among them.

    Where each row brings one thing: read = new + changed + same + rejected. Damage to the file itself may be rejected
    besides, as a row of its own.
    """
    assert report.passed_over >= 0
    if report.format == site_list.NAME:  # nothing of it is stored
        assert report.read == report.counts.get("sites", 0) + report.rejected_total
        return
    assert report.read <= things(report) + report.rejected_total
    if report.format not in WITH_SEVERAL:
        assert things(report) + report.rejected_total - report.read <= _besides(report)


def _besides(report: ImportReport) -> int:
    """Rejections of what was no row: in a dump, what isn't well-formed XML can't be counted among its rows."""
    return sum("XML" in row.reason or "breaks off" in row.reason or "no row" in row.reason for row in report.rejected)


def check_again(ws: Workspace, path: Path, first: ImportReport) -> None:
    """Importing the same file again changes nothing, and finds the same."""
    again = import_file(ws, path, site=SITE)
    assert again.new == 0
    assert (again.read, again.rejected) == (first.read, first.rejected)
    if again.changed:  # rows that contradict each other change the same thing in turns, and the last has its way
        before = contents(ws)
        import_file(ws, path, site=SITE)
        assert contents(ws) == before


def contents(ws: Workspace) -> dict[str, list[tuple[Any, ...]]]:
    """All rows of all tables, apart from times and the search index."""
    with closing(sqlite3.connect(ws.path)) as db:
        db.text_factory = bytes
        names = [name.decode() for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        kept = [name for name in names if not name.startswith(("search", "sqlite"))]
        return {
            name: db.execute(f'SELECT {_columns(db, name)} FROM "{name}" ORDER BY 1, 2').fetchall() for name in kept
        }


def _columns(db: sqlite3.Connection, table: str) -> str:
    names = [row[1].decode() for row in db.execute(f'PRAGMA table_info("{table}")')]
    return ", ".join(f'"{name}"' for name in names if not name.endswith("_at"))


def rejections(report: ImportReport) -> Counter[tuple[int, str]]:
    """Lines with reasons."""
    return Counter((row.line, row.reason) for row in report.rejected)


# Hostile rows

_NO_JSON = (
    b"NaN",
    b"Infinity",
    b"-Infinity",
    b"1e400",
    b"-1e400",
    b"9" * 5_000,
    b"[" * DEEP + b"]" * DEEP,
    b'{"a":' * DEEP + b"1" + b"}" * DEEP,
    b'{"a": 1, "a": 2}',
    b"undefined",
    b'"\x00"',
    b'"\xff"',
    b'"\xed\xa0\xbd"',
)
"""Values that spoil the row they stand in."""
_NO_OBJECTS = (b"7", b"null", b'"text"', b"true", b"nothing", b'{"a" 1}')
_HOSTILE: tuple[Any, ...] = (
    *(2**70, -(2**70), 1e100, 0.1, "\ud83d", "\u0000", "a\u2028b\u0085c\u2029", "\x1b[2J", "\u202e[/b]", ""),
    *(None, True, [], {}, [None], {"\ud83d": "\udc00"}, [[[[["deep"]]]]], " ", "0", 0, -1, "1e400", "x" * 9_999),
)
"""Values that are JSON, whatever a field makes of them."""
_values = st.sampled_from(_HOSTILE) | st.integers() | st.text(max_size=9) | st.floats(allow_nan=False).filter(abs)


@st.composite
def no_json_rows(draw: st.DrawFn, row: bytes) -> bytes:
    """The row so damaged that it can't be read, whoever reads it; on one line, its brackets and quotes in pairs."""
    if draw(st.booleans()):
        value = draw(st.sampled_from(_NO_JSON))
        return b'{"fuzz": ' + value + b", " + row.lstrip()[1:]
    return draw(st.sampled_from(_NO_OBJECTS))


@st.composite
def torn_rows(draw: st.DrawFn, row: bytes) -> bytes:
    """The start of a row of JSON."""
    return row[: draw(st.integers(1, len(row) - 1))]


@st.composite
def strange_rows(draw: st.DrawFn, row: bytes) -> bytes:
    """The row with values of any kind in some of its fields, here and within, and in keys that nobody knows."""
    value = json.loads(row)
    for _ in range(draw(st.integers(1, 3))):
        place = value
        while True:
            keys = list(place) if isinstance(place, dict) else list(range(len(place)))
            key = draw(st.sampled_from([*keys, "fuzz"] if isinstance(place, dict) else keys))
            inner = place.get(key) if isinstance(place, dict) else place[key]
            if not inner or not isinstance(inner, dict | list) or draw(st.booleans()):
                break
            place = inner
        if draw(st.integers(0, 5)) == 0 and isinstance(place, dict):
            place.pop(key, None)
        else:
            place[key] = deepcopy(draw(_values))  # it may be changed within by the next turn
    return json.dumps(value, ensure_ascii=draw(st.booleans())).encode("utf-8", "backslashreplace")


_BAD_XML = (
    b"&unknown;",
    b"&#0;",
    b"&#xD800;",
    b"&#x110000;",
    b"&",
    b"<",
    b"\x00",
    b"\x01",
    b"\xff",
    b"\xed\xa0\xbd",
    b'" Id="1',
    b'"',
)


@st.composite
def bad_xml_rows(draw: st.DrawFn, row: bytes) -> bytes:
    """A row of XML that isn't well-formed: torn, or with something in its first value that can't be there."""
    if draw(st.booleans()):
        start = row.index(b"<row") + 1
        return row[: draw(st.integers(start, len(row) - 1))]
    at = row.index(b'"') + 1
    return row[:at] + draw(st.sampled_from(_BAD_XML)) + row[at:]


@st.composite
def bad_csv_rows(draw: st.DrawFn, row: bytes) -> bytes:
    """A row of CSV that has another number of cells, or bytes that are no text."""
    return draw(
        st.sampled_from((row + b",more,more", b"one", row[:1] + b"\xff" + row[1:], row[:-1] + b'\xed\xa0\xbd"'))
    )


# Hostile bytes


def _zipped(data: bytes, name: str = "rows.jsonl") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, data)
    return file.getvalue()


PACKERS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 1, mtime=0),
    "bzip2": bz2.compress,
    "xz": lambda data: lzma.compress(data, preset=0),
    "Zstandard": zstd.compress,
    "zip": _zipped,
    "zip with a path": lambda data: _zipped(data, "../../../etc/rows.jsonl"),
}
FRAMINGS: dict[str, Callable[[bytes], bytes]] = {
    "mark": lambda data: codecs.BOM_UTF8 + data.removeprefix(codecs.BOM_UTF8),
    "CRLF": lambda data: data.replace(b"\n", b"\r\n"),
    "blank lines at the end": lambda data: data + b"\n\n \n",
    "UTF-16, little end first": lambda data: codecs.BOM_UTF16_LE + _text(data).encode("utf-16-le"),
    "UTF-16, big end first": lambda data: codecs.BOM_UTF16_BE + _text(data).encode("utf-16-be"),
    "UTF-16 without a mark": lambda data: _text(data).encode("utf-16-le"),
    "UTF-16 without a mark, big end first": lambda data: _text(data).encode("utf-16-be"),
    **PACKERS,
}


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig").replace('encoding="utf-8"', 'encoding="utf-16"')


_TOKENS = (
    *(b"\x00", b"\xff", b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b'"', b"\\", b"{", b"}", b"[", b"]", b",", b"\n"),
    *(b"\r", b"\r\n", b"\xe2\x80\xa8", b"\xc2\x85", b"NaN", b"1e400", b"\\ud83d", b"\\u0000", b"<", b">", b"&", b"'"),
    *(b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"]]>", b"<row", b"/>", b"PK\x03\x04", b"\x1f\x8b", b"PAR1", b"-", b"9" * 400),
)


@st.composite
def mutated(draw: st.DrawFn, data: bytes) -> bytes:
    """Bytes with some of them cut off, gone, doubled, replaced, or hostile ones among them; then framed anew or not."""
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        end = min(len(data), at + draw(st.integers(0, 99)))
        match draw(st.sampled_from(("cut", "drop", "double", "insert", "insert", "flip"))):
            case "cut":
                data = data[:at]
            case "drop":
                data = data[:at] + data[end:]
            case "double":
                data = data[:end] + data[at:]
            case "insert":
                data = data[:at] + draw(st.sampled_from(_TOKENS)) + data[at:]
            case _:
                data = data[:at] + draw(st.binary(max_size=3)) + data[at + 1 :]
    packer = draw(st.sampled_from([None, None, None, *sorted(PACKERS)]))
    if packer is None:
        return data
    packed = PACKERS[packer](data)
    return packed[: draw(st.integers(0, len(packed)))] if draw(st.booleans()) else packed


def mutated_by(chance: Random, data: bytes) -> bytes:
    """As `mutated`, for large files: at any place of them, by a generator of random numbers."""
    for _ in range(chance.randint(1, 5)):
        at = chance.randint(0, len(data))
        end = min(len(data), at + chance.choice((1, 10, 1_000)))
        match chance.randrange(5):
            case 0:
                data = data[:at] + chance.choice(_TOKENS) + data[at:]
            case 1:
                data = data[:at] + data[end:]
            case 2:
                data = data[:end] + data[at:]
            case 3:
                data = data[:at] + chance.randbytes(1) + data[at + 1 :]
            case _ if chance.random() < 0.2:
                data = data[:at]
            case _:
                data = data[:at] + chance.choice(_TOKENS) * chance.randint(1, 200) + data[at:]
    framing = chance.choice([None, None, *PACKERS])
    return data if framing is None else PACKERS[framing](data)


def outcome(ws: Workspace, path: Path) -> ImportReport | None:
    """The report of an import, its counts checked, and again; `None` where the file is refused."""
    try:
        report = import_file(ws, path, site=SITE)
    except UqError:
        return None
    check_counts(report)
    check_again(ws, path, report)
    return report
