"""How keys are shown where they are printed: those of the classes, or what the user has put in their place."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, Protocol, runtime_checkable

from textual.app import App
from textual.binding import Binding
from textual.dom import DOMNode
from textual.screen import ModalScreen, Screen

_ENDS = re.compile(r"(Screen|Modal|View)\Z")
_NAMED = re.compile(r"\{([a-z_.]+):([^}]+)\}")
_CHARACTERS = {"slash": "/", "backslash": "\\", "at": "@", "minus": "-", "plus": "+", "underscore": "_"}
_WORDS = re.compile(r"(?<=[a-z])(?=[A-Z])")


@runtime_checkable
class Remapped(Protocol):
    """An app whose keys the user may have changed."""

    user_keys: Mapping[str, str]
    """Keys by the ids of bindings, as `Binding.key` has them; only those that were changed."""


def bindings_of(owner: type[DOMNode]) -> Iterator[Binding]:
    """The bindings of a class and of those it comes from, its own first. Several keys of one stay together."""
    for base in owner.__mro__:
        for one in base.__dict__.get("BINDINGS", ()):
            if isinstance(one, Binding):
                yield one


def words_of(owner: type[DOMNode]) -> str:
    """What the words of a class's name say it is: `Workbench`, `measure`, `candidate list`."""
    name = _WORDS.sub(" ", _ENDS.sub("", owner.__name__))
    return name.capitalize() if issubclass(owner, Screen) and not issubclass(owner, ModalScreen) else name.lower()


def key_names(keys: str) -> tuple[str, ...]:
    """The keys of a binding as Textual tells them apart: `?` is `question_mark`."""
    return tuple(one.key for one in Binding.make_bindings([Binding(keys, "nothing")]))


def character_of(key: str, character: str | None) -> str | None:
    """The character a key types, where Textual doesn't tell: it names six keys otherwise than Unicode does."""
    return character or _CHARACTERS.get(key)


def keys_now(app: App[Any], binding: Binding) -> list[Binding]:
    """A binding once for each of the keys it has now, after the user's map."""
    changed = app.user_keys.get(binding.id or "") if isinstance(app, Remapped) else None
    if changed is not None:
        binding = replace(binding, key=changed, key_display=None)
    return list(Binding.make_bindings([binding]))


def key_now(node: DOMNode, binding_id: str) -> Binding | None:
    """A binding with the first of the keys it has now, after the user's map.

    Args:
        node: what has the binding, or what stands on something that has.
        binding_id: of the binding.

    Returns:
        None when nothing that `node` stands on has such a binding.
    """
    found = next(filter(None, (_binding(type(one), binding_id) for one in node.ancestors_with_self)), None)
    return keys_now(node.app, found)[0] if found is not None else None


def key_shown(node: DOMNode, binding_id: str) -> str:
    """The first key that a binding has now, as the footer shows it. The arguments are those of `key_now`.

    Raises:
        LookupError: nothing that `node` stands on has such a binding.
    """
    found = key_now(node, binding_id)
    if found is None:
        raise LookupError(f"{node} stands on nothing that has the binding {binding_id}")
    return node.app.get_key_display(found)


def with_keys(app: App[Any], text: str) -> str:
    """A text of the app's own, with each `{id:usual key}` in it replaced by the key that the id has now."""

    def shown(found: re.Match[str]) -> str:
        changed = app.user_keys.get(found[1]) if isinstance(app, Remapped) else None
        return found[2] if changed is None else app.get_key_display(Binding(key_names(changed)[0], "nothing"))

    return _NAMED.sub(shown, text)


@cache
def _binding(owner: type[DOMNode], binding_id: str) -> Binding | None:
    return next((one for one in bindings_of(owner) if one.id == binding_id), None)
