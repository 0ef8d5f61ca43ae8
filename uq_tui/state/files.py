"""Files in: importing them, and reading an answer from one."""

import asyncio
import glob
import os
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from store.ingest.importer import import_file
from store.ingest.rehearsal import rehearsed
from store.ingest.under_way import Progress
from store.manifest import MANIFEST_SUFFIX
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.errors import ImportFileError, NotFoundError, UqError

ANSWER_LIMIT = 4 * 1024 * 1024
"""Bytes of an answer file that may be loaded by hand."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What to import, as it was asked for."""

    path: str
    """A file, a folder, or a pattern of names such as `~/returned/*.jsonl`."""
    site: str = ""
    """The site of what names none."""
    question_id: str = ""
    """The question that rows belong to which name none."""
    dry_run: bool = False
    """Say what would come in, and change nothing."""


class Imported(NamedTuple):
    """What became of the files that were asked for."""

    reports: tuple[ImportReport, ...]
    """In the order of the files' names."""
    failed: tuple[UqError, ...] = ()
    """Why others could not be read at all."""


async def import_from(
    workspace: Workspace,
    wish: Wish,
    on_progress: Callable[[Progress], None],
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Imported:
    """Import whatever file it is, or each that a pattern names, or try to.

    Args:
        workspace: the open workspace.
        wish: which file, and how.
        on_progress: called from another thread.
        is_cancelled: asked from another thread; what is stored once it says yes stays.

    Raises:
        NotFoundError, ImportFileError, StoreError: as `import_file` and `rehearsed`; the first two only where a single
            file was asked for.
    """
    return await asyncio.to_thread(_import, workspace, wish, on_progress, is_cancelled)


def _import(
    workspace: Workspace, wish: Wish, on_progress: Callable[[Progress], None], is_cancelled: Callable[[], bool]
) -> Imported:
    paths = _named(wish.path)
    reports: list[ImportReport] = []
    failed: list[UqError] = []
    with rehearsed(workspace) if wish.dry_run else nullcontext(workspace) as where:
        for path in paths:
            if is_cancelled():
                break
            try:
                reports.append(
                    import_file(
                        where,
                        path,
                        site=wish.site.strip(),
                        question_id=wish.question_id,
                        on_progress=on_progress,
                        is_cancelled=is_cancelled,
                    )
                )
            except (ImportFileError, NotFoundError) as error:
                if len(paths) == 1:
                    raise
                failed.append(error)
    return Imported(tuple(reports), tuple(failed))


def _named(said: str) -> tuple[Path, ...]:
    """The file of that name; else those that fit it as a pattern. Manifests are read with their files, not alone."""
    path = place(said)
    if os.path.lexists(path):
        return (path,)
    found = sorted(Path(name) for name in glob.glob(str(path)))
    return tuple(one for one in found if not one.name.endswith(MANIFEST_SUFFIX)) or (path,)


async def read_answer(path: str) -> str:
    """The text of an answer file. Raises ImportFileError naming the file and why."""
    return await asyncio.to_thread(_read_answer, place(path))


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


def place(path: str) -> Path:
    """The path as it was typed, with `~` and `~name` as home folders; a name nobody has stays as it is."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)
