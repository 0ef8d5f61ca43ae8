"""The installed program in a folder that holds modules named like ours, and where things are missing or broken."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terminal import Terminal

PROGRAM = Path(sys.executable).with_name("uq-tui")
STRANGER = "open({marker!r}, 'w').close()\nraise SystemExit('a stranger was imported')\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A hostile current folder. Whatever is imported from it leaves a mark."""
    made = tmp_path / "hostile"
    (made / "store").mkdir(parents=True)
    (made / "exports").mkdir()
    code = STRANGER.format(marker=str(tmp_path / "marker"))
    for name in ("store/__init__.py", "exports/__init__.py", "prompts.py", "json.py", "click.py", "uq_tui.py"):
        (made / name).write_text(code, encoding="utf-8")
    (made / ".env").write_text("OPENAI_API_KEY=from-a-stranger\nUQ_TUI_HOME=/nowhere\n", encoding="utf-8")
    return made


def program(folder: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.endswith("_API_KEY")}
    return subprocess.run(
        [str(PROGRAM), *arguments],
        cwd=folder,
        env=clean | {"UQ_TUI_HOME": str(folder.parent / "home")} | environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )


def untouched(folder: Path) -> bool:
    """Whether nothing of the folder ran, and nothing was written into it."""
    names = {path.name for path in folder.iterdir()}
    expected = {"store", "exports", "prompts.py", "json.py", "click.py", "uq_tui.py", ".env"}
    return names == expected and not (folder.parent / "marker").exists()


def test_help_is_ours(folder: Path) -> None:
    done = program(folder, "--help")
    assert done.returncode == 0
    assert "Usage: uq-tui" in done.stdout
    assert untouched(folder)


def test_a_command_is_ours_and_fills_a_new_workspace(folder: Path) -> None:
    done = program(folder, "questions", "--limit", "1")
    assert done.returncode == 0, done.stderr
    assert "the bundled pack is in it" in done.stderr
    assert (folder.parent / "home" / "data" / "default.uq.sqlite").exists()
    assert untouched(folder)


def test_the_app_without_a_terminal_says_so(folder: Path) -> None:
    done = program(folder)
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr
    assert untouched(folder)


def test_a_strangers_package_on_the_path_is_named_and_not_run(folder: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "store").mkdir(parents=True)
    stranger = elsewhere / "store" / "__init__.py"
    stranger.write_text(STRANGER.format(marker=str(tmp_path / "marker")), encoding="utf-8")
    done = program(folder, "questions", PYTHONPATH=str(elsewhere))
    assert done.returncode == 2
    assert f"Another package named 'store' is found before uq-tui's own: {stranger.parent}" in done.stderr
    assert untouched(folder)


def test_a_model_without_a_key_is_told_and_no_strangers_key_is_used(folder: Path) -> None:
    done = program(folder, "models", "test", "openai/gpt-4o-mini")
    assert done.returncode == 3
    assert "OPENAI_API_KEY is not set" in done.stderr
    assert "Traceback" not in done.stderr
    assert untouched(folder)


def test_a_missing_model_is_told(folder: Path) -> None:
    done = program(folder, "models", "test", "local/no-such-model")
    assert done.returncode == 3
    assert "local/no-such-model" in done.stderr
    assert "Traceback" not in done.stderr
    assert untouched(folder)


def damaged(path: Path) -> None:
    path.write_bytes(b"this is no database" * 100)


def a_folder(path: Path) -> None:
    path.mkdir()


@pytest.mark.parametrize("make", [damaged, a_folder])
def test_a_workspace_that_cannot_be_used_is_told_by_name(
    folder: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    workspace = tmp_path / "broken.sqlite"
    make(workspace)
    done = program(folder, "--workspace", str(workspace), "questions")
    assert done.returncode == 3
    assert str(workspace) in done.stderr
    assert "Traceback" not in done.stderr
    assert untouched(folder)


@pytest.mark.terminal
@pytest.mark.parametrize("make", [damaged, a_folder])
def test_the_app_tells_of_a_workspace_that_cannot_be_used(
    folder: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    workspace = tmp_path / "broken.sqlite"
    make(workspace)
    environment = os.environ | {"UQ_TUI_HOME": str(tmp_path / "home"), "TERM": "xterm-256color"}
    command = [str(PROGRAM), "--workspace", str(workspace)]
    with Terminal(command, env=environment, columns=400, cwd=str(folder)) as screen:
        assert screen.wait_for_end(60) == 3
        assert f"The workspace {workspace} cannot be used" in screen.text
        assert "Traceback" not in screen.text
    assert untouched(folder)
