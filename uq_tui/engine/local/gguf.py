"""Reads what a GGUF model file says about itself, without loading the model.

The format: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md (versions 2 and 3, little endian).
"""

import os
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from uq_tui.errors import ModelError

_FORMATS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
_STRING, _ARRAY = 8, 9
_LONGEST_NAME = 65_535
_LONGEST_STRING = 1_000_000
_MOST_DIMENSIONS = 16
_ALIGNMENT = 32
_LOOKED_AT = frozenset(
    {"general.architecture", "general.type", "general.alignment", "split.no", "split.count", "tokenizer.chat_template"}
)
_LOOKED_AT_BY_ARCHITECTURE = (".context_length", ".pooling_type")


@dataclass(frozen=True, slots=True)
class GgufInfo:
    """`context` is the number of tokens the model was trained with; 0 when the file doesn't say."""

    architecture: str
    context: int


def read_gguf(path: Path) -> GgufInfo:
    """What the head of a model file says, read no further than needed.

    Raises:
        ModelError: unreadable, or not a GGUF file.
    """
    found: dict[str, Any] = {}

    def read(file: BinaryIO) -> None:
        _, entries = _counts(file)
        for name, value in _entries(file, entries):
            found[name] = value
            if _info(found).context:
                return

    _open(path, read)
    return _info(found)


def check_chat_model(path: Path) -> GgufInfo:
    """See that a file is a whole chat model, as far as that can be told without loading it.

    Raises:
        ModelError: unreadable, not a GGUF file, cut off, or something else than a chat model.
    """
    found: dict[str, Any] = {}

    def read(file: BinaryIO) -> None:
        tensors, entries = _counts(file)
        found.update(_entries(file, entries))
        needed = _least_size(file, tensors, found.get("general.alignment"))
        size = os.fstat(file.fileno()).st_size
        if tensors and size <= needed:
            raise ValueError(f"it is cut off: it has {size:,} bytes and needs more than {needed:,}")
        if not tensors and not _part(found, "split.count"):
            raise ValueError("it holds no weights")

    _open(path, read)
    info = _info(found)
    problem = _problem(found, info)
    if problem:
        raise ModelError(f"{path} is no chat model that can be used here: {problem}.")
    return info


def _problem(found: dict[str, Any], info: GgufInfo) -> str:
    kind = found.get("general.type", "model")
    if kind != "model":
        return f"it is of the type {str(kind)[:40]!r}"
    part = _part(found, "split.no")
    if part:
        return f"it is part {part + 1} of a model; the first part is the one to name"
    if not info.architecture:
        return "it doesn't say its architecture"
    if _part(found, f"{info.architecture}.pooling_type"):
        return "it makes embeddings, not text"
    if not found.get("tokenizer.chat_template"):
        return "it has no chat template"
    return ""


def _info(found: dict[str, Any]) -> GgufInfo:
    architecture = found.get("general.architecture", "")
    architecture = architecture if isinstance(architecture, str) else ""
    return GgufInfo(architecture, _part(found, f"{architecture}.context_length"))


def _part(found: dict[str, Any], name: str) -> int:
    value = found.get(name)
    return int(value) if isinstance(value, int) and value > 0 else 0


def _open(path: Path, read: Callable[[BinaryIO], None]) -> None:
    """Raises ModelError, with the path, where reading fails."""
    try:
        if path.exists() and not path.is_file():  # opening a pipe would wait for its other end
            raise ModelError(f"{path} is not a file.")
        with path.open("rb") as file:
            read(file)
    except OSError as error:
        raise ModelError(f"The model file {path} cannot be read: {error.strerror}.") from error
    except ValueError as error:
        raise ModelError(f"{path} is not a usable GGUF model file: {error}.") from error


def _counts(file: BinaryIO) -> tuple[int, int]:
    """How many tensors and how many entries follow."""
    if file.read(4) != b"GGUF":
        raise ValueError("it doesn't begin with GGUF")
    version, tensors, entries = _number(file, "<I"), _number(file, "<Q"), _number(file, "<Q")
    if version not in (2, 3):
        raise ValueError(f"its version is {version}")
    return tensors, entries


def _entries(file: BinaryIO, count: int) -> Iterator[tuple[str, Any]]:
    """Those of the entries that are looked at."""
    for _ in range(count):
        name = _string(file, _LONGEST_NAME)
        kind = _number(file, "<I")
        if name not in _LOOKED_AT and not name.endswith(_LOOKED_AT_BY_ARCHITECTURE):
            _skip(file, kind)
        elif kind == _STRING:
            yield name, _string(file, _LONGEST_STRING)
        elif kind in _FORMATS:
            yield name, _number(file, _FORMATS[kind])
        else:
            _skip(file, kind)


def _least_size(file: BinaryIO, tensors: int, alignment: Any) -> int:
    """A number of bytes that the file has more than: up to where its last tensor begins."""
    last = 0
    for _ in range(tensors):
        _forward(file, _number(file, "<Q"))
        dimensions = _number(file, "<I")
        if dimensions > _MOST_DIMENSIONS:
            raise ValueError(f"it has a tensor of {dimensions} dimensions")
        _forward(file, dimensions * 8 + 4)
        last = max(last, _number(file, "<Q"))
    step = alignment if isinstance(alignment, int) and alignment > 0 else _ALIGNMENT
    start = -(-file.tell() // step) * step
    return start + last


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
