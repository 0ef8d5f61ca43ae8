"""What the engine's child processes have in common: they step back, log to a file, and end with their parent."""

import contextlib
import ctypes
import os
import select
import signal
import sys
import threading
from pathlib import Path

NICENESS = 10
"""The app keeps its frame rate while the engine's processes are busy."""

_PR_SET_PDEATHSIG = 1


def step_back() -> None:
    """Lower this process's priority to `NICENESS`, whatever the parent's is."""
    os.nice(max(0, NICENESS - os.nice(0)))


def die_with_parent() -> None:
    """On Linux, have the kernel kill this process when the thread that started it ends.

    That holds even while a library doesn't let Python run. Elsewhere this does nothing.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def end_when_closed(descriptor: int) -> None:
    """End this process at once when the other end of a pipe is closed, even with data in it that nobody has read."""
    threading.Thread(target=_wait_for_end, args=(descriptor,), daemon=True).start()


def _wait_for_end(descriptor: int) -> None:
    pipe = select.poll()
    pipe.register(descriptor, 0)
    while not pipe.poll():
        pass
    os._exit(0)


def open_log(file: Path, longest: int) -> int:
    """A descriptor that writes to the end of a file that only the user can read, for a child's output.

    Args:
        longest: bytes; a file that has grown larger is set aside first, with `.1` after its name.

    Raises:
        OSError: the file cannot be written.
    """
    with contextlib.suppress(FileNotFoundError):
        if file.stat().st_size > longest:
            file.replace(file.with_name(f"{file.name}.1"))
    return os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
