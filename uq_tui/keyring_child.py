"""The process that speaks with the system's keyring. Run as a script; it imports nothing of uq-tui.

A keyring may wait for a person, ask on the terminal, or crash in a library of the desktop's. Here it has no terminal,
and the parent ends it when it takes too long. One JSON line comes in: `["get", NAME, ...]`, `["set", NAME, KEY]` or
`["forget", NAME]`. One goes out: `{"found": {NAME: KEY, ...}}`, or `{"problem": KIND, "detail": CLASS}`.
"""

import json
import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

SERVICE = "uq-tui"
LONGEST_S = 60
"""After this the process ends itself, should its parent be gone."""


def answer(request: Sequence[str]) -> dict[str, Any]:
    """Do what is asked. Only the class of an error is told: backends may put anything into its text."""
    import keyring
    from keyring.errors import InitError, KeyringLocked, NoKeyringError

    verb, *names = request
    try:
        if verb == "set":
            keyring.set_password(SERVICE, *names)
        elif verb == "forget" and keyring.get_password(SERVICE, names[0]) is not None:
            keyring.delete_password(SERVICE, names[0])
            return {"found": {names[0]: ""}}
        asked = names if verb == "get" else names[:1]
        found = {name: keyring.get_password(SERVICE, name) for name in asked}
        return {"found": {name: key for name, key in found.items() if key}}
    except Exception as error:  # backends let errors of the libraries under them pass
        kinds = ((NoKeyringError, "none"), (KeyringLocked, "locked"), (InitError, "locked"))
        problem = next((kind for error_type, kind in kinds if isinstance(error, error_type)), "failed")
        return {"problem": problem, "detail": type(error).__name__}


def main() -> None:
    """Answer the one request on standard input."""
    signal.alarm(LONGEST_S)
    request = json.loads(sys.stdin.readline())
    with os.fdopen(os.dup(sys.stdout.fileno()), "w") as out:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # what a backend prints is no answer
        out.write(json.dumps(answer(request)))


if __name__ == "__main__":
    main()
