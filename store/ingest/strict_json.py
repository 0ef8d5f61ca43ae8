"""JSON as the standard has it: what Python's reader lets pass beyond that is named as a problem."""

import json
import math
from collections import Counter
from typing import Any

DEPTH_LIMIT = 100
"""Deepest nesting of arrays and objects in a value."""


class StrictDecoder:
    """Decodes JSON objects. Not for use by two threads at once."""

    def __init__(self) -> None:
        self._problem = ""
        self._json = json.JSONDecoder(
            object_pairs_hook=self._object,
            parse_constant=self._constant,
            parse_float=self._float,
            parse_int=self._int,
        )

    def decode(self, text: str) -> tuple[dict[str, Any], str]:
        """The object `text` consists of, and what is wrong with it ("" when nothing is)."""
        text = text.strip(" \t\r\n")
        value, problem, end = self.decode_at(text, 0)
        if not problem and end is not None and end < len(text):
            return {}, f"not JSON: more text after the object, at character {end + 1}"
        return value, problem

    def decode_at(self, text: str, start: int) -> tuple[dict[str, Any], str, int | None]:
        """The object that starts at `start`, what is wrong with it, and where it ends (None when that can't be told).

        Wrong are: bad syntax, another kind of value than an object, NaN and infinities, numbers out of a double's
        range, integers of thousands of digits, a key that stands twice, nesting deeper than DEPTH_LIMIT.
        """
        self._problem = ""
        try:
            value, end = self._json.raw_decode(text, start)
        except json.JSONDecodeError as error:
            message = error.msg.removesuffix(" at")
            return {}, f"not JSON: {message} at character {error.pos - start + 1}", None
        except RecursionError:
            return {}, f"nested more than {DEPTH_LIMIT} deep", None
        if not self._problem and not isinstance(value, dict):
            self._problem = "not a JSON object"
        if not self._problem and text.count("[", start, end) + text.count("{", start, end) > DEPTH_LIMIT:
            self._problem = f"nested more than {DEPTH_LIMIT} deep" if _is_deep(value) else ""
        return ({} if self._problem else value), self._problem, end

    def _note(self, problem: str) -> None:
        self._problem = self._problem or problem

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        made = dict(pairs)
        if len(made) != len(pairs):
            keys = Counter(key for key, _ in pairs)
            self._note(f"the key {max(keys, key=lambda key: keys[key])!r} stands twice")
        return made

    def _constant(self, name: str) -> None:
        self._note(f"{name} is not JSON")

    def _float(self, digits: str) -> float:
        value = float(digits)
        if math.isinf(value):
            self._note(f"{digits[:40]} is out of range")
        return value

    def _int(self, digits: str) -> int:
        try:
            return int(digits)
        except ValueError:
            self._note(f"an integer of {len(digits):,} digits")
            return 0


def _is_deep(value: object) -> bool:
    level = [value]
    for _ in range(DEPTH_LIMIT):
        level = [child for parent in level for child in _children(parent)]
    return any(isinstance(one, dict | list) for one in level)


def _children(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return list(value) if isinstance(value, list) else []
