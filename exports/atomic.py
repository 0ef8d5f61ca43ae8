"""Files that appear whole or not at all: written beside their place, synced, then renamed."""

import contextlib
import os
import secrets
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from uq_tui.errors import ExportError


class StagedFile:
    """A file on its way. Nothing stands at `path` before `publish`."""

    def __init__(self, path: Path) -> None:
        """Raises ExportError when `path` can't be written, or is there and not a regular file."""
        self.path = path
        mode = _mode_of_old(path)
        self._temporary = path.with_name(f".uq-tui-{secrets.token_hex(8)}.tmp")
        with _reported(path):
            descriptor = os.open(self._temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
            self._file = os.fdopen(descriptor, "wb")
        if mode is not None:
            with contextlib.suppress(OSError):  # a file system without modes; the content is what counts
                os.fchmod(descriptor, mode)

    def write(self, data: bytes) -> None:
        """Add `data`. Raises ExportError when there is no room for it."""
        with _reported(self.path):
            self._file.write(data)

    def reader(self) -> IO[bytes]:
        """All that was written so far, open for reading. Raises ExportError."""
        with _reported(self.path):
            self._file.flush()
            return self._temporary.open("rb")

    def sync(self) -> None:
        """Bring all that was written to the disk. Raises ExportError."""
        with _reported(self.path):
            self._file.flush()
            os.fsync(self._file.fileno())
            self._file.close()

    def rename(self) -> None:
        """Put the synced file in its place. Raises ExportError."""
        with _reported(self.path):
            self._temporary.replace(self.path)

    def discard(self) -> None:
        """Remove what was staged; after `rename` there is nothing to remove."""
        with contextlib.suppress(OSError):  # closing flushes, which fails again on a full disk
            self._file.close()
        with contextlib.suppress(OSError):  # what remains is a hidden temporary file, named as ours
            self._temporary.unlink(missing_ok=True)


@contextlib.contextmanager
def staged(path: Path) -> Iterator[StagedFile]:
    """A file to write and `publish`; whatever isn't published when the block ends is removed."""
    file = StagedFile(path)
    try:
        yield file
    finally:
        file.discard()


def publish(*files: StagedFile) -> None:
    """Put files of one folder in their places, after all of them are safely on the disk.

    Raises:
        ExportError: one can't be synced or renamed. Files named before it may be in place by then.
    """
    for file in files:
        file.sync()
    for file in files:
        file.rename()
    _sync_folder(files[0].path.parent)


def no_room_aside(path: Path, error: OSError) -> ExportError:
    """What is raised where parts of a file can't be kept in temporary files until it is written."""
    return ExportError(
        f"{path} can't be written: {error.strerror or error}.",
        hint=f"There is too little room in {tempfile.gettempdir()}; name another folder in the variable TMPDIR.",
    )


def _sync_folder(folder: Path) -> None:
    # The renames have happened; a file system that can't sync a folder is no reason to call them failed.
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _mode_of_old(path: Path) -> int | None:
    with _reported(path):
        try:
            mode = path.lstat().st_mode
        except FileNotFoundError:
            return None
    if not stat.S_ISREG(mode):
        raise ExportError(f"{path} is there and is not a regular file.", hint="Name another file to write to.")
    return stat.S_IMODE(mode)


@contextlib.contextmanager
def _reported(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        cause = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise ExportError(
            f"{path} can't be written: {cause}.",
            hint="A file of that name is as it was. Make room or name another folder, then export again.",
        ) from error
