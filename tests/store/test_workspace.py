"""Opening, reading, writing and closing a workspace file."""

import os
import sqlite3
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path
from threading import Barrier, Event

import pytest
from sqlalchemy import Connection, insert, select
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import col

from store import journal
from store.tables import SourceIdTable, WorkspaceTable
from store.workspace import Workspace
from uq_tui.errors import StoreError

NOBODY = 65534
ROOT = Path(__file__).resolve().parents[2]


def put(key: str, value: str = "") -> Callable[[Connection], None]:
    def job(db: Connection) -> None:
        db.execute(insert(WorkspaceTable).values(key=key, value=value))

    return job


def keys(db: Connection) -> set[str]:
    return set(db.execute(select(col(WorkspaceTable.key))).scalars())


def pragma(name: str) -> Callable[[Connection], object]:
    return lambda db: db.exec_driver_sql(f"PRAGMA {name}").scalar_one()


def stored_keys(ws: Workspace) -> set[str]:
    with ws.read() as db:
        return keys(db)


@contextmanager
def as_nobody() -> Iterator[None]:
    """Without root's right to open everything, where the tests run as root."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that everybody may enter and read."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder
        folder.chmod(0o755)


def test_a_new_workspace_has_an_id_and_a_secret(workspace: Workspace) -> None:
    assert uuid.UUID(workspace.id).version == 7
    assert len(workspace.secret) == 32
    assert workspace.copy is None


def test_a_workspace_keeps_its_id_and_secret(tmp_path: Path) -> None:
    with closing(Workspace.open(tmp_path / "w")) as first, closing(Workspace.open(tmp_path / "other")) as other:
        known = (first.id, first.secret)
        assert other.id != first.id
        assert other.secret != first.secret
    with closing(Workspace.open(tmp_path / "w")) as again:
        assert (again.id, again.secret) == known


@pytest.mark.parametrize("name", ["with space", "50%", "q?x=1#y", "überraschung ∀", "a'b\"c"])
def test_any_file_name_will_do(tmp_path: Path, name: str) -> None:
    with closing(Workspace.open(tmp_path / name)) as ws:
        assert ws.path == tmp_path / name
        ws.write(put("k"))
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_relative_path_is_made_absolute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with closing(Workspace.open(Path("here.sqlite"))) as ws:
        assert ws.path == tmp_path / "here.sqlite"


def test_all_files_are_private(workspace: Workspace) -> None:
    workspace.write(put("k"))
    files = sorted(workspace.path.parent.iterdir())
    assert [file.name for file in files] == ["test.uq.sqlite", "test.uq.sqlite-shm", "test.uq.sqlite-wal"]
    assert {file.stat().st_mode & 0o777 for file in files} == {0o600}


def test_a_readable_file_is_made_private(tmp_path: Path) -> None:
    path = tmp_path / "w"
    Workspace.open(path).close()
    path.chmod(0o644)
    Workspace.open(path).close()
    assert path.stat().st_mode & 0o777 == 0o600


def test_closing_leaves_one_file_and_can_be_repeated(tmp_path: Path) -> None:
    ws = Workspace.open(tmp_path / "w")
    assert "id" in stored_keys(ws)
    ws.close()
    ws.close()
    assert [file.name for file in tmp_path.iterdir()] == ["w"]


def test_reading_connections_cannot_write(workspace: Workspace) -> None:
    with workspace.read() as db, pytest.raises(OperationalError, match="readonly"):
        db.execute(insert(WorkspaceTable).values(key="k", value=""))


def test_what_is_read_in_one_block_is_of_one_moment(workspace: Workspace) -> None:
    with workspace.read() as db:
        before = keys(db)
        workspace.write(put("k"))
        assert keys(db) == before
    assert stored_keys(workspace) == before | {"k"}


def test_a_write_is_there_when_it_returns(workspace: Workspace) -> None:
    assert workspace.write(lambda db: 42) == 42
    workspace.write(put("k"))
    assert "k" in stored_keys(workspace)


def test_a_submitted_write_is_there_when_its_future_is_done(workspace: Workspace) -> None:
    workspace.submit(put("k")).result()
    assert "k" in stored_keys(workspace)


def test_a_failing_job_changes_nothing_and_tells(workspace: Workspace) -> None:
    def job(db: Connection) -> None:
        put("k")(db)
        raise ValueError("no")

    with pytest.raises(ValueError, match="no"):
        workspace.write(job)
    assert "k" not in stored_keys(workspace)
    workspace.write(put("after"))
    assert "after" in stored_keys(workspace)


def test_jobs_run_in_order_one_at_a_time(workspace: Workspace) -> None:
    futures = [workspace.submit(put(f"k{n}")) for n in range(50)]
    for future in futures:
        future.result()
    with workspace.read() as db:
        rowid_order = db.exec_driver_sql("SELECT key FROM workspace WHERE key LIKE 'k%' ORDER BY rowid").scalars()
        assert list(rowid_order) == [f"k{n}" for n in range(50)]


def test_a_job_cannot_wait_for_a_job(workspace: Workspace) -> None:
    with pytest.raises(RuntimeError, match="cannot wait"):
        workspace.write(lambda _: workspace.write(put("k")))


def test_closing_finishes_what_was_submitted(tmp_path: Path) -> None:
    ws = Workspace.open(tmp_path / "w")
    gate = Event()
    ws.submit(lambda _: gate.wait())
    futures = [ws.submit(put(f"k{n}")) for n in range(20)]
    gate.set()
    ws.close()
    assert all(future.done() for future in futures)
    with closing(sqlite3.connect(tmp_path / "w")) as db:
        assert db.execute("SELECT count(*) FROM workspace WHERE key LIKE 'k%'").fetchone() == (20,)


def test_a_closed_workspace_takes_no_writes(tmp_path: Path) -> None:
    ws = Workspace.open(tmp_path / "w")
    ws.close()
    with pytest.raises(StoreError, match="is closed"):
        ws.write(put("k"))


def test_writes_are_synced_and_references_checked(workspace: Workspace) -> None:
    assert workspace.write(pragma("synchronous")) == 2
    with pytest.raises(IntegrityError, match="FOREIGN KEY"):
        workspace.write(lambda db: db.execute(insert(SourceIdTable).values(source_id="1", question_id="none")))


def test_a_write_waits_for_another_program(workspace: Workspace) -> None:
    with closing(sqlite3.connect(workspace.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        waiting = workspace.submit(put("k"))
        assert "k" not in stored_keys(workspace)
        other.execute("ROLLBACK")
        waiting.result()
    assert "k" in stored_keys(workspace)


def test_a_lock_that_stays_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "w"
    with closing(Workspace.open(path, busy_timeout_s=0.05)) as ws:
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StoreError, match="another program keeps it locked") as caught:
                ws.write(put("k"))
            other.execute("ROLLBACK")
        assert str(path) in caught.value.message
        assert "Close other programs" in caught.value.hint
        ws.write(put("k"))
        assert "k" in stored_keys(ws)


def test_a_full_disk_is_reported_and_costs_nothing_stored(workspace: Workspace) -> None:
    workspace.write(put("before"))
    pages = workspace.write(pragma("page_count"))
    workspace.write(pragma(f"max_page_count = {pages}"))
    with pytest.raises(StoreError, match="the disk is full"):
        workspace.write(put("large", "x" * 1_000_000))
    assert stored_keys(workspace) == {"id", "secret", "before"}
    workspace.write(pragma("max_page_count = 1000000"))
    workspace.write(put("large", "x" * 1_000_000))


def test_processes_may_open_a_new_file_at_once(tmp_path: Path) -> None:
    path = tmp_path / "w"
    code = (
        "import sys; from pathlib import Path; from store.workspace import Workspace;"
        "print('ready', flush=True); sys.stdin.readline();"
        "ws = Workspace.open(Path(sys.argv[1])); print(ws.id, ws.secret.hex()); ws.close()"
    )
    command = [sys.executable, "-c", code, str(path)]
    started = [
        subprocess.Popen(command, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) for _ in range(3)
    ]
    for process in started:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    answers = set()
    for process in started:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    for process in started:
        answers.add(process.communicate()[0])
        assert process.returncode == 0
    assert len(answers) == 1
    assert [file.name for file in tmp_path.iterdir()] == ["w"]


def test_many_threads_read_while_one_writes(workspace: Workspace) -> None:
    readers = 20
    all_in = Barrier(readers + 1)

    def read() -> tuple[int, int]:
        with workspace.read() as db:
            first = len(keys(db))
            all_in.wait()
            all_in.wait()
            return first, len(keys(db))

    with ThreadPoolExecutor(readers) as threads:
        counts = [threads.submit(read) for _ in range(readers)]
        all_in.wait()
        for n in range(10):
            workspace.write(put(f"k{n}"))
        all_in.wait()
        assert {count.result() for count in counts} == {(2, 2)}
    assert len(stored_keys(workspace)) == 12


def refused(path: Path) -> StoreError:
    with pytest.raises(StoreError) as caught:
        Workspace.open(path)
    assert str(path) in caught.value.message
    assert caught.value.hint
    return caught.value


def test_a_folder_is_no_workspace(tmp_path: Path) -> None:
    assert "it is a folder" in refused(tmp_path).message


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    assert "No such file or directory" in refused(tmp_path / "none" / "w").message


def test_a_file_is_no_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "Not a directory" in refused(tmp_path / "file" / "w").message


def test_a_text_is_no_database(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("Just some notes, longer than the header of a database would be.\n" * 20)
    before = path.read_bytes()
    assert "it is not a SQLite database" in refused(path).message
    assert path.read_bytes() == before


def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE bookmark (url)")
    before = path.read_bytes()
    assert "another program" in refused(path).message
    assert path.read_bytes() == before


def test_a_damaged_file_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "w"
    Workspace.open(path).close()
    data = bytearray(path.read_bytes())
    data[100:] = b"\xff" * (len(data) - 100)
    path.write_bytes(data)
    assert "it is damaged" in refused(path).message


def test_an_empty_file_becomes_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "w").touch()
    with closing(Workspace.open(tmp_path / "w")) as ws:
        assert ws.id


def test_a_file_one_may_not_read_is_reported(open_folder: Path) -> None:
    path = open_folder / "w"
    Workspace.open(path).close()
    path.chmod(0o600 if os.geteuid() == 0 else 0)
    with as_nobody():
        assert "it cannot be opened" in refused(path).message


def test_a_folder_one_may_not_write_is_reported(open_folder: Path) -> None:
    open_folder.chmod(0o555)
    with as_nobody():
        assert "Permission denied" in refused(open_folder / "w").message


def test_a_network_folder_gets_no_write_ahead_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "w"
    with closing(Workspace.open(path)) as ws:
        assert ws.journal_mode == "wal"
    mounts = tmp_path / "mounts"
    mounts.write_text(f"server:/x {tmp_path} nfs4 rw 0 0\n")
    monkeypatch.setattr(journal, "_MOUNTS", mounts)
    with closing(Workspace.open(path)) as ws:
        assert ws.journal_mode == "delete"
        ws.write(put("k"))
        assert "k" in stored_keys(ws)
        assert not (tmp_path / "w-wal").exists()


def test_rows_are_had_without_sqlalchemy() -> None:
    code = "import sys, store.rows; sys.exit('sqlalchemy' in sys.modules or 'sqlite3' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
