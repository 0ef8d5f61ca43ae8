"""What texts and verdict forms ask of the app: their tools, the marks on them, quotes, and that no words are lost."""

from typing import TYPE_CHECKING

from textual import work

from uq_tui.errors import UqError
from uq_tui.hands import HandsApp
from uq_tui.widgets.keeps_words import holding

if TYPE_CHECKING:
    from store.rows import Candidate
    from uq_tui.screens.reading.marking import Markings
    from uq_tui.state.desk import Desk
    from uq_tui.widgets.reading.messages import Clicked, Shown, Wanted
    from uq_tui.widgets.verdict_dock import VerdictDock


class TextsApp(HandsApp):
    """An app with texts on its screens. It imports what it needs when that is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.desk: Desk | None = None
        """What is open; none before the workspace is."""
        self._markings: Markings | None = None
        self._refused = False
        """A screen was not left because of words on it that can't be written; leaving it again gives them up."""

    def report(self, error: UqError, *, title: str = "") -> None:
        """Tell the user about an expected error."""
        self.notify(str(error), title=title or error.title, severity="error", timeout=12)

    # Documents

    @work(group="reading", exit_on_error=False)
    async def on_document_wanted(self, wanted: "Wanted") -> None:
        """Do what a document asked for: see `screens/reading/tools.py` and `marking.py`."""
        from uq_tui.screens.reading.tools import open_tool
        from uq_tui.widgets.reading.messages import ON_STORED_TEXTS, Tool

        if wanted.tool is Tool.QUOTE:
            await self._quote(wanted)
        elif wanted.tool not in ON_STORED_TEXTS:
            await open_tool(self, wanted)
        elif (markings := self._marked()) is not None:
            await markings.wanted(wanted)

    @work(group="reading", exit_on_error=False)
    async def on_document_shown(self, shown: "Shown") -> None:
        """Show what the reader has marked in a text."""
        if (markings := self._marked()) is not None:
            await markings.shown(shown.document)

    @work(group="reading", exit_on_error=False)
    async def on_document_clicked(self, clicked: "Clicked") -> None:
        """Open what is anchored where a text was clicked."""
        if (markings := self._marked()) is not None:
            await markings.clicked(clicked.document, clicked.offset)

    def _marked(self) -> "Markings | None":
        """What the reader has marked in each document; none before the workspace is open."""
        from uq_tui.screens.reading.marking import Markings

        if self._markings is None and self.desk is not None:
            self._markings = Markings(self, self.desk)
        return self._markings

    # Verdict forms

    async def _quote(self, wanted: "Wanted") -> None:
        from uq_tui.screens.reviewing.verdict_tools import quote

        if self.desk is not None and (candidate := await quote(self, self.desk, wanted)) is not None:
            await self._errors_changed(candidate)

    async def _errors_changed(self, candidate: "Candidate") -> None:
        """Show in all documents what the verdict quotes now."""
        if (markings := self._marked()) is not None:
            await markings.changed(candidate.answer.sha256)

    @work(group="reading", exit_on_error=False)
    async def on_verdict_dock_changed(self, changed: "VerdictDock.Changed") -> None:
        """The verdict quotes other words now."""
        await self._errors_changed(changed.candidate)

    @work(group="verdict", exit_on_error=False)
    async def on_verdict_dock_torn(self, torn: "VerdictDock.Torn") -> None:
        """Two windows have written drafts of one verdict."""
        from uq_tui.screens.reviewing.verdict_tools import choose_draft

        await choose_draft(self, torn)

    @work(group="verdict", exit_on_error=False)
    async def on_verdict_dock_error_opened(self, opened: "VerdictDock.ErrorOpened") -> None:
        """An error of a verdict is to be shown and changed."""
        from uq_tui.screens.reviewing.verdict_tools import open_error

        await open_error(self, opened)

    # Leaving

    @property
    def _holds_words(self) -> bool:
        """Whether there are words on the screens that are not on disk."""
        return bool(holding(self.screen_stack))

    async def _may_leave(self) -> bool:
        """Have all words on the screens written. Where that can't be, the screen is not left the first time."""
        try:
            for one in holding(self.screen_stack):
                await one.keep_words()
        except UqError as error:
            if not self._refused:
                self._refused = True
                words = f"What you wrote is only in this window, so nothing was left. {error.message}"
                self.report(UqError(words, hint="The same again gives it up."), title=error.title)
                return False
        else:
            self._refused = False
        return True

    async def action_quit(self) -> None:
        """Leave the app, words on disk first."""
        if self._holds_words:
            self._quit_once_kept()
        else:
            self.exit()

    @work(group="leave", exclusive=True, exit_on_error=False)
    async def _quit_once_kept(self) -> None:
        if await self._may_leave():
            self.exit()
