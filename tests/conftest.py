"""Fixtures for all tests."""

import gc
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


def pytest_configure() -> None:
    """Let Ctrl-C work in the programs that tests start, also when the tests run in a shell's background."""
    parse_once()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


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
