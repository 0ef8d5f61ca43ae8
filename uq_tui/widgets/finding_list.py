"""A list of findings, which keeps its place while it grows."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from uq_tui.text import clean_line
from uq_tui.widgets.key_footer import PANE_KEYS


@dataclass(frozen=True, slots=True)
class Entry:
    """One finding: what it goes by within the list, and how it looks. What has no key can't be stood on."""

    key: str
    prompt: Content


class FindingList(OptionList):
    """Posts `Stood` with the key of the entry stood on, whenever that changes."""

    BINDINGS = [
        Binding("enter", "select", "Read", id="findings.read", tooltip="Go to the text this is about"),
        Binding("left", "screen.pane(-1)", "Panes", id="finding.previous", group=PANE_KEYS, tooltip="Previous pane"),
        Binding("right", "screen.pane(1)", "Panes", id="finding.next", group=PANE_KEYS, tooltip="Next pane"),
    ]

    @dataclass
    class Stood(Message):
        list: "FindingList"
        key: str

        @property
        def control(self) -> "FindingList":
            return self.list

    def __init__(self, *, id: str) -> None:
        super().__init__(id=id, markup=False)
        self._entries: tuple[Entry, ...] = ()
        self._empty = ""
        self._told = ""

    @property
    def key(self) -> str:
        """What is stood on; empty when there is nothing."""
        at = self.highlighted
        return self._entries[at].key if at is not None and at < len(self._entries) else ""

    def show(self, entries: Sequence[Entry], *, empty: str, stand_on: Sequence[str] = ()) -> None:
        """Show these entries.

        Args:
            entries: the same keys as before are redrawn in place.
            empty: what to say when there are none.
            stand_on: the key to stand on is the first of these that is there, else the one stood on before, else the
                first in the list.
        """
        before, old = self.key, self._entries
        self._entries = tuple(entries)
        if not entries:
            if old or self._empty != empty or not self.option_count:
                self._fill([Option(clean_line(empty), disabled=True)])
        elif [one.key for one in old] == [one.key for one in entries]:
            for at, one in enumerate(entries):
                if old[at].prompt != one.prompt:
                    self.replace_option_prompt_at_index(at, one.prompt)
        else:
            self._fill([Option(one.prompt, disabled=not one.key) for one in entries])
        self._empty = "" if entries else empty
        keys = [one.key for one in entries if one.key]
        wanted = next((key for key in (*stand_on, before) if key in keys), keys[0] if keys else "")
        with self.prevent(OptionList.OptionHighlighted):
            self.highlighted = [one.key for one in entries].index(wanted) if wanted else None
        self._tell()

    def _fill(self, options: Sequence[Option]) -> None:
        with self.prevent(OptionList.OptionHighlighted):
            self.clear_options()
            self.add_options(options)

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        """The message may be older than the last drawing, so what counts is what is stood on now."""
        event.stop()
        self._tell()

    def _tell(self) -> None:
        if self.key != self._told:
            self._told = self.key
            self.post_message(self.Stood(self, self.key))
