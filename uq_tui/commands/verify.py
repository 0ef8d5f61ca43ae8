"""`uq-tui verify`: whether an exported file is whole, and signed by whom it should be."""

import hashlib
from enum import StrEnum
from pathlib import Path
from typing import Any

import click

from exports.signature import Signature, verify
from store.manifest import Manifest, manifest_path, read_manifest
from uq_tui.commands.invocation import Invocation, exit_codes, json_option, pass_invocation, utf8, write_json
from uq_tui.errors import EXIT_OK, EXIT_PROBLEM, NotFoundError
from uq_tui.text import clean_line, counted


class _Fit(StrEnum):
    """How a file stands to the manifest beside it."""

    FITS = "fits"
    DIFFERS = "differs"
    MISSING = "missing"
    UNREADABLE = "unreadable"


@click.command(
    "verify",
    epilog=exit_codes("the file is not the one its manifest describes", "it is not signed by them, or can't be read"),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--signers",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Whose keys are whose: an allowed-signers file of OpenSSH. Needs --identity.",
)
@click.option(
    "--identity", type=utf8, default="", metavar="WHO", help="Who is to have signed, as that file calls them."
)
@json_option
@pass_invocation
@click.pass_context
def verify_file(ctx: click.Context, invocation: Invocation, file: Path, signers: Path | None, identity: str) -> None:
    """Say whether a file is the one that its manifest describes; with --signers, whether somebody has signed it.

    The signature is FILE.sig, as `export --sign` and `ssh-keygen -Y sign` write it. No workspace is opened.
    """
    if (signers is None) != (not identity):
        raise click.UsageError("--signers and --identity go together.")
    digest = _digest(file)
    fit, manifest = _fit(file, digest)
    signature = verify(file, signers, identity) if signers is not None else None
    if invocation.as_json:
        write_json(_as_json(file, digest, fit, manifest, signature))
    else:
        for line in _lines(file, fit, manifest, signature):
            click.echo(clean_line(line))
    ctx.exit(EXIT_PROBLEM if fit in (_Fit.DIFFERS, _Fit.UNREADABLE) else EXIT_OK)


def _digest(file: Path) -> str:
    try:
        with file.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest()
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise NotFoundError(f"{file} can't be read: {cause}.") from error


def _fit(file: Path, digest: str) -> tuple[_Fit, Manifest | None]:
    try:
        manifest = read_manifest(file)
    except ValueError:
        return _Fit.UNREADABLE, None
    if manifest is None:
        return _Fit.MISSING, None
    return (_Fit.FITS if manifest.sha256 == digest else _Fit.DIFFERS), manifest


def _as_json(
    file: Path, digest: str, fit: _Fit, manifest: Manifest | None, signature: Signature | None
) -> dict[str, Any]:
    return {
        "file": str(file),
        "sha256": digest,
        "manifest": fit.value,
        "rows": manifest.rows if manifest else None,
        "signed_by": signature.identity if signature else None,
        "key": signature.key if signature else None,
    }


def _lines(file: Path, fit: _Fit, manifest: Manifest | None, signature: Signature | None) -> list[str]:
    beside = manifest_path(file).name
    rows = counted(manifest.rows, "row") if manifest else ""
    said = {
        _Fit.FITS: f"{file} is whole: {rows}, as {beside} says.",
        _Fit.DIFFERS: f"{file} is not the file that {beside} describes, which has {rows}: it was cut or changed.",
        _Fit.MISSING: f"{file} has no manifest beside it, so whether it is whole can't be told.",
        _Fit.UNREADABLE: f"{beside} can't be read as a manifest, so whether {file} is whole can't be told.",
    }
    signed = [f"Signed by {signature.identity} with the key {signature.key}."] if signature else []
    return [said[fit], *signed]
