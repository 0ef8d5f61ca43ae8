"""Two windows have written a draft of one verdict: which one is gone on with."""

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Static

from uq_tui.key_map import key_shown
from uq_tui.state.verdict.changes import changes
from uq_tui.state.verdict.editor import Conflict, Side
from uq_tui.state.verdict.words import minute
from uq_tui.text import clean, clean_line
from uq_tui.widgets.key_footer import KeyFooter

SHORT = 160
"""Characters of what a field says that are shown before the drafts are compared whole."""


class DraftConflictModal(ModalScreen[Side | None]):
    """Returns whose draft is gone on with; None to decide later: nothing is recorded until then."""

    CSS_PATH = "verdict.tcss"
    BINDINGS = [
        Binding("m", "dismiss_with('mine')", "Mine", id="conflict.mine", tooltip="Go on with what is in this window"),
        Binding(
            "t", "dismiss_with('theirs')", "Theirs", id="conflict.theirs", tooltip="Go on with the other window's draft"
        ),
        Binding("c", "compare", "Compare", id="conflict.compare", tooltip="Show all of what differs"),
        Binding("escape", "dismiss(None)", "Later", id="conflict.later", tooltip="Decide before recording"),
    ]

    def __init__(self, conflict: Conflict) -> None:
        super().__init__()
        self._conflict = conflict
        self._whole = False

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog") as dialog:
            dialog.border_title = "Two drafts of this verdict"
            yield Static(
                f"Another window has written a draft ({minute(self._conflict.theirs.updated_at)}) since this one read "
                "it. Both are on disk. The one you don't go on with stays as a copy: uq-tui verdict drafts shows it.",
                classes="note",
                markup=False,
            )
            yield Static(id="differences", classes="texts", markup=False)
        yield KeyFooter()

    def on_mount(self) -> None:
        self._show()
        self.query_one(VerticalScroll).focus()

    def _show(self) -> None:
        parts: list[str | tuple[str, str]] = []
        for change in changes(self._conflict.mine, self._conflict.theirs.form):
            parts += [(f"\n{change.field}\n", "bold")]
            for side, text in ((Side.MINE, change.before), (Side.THEIRS, change.after)):
                parts.append(f"  {side.value + ':':<8}{self._cut(text)}\n")
        mine, theirs, compare = (key_shown(self, f"conflict.{name}") for name in ("mine", "theirs", "compare"))
        whole = "" if self._whole else f"  {compare} shows all of it."
        parts.append(f"\n{mine} goes on with mine, {theirs} with theirs.{whole}")
        self.query_one("#differences", Static).update(Content.assemble(*parts))

    def _cut(self, text: str) -> str:
        if self._whole:
            return clean(text).replace("\n", "\n          ")
        line = clean_line(text)
        return line if len(line) <= SHORT else f"{line[:SHORT]}…"

    def action_dismiss_with(self, side: str) -> None:
        """Go on with one of them."""
        self.dismiss(Side(side))

    def action_compare(self) -> None:
        """Show all of what differs, or a line each."""
        self._whole = not self._whole
        self._show()
