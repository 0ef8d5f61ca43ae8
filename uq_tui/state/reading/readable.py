"""What a reading view shows: Markdown, and which stored texts stand in it where.

Anchors, ledgers and exports count code points of stored texts; a view knows those of its source. A `Readable` leads
from one to the other.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from store.identity import text_sha256
from store.rows import Candidate, Question, Text
from store.texts import source_map
from uq_tui.document.source_map import SourceMap
from uq_tui.state.question_text import question_head
from uq_tui.state.quoting import fences

NAMELESS = "text"
"""What a text is called that has no name of its own."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A stored text within a source: at `source[start:end]` stands what is read of it."""

    sha256: str
    raw: str
    """As it is stored; its hash is `sha256`."""
    start: int
    end: int
    map: SourceMap
    """From the text's own part of the source, counted from `start`, to `raw`."""

    def to_raw(self, start: int, end: int) -> tuple[int, int] | None:
        """Where signs `start` to `end` of the source stand in `raw`; `None` where none of them do."""
        return self.map.to_raw(max(start, self.start) - self.start, min(end, self.end) - self.start)

    def to_source(self, start: int, end: int) -> tuple[int, int] | None:
        """Where signs `start` to `end` of `raw` stand in the source; `None` where none of them do."""
        found = self.map.to_source(start, end)
        return found and (found[0] + self.start, found[1] + self.start)


@dataclass(frozen=True, slots=True)
class Readable:
    """A text to be read. `key` tells it from others: the view keeps its place while the key stays.

    `name` is what files made of it are called, such as `c2-answer`: words of ours that don't tell who wrote it.
    """

    source: str
    key: str = ""
    texts: tuple[Placed, ...] = ()
    """In rising order. The same stored text can stand there several times."""
    name: str = NAMELESS

    @property
    def counted_from(self) -> int:
        """Where the first stored text begins: what is before it is ours, and bears no numbers. 0 without any."""
        return self.texts[0].start if self.texts else 0

    def to_raw(self, start: int, end: int) -> tuple[Placed, int, int] | None:
        """The stored text that signs `start` to `end` of the source are of, and where they stand in it.

        What is around it in words of ours counts for nothing; `None` where there is no stored text, or several.
        """
        found = [(one, place) for one in self.texts if (place := one.to_raw(start, end))]
        return (found[0][0], *found[0][1]) if len(found) == 1 else None

    def to_source(self, sha256: str, start: int, end: int) -> tuple[int, int] | None:
        """Where signs `start` to `end` of a stored text are first shown; `None` where they are not."""
        own = (one.to_source(start, end) for one in self.texts if one.sha256 == sha256)
        return next((place for place in own if place), None)


def readable_text(text: Text, key: str = "", *, name: str = NAMELESS) -> Readable:
    """A stored text by itself. One in HTML is converted again for its map, so a long one not in the UI's loop."""
    if not text.sha256:
        return Readable(text.markdown, key, name=name)
    placed = Placed(text.sha256, text.raw, 0, len(text.markdown), source_map(text))
    return Readable(text.markdown, key, (placed,), name)


def readable_words(words: str, key: str = "", *, name: str = NAMELESS) -> Readable:
    """Words that are kept as they came, in another row than a text's: reasoning, a reply, a statement."""
    source = words.replace("\r\n", "\n")
    placed = Placed(text_sha256(words), words, 0, len(source), SourceMap.crlf(words))
    return Readable(source, key, (placed,) if words else (), name)


def own_words(markdown: str, key: str = "", *, name: str = NAMELESS) -> Readable:
    """Markdown of ours, in which no stored text has a place."""
    return Readable(markdown, key, name=name)


def readable_question(question: Question, key: str = "", *, resolution: str = "") -> Readable:
    """A question: title, where it is from, body. Only the body is a stored text.

    `resolution` says whether it is solved, where that may be known.
    """
    parts = [own_words(question_head(question, resolution)), readable_text(question.body)]
    return joined([part for part in parts if part.source], key or f"question {question.row.id}", name="question")


def readable_answer(candidate: Candidate, posted: str = "") -> Readable:
    """An answer, and beneath it whose it is where it was `posted`, as Markdown. Only the answer is a stored text."""
    name = f"{candidate.called}-answer"
    answer = readable_text(candidate.answer, candidate.id, name=name)
    return joined([answer, own_words(f"---\n\n{posted}")], candidate.id, name=name) if posted else answer


def joined(parts: Iterable[Readable], key: str = "", *, between: str = "\n\n", name: str = NAMELESS) -> Readable:
    """Several one after the other, with `between` between them."""
    source: list[str] = []
    texts: list[Placed] = []
    at = 0
    for part in parts:
        at += len(between) if source else 0
        source.append(part.source)
        texts += (replace(one, start=one.start + at, end=one.end + at) for one in part.texts)
        at += len(part.source)
    return Readable(between.join(source), key, tuple(texts), name)


def fenced_readable(readable: Readable) -> Readable:
    """A text as a block that is shown as it is and that nothing in it can close; by `quoting.fences`."""
    opened, closed = fences(readable.source)
    return joined([own_words(opened), readable, own_words(closed)], readable.key, between="", name=readable.name)
