"""Processes that a test has started, directly or not, found by a mark in their environment. Linux only."""

import contextlib
import os
from pathlib import Path

MARK = "UQ_TUI_TEST_MARK"


def marked(mark: str) -> frozenset[int]:
    """The ids of living processes whose environment holds the mark; one that has ended but isn't reaped has none."""
    wanted = f"{MARK}={mark}".encode()
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with contextlib.suppress(OSError):
                if wanted in (folder / "environ").read_bytes().split(b"\0"):
                    found.add(int(folder.name))
    return frozenset(found - {os.getpid()})


def lives(pid: int) -> bool:
    """Whether a process runs, or is stopped; one that has ended but isn't reaped does not."""
    try:
        status = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    except OSError:
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")
