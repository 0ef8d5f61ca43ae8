"""The plug-in that docs/plugins.md shows, built and installed as it says, and run by the command."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.commands.conftest import Desk
from tests.commands.conftest import desk as desk
from tests.commands.conftest import stocked as stocked
from tests.plugins.site_packages import make_environment
from uq_tui.plugins.running import MAX_REASON
from uq_tui.plugins.spec import DEFAULT_LIMITS

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "plugins.md").read_text(encoding="utf-8")


def block(language: str) -> str:
    """The one code block in that language."""
    (found,) = re.findall(rf"^```{language}\n(.*?)^```$", PAGE, flags=re.MULTILINE | re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of an environment in which the documented package is installed."""
    folder = tmp_path_factory.mktemp("documented")
    interpreter, packages = make_environment(folder / "environment")
    source = folder / "uq-boxed"
    source.mkdir()
    (source / "pyproject.toml").write_text(block("toml"), encoding="utf-8")
    (source / "uq_boxed.py").write_text(block("python"), encoding="utf-8")
    quiet = ("--quiet", "--disable-pip-version-check", "--no-input")
    offline = ("--no-index", "--no-deps", "--no-build-isolation")
    command = [sys.executable, "-m", "pip", "install", *quiet, *offline, "--target", str(packages), str(source)]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return interpreter


def uq(python: Path, tmp_path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(python), "-P", "-c", "from uq_tui.cli import main; main()", *arguments],
        cwd=tmp_path,
        env=os.environ | {"UQ_TUI_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_it_is_listed(python: Path, tmp_path: Path) -> None:
    done = uq(python, tmp_path, "plugins", "--json")

    assert json.loads(done.stdout)["plugins"] == [
        {
            "name": "boxed_once",
            "package": "uq-boxed",
            "version": "1.0",
            "summary": "Rejects answers that box two different final answers",
            "group": "uq_tui.validators",
            "problem": "",
        }
    ]


def test_it_runs_on_a_candidate(python: Path, tmp_path: Path, desk: Desk) -> None:
    done = uq(python, tmp_path, "--workspace", str(desk.path), "plugins", "run", "boxed_once", desk.right)

    assert (done.returncode, done.stdout) == (0, "· skipped  nothing is boxed\n"), done.stderr


def test_the_page_says_what_the_limits_are() -> None:
    limits = PAGE.partition("## Limits")[2].partition("## Safety")[0]

    assert f"| {DEFAULT_LIMITS.seconds:g} s, then" in limits
    assert f"| {DEFAULT_LIMITS.cpu_seconds} s a process" in limits
    assert f"| {DEFAULT_LIMITS.memory_bytes >> 30} GiB" in limits
    assert f"| {DEFAULT_LIMITS.file_bytes >> 20} MiB" in limits
    assert f"| {DEFAULT_LIMITS.output_bytes >> 10} KiB" in limits
    assert f"{MAX_REASON:,} characters" in PAGE
