"""Zip archives that are the same bytes for the same content: members in their order, all with one time and mode.

They are as `store.ingest.strict_zip` wants them. The bytes depend on the version of zlib besides.
"""

import hashlib
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from typing import IO, NamedTuple

from exports.atomic import StagedFile

_EARLIEST = (1980, 1, 1, 0, 0, 0)
_UNIX, _MODE = 3, 0o100600
_LEVEL = 6
_CHUNK = 1 << 20


class Part(NamedTuple):
    """A member on its way into an archive."""

    name: str
    file: IO[bytes]
    """Read from its start."""


def write_zip(out: StagedFile, parts: Sequence[Part], go_on: Callable[[], None] = lambda: None) -> str:
    """Write an archive; its sha256. `go_on` is called before each MiB, and may raise to end it.

    Raises OSError, ExportError: there is no room for it.
    """
    digest = hashlib.sha256()
    with tempfile.TemporaryFile() as packed:
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, allowZip64=False, compresslevel=_LEVEL) as archive:
            for part in parts:
                member = zipfile.ZipInfo(part.name, _EARLIEST)
                member.create_system, member.external_attr = _UNIX, _MODE << 16
                member.compress_type = zipfile.ZIP_DEFLATED
                part.file.seek(0)
                with archive.open(member, "w") as into:
                    while chunk := part.file.read(_CHUNK):
                        go_on()
                        into.write(chunk)
        packed.seek(0)
        while chunk := packed.read(_CHUNK):
            digest.update(chunk)
            out.write(chunk)
    return digest.hexdigest()
