"""What hands meet everywhere: keys that the user chose, the sheet of them, the list of commands, the colours."""

import asyncio
from collections.abc import Mapping

from textual import work
from textual.app import App
from textual.binding import Binding

from uq_tui import paths
from uq_tui.key_map import key_now, key_shown
from uq_tui.themes import BY_NAME
from uq_tui.widgets.key_footer import COMMANDS, SHEET, SHEET_ANYWHERE, is_typed

KEYS = (
    Binding("question_mark", "keys('?')", "Keys", id=SHEET, tooltip="What works here", show=False, priority=True),
    Binding(
        "f1", "keys", "Keys", id=SHEET_ANYWHERE, tooltip="What works here, while you type", show=False, priority=True
    ),
    Binding("ctrl+p", "commands", "Commands", id=COMMANDS, tooltip="All that can be done here", priority=True),
)
"""Heard before what has the focus, so that dialogs have them too."""


class HandsApp(App[None]):
    """An app whose class has `KEYS` among its bindings, and passes on what its `check_action` has no say in."""

    ENABLE_COMMAND_PALETTE = False  # Textual's own, which lists none of what works here

    def __init__(self) -> None:
        super().__init__()
        self.user_keys: Mapping[str, str] = {}
        for theme in BY_NAME.values():
            self.register_theme(theme)

    async def use_keys(self, wanted: Mapping[str, str]) -> None:
        """Take the keys that the settings want, and say what they hide.

        Raises:
            ConfigError: they would not work.
        """
        from uq_tui import key_catalogue

        file = paths.config_dir() / "config.toml"
        key_map = await asyncio.to_thread(key_catalogue.checked, wanted, file)
        self.user_keys = key_map.changed
        self.set_keymap(key_map.whole)
        if key_map.notes:
            self.notify("\n".join(key_map.notes), title="Keys of config.toml", severity="warning", timeout=12)

    def use_theme(self, name: str) -> None:
        """Take the colours that the settings call so."""
        self.theme = BY_NAME[name].name

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        match action:
            case "keys":
                return not self._is_taken(SHEET if parameters else SHEET_ANYWHERE)
            case "commands":
                return not self._is_taken(COMMANDS)
        return super().check_action(action, parameters)

    def _is_taken(self, binding_id: str) -> bool:
        """Whether a key of these, which are heard first, is what a dialog has or what is typed there."""
        found, screen = key_now(self, binding_id), self.screen
        if found is None or is_typed(screen, found.key):
            return True
        return screen.is_modal and found.key in screen.active_bindings  # in a dialog none of the app's are among them

    def action_keys(self, typed: str = "") -> None:
        """Show what works here. `typed` tells the key that is also a sign to type from the one that isn't."""
        from uq_tui.screens.keys import KeysModal, key_lines
        from uq_tui.screens.works_here import title_of, works_here

        self.push_screen(KeysModal(title_of(self.screen), key_lines(works_here(self.screen))))

    @work(group="commands", exclusive=True, exit_on_error=False)
    async def action_commands(self) -> None:
        """Have the user choose from all that can be done here."""
        from uq_tui.screens.commands import CommandsModal, commands_of, do

        chosen = await self.push_screen_wait(CommandsModal(commands_of(self.screen)))
        if chosen is not None:
            await do(self, chosen)

    @work(group="theme", exclusive=True, exit_on_error=False)
    async def action_theme(self, name: str) -> None:
        """Change the colours, and keep that in the settings."""
        from uq_tui.config_file import set_theme

        self.use_theme(name)
        await asyncio.to_thread(set_theme, name)

    def action_help_quit(self) -> None:
        """Answer Ctrl+C, which ends other programs; Textual's own answer is markup."""
        self.notify(f"{key_shown(self, 'app.quit')} leaves.", title="To leave")
