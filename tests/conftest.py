"""Fixtures for all tests."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.workspace import Workspace


def pytest_configure() -> None:
    """Let Ctrl-C work in the programs that tests start, also when the tests run in a shell's background."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A new, empty workspace, closed after the test."""
    opened = Workspace.open(tmp_path / "test.uq.sqlite")
    yield opened
    opened.close()
