"""The files through which all processes of a workspace share one model server.

A server has three files in the data folder's `servers`, named by a hash of what it serves and for which workspace:

- `NAME.server` is locked by the server for as long as it lives, and before that by the process that starts it. Whoever
  gets the lock knows that no server is there, and is the only one to start one.
- `NAME.users` is locked, shared, by each process that uses the server. When the server's keeper gets the lock alone,
  nobody is left.
- `NAME.json`, readable by the user only, says where the server is and which key it wants; see `Record`.

The kernel drops a lock when its holder ends, however that ends. So nothing has to be cleaned up after a kill, and a
record that was left behind is known by the lock that nobody holds.
"""

import contextlib
import dataclasses
import fcntl
import hashlib
import json
import os
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

from uq_tui import paths


@dataclass(frozen=True, slots=True)
class Record:
    """Where a server is. `pid` and `started`, as `process_started` gives it, are those of the server process."""

    port: int
    key: str = field(repr=False)
    pid: int
    started: str

    @property
    def is_current(self) -> bool:
        """Whether the process is there and is the one that was meant, not a later one with the same number."""
        return self.started == process_started(self.pid)


def process_started(pid: int) -> str:
    """When a process started, in the system's own words; empty when it is gone."""
    if sys.platform == "linux":
        try:
            about = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return ""
        started = "" if about[0] in "ZX" else about[19]
    else:
        asked = ["ps", "-o", "lstart=", "-p", str(pid)]
        started = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    return started


def try_lock(file: int, kind: int) -> bool:
    """Lock an open file if that is possible at once.

    Args:
        kind: `fcntl.LOCK_EX` or `fcntl.LOCK_SH`.

    Raises:
        OSError: the file system has no locks.
    """
    try:
        fcntl.flock(file, kind | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


class Lease:
    """One server's files, as one process sees them. All methods return at once and raise OSError."""

    def __init__(self, stem: Path) -> None:
        self.stem = stem
        self._users: int | None = None

    @classmethod
    def of(cls, workspace: Path | None, served: tuple[str | int, ...]) -> "Lease":
        """The lease of what is served for a workspace; for `None`, of all that is done without a workspace.

        Raises:
            OSError: the folder cannot be made.
        """
        folder = paths.data_dir() / "servers"
        folder.mkdir(mode=0o700, exist_ok=True)
        whose = os.path.realpath(workspace) if workspace else ""
        # Locks and ports are a machine's own, and a home folder may be on several.
        told = json.dumps([socket.gethostname(), whose, *served])
        return cls(folder / hashlib.sha256(told.encode("utf-8", "surrogateescape")).hexdigest()[:32])

    def use(self) -> bool:
        """Be a user, which keeps the server from leaving. False when it is leaving right now: try again soon."""
        if self._users is None:
            file = _open(self._file("users"))
            if not try_lock(file, fcntl.LOCK_SH):
                os.close(file)
                return False
            self._users = file
        return True

    def leave(self) -> None:
        """Be no user any more."""
        if self._users is not None:
            os.close(self._users)
            self._users = None

    def claim(self) -> int | None:
        """The lock of the server's life, when no server has it, as an open file to be handed on and closed."""
        file = _open(self._file("server"))
        if try_lock(file, fcntl.LOCK_EX):
            return file
        os.close(file)
        return None

    def is_vacant(self) -> bool:
        """Whether there is no server, nor anybody who starts one."""
        file = self.claim()
        if file is not None:
            os.close(file)
        return file is not None

    def open_users(self) -> int:
        """The file that users lock, for the server's keeper."""
        return _open(self._file("users"))

    def read(self) -> Record | None:
        """What is recorded; it may be left from a server that is gone."""
        try:
            found = json.loads(self._file("json").read_bytes())
            record = Record(**found)
        except (FileNotFoundError, ValueError, TypeError):
            return None
        types = {part.name: type(getattr(record, part.name)) for part in dataclasses.fields(Record)}
        return record if types == {"port": int, "key": str, "pid": int, "started": str} else None

    def write(self, record: Record) -> None:
        """Record where the server is, in one step."""
        draft = self._file("draft")
        with contextlib.suppress(FileNotFoundError):
            draft.unlink()  # of one that was killed while it wrote
        file = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(file, "w", encoding="utf-8") as out:
            json.dump(dataclasses.asdict(record), out)
        os.replace(draft, self._file("json"))

    def forget(self) -> None:
        """Remove the record."""
        with contextlib.suppress(FileNotFoundError):
            self._file("json").unlink()

    def _file(self, kind: str) -> Path:
        return self.stem.with_name(f"{self.stem.name}.{kind}")


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
