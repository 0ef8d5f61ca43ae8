"""Files in and out: importing questions, reading an answer from a file, exporting verdicts."""

import asyncio
from collections.abc import Callable
from pathlib import Path

from exports.rows import ExportReport
from exports.verdicts import export_verdicts
from store.ingest.importer import import_file
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.errors import ImportFileError

ANSWER_LIMIT = 4 * 1024 * 1024
"""Bytes of an answer file that may be loaded by hand."""


async def import_from(
    workspace: Workspace, path: str, site: str, on_progress: Callable[[int], None], *, question_id: str = ""
) -> ImportReport:
    """Import a question, neighbour, candidate, verdict, score or pack file.

    `on_progress` is called from another thread; `question_id` is of the question that rows belong to which name none.
    """
    return await asyncio.to_thread(
        import_file, workspace, _place(path), site=site.strip(), question_id=question_id, on_progress=on_progress
    )


async def read_answer(path: str) -> str:
    """The text of an answer file. Raises ImportFileError naming the file and why."""
    return await asyncio.to_thread(_read_answer, _place(path))


def _read_answer(path: Path) -> str:
    try:
        if not path.is_file():
            raise ImportFileError(f"{path} is not a file.", hint="Name a text file that holds the answer.")
        if path.stat().st_size > ANSWER_LIMIT:
            raise ImportFileError(f"{path} is larger than 4 MiB.", hint="Import it as JSONL instead.")
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ImportFileError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise ImportFileError(f"{path} is not UTF-8 text (byte {error.start}).") from error


async def export_to(workspace: Workspace, path: str) -> ExportReport:
    """Write all verdicts as JSONL with a manifest beside it."""
    return await asyncio.to_thread(export_verdicts, workspace, _place(path))


def _place(path: str) -> Path:
    """The path as it was typed, with `~` and `~name` as home folders; a name nobody has stays as it is."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)
