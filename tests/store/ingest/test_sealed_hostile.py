"""Files that are cut, shuffled, flipped in bits or of a later version never bring in what no clean file holds."""

import json
import random
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from store import quarantine, statements, verdicts
from store.frozen_rows import sealed
from store.identity import text_sha256
from store.ingest.sealed_jsonl import import_sealed
from store.quarantine import KEPT_OF_DAMAGED
from store.rows import ImportReport, Merging
from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.store.merged_rows import statement, verdict
from tests.store.records.samples import record
from uq_tui.errors import ImportFileError
from uq_tui.words import Label, QuarantineReason

LINES = (
    *(verdict(key, number, label) for key in "vw" for number, label in ((1, Label.CORRECT), (2, Label.UNSURE))),
    *(statement("s", number) for number in (1, 2)),
)
CLEAN = "".join(f"{line}\n" for line in LINES).encode()
MUTATIONS = 60
Damage = Callable[[bytes, random.Random], bytes]


@pytest.fixture(scope="module")
def ws(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """One workspace into which all hostile files go, one after the other."""
    opened = new_workspace(tmp_path_factory.mktemp("hostile") / "hostile.uq.sqlite")
    yield opened
    opened.close()


def flipped(data: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << chance.randrange(8)]) + data[at + 1 :]


def cut(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def shuffled(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    return b"".join(chance.sample(lines, len(lines)))


def without_a_piece(data: bytes, chance: random.Random) -> bytes:
    start = chance.randrange(len(data))
    return data[:start] + data[start + chance.randrange(2_000) :]


def stored(ws: Workspace) -> set[str]:
    return {*verdicts.records(ws), *statements.records(ws)}


def take(ws: Workspace, folder: Path, data: bytes) -> ImportReport:
    path = folder / "hostile.jsonl"
    path.write_bytes(data)
    return import_sealed(ws, path, "verdicts")


@pytest.mark.parametrize("damage", [flipped, cut, shuffled, without_a_piece])
def test_nothing_counts_that_was_not_in_the_clean_file(ws: Workspace, tmp_path: Path, damage: Damage) -> None:
    chance = random.Random(4)
    for _ in range(MUTATIONS):
        data = damage(CLEAN, chance)
        try:
            report = take(ws, tmp_path, data)
        except ImportFileError:  # a bit of the version's number
            continue
        assert report.read == report.new + report.same + report.rejected_total
        assert stored(ws) <= set(LINES)
    with ws.read() as conn:
        assert conn.exec_driver_sql("PRAGMA integrity_check").scalar_one() == "ok"
        assert conn.exec_driver_sql("PRAGMA foreign_key_check").first() is None
    assert take(ws, tmp_path, CLEAN).rejected_total == 0
    assert stored(ws) == set(LINES)


def test_a_later_version_anywhere_refuses_the_file(workspace: Workspace, tmp_path: Path) -> None:
    spaced = json.dumps({"record": "statement", **json.loads(LINES[-1]), "schema_version": 7})
    for newer in (LINES[0].replace('"schema_version":1', '"schema_version":2'), spaced):
        with pytest.raises(ImportFileError, match="schema version"):
            take(workspace, tmp_path, CLEAN + newer.encode())
        assert stored(workspace) == set()


def test_damaged_lines_are_kept_once_with_their_place(workspace: Workspace, tmp_path: Path) -> None:
    long = b'{"record":"verdict","x":"' + b"a" * 2 * KEPT_OF_DAMAGED
    data = b"\n".join([LINES[0].encode(), b"\xff\xfe{", b"", long, LINES[1].encode(), b"\xff\xfe{"])
    for _ in range(2):
        report = take(workspace, tmp_path, data)
        assert report.merged[Merging.DAMAGED] == 3
        assert [row.line for row in report.rejected] == [2, 4, 6]
        kept = list(quarantine.lines(workspace))
        assert sorted((one.reason, one.line_number) for one in kept) == [
            (QuarantineReason.DAMAGED, 2),
            (QuarantineReason.DAMAGED, 4),
        ]
    assert max(len(one.line) for one in kept) == KEPT_OF_DAMAGED
    assert b"\xff\xfe{" in [one.line.encode("utf-8", "surrogateescape") for one in kept]


@pytest.mark.parametrize("line", [LINES[1], "x", "\ud800", "\udcff\ud800"])
def test_a_line_of_quarantine_that_was_never_there_is_damaged(workspace: Workspace, tmp_path: Path, line: str) -> None:
    said = {"reason": "damaged", "detail": "torn", "line_sha256": text_sha256(LINES[0]), "line": line}
    lying = sealed({"schema_version": 1, "record": "quarantine", **said})
    report = take(workspace, tmp_path, f"{lying}\n{LINES[0]}\n".encode())
    assert (report.new, report.merged[Merging.DAMAGED]) == (1, 1)
    assert "`line`" in report.rejected[0].reason
    assert stored(workspace) == {LINES[0]}


def test_drafts_are_passed_over_and_said(workspace: Workspace, tmp_path: Path) -> None:
    draft = sealed({**record(), "status": "draft"})
    report = take(workspace, tmp_path, f"{draft}\n{LINES[0]}\n".encode())
    assert (report.read, report.new, report.passed_over) == (1, 1, 1)
    assert report.notes == ("Passed over: 1 draft, which nobody has given yet.",)
    assert stored(workspace) == {LINES[0]}
