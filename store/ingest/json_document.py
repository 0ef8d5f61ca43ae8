"""A JSON document as a whole, for formats that have to be looked at from several sides. Others read streams."""

from pathlib import Path
from typing import Any

from store.ingest.files import open_unpacked, utf16_of
from store.ingest.strict_json import StrictDecoder
from uq_tui.errors import ImportFileError

LIMIT = 64 * 1024 * 1024
"""Largest document in bytes, unpacked."""


def read_document(path: Path) -> Any:
    """The value that a file consists of, as strict as rows are read.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it cannot be read, is larger than LIMIT, or no strict JSON.
    """
    with open_unpacked(path) as file:
        data = file.read(LIMIT + 1)
    if len(data) > LIMIT:
        raise ImportFileError(
            f"{path} is one JSON document of more than {LIMIT // 2**20} MiB.",
            hint="Split it, or write its entries as one object a line.",
        )
    try:
        text = data.decode(utf16_of(data) or "utf-8-sig").strip(" \t\r\n")
    except UnicodeDecodeError as error:
        raise ImportFileError(f"{path} is neither UTF-8 nor UTF-16 text (byte {error.start + 1}).") from error
    value, problem, end = StrictDecoder().value_at(text, 0)
    if not problem and end is not None and end < len(text):
        problem = f"more text after the document, at character {end + 1}"
    if problem:
        raise ImportFileError(f"{path} can't be read: {problem}.")
    return value
