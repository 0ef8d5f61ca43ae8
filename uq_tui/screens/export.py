"""The export dialog: which rows go out, what of them, and where to."""

from threading import Event

from textual import on, work
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Input, Label, Static

from store.workspace import Workspace
from uq_tui.errors import UqError
from uq_tui.state.exporting import FORMATS, NOUNS, PLACES, Exported, ExportWish, What, export_to, usual_place
from uq_tui.text import clean, clean_line, counted
from uq_tui.widgets.choice_row import Choice, ChoiceRow, choice_keys
from uq_tui.widgets.failures import TellsFailures
from uq_tui.widgets.key_footer import KeyFooter
from uq_tui.widgets.one_line_input import OneLineInput

WHAT = (
    Choice("v", What.VERDICTS, "verdicts"),
    Choice("s", What.STATEMENTS, "what was said beside them"),
    Choice("e", What.EVIDENCE, "what runs found"),
    Choice("o", What.OTHER, "for other tools"),
)
FIRST = "parquet"
"""The format that is proposed."""
_KEYS = {
    "uq-answers": "a",
    "uq-validations": "v",
    "inspect": "i",
    "argilla": "r",
    "label-studio": "l",
    "parquet": "p",
    "csv": "c",
}
OTHERS = tuple(Choice(_KEYS[name], name, name) for name in FORMATS)
WHOSE = (Choice("e", "everyone", "everyone's"), Choice("m", "mine", "mine"))
REPLACED = "A file of that name is replaced whole."
OURS = f"JSON lines, with a manifest beside them. {REPLACED}"
PARTS = (
    Choice("d", "drafts", "with drafts"),
    Choice("a", "anonymous", "without who reviewers are"),
    Choice("t", "without_text", "without the answer's words"),
)


class ExportWhatRow(ChoiceRow):
    """Which rows."""

    CHOICES = WHAT
    BINDINGS = choice_keys("export_what", WHAT)


class ExportOtherRow(ChoiceRow):
    """In which format of other tools."""

    CHOICES = OTHERS
    BINDINGS = choice_keys("export_other", OTHERS)


class ExportWhoseRow(ChoiceRow):
    """Whose rows."""

    CHOICES = WHOSE
    BINDINGS = choice_keys("export_whose", WHOSE)


class ExportPartsRow(ChoiceRow):
    """What of them."""

    CHOICES = PARTS
    BINDINGS = choice_keys("export_parts", PARTS)


class ExportModal(TellsFailures, ModalScreen[bool]):
    """Returns True once a file has been written. Enter writes from any field."""

    CSS_PATH = ["modal.tcss", "export.tcss"]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (34, "-tall")]
    BINDINGS = [
        # Before the fields have it: so the footer shows it, to be clicked.
        Binding("enter", "write", "Write it", id="export.write", priority=True, tooltip="Write the file as shown"),
        Binding(
            "escape", "leave", "Close", id="export.close", tooltip="Stop writing, then leave; what was written stays"
        ),
    ]

    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self._workspace = workspace
        self._written = False
        self._writing = False
        self._stop = Event()

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Export"
            yield from self._field("File", "path", value=usual_place(What.VERDICTS, ""))
            yield ExportWhatRow("Rows", id="what")
            yield ExportOtherRow("Format", id="other")
            yield ExportWhoseRow("Whose", id="whose")
            yield ExportPartsRow("Of them", id="parts", multiple=True)
            yield from self._field("Since", "since", hint="always; or a day, such as 2026-01-31")
            yield from self._field("Dataset", "version", hint="all; or the version that rows name")
            yield from self._field("Sign with", "key", hint="no signature; or your SSH key, such as ~/.ssh/id_ed25519")
            yield Static(OURS, classes="note", id="note", markup=False)
        yield KeyFooter()

    def _field(self, title: str, name: str, *, value: str = "", hint: str = "") -> ComposeResult:
        with Horizontal(classes="row", id=f"{name}-row"):
            yield Label(title, markup=False)
            yield OneLineInput(value, id=name, placeholder=hint, compact=True)

    def on_mount(self) -> None:
        self.query_one("#what", ChoiceRow).chosen = frozenset((What.VERDICTS.value,))
        self.query_one("#other", ChoiceRow).chosen = frozenset((FIRST,))
        self._show_what_fits()
        self.query_one("#whose", ChoiceRow).chosen = frozenset(("everyone",))
        self.query_one("#path", Input).focus()

    @on(ChoiceRow.Changed, "#what")
    @on(ChoiceRow.Changed, "#other")
    def _show_what_fits(self) -> None:
        """Fields that say something of these rows only, and their usual place unless another was typed."""
        what, other = self._what(), FORMATS[self._other()]
        is_other = what is What.OTHER
        shown = {
            "other": is_other,
            "whose": other.of_verdicts if is_other else what is not What.EVIDENCE,
            "parts": other.of_verdicts if is_other else what is not What.EVIDENCE,
            "since-row": other.of_verdicts or not is_other,
            "version-row": other.of_verdicts or not is_other,
            "key-row": not is_other,
        }
        for name, is_shown in shown.items():
            self.query_one(f"#{name}").display = is_shown
        path = self.query_one("#path", Input)
        if path.value in PLACES:
            path.value = usual_place(what, other.name)
        self._say(f"{other.about[0].upper()}{other.about[1:]}. {REPLACED}" if is_other else OURS)

    def _what(self) -> What:
        return What(self.query_one("#what", ChoiceRow).value or What.VERDICTS)

    def _other(self) -> str:
        return self.query_one("#other", ChoiceRow).value or FIRST

    def _wish(self) -> ExportWish:
        """What is shown; fields that are not shown don't count."""
        parts = self.query_one("#parts", ChoiceRow).chosen
        if self._what() is What.OTHER and not FORMATS[self._other()].of_verdicts:
            return ExportWish(self._typed("path"), What.OTHER, self._other())
        return ExportWish(
            self._typed("path"),
            self._what(),
            self._other(),
            mine=self.query_one("#whose", ChoiceRow).value == "mine",
            since=self._typed("since"),
            dataset_version=self._typed("version"),
            drafts="drafts" in parts,
            anonymous="anonymous" in parts,
            without_text="without_text" in parts,
            key=self._typed("key"),
        )

    def _typed(self, name: str) -> str:
        return self.query_one(f"#{name}", Input).value

    def action_write(self) -> None:
        """Write the file, unless one is being written."""
        if not self._writing:
            self._writing = True
            self._stop.clear()
            self._write(self._wish())

    @work(group="export", exit_on_error=False)
    async def _write(self, wish: ExportWish) -> None:
        try:
            exported = await export_to(self._workspace, wish, self._later, self._stop.is_set)
        except UqError as error:
            self._say(clean(str(error)))
            if not self._stop.is_set():
                raise
        else:
            self._written = True
            self._say(summary(wish, exported))
        finally:
            self._writing = False

    def _later(self, rows: int) -> None:
        """From the writing thread: what it says may come after the report, and is then too late."""
        self.call_later(self._say_progress, rows)

    def _say_progress(self, rows: int) -> None:
        if self._writing:
            self._say(f"{counted(rows, 'row')} written ...{' Stopping ...' if self._stop.is_set() else ''}")

    def _say(self, text: str) -> None:
        self.query_one("#note", Static).update(text)

    def action_leave(self) -> None:
        """Stop what is being written; where nothing is, leave."""
        if self._writing and not self._stop.is_set():
            self._stop.set()
        else:
            self._stop.set()
            self.dismiss(self._written)


def summary(wish: ExportWish, exported: Exported) -> str:
    """What became of an export in a few lines."""
    report, held_back = exported
    noun = FORMATS[wish.other].noun if wish.what is What.OTHER else NOUNS[wish.what]
    lines = [f"Wrote {counted(report.rows, noun)} to {clean_line(str(report.path))}", *exported.said]
    if held_back:
        lines.append(f"Held back: {counted(held_back, 'row')} on problems that you still judge blind.")
    return "\n".join(lines)
