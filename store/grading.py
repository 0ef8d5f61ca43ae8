"""How answers to a question are to be graded, as its source says it."""

from collections.abc import Mapping
from typing import Any

from store.html import html_to_markdown

GRADING_SCHEME = "grading_scheme"
"""Key of a question's `extra`: guidelines as text, or a list of parts with `title`, `description` (HTML), `points`."""


def scheme_of(extra: Mapping[str, Any]) -> str:
    """The scheme as Markdown; empty where there is none, or none that can be shown."""
    scheme = extra.get(GRADING_SCHEME)
    if isinstance(scheme, str):
        return scheme.strip()
    parts = [_part(part) for part in scheme if isinstance(part, Mapping)] if isinstance(scheme, list) else []
    return "\n\n".join(part for part in parts if part)


def _part(part: Mapping[str, Any]) -> str:
    title, description, points = part.get("title"), part.get("description"), part.get("points")
    head = [title.strip()] if isinstance(title, str) and title.strip() else []
    if isinstance(points, int | float) and not isinstance(points, bool):
        head.append(f"{points:g} {'point' if points == 1 else 'points'}")
    body = html_to_markdown(description) if isinstance(description, str) else ""
    return "\n\n".join(filter(None, (", ".join(head), body)))
