"""Detached signatures of exported files, made and checked by OpenSSH's `ssh-keygen -Y` (ssh-keygen(1), SSHSIG).

A hash shows damage; a signature shows who wrote a file. Keys and who they belong to are OpenSSH's matter: an
allowed-signers file, as Git uses it, says which key is whose.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from uq_tui.errors import SignatureError

NAMESPACE = "uq-tui-verdicts"
"""What signatures are for: one that was made for something else, such as an e-mail, is not taken."""
_PATIENCE_S = 120.0
"""How long an agent may ask its owner, by a dialog or a touch of a token."""
_KEY = re.compile(r"SHA256:[A-Za-z0-9+/]+")


@dataclass(frozen=True, slots=True)
class Signature:
    """A signature that was found good."""

    identity: str
    key: str
    """The fingerprint of the key, as `ssh-keygen -l` prints it."""


def signature_path(path: Path) -> Path:
    """`verdicts.jsonl.sig` for `verdicts.jsonl`."""
    return path.with_name(path.name + ".sig")


def sign(file: IO[bytes], key: Path) -> bytes:
    """The signature of a file's content.

    The key is without a passphrase, or held by ssh-agent; nobody is asked for one.

    Args:
        file: open for reading, a real file.
        key: a private key, or the public one of a key in the agent.

    Raises:
        SignatureError: ssh-keygen is missing, or can't sign with that key.
    """
    if not key.is_file():
        raise SignatureError(f"{key} is not a file.", hint="Name your SSH key, such as ~/.ssh/id_ed25519.")
    ran = _ssh_keygen(file, "sign", "-f", str(key.absolute()))
    if ran.returncode != 0 or not ran.stdout:
        raise SignatureError(
            f"The file can't be signed with {key}: {_last_line(ran.stderr)}.",
            hint="Add the key to ssh-agent (`ssh-add`), or name one without a passphrase. Nothing was written.",
        )
    return ran.stdout


def verify(path: Path, signers: Path, identity: str) -> Signature:
    """Make sure that the signature beside a file is somebody's, of this content.

    Args:
        path: the file; its signature is at `signature_path`.
        signers: an allowed-signers file (ssh-keygen(1), ALLOWED SIGNERS).
        identity: who is to have signed, as that file calls them.

    Raises:
        SignatureError: it isn't, or that can't be told: a file or ssh-keygen is missing.
    """
    beside = signature_path(path)
    for needed in (path, beside, signers):
        if not needed.is_file():
            raise SignatureError(
                f"{needed} is not a file.",
                hint="A signature stands beside its file as FILE.sig, and the signers' keys in a file of yours.",
            )
    chosen = ("-f", str(signers.absolute()), "-s", str(beside.absolute()), "-I", identity)
    try:
        with path.open("rb") as file:
            ran = _ssh_keygen(file, "verify", *chosen)
    except OSError as error:
        raise SignatureError(f"{path} can't be read: {error.strerror}.") from error
    if ran.returncode != 0:
        raise SignatureError(
            f"{beside} is no good signature of {path.name} by {identity}: {_last_line(ran.stderr)}.",
            hint=f"It was changed after it was signed, or signed by others, or {signers} has another key for them or"
            " doesn't name them.",
        )
    found = _KEY.search(ran.stdout.decode("utf-8", "replace"))
    return Signature(identity, found[0] if found else "")


def _ssh_keygen(content: IO[bytes], does: str, *options: str) -> "subprocess.CompletedProcess[bytes]":
    """Run it on a file, with no terminal or dialog by which it could ask for a passphrase."""
    program = shutil.which("ssh-keygen")
    if program is None:
        raise SignatureError("ssh-keygen is not installed.", hint="It comes with OpenSSH, 8.1 or later.")
    try:
        return subprocess.run(
            [program, "-Y", does, "-n", NAMESPACE, *options],
            stdin=content,
            capture_output=True,
            check=False,
            timeout=_PATIENCE_S,
            start_new_session=True,  # it would ask on the terminal of its session
            env={**os.environ, "SSH_ASKPASS_REQUIRE": "never", "LC_ALL": "C"},
        )
    except subprocess.TimeoutExpired as error:
        raise SignatureError(
            f"ssh-keygen has not answered for {_PATIENCE_S:.0f} seconds.", hint="An agent may be waiting for you."
        ) from error
    except (OSError, ValueError) as error:  # ValueError: a NUL in a path or an identity
        raise SignatureError(f"ssh-keygen can't be run: {error}.") from error


def _last_line(said: bytes) -> str:
    lines = said.decode("utf-8", "replace").strip().splitlines()
    return lines[-1].strip().rstrip(".") if lines else "it doesn't say why"
