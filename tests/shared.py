"""The one way tests find the real files that lie beside the project and are not part of it."""

from pathlib import Path

import pytest

_SHARED = Path(__file__).resolve().parents[2] / "shared"


def shared_file(name: str) -> Path:
    """The file or folder `name` under the shared folder; skips the test where it is absent."""
    path = _SHARED / name
    if not path.exists():
        pytest.skip(f"{name} is not beside this checkout")
    return path
