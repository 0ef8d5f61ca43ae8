"""The formats of graded work: how each is told, and how its rows are read."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from store.ingest import deepseek_proofs, imo_bench, open_proof_corpus, realmath, realmath_details, theoremqa
from store.ingest.csv_rows import read_csv
from store.ingest.heads import LOOKED_AT, Head
from store.ingest.json_document import read_document
from store.ingest.jsonl import Row, read_rows
from store.ingest.report import OnProgress
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.errors import ImportFileError


@dataclass(frozen=True, slots=True)
class GradedFormat:
    """A format of graded work."""

    name: str
    tells: Callable[[Head], bool]
    rows: Callable[[Path], Iterable[Row]]
    store: Callable[[Workspace, Path, Iterable[Row], OnProgress | None], ImportReport]

    def run(self, ws: Workspace, path: Path, on_progress: OnProgress | None = None) -> ImportReport:
        """Import a file. Importing it again changes nothing.

        Raises:
            NotFoundError: there is no such file.
            ImportFileError: it cannot be read.
            StoreError: the workspace cannot be written.
        """
        return self.store(ws, path, self.rows(path), on_progress)


def _by_row(tells: Callable[[Iterable[str]], bool]) -> Callable[[Head], bool]:
    return lambda head: tells(head.row)


def _tells_corpus(head: Head) -> bool:
    return open_proof_corpus.tells(head.row or head.keys)


def _tells_details(head: Head) -> bool:
    return realmath_details.tells(head.row) if head.row else realmath_details.RESULTS in head.keys


def _tells_imo_bench(head: Head) -> bool:
    return not head.row and any(head.has_columns(names) for names in imo_bench.COLUMNS)


def _rows_of_csv(path: Path) -> Iterator[Row]:
    try:
        yield from read_csv(path, imo_bench.PROOF_COLUMNS)
    except ImportFileError:
        yield from read_csv(path, imo_bench.ANSWER_COLUMNS)


def _rows_or_document(path: Path) -> Iterator[Row]:
    """The rows of a file; where none of the first can be read, all of it as one row, or those listed in it."""
    if any(not row.problem for row in islice(read_rows(path), LOOKED_AT)):
        rows: Iterable[Row] = read_rows(path)
    else:
        rows = [_as_row(1, read_document(path))]
    for row in rows:
        listed = row.value.get(realmath_details.RESULTS)
        if isinstance(listed, list):
            yield from (_as_row(number, one) for number, one in enumerate(listed, start=1))
        else:
            yield row


def _as_row(number: int, value: Any) -> Row:
    return Row(number, value, "") if isinstance(value, dict) else Row(number, {}, "not a JSON object")


GRADED_FORMATS = (
    GradedFormat(open_proof_corpus.NAME, _tells_corpus, _rows_or_document, open_proof_corpus.import_corpus),
    GradedFormat(deepseek_proofs.NAME, _by_row(deepseek_proofs.tells), read_rows, deepseek_proofs.import_rated_proofs),
    GradedFormat(imo_bench.NAME, _tells_imo_bench, _rows_of_csv, imo_bench.import_imo_bench),
    GradedFormat(realmath.NAME, _by_row(realmath.tells), read_rows, realmath.import_realmath),
    GradedFormat(realmath_details.NAME, _tells_details, _rows_or_document, realmath_details.import_details),
    GradedFormat(theoremqa.NAME, _by_row(theoremqa.tells), read_rows, theoremqa.import_theoremqa),
)
"""All of them."""
