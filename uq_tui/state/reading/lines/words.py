"""The words of a laid-out line: what a caret stands on, and where each is in the source."""

import re
from typing import NamedTuple

from rich.cells import cell_len

from uq_tui.state.reading.lines.view import Row

_WORD = re.compile(r"\S+")


class Word(NamedTuple):
    """Code points `start` to `end` of the source, and the cell of its line that they are shown from.

    A formula is one word, however many lines it is drawn on; so is the line that stands for what is folded.
    """

    start: int
    end: int
    column: int

    @property
    def place(self) -> tuple[int, int]:
        """Where it is in the source."""
        return self.start, self.end


def words_of(row: Row) -> tuple[Word, ...]:
    """The words of a row, from left to right. Marks of markup within a word are part of it.

    What shows nothing of the source (bullets, bars between cells) parts words and is none.
    """
    found: list[Word] = []
    column = 0
    joins = False  # whether a word that begins the next span goes on with the last one
    for text, _, start, end in row.line.spans:
        if start >= 0 and len(text) != end - start:
            if text.strip() and (not found or found[-1].place != (row.base + start, row.base + end)):
                found.append(Word(row.base + start, row.base + end, column))
            joins = False
        elif start >= 0:
            for match in _WORD.finditer(text):
                first, last = row.base + start + match.start(), row.base + start + match.end()
                if joins and not match.start():
                    found[-1] = found[-1]._replace(end=last)
                else:
                    found.append(Word(first, last, column + cell_len(text[: match.start()])))
            joins = bool(found) and bool(text) and not text[-1].isspace()
        else:
            joins = False
        column += cell_len(text)
    return tuple(found)
