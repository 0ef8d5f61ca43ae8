"""What the end-to-end tests share: a home of their own and the installed program."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.terminal import Terminal

PROGRAM = Path(sys.executable).with_name("uq-tui")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder that stands for everything uq-tui keeps."""
    (tmp_path / "config").mkdir(mode=0o700)
    return tmp_path


@pytest.fixture
def program(home: Path) -> Callable[..., Terminal]:
    """Starts the installed program in a terminal of its own."""
    env = {**os.environ, "UQ_TUI_HOME": str(home), "TERM": "xterm-256color", "UQ_TUI_REPLAY_PACE": "0"}
    env.pop("NO_COLOR", None)

    def start(*arguments: str, columns: int = 140, lines: int = 44) -> Terminal:
        return Terminal([str(PROGRAM), *arguments], env=env, columns=columns, lines=lines, cwd=str(home))

    return start


def configure(home: Path, model: str, api_base: str) -> None:
    """Make `model` at `api_base` the default one, with one gateway process: each takes seconds to start."""
    (home / "config" / "config.toml").write_text(
        f'gateway_processes = 1\ndefault_model = "{model}"\n[models."{model}"]\napi_base = "{api_base}"\n',
        encoding="utf-8",
    )
