"""A folder on a file system that is nearly full."""

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest


@contextmanager
def small_disk(folder: Path, kilobytes: int) -> Iterator[Path]:
    """Mount a tmpfs of this size at `folder`; skips the test where one may not be mounted."""
    folder.mkdir()
    mount, unmount = shutil.which("mount"), shutil.which("umount")
    if mount is None or unmount is None:
        pytest.skip("no mount command")
    size = f"size={kilobytes}k"
    tried = subprocess.run([mount, "-t", "tmpfs", "-o", size, "tmpfs", folder], capture_output=True, check=False)
    if tried.returncode != 0:
        pytest.skip("a tmpfs can't be mounted here")
    try:
        yield folder
    finally:
        subprocess.run([unmount, folder], check=True)
