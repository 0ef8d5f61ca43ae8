"""Keeps one model server for as long as a process uses it, and ends it soon after the last of them.

Started by `local_servers` as `python -P -m uq_tui.engine.local.keeper`. Standard input brings one JSON line with the
settings; the lock of the server's life (see `local_lease`) comes as an open file, and goes on to the server. The
keeper leaves the process that started it, so that it may end without the server. It is a process of its own since the
model library, while it loads a model, lets no other Python code run.

Standard output takes `{"error": "..."}` when the server doesn't start; else the record in the lease says where it is.
"""

import contextlib
import fcntl
import json
import os
import secrets
import select
import subprocess
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from uq_tui.engine.local.lease import Lease, Record, process_started, try_lock

CHECK_S = 0.5
LINGER_S = 3.0
"""How long the server stays without users: the next command may want it."""


@dataclass(frozen=True, slots=True)
class Keeping:
    """What a keeper is told."""

    lease: str
    """The stem of the lease's files."""
    claim: int
    """The open file with the lock of the server's life."""
    gguf: str
    slots: int
    context: int
    threads: int

    def line(self) -> bytes:
        """As it is sent."""
        return json.dumps(asdict(self)).encode() + b"\n"


def main() -> None:
    """Read the settings, leave the parent, keep the server."""
    keeping = Keeping(**json.loads(sys.stdin.buffer.readline()))
    if os.fork():
        os._exit(0)
    lease = Lease(Path(keeping.lease))
    key = secrets.token_urlsafe(32)
    server = _start(keeping, key)
    os.close(keeping.claim)
    with server:
        try:
            _keep(server, lease, key)
        finally:
            server.kill()
            server.wait()


def _start(keeping: Keeping, key: str) -> "subprocess.Popen[bytes]":
    """The server. It ends when its standard input does, so with this process."""
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "uq_tui.engine.local.server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        pass_fds=(keeping.claim,),
    )
    told = {name: value for name, value in asdict(keeping).items() if name not in ("lease", "claim")}
    if server.stdin is not None:
        with contextlib.suppress(BrokenPipeError):
            server.stdin.write(json.dumps({**told, "key": key}).encode() + b"\n")
            server.stdin.flush()
    return server


def _keep(server: "subprocess.Popen[bytes]", lease: Lease, key: str) -> None:
    """Return when the server has ended, or when it is to end."""
    if server.stdout is None:
        raise RuntimeError("the server was started without pipes")
    users, unused_s = lease.open_users(), 0.0
    while True:
        if select.select([server.stdout], [], [], CHECK_S)[0]:
            said = server.stdout.readline()
            if not said or not _report(json.loads(said), server.pid, lease, key):
                return
        if not try_lock(users, fcntl.LOCK_EX):
            unused_s = 0.0
            continue
        if unused_s >= LINGER_S:
            server.kill()
            server.wait()
            lease.forget()  # no user can come before the lock goes, so this is the record of the server that ended
            return
        fcntl.flock(users, fcntl.LOCK_UN)
        unused_s += CHECK_S


def _report(answer: dict[str, object], pid: int, lease: Lease, key: str) -> bool:
    """Record where the server is; or pass on why it didn't start, and return False."""
    port = answer.get("port")
    if isinstance(port, int):
        lease.write(Record(port, key, pid, process_started(pid)))
        return True
    with contextlib.suppress(BrokenPipeError):
        os.write(1, json.dumps(answer).encode() + b"\n")
    return False


if __name__ == "__main__":
    main()
