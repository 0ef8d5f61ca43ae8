"""Files into the workspace: the import dialog."""

from collections.abc import Iterator
from threading import Event

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from store.ingest.under_way import Progress
from store.rows import ImportReport
from store.workspace import Workspace
from uq_tui.errors import UqError
from uq_tui.state import merge_report
from uq_tui.state.files import Imported, Wish, import_from
from uq_tui.text import clean, clean_line, counted
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput

SHOWN_REJECTED = 8


class ImportModal(TellsFailures, ModalScreen[bool]):
    """Returns True once something has been imported."""

    CSS_PATH = "modal.tcss"
    BINDINGS = [
        Binding("ctrl+t", "try_it", "Dry run", id="import.try", tooltip="Say what would come in, and change nothing"),
        Binding(
            "escape", "leave", "Close", id="import.close", tooltip="Stop reading, then leave; what was brought in stays"
        ),
    ]

    def __init__(self, workspace: Workspace, question_id: str = "") -> None:
        """`question_id` is of the question that neighbours and answers belong to which name none."""
        super().__init__()
        self._workspace = workspace
        self._question_id = question_id
        self._changed = False
        self._reading = False
        self._stop = Event()

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Import"
            yield Label("File, packed or not, or folder (questions, dumps, answers, verdicts, scores, logs, a pack)")
            yield OneLineInput(id="path", placeholder="path/to/file, or several: path/to/*.jsonl", compact=True)
            yield Label("Site, where the file doesn't name it")
            yield OneLineInput(id="site", placeholder="quantumcomputing.stackexchange.com", compact=True)
            here = "\nRows that name no question belong to this one." if self._question_id else ""
            said = f"Enter imports. Importing twice changes nothing.{here}"
            yield Static(said, classes="note", id="note", markup=False)
        yield KeyFooter()

    @on(Input.Submitted)
    def _submitted(self) -> None:
        self._import(dry_run=False)

    def action_try_it(self) -> None:
        self._import(dry_run=True)

    def _import(self, *, dry_run: bool) -> None:
        if self._reading:
            return
        self._reading = True
        self._stop.clear()
        self._say("Looking at the file ...")
        path, site = self.query_one("#path", Input).value, self.query_one("#site", Input).value
        self._read(Wish(path, site, self._question_id, dry_run))

    @work(group="import", exit_on_error=False)
    async def _read(self, wish: Wish) -> None:
        try:
            imported = await import_from(self._workspace, wish, self._later, self._stop.is_set)
        except UqError as error:
            self._say(clean(str(error)))
            raise
        finally:
            self._reading = False
        self._changed = self._changed or not wish.dry_run
        self._say("\n".join([*self._before(wish), *_told(imported)]))

    def _before(self, wish: Wish) -> list[str]:
        """What to know before a report is read."""
        if wish.dry_run:
            return ["A dry run: nothing was changed."]
        return ["Stopped. What is stored stays; import it again to go on."] if self._stop.is_set() else []

    def _later(self, at: Progress) -> None:
        """From the importing thread: what it says may come after the report, and is then too late."""
        self.call_later(self._say_progress, at)

    def _say_progress(self, at: Progress) -> None:
        if self._reading:
            share = "" if at.share is None else f", {at.share:.0%} of the file"
            stopping = " Stopping ..." if self._stop.is_set() else ""
            self._say(f"{at.format}: {counted(at.rows, 'row')} read{share} ...{stopping}")

    def _say(self, text: str) -> None:
        self.query_one("#note", Static).update(text)

    def action_leave(self) -> None:
        """Stop what is being read; where nothing is, leave."""
        if self._reading and not self._stop.is_set():
            self._stop.set()
        else:
            self._stop.set()
            self.dismiss(self._changed)


def _told(imported: Imported) -> Iterator[str]:
    """What became of each file, and of all that were merged together."""
    for report in imported.reports:
        if len(imported.reports) > 1:
            yield clean_line(report.file)
        yield summary(report)
    for error in imported.failed:
        yield clean(str(error))
    merged = [one for one in imported.reports if one.format in merge_report.SEALED]
    if merged:
        yield from map(clean_line, merge_report.lines(merged))


def summary(report: ImportReport) -> str:
    """An import's report in a few lines."""
    counts = ", ".join(f"{clean_line(kind)}: {n:,}" for kind, n in report.counts.items() if n)
    lines = [
        f"{report.format}: {counted(report.read, 'row')} read, {report.new:,} new, {report.changed:,} changed, "
        f"{report.same:,} the same, {report.passed_over:,} passed over, {report.rejected_total:,} rejected",
        counts,
        *report.notes,
        *(f"line {row.line}: {row.reason}" for row in report.rejected[:SHOWN_REJECTED]),
    ]
    if report.rejected_total > SHOWN_REJECTED:
        lines.append(f"and {counted(report.rejected_total - SHOWN_REJECTED, 'more rejected row')}")
    return "\n".join(clean_line(line) for line in lines if line)
