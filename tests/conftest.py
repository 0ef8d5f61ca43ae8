"""Fixtures for all tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """A new, empty workspace, closed after the test."""
    opened = Workspace.open(tmp_path / "test.uq.sqlite")
    yield opened
    opened.close()
