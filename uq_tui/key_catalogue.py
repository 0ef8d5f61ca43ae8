"""All that keys do, read from the classes, and what a map of the user's makes of it.

A map is checked as a whole before it is used: Textual itself takes any, and of two bindings of one class on one key it
keeps one without a word.
"""

import difflib
import importlib
import inspect
import pkgutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType, ModuleType

from textual.app import App
from textual.binding import Binding, InvalidBinding
from textual.dom import DOMNode
from textual.keys import KEY_TO_UNICODE_NAME, Keys, key_to_character
from textual.screen import ModalScreen, Screen

from uq_tui.errors import ConfigError
from uq_tui.key_map import bindings_of, key_names, words_of

HOMES = ("uq_tui.app", "uq_tui.screens", "uq_tui.widgets")
"""Where classes with keys are."""
_OWN = "uq_tui."
_MODIFIERS = frozenset({"ctrl", "alt", "shift", "super", "hyper", "meta"})
_NAMED = frozenset({key.value for key in Keys} | set(KEY_TO_UNICODE_NAME) | {f"f{at}" for at in range(1, 25)})


@dataclass(frozen=True, slots=True)
class KeyAction:
    """What a key does, as the class says that has it."""

    id: str
    keys: tuple[str, ...]
    """By their names, as the class has them."""
    description: str
    tooltip: str
    owner: type[DOMNode]
    priority: bool
    """Heard before whatever has the focus."""

    @property
    def where(self) -> str:
        """Where it works: `everywhere`, `Workbench`, `measure dialog`, `verdict form`."""
        if issubclass(self.owner, App):
            return "everywhere"
        name = words_of(self.owner)
        return f"{name} dialog" if issubclass(self.owner, ModalScreen) else name


@dataclass(frozen=True, slots=True)
class KeyMap:
    """A map that was checked."""

    changed: Mapping[str, str]
    """Keys by id, as `Binding.key` has them; only what the user changed."""
    whole: Mapping[str, str]
    """The same for Textual, with all keys of each class that has a changed one.

    Textual would else take away what shares a key with that, and put the changed one behind the others of its class.
    """
    notes: tuple[str, ...]
    """What the user should know: keys that now hide others."""


@cache
def catalogue() -> tuple[KeyAction, ...]:
    """All actions that have keys, by the modules of their classes, then as a class lists them. Imports all screens."""
    return tuple(
        KeyAction(one.id or "", key_names(one.key), one.description, one.tooltip, owner, one.priority)
        for owner in owners()
        for one in owner.__dict__["BINDINGS"]
        if isinstance(one, Binding)
    )


@cache
def owners() -> tuple[type[DOMNode], ...]:
    """The classes of the app that have bindings of their own."""
    return tuple(
        found
        for module in _modules()
        for found in _defined(module)
        if found.__module__ == module.__name__ and "BINDINGS" in found.__dict__
    )


def checked(wanted: Mapping[str, str], file: Path) -> KeyMap:
    """What becomes of the keys when the user wants these. Imports all screens.

    Args:
        wanted: keys by id, several of them with commas between.
        file: where the user says so.

    Raises:
        ConfigError: an id that there isn't, a key that no keyboard has, a key that types where it would be heard first,
            or one key for two actions of the same class.
    """
    known = {one.id: one for one in catalogue()}
    changed = {one: ",".join(_keys(f'{file}: keys."{one}"', one, keys, known)) for one, keys in wanted.items()}
    now = {one.id: tuple(changed[one.id].split(",")) if one.id in changed else one.keys for one in catalogue()}
    for owner in owners():
        _refuse_one_key_for_two(owner, now, changed, file)
    notes = tuple(dict.fromkeys(_hidden(now, changed)))
    return KeyMap(MappingProxyType(changed), MappingProxyType(_of_whole_classes(changed)), notes)


def written(name: str) -> str:
    """A key as its owner would write it into the settings: `?`, `space`, `ctrl+s`."""
    character = key_to_character(name)
    is_sign = character is not None and character.isprintable() and character not in " ,"
    return character if is_sign and character is not None else name


# Checking


def _keys(setting: str, binding_id: str, keys: str, known: Mapping[str, KeyAction]) -> tuple[str, ...]:
    if binding_id not in known:
        near = _nearest(binding_id, known)
        meant = f"Did you mean {' or '.join(near)}? " if near else ""
        raise ConfigError(f"{setting}: no action has this id.", hint=f"{meant}`uq-tui keys` lists all ids.")
    try:
        named = key_names(keys)
    except InvalidBinding:
        named = ()
    wrong = [one for one in named if not _is_key(one)]
    if wrong or not named:
        raise ConfigError(
            f"{setting}: {wrong[0] if wrong else 'an empty text'} is not the name of a key.",
            hint="Keys are written like c, ?, f5, enter, pagedown, ctrl+s, shift+tab; several with commas between.",
        )
    action = known[binding_id]
    types = [one for one in named if _types(one)]
    if action.priority and types and not any(map(_types, action.keys)):
        raise ConfigError(
            f"{setting}: {types[0]} would no longer be a letter to type, since this action is heard first.",
            hint="Give it a key like f10 or ctrl+g.",
        )
    return named


def _nearest(binding_id: str, known: Mapping[str, KeyAction]) -> list[str]:
    last = binding_id.rpartition(".")[2]
    same = [one for one in known if one.rpartition(".")[2] == last]
    return list(dict.fromkeys([*same, *difflib.get_close_matches(binding_id, known, n=3, cutoff=0.5)]))[:3]


def _is_key(name: str) -> bool:
    *modifiers, key = name.split("+")
    is_named = key in _NAMED or key_to_character(key) is not None
    return is_named and _MODIFIERS.issuperset(modifiers) and not (modifiers and key != key.lower())


def _types(name: str) -> bool:
    character = key_to_character(name)
    return character is not None and character.isprintable()


def _refuse_one_key_for_two(
    owner: type[DOMNode], now: Mapping[str, tuple[str, ...]], changed: Mapping[str, str], file: Path
) -> None:
    own = {one.id: key_names(one.key) for one in bindings_of(owner) if one.id}
    for first in own.keys() & changed.keys():
        for second in own.keys() - {first}:
            both = [key for key in now[first] if key in now[second]]
            if both and not set(own[first]) & set(own[second]):  # else they never work at the same time
                raise ConfigError(
                    f'{file}: keys."{first}": {both[0]} is also the key of {second}, in the same place.',
                    hint=f"Choose another key, or give {second} another one too.",
                )


def _hidden(now: Mapping[str, tuple[str, ...]], changed: Mapping[str, str]) -> Iterator[str]:
    """What a changed key has to do with keys of other classes that are there at the same time."""
    by_key: dict[str, list[KeyAction]] = {}
    for one in catalogue():
        for key in now[one.id]:
            by_key.setdefault(key, []).append(one)
    for key, actions in by_key.items():
        for first in actions:
            for second in actions:
                is_new = first.id in changed or second.id in changed
                if is_new and _comes_before(first, second) and not set(first.keys) & set(second.keys):
                    yield f"{key}: {first.id} comes before {second.id}, where both work."


def _comes_before(first: KeyAction, second: KeyAction) -> bool:
    """Whether an action of another class is heard before one that can be there at the same time."""
    if first.owner is second.owner:
        return False
    if issubclass(first.owner, App):
        return first.priority
    if issubclass(second.owner, App):
        return not second.priority and any(
            _holds(one, first.owner) for one in owners() if issubclass(one, Screen) and not issubclass(one, ModalScreen)
        )
    is_on_a_screen = issubclass(second.owner, Screen) and not issubclass(first.owner, Screen)
    return is_on_a_screen and _holds(second.owner, first.owner)


def _of_whole_classes(changed: Mapping[str, str]) -> dict[str, str]:
    """A map with all keys of each class that has a changed one, in their order."""
    whole = dict(changed)
    before = -1
    while before < len(whole):  # a class may have keys of another, which has more
        before = len(whole)
        for owner in owners():
            own = {one.id: key_names(one.key) for one in bindings_of(owner) if one.id}
            if own.keys() & whole.keys():
                whole = {one: ",".join(keys) for one, keys in own.items()} | whole
    return whole


# Classes


@cache
def _modules() -> tuple[ModuleType, ...]:
    found = []
    for name in HOMES:
        home = importlib.import_module(name)
        found.append(home)
        for one in pkgutil.walk_packages(getattr(home, "__path__", ()), f"{name}."):
            found.append(importlib.import_module(one.name))
    return tuple(found)


def _defined(module: ModuleType) -> list[type[DOMNode]]:
    """The classes of the app's own that a module names."""
    return [
        one
        for one in vars(module).values()
        if inspect.isclass(one) and issubclass(one, DOMNode) and one.__module__.startswith(_OWN)
    ]


@cache
def _holds(screen: type[DOMNode], widget: type[DOMNode]) -> bool:
    """Whether a screen's module names a widget's class, or names one whose module does."""
    seen: set[type[DOMNode]] = set()
    new = {screen}
    while new:
        seen |= new
        named = {one for found in new for one in _defined(inspect.getmodule(found) or ModuleType(""))}
        new = {one for one in named - seen if not issubclass(one, Screen)}
    return any(issubclass(one, widget) for one in seen)
