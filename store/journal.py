"""Which journal a workspace uses. Write-ahead logging needs shared memory, which network folders don't give."""

import re
import sqlite3
import time
from pathlib import Path

_WITHOUT_SHARED_MEMORY = frozenset(
    {
        *("9p", "afs", "beegfs", "ceph", "cifs", "davfs", "davfs2", "exfat", "fuseblk", "glusterfs", "lustre", "msdos"),
        *("ncpfs", "nfs", "nfs4", "smb2", "smb3", "smbfs", "vboxsf", "vfat", "vmhgfs"),
    }
)
_MOUNTS = Path("/proc/self/mounts")
_RETRY_S = 0.02


def filesystem(folder: Path, mounts: str) -> str:
    """Type of the file system that holds `folder` (absolute), from the text of Linux's /proc/self/mounts."""
    found, longest = "", -1
    for line in mounts.splitlines():
        fields = line.split(" ")
        if len(fields) < 3:
            continue
        point = Path(re.sub(r"\\([0-7]{3})", lambda octal: chr(int(octal[1], 8)), fields[1]))
        depth = len(point.parts)
        if folder.is_relative_to(point) and depth >= longest:
            found, longest = fields[2], depth
    return found


def preferred_mode(path: Path) -> str:
    """`delete` for a file on a network, exFAT or FUSE file system (told apart on Linux only), else `wal`."""
    mounts = _MOUNTS.read_text(errors="replace") if _MOUNTS.exists() else ""
    kind = filesystem(path.parent.resolve(), mounts)
    return "delete" if kind in _WITHOUT_SHARED_MEMORY or kind.startswith("fuse.") else "wal"


def set_mode(db: sqlite3.Connection, mode: str, *, timeout_s: float) -> str:
    """Switch to `mode` and return the mode that holds, which may be another one.

    SQLite refuses the switch at once while another connection is open, its busy timeout notwithstanding; so this
    tries again until `timeout_s` has passed.

    Raises:
        sqlite3.OperationalError: the database stayed locked.
    """
    deadline = time.monotonic() + timeout_s
    while True:
        try:
            current = str(db.execute("PRAGMA journal_mode").fetchone()[0])
            if current == mode:
                return current
            return str(db.execute(f"PRAGMA journal_mode = {mode}").fetchone()[0])
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname != "SQLITE_BUSY" or time.monotonic() > deadline:
                raise
        time.sleep(_RETRY_S)
