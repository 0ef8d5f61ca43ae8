"""Proposals while a model writes them: the JSON object that ends its reply, made readable as far as it has come."""

import json
import re

_OBJECT = re.compile(r'\{\s*"code"')
_TEXT = re.compile(r'"(skill|statement)"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL)


def as_it_comes(reply: str) -> str:
    """A reply, or the beginning of one, with its last object shown as headings and statements.

    This is for reading along only: what counts is what the engine reads of the complete reply.
    """
    opened = list(_OBJECT.finditer(reply))
    if not opened:
        return reply
    parts = [reply[: opened[-1].start()].rstrip().removesuffix("```json").rstrip()]
    number = 0
    for name, text in _TEXT.findall(reply, opened[-1].end()):
        if name == "skill":
            number += 1
            parts.append(f"### Proposal {number}: {' '.join(_unescaped(text).split())}")
        else:
            parts.append(_unescaped(text))
    return "\n\n".join(part for part in parts if part)


def _unescaped(text: str) -> str:
    """What a JSON string says; as it is written where that can't be read, as by LaTeX with single backslashes."""
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except ValueError:
        return text
