"""The manifest beside an exported file: how many rows it has and their hash, so that a cut file is noticed."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from store.frozen_rows import canonical_json
from store.record_shape import SHA256, is_text, misfits

SCHEMA_VERSION = 1
SHAPE: Mapping[str, Any] = {"file": str, "rows": int, "schema_version": int, "sha256": str}
"""Read as `store.record_shape` says. A manifest doesn't name the version of its own shape: no key may change."""
MANIFEST_SUFFIX = ".manifest.json"
_MOST_BYTES = 64 * 1024


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
    return path.with_name(path.name + MANIFEST_SUFFIX)


def manifest_bytes(manifest: Manifest) -> bytes:
    """The manifest as it is written: one line of JSON."""
    return canonical_json(asdict(manifest)).encode() + b"\n"


def problems(found: Any) -> Iterator[str]:
    """What keeps parsed JSON from being a manifest; nothing when it is one."""
    yield from misfits(found, SHAPE)
    if not isinstance(found, Mapping):
        return
    if type(found.get("rows")) is int and found["rows"] < 0:
        yield "`rows` is below 0"
    if not is_text(found.get("sha256"), SHA256):
        yield "`sha256` is not 64 hexadecimal digits"


def read_manifest(path: Path) -> Manifest | None:
    """The manifest of the exported file `path`, or None when it has none.

    Raises:
        ValueError: there is one, but it can't be read as a manifest.
    """
    beside = manifest_path(path)
    try:
        with beside.open("rb") as file:
            found = json.loads(file.read(_MOST_BYTES))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, RecursionError) as error:
        raise ValueError(f"{beside.name} can't be read as a manifest") from error
    if next(problems(found), None) is not None:
        raise ValueError(f"{beside.name} can't be read as a manifest")
    return Manifest(**{key: found[key] for key in SHAPE})
