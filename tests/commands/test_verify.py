"""`uq-tui verify`: whole or not, and by whom."""

import json
import shutil
from pathlib import Path

import pytest

from exports.rows import Manner, export_rows
from store.manifest import manifest_path
from tests.commands.conftest import Run, document
from tests.exports.test_signature import ANN, BOB, keys

__all__ = ["keys"]  # a fixture


def rows(path: Path, key: Path | None = None) -> Path:
    export_rows(path, ['{"n":1}', '{"n":2}'], 1, Manner(key))
    return path


def test_a_whole_file_is_told_from_a_cut_one_without_a_workspace(run: Run, tmp_path: Path) -> None:
    path = rows(tmp_path / "rows.jsonl")
    told = run("--workspace", str(tmp_path / "none.sqlite"), "verify", str(path))
    assert (told.exit_code, "is whole: 2 rows" in told.stdout) == (0, True)
    assert not (tmp_path / "none.sqlite").exists()
    path.write_text('{"n":1}\n')
    cut = run("verify", str(path), "--json")
    assert cut.exit_code == 1
    assert (json.loads(cut.stdout)["manifest"], json.loads(cut.stdout)["rows"]) == ("differs", 2)
    manifest_path(path).write_text("[]")
    assert run("verify", str(path)).exit_code == 1
    manifest_path(path).unlink()
    assert "can't be told" in run("verify", str(path)).stdout
    assert run("verify", str(tmp_path / "no\x1b[2J")).exit_code == 3


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_who_signed_is_told(run: Run, keys: Path, tmp_path: Path) -> None:
    path = rows(tmp_path / "rows.jsonl", keys / "ann")
    by = ("--signers", str(keys / "signers"), "--identity")
    assert document(run("verify", str(path), *by, ANN, "--json"))["signed_by"] == ANN
    assert f"Signed by {ANN} with the key SHA256:" in run("verify", str(path), *by, ANN).stdout
    other = run("verify", str(path), *by, BOB)
    assert (other.exit_code, other.stdout) == (3, "")
    assert other.stderr.startswith("Signature: ")
    assert run("verify", str(path), "--identity", ANN).exit_code == 2
