"""A process that is killed and a disk that fills leave the file of an earlier export whole, whatever is written."""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from store.workspace import Workspace
from tests.exports.small_disk import small_disk
from tests.exports.writers import KILLS, OLD, WRITERS, fill
from tests.new_workspace import new_workspace
from uq_tui.errors import ExportError


@pytest.fixture(scope="module")
def filled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    opened = new_workspace(tmp_path_factory.mktemp("whole") / "filled.uq.sqlite")
    fill(opened)
    yield opened
    opened.close()


def test_a_disk_that_is_full_leaves_the_old_file(filled: Workspace, tmp_path: Path) -> None:
    with small_disk(tmp_path / "disk", 256) as disk:
        paths = {name: disk / f"{name}{suffix}" for name, (suffix, _) in WRITERS.items()}
        for path in paths.values():
            path.write_bytes(OLD)
        _fill(disk / "rest")
        before = sorted(disk.iterdir())
        for name, (_, write) in WRITERS.items():
            with pytest.raises(ExportError, match="can't be written"):
                write(filled, paths[name])
            assert paths[name].read_bytes() == OLD
        assert sorted(disk.iterdir()) == before


def _fill(path: Path) -> None:
    free = shutil.disk_usage(path.parent).free
    path.write_bytes(b"x" * free)
    assert shutil.disk_usage(path.parent).free == 0


def test_a_kill_leaves_the_old_file(filled: Workspace, tmp_path: Path) -> None:
    line = [sys.executable, "-m", "tests.exports.writers", str(filled.path), str(tmp_path)]
    told = subprocess.run(line, capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2])
    assert json.loads(told.stdout) == [[name, moment] for name, moment in KILLS]
