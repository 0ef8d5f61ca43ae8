"""Two windows have written a draft of one verdict: which one is gone on with."""

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from uq_tui.key_map import key_shown
from uq_tui.state.verdict.changes import changes
from uq_tui.state.verdict.editor import Conflict, Side
from uq_tui.state.verdict.words import minute
from uq_tui.text import clean, clean_line
from uq_tui.widgets.key_footer import KeyFooter

SHORT = 160
"""Characters of what a field says that are shown before the drafts are compared whole."""


class DraftConflictModal(ModalScreen[Side | None]):
    """Returns whose draft is gone on with; None to decide later: nothing is recorded until then.

    It comes while somebody writes, so no letter chooses anything, and neither does the first Enter.
    """

    CSS_PATH = "verdict.tcss"
    BINDINGS = [
        Binding(
            "tab", "compare", "All of it", id="conflict.compare", tooltip="Show all of what differs, or a line each"
        ),
        Binding("escape", "dismiss(None)", "Later", id="conflict.later", tooltip="Decide before recording"),
    ]

    def __init__(self, conflict: Conflict) -> None:
        super().__init__()
        self._conflict = conflict
        self._whole = False

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as dialog:
            dialog.border_title = "Two drafts of this verdict"
            yield Static(
                f"Another window has written a draft ({minute(self._conflict.theirs.updated_at)}) since this one read "
                "it. Both are on disk. The one you don't go on with stays as a copy: uq-tui verdict drafts shows it.",
                classes="note",
                markup=False,
            )
            yield OptionList(
                Option("Decide later; what you write is kept in the copy", id="later"),
                Option("Go on with mine", id=Side.MINE),
                Option("Go on with theirs", id=Side.THEIRS),
                markup=False,
            )
            yield Static(id="differences", classes="texts", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self.query_one(OptionList).highlighted = 0
        self.query_one(OptionList).focus()
        self._show()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        chosen = event.option.id
        self.dismiss(Side(chosen) if chosen in set(Side) else None)

    def _show(self) -> None:
        parts: list[str | tuple[str, str]] = []
        for change in changes(self._conflict.mine, self._conflict.theirs.form):
            parts += [(f"\n{change.field}\n", "bold")]
            for side, text in ((Side.MINE, change.before), (Side.THEIRS, change.after)):
                parts.append(f"  {side.value + ':':<8}{self._cut(text)}\n")
        if not self._whole:
            parts.append(f"\n{key_shown(self, 'conflict.compare')} shows all of it.")
        self.query_one("#differences", Static).update(Content.assemble(*parts))

    def _cut(self, text: str) -> str:
        if self._whole:
            return clean(text).replace("\n", "\n          ")
        line = clean_line(text)
        return line if len(line) <= SHORT else f"{line[:SHORT]}…"

    def action_compare(self) -> None:
        """Show all of what differs, or a line each."""
        self._whole = not self._whole
        self._show()
