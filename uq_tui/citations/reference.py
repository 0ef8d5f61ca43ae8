"""What a reference is: a thing outside a text that the text names, and every place where it does."""

from dataclasses import dataclass
from enum import StrEnum


class ReferenceKind(StrEnum):
    """How a reference is given. The first six can be looked up as they are."""

    DOI = "doi"
    ARXIV = "arxiv"
    ISBN = "isbn"
    MR = "mr"
    """A number of Mathematical Reviews."""
    ZBL = "zbl"
    """A number of zbMATH, or of its forerunner JFM."""
    URL = "url"
    ENTRY = "entry"
    """An entry of the text's own bibliography."""
    RESULT = "result"
    """A numbered part of another work: `Theorem 2.3 of Smith`, `[12, Lemma 4]`."""
    AUTHOR_YEAR = "author_year"
    """`Smith (2019)`, `[Smi19]`."""


LOOKED_UP = (
    ReferenceKind.DOI,
    ReferenceKind.ARXIV,
    ReferenceKind.ISBN,
    ReferenceKind.MR,
    ReferenceKind.ZBL,
    ReferenceKind.URL,
)
"""Kinds that name one thing for everybody."""


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Code points `start` to `end` of a text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Mention:
    """One place that names a reference. Mentions with the same kind and key are of the same reference.

    `malformed` says why no such thing can exist; empty when it can. That it can doesn't mean that it does.
    """

    kind: ReferenceKind
    key: str
    span: Span
    malformed: str = ""


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference with all its mentions. `text` is the first of them as written, or the entry of a bibliography."""

    kind: ReferenceKind
    key: str
    """What two mentions of one thing have in common: a DOI in lower case, an arXiv id without its version."""
    text: str
    spans: tuple[Span, ...]
    """In the order of the text, one or more."""
    malformed: str = ""
