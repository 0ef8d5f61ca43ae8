"""Keyrings for tests, real backends chosen as a user chooses one: by PYTHON_KEYRING_BACKEND.

The process that asks a keyring ends after one answer, so what is kept lies in the file UQ_TEST_KEYRING names.
"""

import getpass
import json
import os
import sys
import threading
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked, PasswordDeleteError

MODULE = __name__


class Kept(KeyringBackend):
    """Keeps what it is given."""

    priority = 1

    @property
    def _file(self) -> Path:
        return Path(os.environ["UQ_TEST_KEYRING"])

    def _entries(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self._file.read_text(encoding="utf-8")) if self._file.exists() else {}
        return found

    def get_password(self, service: str, username: str) -> str | None:
        sys.stdout.write("a backend may print")
        return self._entries().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._file.write_text(json.dumps({**self._entries(), f"{service} {username}": password}), encoding="utf-8")

    def delete_password(self, service: str, username: str) -> None:
        entries = self._entries()
        if entries.pop(f"{service} {username}", None) is None:
            raise PasswordDeleteError
        self._file.write_text(json.dumps(entries), encoding="utf-8")


class Locked(Kept):
    """Is locked, and nobody unlocks it."""

    def get_password(self, service: str, username: str) -> str | None:
        raise KeyringLocked("do not show this")


class Broken(Kept):
    """Fails with an error of its own library."""

    def get_password(self, service: str, username: str) -> str | None:
        raise OSError("do not show this")


class Crashing(Kept):
    """Takes its process down."""

    def get_password(self, service: str, username: str) -> str | None:
        os._exit(9)


class Waiting(Kept):
    """Waits for a person who never comes."""

    def get_password(self, service: str, username: str) -> str | None:
        threading.Event().wait()
        return None


class Asking(Kept):
    """Asks on the terminal."""

    def get_password(self, service: str, username: str) -> str | None:
        return getpass.getpass()
