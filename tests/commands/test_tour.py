"""The recorded tour as commands, on the bundled pack of a new workspace."""

from pathlib import Path

import pytest
from click.testing import Result

from tests.commands.conftest import Run, document

TOUR = ("--model", "replay/tour")


@pytest.fixture
def new(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setenv("UQ_TUI_REPLAY_PACE", "0")

    def call(*arguments: str) -> Result:
        return run("--workspace", str(tmp_path / "new.sqlite"), *arguments)

    return call


def test_the_tour_runs_without_any_model(new: Run) -> None:
    listed = document(new("questions", "--search", "commuting triples", "--json"))["questions"]
    (question,) = (row["id"] for row in listed if row["candidates"])
    validated = new("validate", "--question", question, *TOUR)
    assert validated.exit_code == 0
    for word in ("✓ accept", "✗ reject", "· skipped"):
        assert word in validated.stdout
    assert "recorded replies" in validated.stderr
    measured = document(new("cbu", question, *TOUR, "--json"))
    assert measured["run"]["failed"] == 0
    assert "recorded replies" in measured["warning"]
    means = [one["mean"] for one in measured["utilities"]]
    assert len(set(means)) > 1
    assert all(one["lift"] is not None for one in measured["utilities"])
