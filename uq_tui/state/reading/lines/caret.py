"""Selecting with the keyboard: a caret that goes from word to word over the lines of a text.

It is held in code points of the source, so it stays where it is while a text grows, is folded, or gets another width.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from uq_tui.state.reading.lines.view import Row, View
from uq_tui.state.reading.lines.words import Word, words_of

_BLANK_LINES = 500
"""Lines without words that the caret goes over at once."""
_ROWS_OF_ONE = 64
"""Lines among which the word of a place is looked for: cells of a table are wrapped side by side."""
_SENTENCE_WORDS = 400
_SENTENCE_ENDS = (".", "?", "!", "。", "…")
_CLOSING = "\"'”’»)]}*_"


@dataclass(frozen=True, slots=True)
class Caret:
    """Where the caret stands, and what is selected with it. Moves give another caret, the same one at either end."""

    here: tuple[int, int]
    """The word that it stands on, in code points of the source."""
    goal: int
    """The cell that it keeps to from line to line."""
    anchor: tuple[int, int] | None = None
    """The word at which the selection begins, or ends; `None` before it has begun."""

    @property
    def range(self) -> tuple[int, int]:
        """What is selected; the word it stands on before the selection has begun."""
        anchor = self.anchor or self.here
        return min(anchor[0], self.here[0]), max(anchor[1], self.here[1])

    def anchored(self) -> "Caret":
        """The selection begins here."""
        return replace(self, anchor=self.here)

    def swapped(self) -> "Caret":
        """The other end of the selection moves from now on."""
        return self if self.anchor is None else replace(self, here=self.anchor, anchor=self.here)

    def by_words(self, view: View, by: int) -> "Caret":
        """On by so many words, or back."""
        place, there = self.here, None
        for _ in range(abs(by)):
            word = _beside(view, place, by)
            if word is None:
                break
            place, there = word.place, word
        return self._at(there)

    def by_lines(self, view: View, by: int) -> "Caret":
        """Down by so many lines that have words, or up, to the word nearest to the cell it keeps to."""
        y, _, _ = _find(view, self.here)
        place, left = self.here, abs(by)
        for nth, row in enumerate(_rows(view, y, by)):
            words = words_of(row) if nth else ()
            if words and any(word.place != place for word in words):
                place = min(words, key=lambda word: abs(word.column - self.goal)).place
                left -= 1
            if not left:
                break
        return replace(self, here=place)

    def to_edge(self, view: View, way: int) -> "Caret":
        """To the first word of the line, or the last."""
        _, words, _ = _find(view, self.here)
        return self._at(words[0 if way < 0 else -1] if words else None)

    def to_sentence_end(self, view: View) -> "Caret":
        """On to the last word of the sentence, or of the paragraph; from there to that of the next one."""
        at = self.here
        unit = view.unit_at(at[0])
        found: Word | None = None
        for _ in range(_SENTENCE_WORDS):
            following = _beside(view, at, 1)
            if following is None:
                break
            if found is not None and view.unit_at(following.start) != unit:
                break
            found, at = following, following.place
            unit = view.unit_at(at[0])
            if view.source[found.start : found.end].rstrip(_CLOSING).endswith(_SENTENCE_ENDS):
                break
        return self._at(found)

    def _at(self, word: Word | None) -> "Caret":
        return self if word is None else replace(self, here=word.place, goal=word.column)


def caret_from(view: View, offset: int) -> Caret | None:
    """A caret on the word at a place of the source, or on the next one; `None` where there is no word."""
    if not view.segments or view.width <= 0:
        return None
    y, words, at = _find(view, (offset, offset + 1))
    word = words[at] if at < len(words) else next((one for row in _rows(view, y, 1) for one in words_of(row)), None)
    if word is None:
        word = next((one for row in _rows(view, y, -1) for one in words_of(row)), None)
    return None if word is None else Caret(word.place, word.column)


def column_of(view: View, caret: Caret) -> tuple[int, int]:
    """The line that the caret's word begins on, and its cell there."""
    y, words, at = _find(view, caret.here)
    return y, words[at].column if at < len(words) else 0


def _find(view: View, place: tuple[int, int]) -> tuple[int, tuple[Word, ...], int]:
    """The line of a place, its words, and which of them is there: the first that ends behind it, if any does."""
    y = view.line_of(place[0])
    for line in range(y, y + _ROWS_OF_ONE):
        row = view.row(line)
        if row is None or (line > y and row.base + row.line.start > place[0]):
            break
        words = words_of(row)
        for at, word in enumerate(words):
            if word.start <= place[0] < word.end:
                return line, words, at
    row = view.row(y)
    words = () if row is None else words_of(row)
    return y, words, next((at for at, word in enumerate(words) if word.end > place[0]), len(words))


def _beside(view: View, place: tuple[int, int], way: int) -> Word | None:
    """The next word of the source that is shown, or the one before; `None` at the end.

    Not of the screen: the cells of a table's row are wrapped side by side.
    """
    y = view.line_of(place[1] if way > 0 else place[0])
    if way < 0:
        for _ in range(_ROWS_OF_ONE):
            following = view.row(y + 1)
            if following is None or following.base + following.line.start >= place[0]:
                break
            y += 1
    best: Word | None = None
    for row in _rows(view, y, way):
        begin, end = row.base + row.line.start, row.base + row.line.end
        if best is not None and (begin > best.start if way > 0 else end <= best.start):
            break
        for word in words_of(row):
            if way > 0 and word.start >= place[1] and (best is None or word.start < best.start):
                best = word
            if way < 0 and word.end <= place[0] and (best is None or word.end > best.end):
                best = word
    return best


def _rows(view: View, y: int, way: int) -> Iterator[Row]:
    """A line, and those below it or above, up to where there have been no words for long."""
    row, blank = view.row(y), 0
    while row is not None and blank < _BLANK_LINES:
        yield row
        blank = 0 if row.line.spans else blank + 1
        if way > 0:
            y = view.prepare(y, 2) + 1
        elif y > 0:
            y = view.above(y, 1)
        else:
            return
        row = view.row(y) if y < view.height else None
