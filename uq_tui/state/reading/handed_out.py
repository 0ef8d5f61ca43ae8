"""Files that other programs are given: pages, copies of text. Only the user may read them, and they don't stay."""

import hashlib
import os
import tempfile
import time
from contextlib import suppress
from enum import StrEnum
from pathlib import Path

from uq_tui import paths
from uq_tui.errors import UqError

KEPT_SECONDS = 7 * 24 * 3600
"""Older files go when others are written."""
KEPT_FILES = 200
"""Of each kind; the oldest of more go too."""


class HandedOutError(UqError):
    """The file could not be written."""

    title = "File"


class Kind(StrEnum):
    """What a file is for, and the folder it is in."""

    PAGE = "pages"
    COPY = "copies"
    READING = "reading"


def hand_out(kind: Kind, stem: str, text: str, suffix: str) -> Path:
    """Write `text` to a file 0600 of its own in the cache folder, whole or not at all, and remove what is old there.

    Args:
        kind: the folder.
        stem: how its name begins, such as `c2-answer`: words of ours, never foreign text. Six digits of the text's hash
            follow, so that the same text has the same name.
        text: what it holds.
        suffix: with the dot.

    Raises:
        HandedOutError: it can't be written.
    """
    data = text.encode("utf-8", "backslashreplace")
    name = f"{stem}-{hashlib.sha256(data).hexdigest()[:6]}{suffix}"
    try:
        folder = paths.cache_dir() / kind.value
        folder.mkdir(mode=0o700, exist_ok=True)
        _write(folder, name, data)
    except OSError as error:
        raise HandedOutError(
            f"{name} cannot be written: {error.strerror or error}.",
            hint=f"Make room, or name another place for all files in {paths.HOME_VARIABLE}.",
        ) from error
    _remove_old(folder, name)
    return folder / name


def write_privately(path: Path, text: str) -> None:
    """Write `text` to a file 0600 at a place that the user names, whole or not at all; one that is there is replaced.

    Raises:
        HandedOutError: it can't be written.
    """
    try:
        _write(path.parent, path.name, text.encode("utf-8", "backslashreplace"))
    except OSError as error:
        raise HandedOutError(f"{path} cannot be written: {error.strerror or error}.") from error


def _write(folder: Path, name: str, data: bytes) -> None:
    descriptor, draft = tempfile.mkstemp(dir=folder, prefix=".draft-")  # 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        os.replace(draft, folder / name)
    except OSError:
        with suppress(OSError):
            os.unlink(draft)
        raise


def _remove_old(folder: Path, kept: str) -> None:
    """Remove files past their time, and the oldest of too many. What can't be removed stays."""
    with suppress(OSError):
        files = sorted((entry.stat().st_mtime, entry.name) for entry in os.scandir(folder) if entry.name != kept)
        before = time.time() - KEPT_SECONDS
        for number, (changed, name) in enumerate(files, KEPT_FILES - len(files) - 1):
            if changed < before or number < 0:
                os.unlink(folder / name)
