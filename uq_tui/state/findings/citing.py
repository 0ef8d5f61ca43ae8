"""What a candidate refers to, read from its answer alone."""

from dataclasses import dataclass
from datetime import date

from store.rows import Text
from uq_tui.citations.extraction import extract
from uq_tui.citations.places import Lines, sentence
from uq_tui.citations.reference import Reference, Span
from uq_tui.state.quoting import one_line, quoted
from uq_tui.text import counted

CAUTION = (
    "Nothing here has been looked up. The commonest failure of answers that pass all checks is an invented reference."
)
LOOKED_UP = "Checkers have been asked. What they don't find may still exist, and what they find may say something else."
MOST_PLACES = 20
"""Places of one reference that are shown with their sentences."""


@dataclass(frozen=True, slots=True)
class Citation:
    """One reference, with the line and the sentence of each place that names it."""

    reference: Reference
    lines: tuple[int, ...]
    """Of all places, from 1, in the answer as it came."""
    sentences: tuple[str, ...]
    """Of the first `MOST_PLACES`."""

    @property
    def key(self) -> str:
        """What it goes by within its answer."""
        return f"{self.reference.kind} {self.reference.key}"

    @property
    def kind(self) -> str:
        """The kind in words."""
        return self.reference.kind.value.replace("_", " ")

    @property
    def first(self) -> Span:
        """The place that names it first."""
        return self.reference.spans[0]

    @property
    def lines_text(self) -> str:
        """`line 3` or `lines 3, 8`: each once, the first few."""
        return lines_text(self.lines)

    def markdown(self) -> str:
        """All about it. What comes from the answer stands in quotes, which it cannot leave."""
        parts = [f"**{self.kind}**, {self.lines_text}"]
        if self.reference.malformed:
            parts.append(f"**Malformed:** {one_line(self.reference.malformed)}")
        if one_line(self.reference.text) not in self.sentences[0]:
            parts.append(quoted(self.reference.text))
        for number, text in zip(self.lines, self.sentences, strict=False):
            parts += [f"Line {number:,}:"] if len(self.lines) > 1 else []
            parts.append(quoted(text))
        rest = len(self.lines) - len(self.sentences)
        if rest:
            parts.append(f"And {counted(rest, 'more place')}.")
        return "\n\n".join(parts)


def citations_of(answer: Text, today: date) -> tuple[Citation, ...]:
    """The references of an answer in the order in which it names them. Takes a while for a long one."""
    lines = Lines(answer.raw)
    return tuple(_citation(answer.raw, lines, found) for found in extract(answer.raw, today))


def _citation(text: str, lines: Lines, found: Reference) -> Citation:
    numbers = tuple(lines.number(span.start) for span in found.spans)
    return Citation(found, numbers, tuple(sentence(text, span) for span in found.spans[:MOST_PLACES]))


def lines_text(numbers: tuple[int, ...], most: int = 4) -> str:
    """`line 3` or `lines 3, 8`: each line once, `most` of them at most."""
    different = list(dict.fromkeys(numbers))
    shown = ", ".join(f"{number:,}" for number in different[:most])
    more = ", …" if len(different) > most else ""
    return f"{'line' if len(different) == 1 else 'lines'} {shown}{more}"


def summary(found: tuple[Citation, ...]) -> str:
    """`3 references, 1 malformed.`"""
    malformed = sum(bool(one.reference.malformed) for one in found)
    return f"{counted(len(found), 'reference')}, {malformed:,} malformed."
