"""What is checked before anything else runs, and the one way a workspace is opened.

This module imports nothing that is slow or that a stranger's package could stand in for: the store is
imported only when a workspace is opened, after `check_packages`.
"""

from __future__ import annotations

import importlib.util
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from uq_tui.errors import StartError

if TYPE_CHECKING:
    from store.rows import ImportReport
    from store.workspace import Workspace

HOME = Path(__file__).resolve().parent.parent
"""The folder that holds `uq_tui`, and beside it our other packages."""

COMPANIONS = ("store", "prompts", "exports")
"""Our other top-level packages. Their names are common, so a stranger's may be found first."""

OLDEST_PYTHON = (3, 11)
NEWEST_PYTHON = (3, 13)

PACK = Path(__file__).parent / "pack"
"""The bundled pack: questions, neighbours and candidates of the first start."""

PACK_NOTE, HALF, WHOLE = "bundled_pack", "half", "whole"
"""What a workspace notes about the bundled pack: its import has begun, or is complete."""

_SCREENLESS = ("dumb", "unknown")


def check_python(version: tuple[int, int] = (sys.version_info[0], sys.version_info[1])) -> None:
    """Raises StartError unless `version` is one that uq-tui is built and tested for."""
    if not OLDEST_PYTHON <= version <= NEWEST_PYTHON:
        raise StartError(
            f"This is Python {version[0]}.{version[1]}; uq-tui runs on 3.11, 3.12 and 3.13.",
            hint="Install uq-tui into an environment of one of these.",
        )


def check_packages(home: Path = HOME) -> None:
    """Check that `store`, `prompts` and `exports` are ours, without importing them.

    Raises:
        StartError: one of them is missing from `home`, the folder that holds `uq_tui`, or another is found first.
    """
    for name in COMPANIONS:
        found = _location(name)
        if found is None:
            raise StartError(
                f"The package {name!r} of uq-tui is missing; it belongs into {home}.", hint="Install uq-tui again."
            )
        if found != home / name:
            raise StartError(
                f"Another package named {name!r} is found before uq-tui's own: {found}",
                hint="Take that folder off PYTHONPATH, or start uq-tui by its own script from another folder.",
            )


def _location(name: str) -> Path | None:
    """The folder of a top-level package, or the file of a top-level module."""
    spec = importlib.util.find_spec(name)
    if spec is None:
        return None
    if spec.submodule_search_locations:
        return Path(next(iter(spec.submodule_search_locations))).resolve()
    return Path(spec.origin).resolve() if spec.origin else None


def check_terminal(stdin: TextIO, stdout: TextIO, stderr: TextIO) -> None:
    """Raises StartError when the app would have no terminal to read keys from or to draw on: Textual uses stderr."""
    if not (stdin.isatty() and stdout.isatty() and stderr.isatty()):
        raise StartError(
            "The app needs a terminal, and input, output or error output is not one.",
            hint="Without a terminal the commands do the same jobs: see `uq-tui --help`.",
        )
    if os.environ.get("TERM") in _SCREENLESS:
        raise StartError(
            f"This terminal (TERM={os.environ['TERM']}) cannot draw a screen.",
            hint="Use another terminal, or the commands: see `uq-tui --help`.",
        )


def open_workspace(
    path: Path,
    *,
    on_filled: Callable[[ImportReport], None] | None = None,
    on_older: Callable[[str], None] = lambda told: None,
) -> Workspace:
    """Open the workspace at `path`, making it if need be; one without any question is given the bundled pack.

    A pack that a killed program brought in by half is completed.

    Args:
        path: the workspace's file.
        on_filled: told what the bundled pack brought in, when it was imported.
        on_older: given words for the user before a file of an earlier version is brought up to date.

    Raises:
        StoreError: the file cannot be opened, read or written.
        NewerSchemaError: a newer uq-tui wrote it.
    """
    from store import facts, questions
    from store.ingest.importer import import_file
    from store.rows import QuestionFilter
    from store.workspace import Workspace

    def tell(size: int) -> None:
        on_older(
            f"{path} is of an earlier version ({size / 1e6:,.0f} MB): it is copied and brought up to date, which takes"
            " a minute or two for each GB."
        )

    workspace = Workspace.open(path, on_older=tell)
    try:
        empty = questions.count(workspace, QuestionFilter(), cap=1).n == 0
        if empty:
            facts.put(workspace, PACK_NOTE, HALF)
        if empty or facts.get(workspace, PACK_NOTE) == HALF:
            report = import_file(workspace, PACK)
            facts.put(workspace, PACK_NOTE, WHOLE)
            if on_filled is not None:
                on_filled(report)
    except BaseException:
        workspace.close()
        raise
    return workspace
