"""What a document's keys for marks and remarks do: the ledger in its margin, remarks on its words."""

import asyncio
from collections.abc import Sequence

from textual.app import App

from uq_tui.errors import UqError
from uq_tui.screens.reading.note import NoteModal
from uq_tui.screens.reading.remarks import RemarksModal
from uq_tui.screens.reading.tools import ask
from uq_tui.state.desk import Desk
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.state.reading.marks.entries import Entry, Kind
from uq_tui.state.reading.marks.ledger import Ledger
from uq_tui.state.reading.marks.remarks import Remarks
from uq_tui.state.reading.readable import Readable
from uq_tui.widgets.document import Document
from uq_tui.widgets.reading.messages import Tool, Wanted
from uq_tui.words import LedgerState

WHERE = "reading view"
"""Where claims were seen, in the log of what a reviewer was shown."""

STATES: dict[Tool, LedgerState | None] = {
    Tool.CHECKED: LedgerState.CHECKED,
    Tool.DOUBTFUL: LedgerState.DOUBTFUL,
    Tool.WRONG: LedgerState.WRONG,
    Tool.SKIPPED: LedgerState.SKIPPED,
    Tool.CLEAR: None,
}


class Marking:
    """The marks and remarks of one text in a document, and what its keys do with them. All that waits raises UqError.

    The document may show another text at any time, even under a dialog: what was begun here stays with this one.
    """

    def __init__(self, app: App[None], document: Document, desk: Desk) -> None:
        self._app = app
        self._document = document
        self._text = document.readable
        self.ledger = Ledger(desk.workspace, desk.reviewer.id)
        self.remarks = Remarks(desk.workspace, desk.reviewer.id, WHERE)
        self._changed: list[Ledger | Remarks] = []
        """Which of the two was changed, step by step: one key undoes both."""
        self._turn = asyncio.Lock()
        """Keys are acted on one after the other."""

    def is_of(self, readable: Readable) -> bool:
        """Whether this is the text, maybe grown."""
        return readable is self._text or (bool(readable.key) and readable.key == self._text.key)

    @property
    def _in_sight(self) -> bool:
        return self._document.is_attached and self.is_of(self._document.readable)

    async def open(self) -> None:
        """Read what is marked in the text as it is shown now, and show it."""
        if self._in_sight:
            readable, units = self._document.readable, self._document.units
            await self.ledger.open(readable, units)
            await self.remarks.open(readable)
            self._draw()

    def leave(self) -> None:
        """A text that can have no marks is shown now. The document itself has taken those of the one before away."""
        self._tell(())

    def _tell(self, words: Sequence[str]) -> None:
        self._document.tell(", ".join(words))

    def _draw(self) -> None:
        document, ledger, remarks = self._document, self.ledger, self.remarks
        if document.readable is not remarks.readable or not document.is_attached:
            return  # another text has come meanwhile, or more of it, and tells so itself
        document.set_margin(ledger.glyphs)
        document.highlight(Layer.REMARK, remarks.ranges(Kind.REMARK, Kind.ERROR))
        if remarks.answer is not None:
            document.highlight(Layer.CLAIM, remarks.ranges(Kind.CLAIM))
        told = [ledger.summary] if ledger.count.marked else []
        told += [ledger.orphans_text] if ledger.orphans else []
        self._tell(told)

    async def do(self, wanted: Wanted) -> None:
        """Do what a key asks for."""
        async with self._turn:
            if self.remarks.readable is not self._document.readable or len(self.ledger) != len(self._document.units):
                await self.open()
            await self._do(wanted)
            self._draw()

    async def _do(self, wanted: Wanted) -> None:
        if wanted.tool in STATES:
            await self._mark(wanted.unit, STATES[wanted.tool])
        elif wanted.tool is Tool.NOTE:
            await self._note(wanted.unit)
        elif wanted.tool is Tool.UNMARKED:
            self._go_to_unmarked()
        elif wanted.tool is Tool.UNDO:
            await self._undo()
        elif wanted.selected is not None:
            await self._remark(*wanted.selected)
        else:
            await self.list_remarks()

    async def _mark(self, index: int | None, state: LedgerState | None) -> None:
        await self.ledger.set(-1 if index is None else index, state)
        self._changed.append(self.ledger)

    async def _note(self, index: int | None) -> None:
        if index is None or not 0 <= index < len(self.ledger):
            raise UqError("There is no unit here to note something on.", hint="J and K go from unit to unit.")
        line = self.ledger.line(index)
        title = f"Note on {line.number:,}, {line.kind_text}, {line.state or 'not marked'}"
        note = await ask(self._app, self._document, NoteModal(title, line.words, line.note))
        if note is not None:
            await self.ledger.note(index, note)
            self._changed.append(self.ledger)

    def _go_to_unmarked(self) -> None:
        index = self.ledger.first_unmarked
        if index is None:
            self._app.notify(self.ledger.summary or "There is nothing to mark.", title="All marked", markup=False)
        elif self._in_sight:
            self._document.unit_at = index
            self._document.show_unit(index)

    async def _undo(self) -> None:
        said = ""
        while self._changed and not said:  # the list of remarks may have undone some by its own key
            said = await self._changed[-1].undo()
            self._changed.pop()
        self._app.notify(said or "There is nothing to undo.", title="Undo", markup=False)

    async def _remark(self, start: int, end: int) -> None:
        words = self.remarks.readable.source[start:end]
        note = await ask(self._app, self._document, NoteModal("Remark", words))
        if note is not None:
            await self.remarks.add(start, end, note)
            self._changed.append(self.remarks)
            if self._in_sight:
                self._document.clear_selection()

    async def list_remarks(self, stand_on: Entry | None = None) -> None:
        """List everything anchored in the text, as it stands now, and go to what is chosen."""
        await self.remarks.open(self.remarks.readable)
        before = self.remarks.steps
        entry = await ask(self._app, self._document, RemarksModal(self.remarks, stand_on=stand_on))
        self._changed += [self.remarks] * (self.remarks.steps - before)
        self._draw()
        if entry is not None and entry.place is not None and self._in_sight:
            self._document.point_at(*entry.place)

    async def click(self, offset: int) -> None:
        """Open what is anchored where the mouse was clicked, if anything is."""
        if (entry := self.remarks.at(offset)) is not None and self._document.selected is None:
            await self.list_remarks(entry)


class Markings:
    """The marking of each document that shows a stored text. Answers what documents post; all of it raises UqError."""

    def __init__(self, app: App[None], desk: Desk) -> None:
        self._app = app
        self._desk = desk
        self._of: dict[Document, Marking] = {}

    def of(self, document: Document) -> Marking:
        """The marking of the text that a document shows now."""
        marking = self._of.get(document)
        if marking is None or not marking.is_of(document.readable):
            self._of = {one: other for one, other in self._of.items() if one.is_attached}
            marking = self._of[document] = Marking(self._app, document, self._desk)
        return marking

    async def shown(self, document: Document) -> None:
        """Another text is shown, or more of it: show what is marked there."""
        if document.readable.texts:
            await self.of(document).open()
        elif document in self._of:
            self._of.pop(document).leave()

    async def clicked(self, document: Document, offset: int) -> None:
        """The mouse was clicked on a sign of the source."""
        if document.readable.texts:
            await self.of(document).click(offset)
            await self._tell_others(document)

    async def wanted(self, wanted: Wanted) -> None:
        """A key for marks or remarks was pressed."""
        marking = self.of(wanted.document)
        if not marking.is_of(wanted.readable):
            raise UqError(
                "Another text had come before that key could be acted on; nothing was changed.",
                hint="Go back to the text, and press it again.",
            )
        await marking.do(wanted)
        await self._tell_others(wanted.document)

    async def changed(self, sha256: str) -> None:
        """What is anchored in a stored text has changed elsewhere: in the verdict on it."""
        for marking in list(self._of.values()):
            if any(text.sha256 == sha256 for text in marking.remarks.readable.texts):
                await marking.open()

    async def _tell_others(self, document: Document) -> None:
        """Have all other documents that show the text show what has changed."""
        here = {text.sha256 for text in document.readable.texts}
        for other, marking in list(self._of.items()):
            if other is not document and any(text.sha256 in here for text in other.readable.texts):
                await marking.open()
