"""The full-text index: which texts of a question stand where in it, putting them in and replacing them.

One FTS5 table, `search`, a row for each text that can be searched (a part): the question itself, its answers, the
comments on both. Rows of a question follow one another, and questions come in order of arrival, so that hits are read
in that order, page by page. The index keeps no copies of the texts (`content=''`): what is taken out must be given
word for word as it was put in. It always can be: every text is stored, and a document is a function of stored texts.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import Connection

from store.driver import driver
from store.search import indexed, plain_text
from uq_tui.words import TextFormat

PARTS = 4096
"""Rows of the index that belong to a question: `rowid = seq * PARTS + part`."""
QUESTION_PART = 0
FIRST_COMMENT = 2048
"""Parts from 1 are answers, by the number of the candidate; from here on, comments by theirs."""

COLUMNS = "title, body, tags, answer, comment"
TOKENIZER = "unicode61 remove_diacritics 2"
PREFIXES = "3 4"
"""Letters of the beginnings of words that have an index of their own. Without one for four, some of them take over a
second at three million questions; of five letters on, the slowest takes 0.15 s, and one more would slow imports."""
SEARCH_TABLE = (
    f"CREATE VIRTUAL TABLE search USING fts5({COLUMNS}, content='', prefix='{PREFIXES}', tokenize='{TOKENIZER}')"
)
MERGING = "INSERT INTO search (search, rank) VALUES ('automerge', 8)"
"""Pieces of the index, one a transaction at first, that are merged at a time: a fifth less work than with the usual 4,
and never so many at once that a merge takes long."""

GATHERING = "INSERT INTO search (search, rank) VALUES ('hashsize', ?)"

PUT = f"INSERT INTO search (rowid, {COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)"
_TAKE_OUT = "INSERT INTO search (search, rowid, title, body, tags, answer, comment) VALUES ('delete', ?, ?, ?, ?, ?, ?)"


_GATHERED = "documents gathered for the index"
"""Key under which a connection holds what is put later."""

Row = tuple[int, str, str, str, str, str]


@dataclass(frozen=True, slots=True)
class SearchDoc:
    """One part of a question, its texts without markup and as `store.search.indexed` makes them."""

    seq: int
    part: int
    title: str = ""
    body: str = ""
    tags: str = ""
    answer: str = ""
    comment: str = ""

    @property
    def row(self) -> Row:
        """The row of the index."""
        return self.seq * PARTS + self.part, self.title, self.body, self.tags, self.answer, self.comment


def question_doc(seq: int, title: str, body: str, text_format: TextFormat, tags: Sequence[str]) -> SearchDoc:
    """The question itself; a stub has an empty body."""
    return SearchDoc(
        seq, QUESTION_PART, title=indexed(title), body=plain_text(body, text_format), tags=indexed(" ".join(tags))
    )


def answer_doc(seq: int, number: int, answer: str, text_format: TextFormat) -> SearchDoc | None:
    """An answer, by the number of its candidate; None for those beyond the 2,047th, which aren't searched."""
    if not QUESTION_PART < number < FIRST_COMMENT:
        return None
    return SearchDoc(seq, number, answer=plain_text(answer, text_format))


def comment_doc(seq: int, number: int, body: str) -> SearchDoc | None:
    """A comment on a question or its answers, by its number from 0; None for those beyond the 2,048th."""
    part = FIRST_COMMENT + number
    if not FIRST_COMMENT <= part < PARTS:
        return None
    return SearchDoc(seq, part, comment=indexed(body))


@contextmanager
def gathered(db: Connection) -> Iterator[None]:
    """Index what is put within the block at its end, in the same transaction: as one piece instead of several."""
    rows: list[Row] = []
    db.info[_GATHERED] = rows
    try:
        yield
    finally:
        del db.info[_GATHERED]
    _put_rows(db, rows)


def put(db: Connection, docs: Iterable[SearchDoc]) -> None:
    """Index documents that are not in the index yet, within a transaction."""
    rows = [doc.row for doc in docs]
    gathering: list[Row] | None = db.info.get(_GATHERED)
    if gathering is None:
        _put_rows(db, rows)
    else:
        gathering += rows


def _put_rows(db: Connection, rows: list[Row]) -> None:
    """In order: FTS5 writes out all that it has gathered when a row comes before the one before it."""
    if rows:
        driver(db).executemany(PUT, sorted(rows))


def replace(db: Connection, pairs: Iterable[tuple[SearchDoc, SearchDoc]]) -> None:
    """Index documents instead of those that were put in before them: (old, new), the old exactly as it was put."""
    gathering: list[Row] = db.info.get(_GATHERED, [])
    _put_rows(db, gathering)
    gathering.clear()
    raw = driver(db)
    for old, new in sorted((old.row, new.row) for old, new in pairs if old != new):
        raw.execute(_TAKE_OUT, old)
        raw.execute(PUT, new)
