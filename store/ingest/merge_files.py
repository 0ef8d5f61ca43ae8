"""Files whose rows are merged: verdicts, statements, evidence, lines in quarantine, bundles that came back."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from store.bundle_shape import Holds
from store.ingest import bundle, importer, under_way
from store.ingest.bundle_file import opened
from store.ingest.files import check_kind
from store.ingest.sealed_jsonl import QUARANTINE
from store.rows import ImportReport
from store.sealed_kinds import KINDS, VERDICT
from store.workspace import Workspace
from uq_tui.errors import ImportFileError

MERGED = frozenset((*(kind.noun for kind in KINDS.values()), QUARANTINE, bundle.FORMAT))
"""The formats, by name."""
_HINT = "`uq-tui import` takes it in; `uq-tui open` begins to work on a bundle."


def merge_file(
    ws: Workspace,
    path: Path,
    *,
    on_progress: Callable[[under_way.Progress], None] | None = None,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> ImportReport:
    """Merge the rows of a file into the workspace; an empty file has none. The rest is as with `import_file`.

    Raises:
        NotFoundError: there is no such file.
        ImportFileError: it can't be read, or its rows are not merged; nothing is stored then.
        StoreError: the workspace can't be written.
    """
    check_kind(path)
    if path.stat().st_size == 0:
        return ImportReport(str(path), VERDICT.noun, 0, 0, 0, 0, 0, (), 0, {}, ())
    name = importer.format_of(path).name
    if name not in MERGED:
        raise ImportFileError(f"{path} holds {name}: only sealed rows are merged.", hint=_HINT)
    if name == bundle.FORMAT:
        with opened(path) as found:
            if found.holds is not Holds.RETURNED:
                raise ImportFileError(f"{path} is a bundle with work to do: nothing in it can be merged.", hint=_HINT)
    return importer.import_file(ws, path, on_progress=on_progress, is_cancelled=is_cancelled)


@contextmanager
def scratch() -> Iterator[Workspace]:
    """A workspace of its own to merge files in, in the folder for temporary files; it is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="uq-tui-merge-") as folder:
        made = Workspace.open(Path(folder) / "merge.uq.sqlite")
        try:
            yield made
        finally:
            made.close()
