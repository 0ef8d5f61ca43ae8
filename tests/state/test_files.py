"""Paths that people type."""

import os
from pathlib import Path

import pytest

from uq_tui.errors import ImportFileError
from uq_tui.state.files import read_answer


async def test_an_answer_is_read_from_a_regular_file_only(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for path in (pipe, tmp_path, tmp_path / "missing"):
        with pytest.raises(ImportFileError, match="is not a file"):
            await read_answer(str(path))


async def test_the_home_of_nobody_is_a_path_that_is_not_there() -> None:
    with pytest.raises(ImportFileError, match="~nobody-of-this-name/x is not a file"):
        await read_answer("~nobody-of-this-name/x")
