"""A workspace that was copied is one that was migrated."""

import re
import sqlite3
from contextlib import closing
from pathlib import Path

from store.workspace import Workspace
from tests.new_workspace import new_workspace


def test_a_copied_workspace_is_a_migrated_one_but_for_its_id_and_secret(tmp_path: Path) -> None:
    migrated = Workspace.open(tmp_path / "migrated")
    copied, another = new_workspace(tmp_path / "copied"), new_workspace(tmp_path / "another")
    made = (migrated, copied, another)
    for workspace in made:
        workspace.close()

    assert _everything(copied) == _everything(another) == _everything(migrated)
    assert len({workspace.id for workspace in made}) == len({workspace.secret for workspace in made}) == 3
    assert {(workspace.journal_mode, workspace.copy, workspace.path.stat().st_mode) for workspace in made} == {
        (migrated.journal_mode, None, migrated.path.stat().st_mode)
    }


def _everything(workspace: Workspace) -> str:
    """The whole file as SQL, without its id, its secret, and when it was migrated."""
    with closing(sqlite3.connect(workspace.path)) as db:
        text = "\n".join(db.iterdump())
    text = text.replace(workspace.id, "ID").replace(workspace.secret.hex(), "SECRET")
    return re.sub(r"'\d{4}-\d\d-\d\d \d\d:\d\d:[\d.]+\+00:00'", "WHEN", text)
