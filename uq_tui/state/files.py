"""Files in and out: importing questions, reading an answer from a file, exporting verdicts."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from exports.rows import ExportReport
from exports.statements import export_statements
from exports.verdicts import export_verdicts
from store import reviewers, statements, verdicts
from store.blindness import masked_questions
from store.ingest.importer import import_file
from store.rows import ImportReport
from store.withheld import withheld
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


class Exported(NamedTuple):
    """What was written, and how many rows were held back because their problems are still judged blind."""

    report: ExportReport
    held_back: int


async def export_to(workspace: Workspace, path: str) -> Exported:
    """Write all verdicts that the current reviewer may see as JSONL with a manifest beside it. Raises ExportError."""
    return await asyncio.to_thread(_export_to, workspace, _place(path))


def _export_to(workspace: Workspace, path: Path) -> Exported:
    kept = withheld(workspace, reviewers.current(workspace).id)
    return Exported(export_verdicts(workspace, path, without=kept), verdicts.count(workspace, kept))


async def export_statements_to(workspace: Workspace, path: str) -> Exported:
    """Write what was said beside verdicts, as far as the current reviewer may see it, likewise. Raises ExportError."""
    return await asyncio.to_thread(_export_statements_to, workspace, _place(path))


def _export_statements_to(workspace: Workspace, path: Path) -> Exported:
    masked = masked_questions(workspace, reviewers.current(workspace).id)
    held_back = statements.count_of_questions(workspace, masked)
    return Exported(export_statements(workspace, path, without=masked), held_back)


def _place(path: str) -> Path:
    """The path as it was typed, with `~` and `~name` as home folders; a name nobody has stays as it is."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)
