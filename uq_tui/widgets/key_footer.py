"""The footer of every screen and dialog: the keys that work now, and the one that lists all of them."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any

from textual import events
from textual.binding import ActiveBinding, Binding
from textual.content import Content
from textual.keys import key_to_character
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

from uq_tui.key_map import key_now

SHEET = "app.keys"
"""The binding that shows the sheet of keys."""
SHEET_ANYWHERE = "app.keys_anywhere"
"""The same on a key that isn't typed."""
COMMANDS = "app.commands"
"""The binding that lists all that can be done."""
PANE_KEYS = Binding.Group("Panes", compact=True)
"""Of the two keys that go from pane to pane."""

_KEY = "bold $footer-key-foreground on $footer-key-background"
_NAME = "$footer-description-foreground on $footer-description-background"
_SCROLLED = 8
"""Cells that a turn of the wheel goes on by, where there are more keys than room."""


@dataclass(frozen=True, slots=True)
class FooterKey:
    """One key of the footer. Keys of a group stand side by side, and behind the last of them the group's caption."""

    key: str
    shown: str
    """The key as it is printed."""
    name: str
    """Of what the key does."""
    caption: str
    """What is printed behind the key; empty where another one of its group follows."""
    enabled: bool = True
    tooltip: str = ""
    is_first: bool = True
    """Of its group, if it has one."""

    def content(self) -> Content:
        """The key, and its caption, with the blanks around them."""
        made = Content.styled(f"{' ' * self.is_first}{self.shown}{' ' * bool(self.caption)}", _KEY)
        if self.caption:
            made += Content.styled(f"{self.caption} ", _NAME)
        return made if self.enabled else made.stylize("dim")


def is_typed(screen: Screen[Any], key: str) -> bool:
    """Whether what has the focus takes a key as text."""
    focused = screen.focused
    return focused is not None and focused.check_consume_key(key, key_to_character(key))


class KeyFooter(Widget):
    """One line. The key of the sheet comes first on screens, and last in dialogs: there what a dialog is for does.

    It is one widget, since one for each key takes longer to make and lay out than most of what a key does.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyFooter {
        dock: bottom;
        height: 1;
        color: $footer-foreground;
        background: $footer-background;
        text-wrap: nowrap;
        pointer: pointer;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.keys: tuple[FooterKey, ...] = ()
        """Those that it shows."""
        self._left_out = 0
        """Cells at the left that the wheel has turned out of sight."""
        self._pointed_at: FooterKey | None = None

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, self._bindings_changed)

    def on_unmount(self) -> None:
        self.screen.bindings_updated_signal.unsubscribe(self)

    def _bindings_changed(self, screen: Screen[Any]) -> None:
        if screen.app.app_focus and self.is_attached and screen is self.screen:
            self.call_after_refresh(self.look_again)

    def look_again(self) -> None:
        """Show the keys that work now. Of a screen that is going nothing is asked: what they depend on may be gone."""
        if self.is_attached and self.display and (keys := tuple(self._keys_now())) != self.keys:
            self.keys, self._left_out, self._pointed_at = keys, 0, None
            self.with_tooltip(None)
            self.refresh()

    def _keys_now(self) -> Iterator[FooterKey]:
        is_dialog = isinstance(self.screen, ModalScreen)
        sheet = self._sheet()
        if sheet is not None and not is_dialog:
            yield sheet
        first: dict[str, ActiveBinding] = {}
        for one in self.screen.active_bindings.values():
            if one.binding.show:
                first.setdefault(one.binding.action, one)
        for group, found in groupby(first.values(), lambda one: one.binding.group):
            together = [self._key(one) for one in found]
            if group is not None:
                captions = ["" for _ in together[:-1]] + [group.description]
                together = [
                    replace(key, caption=caption, is_first=not at)
                    for at, (key, caption) in enumerate(zip(together, captions, strict=True))
                ]
            yield from together
        if sheet is not None and is_dialog:
            yield sheet

    def _key(self, active: ActiveBinding) -> FooterKey:
        binding = active.binding
        shown, name = self.app.get_key_display(binding), binding.description
        return FooterKey(binding.key, shown, name, name, active.enabled, active.tooltip)

    def _sheet(self) -> FooterKey | None:
        sheet = key_now(self, SHEET)
        if sheet is not None and is_typed(self.screen, sheet.key):
            sheet = key_now(self, SHEET_ANYWHERE)
        if sheet is None:
            return None
        shown, name = self.app.get_key_display(sheet), sheet.description
        return FooterKey(sheet.key, shown, name, name, tooltip=sheet.tooltip)

    def render(self) -> Content:
        """What fits of the line."""
        return Content("").join(key.content() for key in self.keys)[self._left_out :]

    def key_at(self, x: int) -> FooterKey | None:
        """The key that stands, with its name, in column `x`; None where the line has ended."""
        end = -self._left_out
        for key in self.keys:
            end += key.content().cell_length
            if x < end:
                return key
        return None

    def on_mouse_down(self, event: events.MouseDown) -> None:
        key = self.key_at(event.x)
        if key is None:
            return
        if key.enabled:
            self.app.simulate_key(key.key)
        else:
            self.app.bell()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        key = self.key_at(event.x)
        if key != self._pointed_at:
            self._pointed_at = key
            self.with_tooltip(Content(key.tooltip) if key is not None and key.tooltip else None)

    def on_mouse_scroll_down(self) -> None:
        self._turn(_SCROLLED)

    def on_mouse_scroll_up(self) -> None:
        self._turn(-_SCROLLED)

    def _turn(self, cells: int) -> None:
        whole = sum(key.content().cell_length for key in self.keys)
        self._left_out = max(0, min(self._left_out + cells, whole - self.size.width))
        self.refresh()
