"""Fixtures for all tests."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from store.workspace import Workspace

# How long an example takes says more about the machine than about the code.
settings.register_profile("no clock", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("no clock")


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
