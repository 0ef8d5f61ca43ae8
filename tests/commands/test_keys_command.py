"""`uq-tui keys`: all ids with the keys they have."""

from pathlib import Path

import pytest

from tests.commands.conftest import Run, document
from uq_tui.errors import EXIT_PROBLEM
from uq_tui.key_catalogue import catalogue


@pytest.fixture
def settings(home: Path) -> Path:
    (home / "config").mkdir(parents=True, exist_ok=True)
    return home / "config" / "config.toml"


def test_all_are_listed_with_the_keys_that_were_chosen(run: Run, settings: Path) -> None:
    settings.write_text("[keys]\n'workbench.validate' = 'f5,!'\n")
    found = {one["id"]: one for one in document(run("keys", "--json"))["keys"]}
    assert list(found) == [one.id for one in catalogue()]
    assert found["workbench.validate"] == {
        "id": "workbench.validate",
        "keys": ["f5", "!"],
        "usual_keys": ["v"],
        "where": "Workbench",
        "name": "Validate",
        "what": "Judge this candidate by the strategy",
    }
    assert found["app.keys"]["keys"] == ["?"]
    shown = run("keys").stdout
    assert "f5 !" in next(line for line in shown.splitlines() if line.startswith("workbench.validate "))


def test_what_is_wrong_is_told_and_the_ids_are_listed_all_the_same(run: Run, settings: Path) -> None:
    settings.write_text("[keys]\n'workbench.\x1b[2Jvaldate' = 'f5'\n".replace("\x1b", "\\u001b").replace("'", '"'))
    result = run("keys")
    assert result.exit_code == EXIT_PROBLEM
    assert "workbench.validate" in result.stdout
    assert "no action has this id" in result.stderr
    assert "\x1b" not in result.stderr
    assert document(run("keys", "--json"))["problem"].startswith(str(settings))
