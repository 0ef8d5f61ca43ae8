"""Everything that can be done here, to be found by its words."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from textual.app import App
from textual.content import Content
from textual.dom import DOMNode
from textual.screen import Screen

from uq_tui.config import THEMES
from uq_tui.screens.reading.filtered_list import FilteredList
from uq_tui.screens.works_here import works_here

_NAME, _KEYS = 18, 10
"""Cells of a command's name and of its keys."""
_LEFT_OUT = frozenset({"app.commands"})


@dataclass(frozen=True, slots=True)
class Command:
    """Something to do. All its words are the app's own."""

    name: str
    explanation: str
    keys: str
    node: DOMNode
    """Where the action is looked up."""
    action: str

    def holds(self, words: Sequence[str]) -> bool:
        """Whether each of these casefolded words is in it."""
        text = f"{self.name} {self.explanation}".casefold()
        return all(word in text for word in words)


def commands_of(screen: Screen[Any]) -> list[Command]:
    """All that can be done on a screen now: of what has the focus, the screen and the app; then the themes."""
    app = screen.app
    actions = [
        Command(one.binding.description, one.binding.tooltip, " ".join(one.keys), one.node, one.binding.action)
        for one in works_here(screen)
        if one.binding.id not in _LEFT_OUT
    ]
    themes = [
        Command(f"Theme: {name}", "Colours of the app; kept in config.toml", "", app, f"theme({name!r})")
        for name in THEMES
    ]
    return actions + themes


class CommandsModal(FilteredList[Command]):
    """Returns the command that was chosen, or None."""

    CSS_PATH = "reading/tools.tcss"

    def __init__(self, commands: Sequence[Command]) -> None:
        super().__init__("Commands", "command", commands)

    def matching(self, typed: str) -> Sequence[Command]:
        """Those that hold all the words, the ones whose name begins so first."""
        wanted = typed.casefold()
        found = [one for one in self._entries if one.holds(wanted.split())]
        return sorted(found, key=lambda one: not one.name.casefold().startswith(wanted.strip()))

    def shown(self, entry: Command) -> Content:
        keys = Content.styled(f" {entry.keys:<{_KEYS}} ", "bold")
        return Content.assemble(f"{entry.name:<{_NAME}}", keys, (entry.explanation, "$text-muted"))


async def do(app: App[Any], command: Command) -> None:
    """Do what was chosen, where it was offered."""
    if command.node.is_running:
        await app.run_action(command.action, command.node)
