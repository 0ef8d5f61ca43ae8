"""The footer of every screen and dialog: the keys that work now, and the one that lists all of them."""

from collections.abc import Iterator
from typing import Any

from textual.app import ComposeResult
from textual.binding import Binding
from textual.keys import key_to_character
from textual.screen import ModalScreen, Screen
from textual.widgets import Footer
from textual.widgets._footer import FooterKey  # what a footer is made of has no public name

from uq_tui.key_map import key_now

SHEET = "app.keys"
"""The binding that shows the sheet of keys."""
SHEET_ANYWHERE = "app.keys_anywhere"
"""The same on a key that isn't typed."""
COMMANDS = "app.commands"
"""The binding that lists all that can be done."""
PANE_KEYS = Binding.Group("Panes", compact=True)
"""Of the two keys that go from pane to pane."""


def is_typed(screen: Screen[Any], key: str) -> bool:
    """Whether what has the focus takes a key as text."""
    focused = screen.focused
    return focused is not None and focused.check_consume_key(key, key_to_character(key))


class KeyFooter(Footer):
    """Its own first, on screens, or last, in dialogs: there what a dialog is for comes first."""

    def __init__(self) -> None:
        super().__init__(show_command_palette=False)
        self._made_of: list[object] = []

    async def recompose(self) -> None:
        """Make it anew, but only of other keys than it has: that takes longer than most of what a key does.

        Of a screen that is going nothing is asked: what its keys depend on may be gone already.
        """
        if self.is_attached and self.display and (made_of := self._keys_now()) != self._made_of:
            self._made_of = made_of
            await super().recompose()

    def _keys_now(self) -> list[object]:
        """Everything that `compose` shows."""
        active = self.screen.active_bindings.values()
        return [self._sheet_now(), *((one.binding, one.enabled, one.tooltip) for one in active if one.binding.show)]

    def compose(self) -> ComposeResult:
        is_dialog = isinstance(self.screen, ModalScreen)
        if not is_dialog:
            yield from self._sheet()
        yield from super().compose()
        if is_dialog:
            yield from self._sheet()

    def _sheet_now(self) -> Binding | None:
        sheet = key_now(self, SHEET)
        return key_now(self, SHEET_ANYWHERE) if sheet is not None and is_typed(self.screen, sheet.key) else sheet

    def _sheet(self) -> Iterator[FooterKey]:
        if (sheet := self._sheet_now()) is not None:
            shown = self.app.get_key_display(sheet)
            key = FooterKey(sheet.key, shown, sheet.description, sheet.action, tooltip=sheet.tooltip)
            yield key.data_bind(compact=Footer.compact)
