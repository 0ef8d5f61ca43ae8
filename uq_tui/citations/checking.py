"""What a citation checker is and what it returns. Checkers import this module and nothing else of uq-tui.

Looking a reference up may tell somebody outside what is being reviewed here. So none comes with uq-tui, none is asked
unless the user says so each time, and each is told of one reference at a time and nothing of the answer around it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol
from urllib.parse import urlsplit

from uq_tui.citations.reference import Reference

LONGEST_TEXT = 1_000
"""Characters of a reference as written that a checker is told."""
LONGEST_NOTE = 500
LONGEST_SOURCE = 2_000


class Existence(StrEnum):
    """What a checker can say of a reference."""

    FOUND = "found"
    NOT_FOUND = "not_found"
    """Looked for where it would have to be. A sign of invention, not a proof."""
    UNKNOWN = "unknown"
    """It can't tell: another kind of reference, an ambiguous one, no answer. Never the same as not found."""


@dataclass(frozen=True, slots=True)
class Checked:
    """What a checker found.

    `note` is one sentence for the reviewer, such as the title of what was found; `source` is the http or https address
    where that can be seen.
    """

    existence: Existence
    note: str = ""
    source: str = ""


class CitationChecker(Protocol):
    """An entry point of the group `uq_tui.citation_checkers` names such an object, or a class that makes one."""

    def check(self, reference: Mapping[str, str]) -> Checked:
        """Look one reference up.

        Args:
            reference: `kind`, a word of `ReferenceKind`; `key`, which is the same for all ways to write it; `text`, as
                the answer has it. All three are foreign text.
        """
        ...


def as_sent(reference: Reference) -> dict[str, str]:
    """All that a checker is told of a reference."""
    return {"kind": reference.kind.value, "key": reference.key, "text": reference.text[:LONGEST_TEXT]}


def read_checked(value: Any) -> Checked | None:
    """What a checker returned, bounded; `None` when it isn't of the right form."""
    match value:
        case {"existence": str(word), "note": str(note), "source": str(source), **rest} if not rest:
            if word in set(Existence):
                return Checked(Existence(word), note[:LONGEST_NOTE], source if _is_address(source) else "")
    return None


def _is_address(source: str) -> bool:
    try:
        parts = urlsplit(source)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc) and len(source) <= LONGEST_SOURCE
