"""Text as people give it to commands: on the line, from standard input, or in a file."""

import sys
from pathlib import Path

import click

from store.ingest.files import whole_text

FROM_INPUT = "-"


def words(given: str) -> str:
    """What was typed; for `-` standard input, without white space at its ends. Raises click.UsageError."""
    return standard_input().strip() if given == FROM_INPUT else given


def text_of(source: str) -> str:
    """What a file holds; for `-` standard input.

    Raises:
        click.UsageError: standard input is no UTF-8 text.
        NotFoundError, ImportFileError: as `whole_text`.
    """
    return standard_input() if source == FROM_INPUT else whole_text(Path(source))


def standard_input() -> str:
    """All of it. Raises click.UsageError: it is no UTF-8 text."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError as error:
        raise click.UsageError(f"Standard input is not valid UTF-8 (byte {error.start}).") from error
