"""Extracting references in tests, at a fixed date."""

from datetime import date

from uq_tui.citations.extraction import extract
from uq_tui.citations.reference import Reference, ReferenceKind

TODAY = date(2026, 11, 30)


def references(text: str, *kinds: ReferenceKind) -> list[Reference]:
    """The references of these kinds, or of all."""
    return [one for one in extract(text, TODAY) if not kinds or one.kind in kinds]


def keys(text: str, *kinds: ReferenceKind) -> list[str]:
    return [one.key for one in references(text, *kinds)]


def written(text: str, one: Reference) -> list[str]:
    """How a text writes a reference, in order."""
    return [text[span.start : span.end] for span in one.spans]


def only(text: str) -> Reference:
    """The one reference of a text."""
    (found,) = references(text)
    return found
