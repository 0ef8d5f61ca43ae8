"""What a document tells the screen it is on, and the app."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from textual.message import Message

from uq_tui.state.reading.readable import Readable

if TYPE_CHECKING:
    from uq_tui.widgets.document import Document


class Tool(StrEnum):
    """What a document asks for that needs a dialog, a file or another program."""

    FIND = "find"
    NUMBER = "number"
    """Go to a unit's number, a line or a per cent."""
    OUTLINE = "outline"
    LINKS = "links"
    PAGE = "page"
    EDITOR = "editor"
    COPIED = "copied"
    """The argument was sent to the clipboard, which can fail unseen: it is to be kept in a file too."""
    CHECKED = "mark:checked"
    DOUBTFUL = "mark:doubtful"
    WRONG = "mark:wrong"
    SKIPPED = "mark:skipped"
    CLEAR = "mark:clear"
    UNDO = "mark:undo"
    NOTE = "note"
    UNMARKED = "unmarked"
    REMARK = "remark"
    QUOTE = "quote"
    """The selection is to be a quote of an error in the reviewer's verdict."""


MOVING_ON = frozenset((Tool.CHECKED, Tool.DOUBTFUL, Tool.WRONG, Tool.SKIPPED))
"""Tools after which the cursor goes on to the next unit, so that a text is gone through by one key a unit."""
ON_A_UNIT = MOVING_ON | {Tool.CLEAR, Tool.NOTE}
"""Tools for the unit that the cursor is on."""
ON_STORED_TEXTS = ON_A_UNIT | {Tool.UNDO, Tool.UNMARKED, Tool.REMARK}
"""Tools that keep something about a stored text: they are only offered where one is shown."""


@dataclass
class _OfDocument(Message, namespace="document"):
    document: "Document"

    @property
    def control(self) -> "Document":
        """The document it is about."""
        return self.document


@dataclass
class Moved(_OfDocument, namespace="document"):
    """Another line is at the top, or the cursor is on another unit."""

    def can_replace(self, message: Message) -> bool:
        """Only the last of several that wait says anything."""
        return isinstance(message, Moved) and message.document is self.document


@dataclass
class Shown(_OfDocument, namespace="document"):
    """Another text is shown, or the same with more units."""

    def can_replace(self, message: Message) -> bool:
        """Only the last of several that wait says anything."""
        return isinstance(message, Shown) and message.document is self.document


@dataclass
class Selecting(_OfDocument, namespace="document"):
    """Selecting by keys has begun or ended: letters mean other things meanwhile."""


@dataclass
class Clicked(_OfDocument, namespace="document"):
    """The mouse was clicked on a code point of the source."""

    offset: int


@dataclass
class Wanted(_OfDocument, namespace="document"):
    """Somebody pressed the key of a tool, on this text, unit and selection: the document may have others by now."""

    tool: Tool
    readable: Readable
    unit: int | None = None
    """The unit at the cursor, of tools for one."""
    selected: tuple[int, int] | None = None
    """The range of the source that was selected."""
    argument: str = ""
