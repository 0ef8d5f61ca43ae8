"""Which journal a workspace gets on which file system."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from store import journal
from store.journal import filesystem, preferred_mode, set_mode

MOUNTS = r"""/dev/vda / ext4 rw 0 0
proc /proc proc rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb /home/ann/my\040stick exfat rw 0 0
tmpfs /home/ann/my\040stick/ram tmpfs rw 0 0
sshfs /mnt/far fuse.sshfs rw 0 0
/dev/sdc /again ext4 rw 0 0
//host/share /again cifs rw 0 0
broken line
"""


@pytest.mark.parametrize(
    ("folder", "kind"),
    [
        ("/", "ext4"),
        ("/srv/data", "ext4"),
        ("/homestead", "ext4"),
        ("/home", "nfs4"),
        ("/home/bob/x", "nfs4"),
        ("/home/ann/my stick", "exfat"),
        ("/home/ann/my stick/ram/x", "tmpfs"),
        ("/mnt/far/away", "fuse.sshfs"),
        ("/again/x", "cifs"),
    ],
)
def test_the_deepest_and_last_mount_counts(folder: str, kind: str) -> None:
    assert filesystem(Path(folder), MOUNTS) == kind


def test_without_mounts_nothing_is_known() -> None:
    assert filesystem(Path("/x"), "") == ""


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("ext4", "wal"),
        ("btrfs", "wal"),
        ("tmpfs", "wal"),
        ("nfs", "delete"),
        ("exfat", "delete"),
        ("9p", "delete"),
        ("cifs", "delete"),
        ("fuseblk", "delete"),
        ("fuse.sshfs", "delete"),
    ],
)
def test_the_file_system_decides(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, mode: str) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text(f"/dev/x / ext4 rw 0 0\nx {tmp_path.resolve()} {kind} rw 0 0\n")
    monkeypatch.setattr(journal, "_MOUNTS", mounts)
    assert preferred_mode(tmp_path / "w.sqlite") == mode


def test_where_mounts_cannot_be_read_the_log_is_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(journal, "_MOUNTS", tmp_path / "none")
    assert preferred_mode(tmp_path / "w.sqlite") == "wal"


def test_the_mode_that_holds_is_told(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "w")) as db:
        assert set_mode(db, "wal", timeout_s=0) == "wal"
        assert set_mode(db, "wal", timeout_s=0) == "wal"
        assert set_mode(db, "delete", timeout_s=0) == "delete"
    with closing(sqlite3.connect(":memory:")) as db:
        assert set_mode(db, "wal", timeout_s=0) == "memory"


def test_a_mode_that_others_hold_back_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "w"
    with closing(sqlite3.connect(path, timeout=0)) as db, closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("CREATE TABLE t (x)")
        other.execute("BEGIN IMMEDIATE")
        other.execute("INSERT INTO t VALUES (1)")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            set_mode(db, "wal", timeout_s=0.03)
        other.execute("COMMIT")
        assert set_mode(db, "wal", timeout_s=0) == "wal"
