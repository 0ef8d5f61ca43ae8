"""JSON as the standard has it: what Python's reader lets pass beyond that is named as a problem."""

import json
import math
from collections import Counter
from typing import Any

DEPTH_LIMIT = 100
"""Deepest nesting of arrays and objects in a value."""

_LONGEST_TOKEN = 16
"""Characters in which an error may be reported ahead of the end of a text that is only too short."""


class StrictDecoder:
    """Decodes JSON objects. Not for use by two threads at once.

    Attributes:
        ran_out: whether the last text may have been too short only: what it lacks may follow.
    """

    def __init__(self) -> None:
        self.ran_out = False
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

        Wrong are: another kind of value than an object, and what `value_at` finds wrong.
        """
        value, problem, end = self.value_at(text, start)
        if not problem and not isinstance(value, dict):
            problem = "not a JSON object"
        return ({} if problem else value), problem, end

    def value_at(self, text: str, start: int) -> tuple[Any, str, int | None]:
        """The value that starts at `start`, likewise.

        Wrong are: bad syntax, NaN and infinities, numbers out of a double's range, integers of thousands of digits, a
        key that stands twice, nesting deeper than DEPTH_LIMIT. Nothing is returned of a value with something wrong.
        """
        self._problem = ""
        self.ran_out = False
        try:
            value, end = self._json.raw_decode(text, start)
        except json.JSONDecodeError as error:
            message = error.msg.removesuffix(" at")
            self.ran_out = error.msg.startswith("Unterminated string") or error.pos >= len(text) - _LONGEST_TOKEN
            return None, f"not JSON: {message} at character {error.pos - start + 1}", None
        except RecursionError:
            return None, f"nested more than {DEPTH_LIMIT} deep", None
        self.ran_out = end == len(text) and not isinstance(value, dict | list)
        if not self._problem and text.count("[", start, end) + text.count("{", start, end) > DEPTH_LIMIT:
            self._problem = f"nested more than {DEPTH_LIMIT} deep" if _is_deep(value) else ""
        return (None if self._problem else value), self._problem, end

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
