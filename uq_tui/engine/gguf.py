"""Reads what a GGUF model file says about itself, without loading the model.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3, little endian).
"""

import os
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from uq_tui.errors import ModelError

_FORMATS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
_LONGEST_NAME = 65_535
_LONGEST_STRING = 1_000_000


@dataclass(frozen=True, slots=True)
class GgufInfo:
    """`context` is the number of tokens the model was trained with; 0 when the file doesn't say."""

    architecture: str
    context: int


def read_gguf(path: Path) -> GgufInfo:
    """The metadata at the head of a model file.

    Raises:
        ModelError: unreadable, or not a GGUF file.
    """
    try:
        with path.open("rb") as file:
            return _read(file)
    except OSError as error:
        raise ModelError(f"The model file {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ModelError(f"{path} is not a usable GGUF model file: {error}.") from error


def _read(file: BinaryIO) -> GgufInfo:
    if file.read(4) != b"GGUF":
        raise ValueError("it doesn't begin with GGUF")
    version, _, entries = _number(file, "<I"), _number(file, "<Q"), _number(file, "<Q")
    if version not in (2, 3):
        raise ValueError(f"its version is {version}")
    architecture, contexts = "", {}
    for _ in range(entries):
        name = _string(file, _LONGEST_NAME)
        kind = _number(file, "<I")
        if name == "general.architecture" and kind == _STRING:
            architecture = _string(file, _LONGEST_STRING)
        elif name.endswith(".context_length") and kind in _FORMATS:
            contexts[name] = int(_number(file, _FORMATS[kind]))
        else:
            _skip(file, kind)
        if architecture and f"{architecture}.context_length" in contexts:
            break
    return GgufInfo(architecture, contexts.get(f"{architecture}.context_length", 0))


def _take(file: BinaryIO, count: int) -> bytes:
    found = file.read(count)
    if len(found) < count:
        raise ValueError("it ends in the middle of its metadata")
    return found


def _number(file: BinaryIO, form: str) -> Any:
    return struct.unpack(form, _take(file, struct.calcsize(form)))[0]


def _string(file: BinaryIO, longest: int) -> str:
    length = _number(file, "<Q")
    if length > longest:
        raise ValueError(f"it has a text of {length} bytes where at most {longest} make sense")
    return _take(file, length).decode("utf-8", "replace")


def _skip(file: BinaryIO, kind: int) -> None:
    if kind == _STRING:
        _forward(file, _number(file, "<Q"))
    elif kind == _ARRAY:
        inner, length = _number(file, "<I"), _number(file, "<Q")
        if inner in _FORMATS:
            _forward(file, length * struct.calcsize(_FORMATS[inner]))
        elif inner == _STRING:
            for _ in range(length):
                _forward(file, _number(file, "<Q"))
        else:
            raise ValueError(f"it has an array of unknown type {inner}")
    elif kind in _FORMATS:
        _forward(file, struct.calcsize(_FORMATS[kind]))
    else:
        raise ValueError(f"it has a value of unknown type {kind}")


def _forward(file: BinaryIO, count: int) -> None:
    """Pass over bytes that must be there."""
    if count > os.fstat(file.fileno()).st_size - file.tell():
        raise ValueError("it ends in the middle of its metadata")
    file.seek(count, os.SEEK_CUR)
