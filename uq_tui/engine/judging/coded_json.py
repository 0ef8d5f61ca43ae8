"""Reading JSON that a model was asked for: the one object that carries the code.

The code is the tag of `conversations.py`, which the author of a foreign text cannot know. So an object that stands in a
question or a candidate is never taken for the model's own, even where the model repeats it.
"""

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from store.ingest.strict_json import StrictDecoder


class StructureError(Exception):
    """The object isn't of the form that was asked for; the message says in what."""


def coded_object(reply: str, tag: str) -> Mapping[str, Any]:
    """The only JSON object that begins with the tag as its `code`. Prose, fences and other objects don't matter.

    Nothing else is tried, so that reading is linear in the reply.

    Args:
        reply: the reply proper, without the model's reasoning.
        tag: the code that was asked for.

    Raises:
        StructureError: there is none, there are several, or it is malformed.
    """
    blank = r"[ \t\r\n]*"
    starts = [one.start() for one in re.finditer(rf'\{{{blank}"code"{blank}:{blank}"{re.escape(tag)}"', reply)]
    if not starts:
        raise StructureError("no JSON object begins with the code" if reply.strip() else "the reply is empty")
    if len(starts) > 1:
        raise StructureError(f"{len(starts)} JSON objects begin with the code")
    value, problem, _ = StrictDecoder().decode_at(reply, starts[0])
    if problem:
        raise StructureError(f"the JSON object is malformed: {problem}")
    return value


def require_keys(value: Any, keys: Sequence[str], where: str) -> None:
    """Raise StructureError unless this is an object with just these keys; `where` is how to call it."""
    if not isinstance(value, dict):
        raise StructureError(f"{where} is not a JSON object")
    missing = [key for key in keys if key not in value]
    unknown = sorted(value.keys() - set(keys))
    if missing:
        raise StructureError(f"{where} lacks {', '.join(missing)}")
    if unknown:
        raise StructureError(f"{where} has an unknown key {json.dumps(unknown[0])[:60]}")


def list_of(value: Any, where: str) -> list[Any]:
    """The list this is. Raises StructureError: it is none; `where` is how to call it."""
    if not isinstance(value, list):
        raise StructureError(f"{where} is not a list")
    return value
