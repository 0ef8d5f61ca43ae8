"""The editor and the pager, which get the terminal of the app: in a real one."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.terminal import Terminal
from uq_tui import paths

APP = "from tests.screens.reading.test_tools import Reader; Reader('The text.\\n\\nIts \\x1b[2J end.').run()"
EDITOR = """#!/bin/sh
echo "EDITING $2"
cat "$2"
read answer
echo "added" >> "$2"
"""


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Terminal]:
    editor = tmp_path / "an editor"
    editor.write_text(EDITOR, encoding="utf-8")
    editor.chmod(0o700)
    home = tmp_path / "home"
    env = {**os.environ, paths.HOME_VARIABLE: str(home), "TERM": "xterm-256color", "EDITOR": f"'{editor}' --wait"}
    env.pop("VISUAL", None)
    with Terminal([sys.executable, "-c", APP], env=env, columns=100, lines=24) as terminal:
        terminal.wait_for("The text.")
        yield terminal


@pytest.mark.terminal
def test_the_editor_has_the_terminal_until_it_ends(reader: Terminal, tmp_path: Path) -> None:
    reader.press("e")
    reader.wait_for("EDITING")
    assert f"{tmp_path}/home/cache/reading/text-" in reader.text.replace("\n", "")
    assert "␛[2J end." in reader.text
    assert b"\x1b[2J end" not in reader.output

    reader.press("enter")
    reader.wait_for("The text.")
    assert "EDITING" not in reader.text
    assert "added" not in reader.text
