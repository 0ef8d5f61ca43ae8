"""The manifest beside an exported file: how many rows it has and their hash, so that a cut file is noticed."""

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from store.frozen_rows import canonical_json

_MOST_BYTES = 64 * 1024
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an export wrote. It has no times, so that repeating an export repeats it byte for byte."""

    file: str
    rows: int
    schema_version: int
    sha256: str
    """Of the whole file."""


def manifest_path(path: Path) -> Path:
    """`verdicts.jsonl.manifest.json` for `verdicts.jsonl`."""
    return path.with_name(path.name + ".manifest.json")


def manifest_bytes(manifest: Manifest) -> bytes:
    """The manifest as it is written: one line of JSON."""
    return canonical_json(asdict(manifest)).encode() + b"\n"


def read_manifest(path: Path) -> Manifest | None:
    """The manifest of the exported file `path`, or None when it has none.

    Raises:
        ValueError: there is one, but it can't be read as a manifest.
    """
    beside = manifest_path(path)
    try:
        with beside.open("rb") as file:
            found = json.loads(file.read(_MOST_BYTES))
        manifest = Manifest(found["file"], found["rows"], found["schema_version"], found["sha256"])
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"{beside.name} can't be read as a manifest") from error
    if type(manifest.rows) is not int or not (isinstance(manifest.sha256, str) and _SHA256.fullmatch(manifest.sha256)):
        raise ValueError(f"{beside.name} can't be read as a manifest")
    return manifest
