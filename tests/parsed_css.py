"""Styles of widgets, parsed once for all apps of a process: each app is hosted anew, and reads the same ones."""

from typing import Any

from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet

_parse = Stylesheet._parse_rules
_parsed: dict[tuple[object, ...], list[RuleSet]] = {}


def parse_once() -> None:
    """Have all stylesheets with the same variables share what they parse. Textual itself shares it within an app."""
    Stylesheet._parse_rules = _parse_rules  # type: ignore[method-assign]  # Textual has no setting for it


def _parse_rules(self: Stylesheet, *source: Any, **how: Any) -> list[RuleSet]:
    key = (frozenset(self._variables.items()), source, frozenset(how.items()))
    if key not in _parsed:
        _parsed[key] = _parse(self, *source, **how)
    return _parsed[key]
