"""No test sees the user's own templates; a candidate to judge."""

from pathlib import Path

import pytest

from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates, add_question
from uq_tui.paths import HOME_VARIABLE


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that holds configuration, data and logs in a test."""
    path = tmp_path / "home"
    monkeypatch.setenv(HOME_VARIABLE, str(path))
    return path


@pytest.fixture
def candidate(workspace: Workspace) -> str:
    """Id of the only candidate to the only question."""
    add_question(workspace)
    (added,) = add_candidates(workspace, "There are 12, by counting.")
    return added
