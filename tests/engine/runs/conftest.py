"""No test sees the user's own templates."""

from pathlib import Path

import pytest

from uq_tui.paths import HOME_VARIABLE


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds configuration, data and logs in a test."""
    path = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(path))
    return path
