"""The user's programs that show a page or a text: which they are, and how they are started. Never by a shell."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from uq_tui.errors import UqError

_FOLLOWED = re.compile(r"https?://[!-~]+", re.IGNORECASE)
_MANUALLY = "Open it in a browser by hand."


class NoProgramError(UqError):
    """There is no program here for this, or it can't be started."""

    title = "Other program"


def is_followed(address: str) -> bool:
    """Whether an address may be opened: `http` or `https`, printable ASCII only, so that it is what it looks like."""
    return _FOLLOWED.fullmatch(address) is not None


def open_in_browser(address: str, environment: Mapping[str, str] = os.environ) -> None:
    """Show a page or an address in the user's browser. Does not wait for it.

    Args:
        address: of `http(s)`, or a `file:` address of a page of ours.
        environment: where BROWSER, DISPLAY and WAYLAND_DISPLAY are looked up.

    Raises:
        NoProgramError: no browser is known, there is no screen for one, or it doesn't start.
    """
    command = _browser(environment)
    try:
        process = subprocess.Popen(
            [*command, address],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,  # so that it outlives this program and its terminal
            env=dict(environment),
        )
    except OSError as error:
        raise NoProgramError(f"{command[0]} cannot be started: {error.strerror}.", hint=_MANUALLY) from error
    threading.Thread(target=process.wait, daemon=True).start()


def _browser(environment: Mapping[str, str]) -> Sequence[str]:
    own = _split(environment.get("BROWSER", "").partition(os.pathsep)[0].replace("%s", ""), "BROWSER")
    if own:
        return own
    if sys.platform == "darwin":
        return ["open"]
    if not (environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY")):
        raise NoProgramError("There is no screen for a browser here, and no BROWSER is set.", hint=_MANUALLY)
    opener = shutil.which("xdg-open", path=environment.get("PATH"))
    if opener is None:
        raise NoProgramError("There is no xdg-open here, and no BROWSER is set.", hint=_MANUALLY)
    return [opener]


def viewer(environment: Mapping[str, str] = os.environ) -> Sequence[str]:
    """The command of the user's editor or pager: VISUAL, EDITOR or PAGER, else `less` or `more`.

    Raises:
        NoProgramError: none of them is here, or its variable can't be read.
    """
    for name in ("VISUAL", "EDITOR", "PAGER"):
        command = _split(environment.get(name, ""), name)
        if command and shutil.which(command[0], path=environment.get("PATH")):
            return command
    for program in ("less", "more"):
        if found := shutil.which(program, path=environment.get("PATH")):
            return [found]
    raise NoProgramError("There is no editor or pager here.", hint="Set EDITOR or PAGER to the one you want.")


def run_viewer(command: Sequence[str], file: Path) -> None:
    """Run an editor or pager on a file in this terminal, and wait for it.

    Raises:
        NoProgramError: it can't be started.
    """
    try:
        subprocess.run([*command, str(file)], check=False)
    except OSError as error:
        raise NoProgramError(f"{command[0]} cannot be started: {error.strerror}.") from error


def _split(command: str, variable: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as error:
        raise NoProgramError(f"{variable} cannot be read as a command: {error}.") from error
