"""What the segments of a text share: they are read one by one, but a link may be defined in another one."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from uq_tui.document.markup.parse import References
from uq_tui.document.maths.definitions import EMPTY as NO_DEFINITIONS
from uq_tui.document.maths.definitions import Definitions

MAX_FOOTNOTES = 2_000
"""Footnotes that are numbered in one text; the marks of any more are plain text."""


@dataclass(frozen=True, slots=True, eq=False)
class Context:
    """What must be known of the whole text to read and draw a segment of it. Compared by identity.

    Args:
        references: link definitions.
        footnotes: the number of each footnote that is defined, from 1, in the order in which the text refers to them;
            those that it never refers to come last.
        definitions: macros, and the tags of equations.
    """

    references: References = field(default_factory=dict)
    footnotes: Mapping[str, int] = field(default_factory=dict)
    definitions: Definitions = NO_DEFINITIONS


EMPTY = Context()
"""Of a text that defines nothing."""


def number_footnotes(used: Iterable[str], defined: Iterable[str]) -> dict[str, int]:
    """Numbers for the labels that are `defined`: first those `used`, each list in the order of the text."""
    known = dict.fromkeys(defined)
    labels = dict.fromkeys(label for label in used if label in known)
    labels.update(known)
    return {label: number for number, label in zip(range(1, MAX_FOOTNOTES + 1), labels, strict=False)}
