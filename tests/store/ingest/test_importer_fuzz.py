"""Files that chance has damaged: nothing but a report or an error in words comes out, and each row is told of once."""

import bz2
import gzip
import io
import json
import zipfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from store.ingest.importer import import_file
from store.rows import ImportReport
from store.workspace import Workspace
from tests.fixtures import FIXTURES
from tests.store.ingest.test_parquet_rows import written
from tests.store.ingest.test_stack_exchange_api import ANSWERED, ASKED, SAID
from uq_tui.errors import ImportFileError, NotFoundError, UqError

LINES = (FIXTURES / "uq-questions.jsonl").read_bytes()
PAGE = json.dumps(
    {"items": [ASKED, ANSWERED, SAID, ASKED | {"question_id": 2**70}], "has_more": True}, indent=1
).encode()
SIGNS = [
    *(b'"', b"{", b"}", b"[", b"]", b",", b"\\", b"\n", b"\r\n", b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"NaN"),
    *(b"1e400", b"9" * 5000, b"\\ud83d", "\u2028".encode(), b"[" * 3000, b'"title": 7,', b'"id": null,', b"PK\x03\x04"),
]
"""What is put in at some place."""


def _zip(data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("x", data)
    return file.getvalue()


WHOLE = {
    "lines": LINES,
    "array": b"[" + b",\n".join(LINES.splitlines()) + b"]",
    "page": PAGE,
    "items": json.dumps([ASKED, ANSWERED]).encode("utf-16"),
    "gzip": gzip.compress(LINES),
    "bzip2": bz2.compress(PAGE),
    "zip": _zip(LINES),
    "parquet": b"",
}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=120, deadline=None)
@given(st.sampled_from(sorted(WHOLE)), st.data())
def test_damage_is_told_in_words(workspace: Workspace, tmp_path: Path, kind: str, data: st.DataObject) -> None:
    path = tmp_path / "file"
    if kind == "parquet":
        written(path, "SELECT i AS id, 'Body ' || i AS body, ['a', 'b'] AS tags FROM range(50) t(i)")
        whole = path.read_bytes()
    else:
        whole = WHOLE[kind]
    damaged = bytearray(whole)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged)))
        match data.draw(st.sampled_from(["put", "cut", "change", "end"])):
            case "put":
                damaged[at:at] = data.draw(st.sampled_from(SIGNS))
            case "cut":
                del damaged[at : at + data.draw(st.integers(1, 40))]
            case "change":
                damaged[at : at + 1] = data.draw(st.binary(min_size=1, max_size=1))
            case _:
                del damaged[at:]
    path.write_bytes(damaged)
    report = _imported(workspace, path)
    if isinstance(report, UqError):
        assert str(path) in report.message
    else:
        assert report.new + report.changed + report.same + report.rejected_total == report.read
        assert all(row.line > 0 and row.reason for row in report.rejected)


def _imported(ws: Workspace, path: Path) -> ImportReport | UqError:
    try:
        return import_file(ws, path)
    except (ImportFileError, NotFoundError) as error:
        return error
