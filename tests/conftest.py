"""Fixtures for all tests."""

import gc
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from store.workspace import Workspace
from tests.new_workspace import new_workspace
from tests.parsed_css import parse_once

# How long an example takes says more about the machine than about the code. Nor may the day decide whether a change is
# good: the same examples come each time, and `make explore` looks for others.
settings.register_profile("explore", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True)
settings.register_profile("same", settings.get_profile("explore"), derandomize=True)
settings.load_profile("same")

MEMORY, ROOM_BYTES = Path("/dev/shm"), 2 * 2**30


def pytest_configure() -> None:
    """Let Ctrl-C work in the programs that tests start, also when the tests run in a shell's background."""
    parse_once()
    if "TMPDIR" not in os.environ and _is_roomy(MEMORY):
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _is_roomy(folder: Path) -> bool:
    """Whether the files of tests may be there. Each write to a workspace waits for the disk: half the time of a test.

    What a disk keeps when the power fails is more than a test can see.
    """
    if not (folder.is_dir() and os.access(folder, os.W_OK)):
        return False
    there = os.statvfs(folder)
    return there.f_bavail * there.f_frsize >= ROOM_BYTES and not there.f_flag & os.ST_NOEXEC


def pytest_collection_finish() -> None:
    """Look for garbage more rarely, and not among the thousands of tests: it took a sixth of their time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A new, empty workspace, closed after the test."""
    opened = new_workspace(tmp_path / "test.uq.sqlite")
    yield opened
    opened.close()
