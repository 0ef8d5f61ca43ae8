"""What can be done on a screen now, by key or from the list of commands."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from textual import actions
from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen

from uq_tui.key_map import bindings_of, keys_now, words_of
from uq_tui.widgets.reading.keys import SECTIONS


@dataclass(frozen=True, slots=True)
class Here:
    """An action that works now."""

    node: DOMNode
    """What has it: what has the focus, something that this stands on, or the app."""
    binding: Binding
    section: str
    keys: tuple[str, ...]
    """As they are shown."""
    heard: tuple[str, ...]
    """Those of them that nothing nearer to the focus has for itself."""


def works_here(screen: Screen[Any]) -> list[Here]:
    """All that works on a screen now, what is nearest to the focus first. What has no id is the toolkit's own."""
    app, active = screen.app, screen.active_bindings
    found: dict[str, Here] = {}
    for node in _reached(screen):
        for binding in bindings_of(type(node)):
            name = binding.id or ""
            if not name or name in found or not _is_offered(node, binding):
                continue
            if node is app and isinstance(screen, ModalScreen) and not binding.priority:
                continue
            keys = [replace(one, key_display=None) for one in keys_now(app, binding)]
            heard = [one for one in keys if one.priority or one.key not in active or active[one.key].binding.id == name]
            found[name] = Here(
                node,
                binding,
                _section(node, binding),
                tuple(dict.fromkeys(map(app.get_key_display, keys))),
                tuple(dict.fromkeys(map(app.get_key_display, heard))),
            )
    return list(found.values())


def title_of(screen: Screen[Any]) -> str:
    """What a screen or dialog is called: `Workbench`, `measure`."""
    return words_of(type(screen))


def _reached(screen: Screen[Any]) -> Iterator[DOMNode]:
    """What hears keys, the nearest first."""
    for node in (screen.focused or screen).ancestors_with_self:
        yield node
        if node is screen:
            break
    yield screen.app


def _is_offered(node: DOMNode, binding: Binding) -> bool:
    """Whether what has the action lets it be done now."""
    place, name, parameters = actions.parse(binding.action)
    target = {"app": node.app, "screen": node.screen}.get(place, node)
    return bool(target.check_action(name, parameters))


def _section(node: DOMNode, binding: Binding) -> str:
    if (section := SECTIONS.get(binding.id or "")) is not None:
        return section
    if isinstance(node, App):
        return "Everywhere"
    if isinstance(node, Screen):
        return "This dialog" if isinstance(node, ModalScreen) else "This screen"
    return words_of(type(node)).capitalize()
