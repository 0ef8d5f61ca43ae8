"""What is known of an import while it runs: where in its file it is, what it has counted, whether it is to stop.

Importers neither know nor care: the files they open and the counts they keep are noted here, by thread.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from store.rows import ImportReport
from uq_tui.errors import UqError
from uq_tui.text import counted

if TYPE_CHECKING:
    from store.ingest.report import Tally


class ImportStopped(Exception):  # noqa: N818 - no error: the user asked for it
    """The import is to stop here. What is stored stays."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far an import has come."""

    format: str
    """What the file was recognised as."""
    rows: int
    """Rows dealt with so far, wanted or not."""
    done: int | None
    """Bytes read of the file as it lies on the disk; None where that can't be told."""
    size: int | None
    """All its bytes."""

    @property
    def share(self) -> float | None:
        """How much of the file is read, 0 to 1; None where that can't be told."""
        return min(self.done / self.size, 1.0) if self.done is not None and self.size else None


class UnderWay:
    """One import under way. Only for the thread that imports."""

    def __init__(self, is_cancelled: Callable[[], bool]) -> None:
        self.format = ""
        self.tally: Tally | None = None
        self._is_cancelled = is_cancelled
        self._file: BinaryIO | None = None
        self._size = 0

    def open(self, file: BinaryIO, size: int) -> None:
        """Note the file that is read from now on."""
        self._file, self._size = file, size

    def progress(self, rows: int) -> Progress:
        """Where the import is, `rows` being dealt with."""
        if self._file is None or self._file.closed:
            return Progress(self.format, rows, None, self._size or None)
        return Progress(self.format, rows, self._file.tell(), self._size or None)

    def stopped_report(self, path: Path) -> ImportReport:
        """The report of an import of the file at `path` that was stopped: what is stored, and how far it came."""
        if self.tally is None:
            return ImportReport(
                str(path), self.format, 0, 0, 0, 0, 0, (), 0, {}, ("Stopped before anything was stored.",)
            )
        share = self.progress(0).share
        of_file = "" if share is None else f", {share:.0%} of the file read"
        self.tally.note(f"Stopped after {counted(self.tally.seen, 'row')}{of_file}.")
        return self.tally.report()

    def broken_off(self, path: Path, error: UqError) -> UqError:
        """What ended the import of the file at `path`, with what had come in, if anything was read by then."""
        report = None if self.tally is None else self.tally.report()
        if self.tally is None or report is None or not self.tally.seen:
            return error
        return type(error)(
            f"The import of {path} broke off; of {counted(self.tally.seen, 'row')} read came in:"
            f" {report.new:,} new, {report.changed:,} changed. {error.message}",
            hint=f"{error.hint} What has come in stays; import it again to go on.".lstrip(),
        )

    def stop_if_asked(self) -> None:
        """Raise ImportStopped where the user has asked for it."""
        if self._is_cancelled():
            raise ImportStopped


_current: ContextVar[UnderWay | None] = ContextVar("import_under_way", default=None)


@contextmanager
def watched(is_cancelled: Callable[[], bool]) -> Iterator[UnderWay]:
    """Watch what this thread imports within the block."""
    one = UnderWay(is_cancelled)
    token = _current.set(one)
    try:
        yield one
    finally:
        _current.reset(token)


def opened(file: BinaryIO, size: int) -> None:
    """A foreign file of `size` bytes was opened."""
    one = _current.get()
    if one is not None:
        one.open(file, size)


def counts_with(tally: "Tally") -> None:
    """An import counts with this tally."""
    one = _current.get()
    if one is not None:
        one.tally = tally
