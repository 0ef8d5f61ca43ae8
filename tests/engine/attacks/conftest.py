"""No test sees the user's own templates."""

from pathlib import Path

import pytest

from uq_tui.paths import HOME_VARIABLE


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
