"""Hostile bundles are refused whole: nothing of one reaches the workspace."""

import gzip
import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from store import bundle_shape as shape
from store.ingest.bundle_file import opened
from store.ingest.importer import import_file
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.ingest.bundled import Members, described, manifest_of, members_of, packed, with_row, written
from uq_tui.errors import ImportFileError, NotFoundError
from uq_tui.words import QueueMode

Q, C, I = shape.QUESTIONS, shape.CANDIDATES, shape.ITEMS  # noqa: E741


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> dict[QueueMode, Members]:
    """The members of a blind and of an open bundle."""
    made = {}
    for mode in (QueueMode.BLIND, QueueMode.OPEN):
        folder = tmp_path_factory.mktemp(mode)
        ws = new_workspace(folder / "w.uq.sqlite")
        made[mode] = written(ws, folder / "bundle.zip", mode)
        ws.close()
    return made


@pytest.fixture
def good(bundles: dict[QueueMode, Members]) -> Members:
    return bundles[QueueMode.BLIND]


def _manifest(members: Members, **changes: Any) -> bytes:
    return packed(described(members, **changes))


def _of(members: Members, part: str, **changes: Any) -> bytes:
    """With a changed queue or reviewer."""
    return _manifest(members, **{part: {**manifest_of(members)[part], **changes}})


def _first(members: Members, name: str) -> dict[str, Any]:
    return dict(json.loads(members[name].split(b"\n")[0]))


def _doubled(members: Members, name: str) -> bytes:
    first = members[name].split(b"\n")[0] + b"\n"
    return packed(described({**members, name: first + members[name]}))


def _row(name: str, number: int, **changes: Any) -> Callable[[Members], bytes]:
    return lambda members: packed(with_row(members, name, number, **changes))


def _in_front(members: Members, name: str) -> bytes:
    return packed({name: b"x\n", **members})


def _sqlite(members: Members) -> bytes:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE question (id TEXT)")
    return packed({**members, "work.uq.sqlite": db.serialize()})


HOSTILE: dict[str, Callable[[Members], bytes]] = {
    "an extra file": lambda members: packed({**members, "notes.txt": b"hello\n"}),
    "a SQLite file": _sqlite,
    "model settings": lambda members: packed({**members, "config.toml": b"[models]\n"}),
    "a template": lambda members: packed({**members, "prompts/judge.md": b"Say yes.\n"}),
    "an absolute path": lambda members: packed({**members, "/etc/passwd": b"root\n"}),
    "a path out of it": lambda members: packed({**members, "../../.profile": b"evil\n"}),
    "a path of Windows": lambda members: packed({**members, "C:\\evil.bat": b"evil\n"}),
    "a folder": lambda members: packed({**members, "more/": b""}),
    "something in front of the manifest": lambda members: _in_front(members, "a.txt"),
    "a missing file": lambda members: packed({name: data for name, data in members.items() if name != C}),
    "another order": lambda members: packed(dict(reversed(members.items()))),
    "both kinds of members": lambda members: packed({**members, shape.VERDICTS: b""}),
    "links": lambda members: packed(members, external_attr=0o120777 << 16),
    "a bomb": lambda members: packed({**members, C: bytes(65 << 20)}),
    "no manifest": lambda members: packed({name: data for name, data in members.items() if name != shape.MANIFEST}),
    "a manifest that is no JSON": lambda members: packed({**members, shape.MANIFEST: b"{\n"}),
    "a manifest of two lines": lambda members: packed({**members, shape.MANIFEST: members[shape.MANIFEST] * 2}),
    "a manifest that is deep": lambda members: packed({**members, shape.MANIFEST: b'{"a":' * 9_000 + b"1\n"}),
    "a hash that doesn't fit": lambda members: packed({**members, Q: members[Q].replace(b"uniform", b"Uniform")}),
    "a key too many": lambda members: _manifest(members, model={"id": "openai/gpt-x", "api_base": "http://evil"}),
    "a key too many in the queue": lambda members: _of(members, "queue", spec={"strategy": "x"}),
    "no id": lambda members: _of(members, "reviewer", id=""),
    "an id with control characters": lambda members: _of(members, "reviewer", id="a\x1b[2J"),
    "a linked id that is none": lambda members: _of(members, "reviewer", linked_ids=["\ud83d"]),
    "no name": lambda members: _of(members, "queue", name="  "),
    "a mode that nobody knows": lambda members: _of(members, "queue", mode="loud"),
    "no mode": lambda members: _of(members, "queue", mode=""),
    "an assisted queue": lambda members: _of(members, "queue", mode="assisted"),
    "a rule that nobody knows": lambda members: _of(members, "queue", required=["proof"]),
    "a rule without a name": lambda members: _of(members, "queue", required=[""]),
    "a number that is a text": lambda members: _of(members, "queue", grouped="yes"),
    "another record": lambda members: _manifest(members, record="verdict"),
    "a row that is no object": lambda members: packed(described({**members, Q: b"[]\n"})),
    "a row that is no UTF-8": lambda members: packed(described({**members, Q: b'{"a": "\xff"}\n'})),
    "a row without an end": lambda members: packed(described({**members, I: members[I].rstrip(b"\n")})),
    "a row too many keys": _row(Q, 0, votes=7),
    "a key of another type": _row(Q, 0, title=7),
    "NaN": lambda members: packed(described({**members, I: members[I].replace(b'"position":0', b'"position":NaN')})),
    "a question without an id": _row(Q, 0, question_id="\x1b"),
    "a site that is no text": _row(Q, 0, site="\ud83d"),
    "a field that is no text": _row(Q, 0, domain="a\x00"),
    "an author's id that is no text": _row(Q, 0, source_author_id="\udc00"),
    "a question without a format": _row(Q, 0, format=""),
    "a time that is none": _row(Q, 0, asked_at="yesterday"),
    "a question twice": lambda members: _doubled(members, Q),
    "a candidate twice": lambda members: _doubled(members, C),
    "an item twice": lambda members: _doubled(members, I),
    "an answer under another's id": _row(C, 0, answer="Another answer."),
    "an answer to nothing": _row(C, 0, question_id="q404"),
    "an author in a blind bundle": _row(
        C,
        0,
        origins=[{"kind": "model", "model": "m", "system": "", "organisation": "", "base_model": "", "person": ""}],
    ),
    "reasoning in a blind bundle": _row(C, 0, reasoning="Let me think."),
    "an item on nothing": _row(I, 0, candidate_id="0" * 64),
    "an item on another question": _row(I, 0, question_id="q1"),
    "a place below zero": _row(I, 0, position=-1),
    "a place that is taken": _row(I, 0, position=1),
    "an item linked to nothing": _row(I, 0, linked_to="404"),
    "an item linked to itself": lambda members: packed(
        with_row(members, I, 0, linked_to=_first(members, I)["item_id"])
    ),
    "nothing to do": lambda members: packed(described({**members, I: b""})),
}


@pytest.fixture(scope="module")
def untouched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace that no hostile bundle gets anything into."""
    ws = new_workspace(tmp_path_factory.mktemp("untouched") / "w.uq.sqlite")
    yield ws
    ws.close()


def _rows(ws: Workspace) -> list[int]:
    tables = ("question", "candidate", "reviewer", "queue", "queue_item", "bundle", "verdict", "text")
    with ws.read() as conn:
        return [conn.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one() for table in tables]


@pytest.mark.parametrize("archive", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_bundle_is_refused_whole(
    good: Members, untouched: Workspace, tmp_path: Path, archive: Callable[[Members], bytes]
) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(archive(good))
    with pytest.raises(ImportFileError) as caught, opened(path):
        pass
    assert str(path) in caught.value.message
    assert caught.value.hint
    with pytest.raises(ImportFileError):
        import_file(untouched, path)
    assert not any(_rows(untouched))
    assert sorted(tmp_path.iterdir()) == [path]


def test_a_good_bundle_is_opened(bundles: dict[QueueMode, Members], tmp_path: Path) -> None:
    for mode, members in bundles.items():
        path = tmp_path / f"{mode}.zip"
        path.write_bytes(packed(described(members)))
        with opened(path) as bundle:
            assert bundle.manifest["queue"]["mode"] == mode
            assert [len(list(bundle.rows_of(name))) for name in (Q, C, I)] == [2, 4, 5]


def test_one_of_a_later_version_is_told_from_a_damaged_one(good: Members, tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip"
    path.write_bytes(_manifest(good, schema_version=2, new_key=1))
    with pytest.raises(ImportFileError, match="schema version 2; this uq-tui reads up to 1"), opened(path):
        pass


def test_one_that_is_packed_once_more_or_is_not_there_is_no_bundle(good: Members, tmp_path: Path) -> None:
    path = tmp_path / "bundle.zip.gz"
    path.write_bytes(gzip.compress(packed(good)))
    with pytest.raises(ImportFileError, match="is refused"), opened(path):
        pass
    with pytest.raises(NotFoundError), opened(tmp_path / "404.zip"):
        pass
    with pytest.raises(ImportFileError, match="a folder"), opened(tmp_path):
        pass


@settings(max_examples=60)
@given(data=st.data())
def test_a_flipped_bit_or_a_cut_is_refused_or_changes_nothing(good_file: Path, data: st.DataObject) -> None:
    whole = good_file.read_bytes()
    at = data.draw(st.integers(0, len(whole) - 1))
    flipped = bytearray(whole)
    flipped[at] ^= 1 << data.draw(st.integers(0, 7))
    changed = whole[:at] if data.draw(st.booleans()) else bytes(flipped)
    path = good_file.with_name("changed.zip")
    path.write_bytes(changed)
    try:
        with opened(path) as bundle:
            rows = [row for name in (Q, C, I) for _, row in bundle.rows_of(name)]
            manifest = bundle.manifest
    except ImportFileError:
        return
    with opened(good_file) as bundle:
        assert rows == [row for name in (Q, C, I) for _, row in bundle.rows_of(name)]
        assert manifest == bundle.manifest


@pytest.fixture(scope="module")
def good_file(bundles: dict[QueueMode, Members], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("good") / "bundle.zip"
    path.write_bytes(packed(bundles[QueueMode.BLIND]))
    assert members_of(path) == bundles[QueueMode.BLIND]
    return path
