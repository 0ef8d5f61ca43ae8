"""Which text of a question a search hits, and the words around the hit. Made only for the questions that are shown.

The index keeps no texts. So the few texts that are needed are read from the store and put into an index in memory,
which cuts words as the other one does, and whose `snippet` is asked.
"""

import json
import re
import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum

from sqlalchemy import Connection

from store.driver import AMONG, driver, listed, loaded
from store.search import match_expression
from store.search_index import (
    COLUMNS,
    FIRST_COMMENT,
    PARTS,
    PUT,
    QUESTION_PART,
    TOKENIZER,
    SearchDoc,
    answer_doc,
    comment_doc,
    question_doc,
)
from uq_tui.words import TextFormat

WORDS = 16
"""Words of a snippet, at most."""
_READ = 50_000
"""Signs of a text without markup that are looked at; hits behind them are told without their words."""
_HIT, _END, _MORE = "\x02", "\x03", "…"
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f\s]+")

_FIRST_HIT = (
    f"SELECT rowid FROM search WHERE search MATCH ? AND rowid BETWEEN ? AND ? + {PARTS - 1} ORDER BY rowid LIMIT 1"
)
_QUESTION = "SELECT title, body, body_format, tags FROM question LEFT JOIN text ON sha256 = body_sha256 WHERE seq = ?"
_ANSWER = (
    "SELECT body, answer_format FROM question JOIN candidate ON question_id = question.id"
    " JOIN text ON sha256 = answer_sha256 WHERE seq = ? AND number = ?"
)
_COMMENT = "SELECT body FROM question JOIN post_comment ON question_id = question.id WHERE seq = ? AND number = ?"


class Place(StrEnum):
    """Which text of a question a search hit."""

    TITLE = "title"
    BODY = "body"
    TAGS = "tags"
    ANSWER = "answer"
    COMMENT = "comment"


_BEST_FIRST = (Place.BODY, Place.ANSWER, Place.COMMENT, Place.TAGS, Place.TITLE)
"""What is shown of a text that is hit in several ways: the title is on the screen anyway."""


@dataclass(frozen=True, slots=True)
class Snippet:
    """Words of a text around a hit; every second of `pieces`, from the second one on, is what was looked for."""

    place: Place
    pieces: tuple[str, ...]

    @property
    def text(self) -> str:
        """Without marks."""
        return "".join(self.pieces)


def snippets(db: Connection, text: str, seqs: Sequence[int], masked: Iterable[str] = ()) -> dict[int, Snippet]:
    """Of each question, by its `seq`, where a search for `text` hits it first: in itself, an answer, a comment.

    Questions with the ids `masked` have none in answers and comments. A place is not told by its number: whose answer
    it is, is not for a list to say.
    """
    expression = match_expression(text)
    if not expression or not seqs:
        return {}
    raw = driver(db)
    hidden = _seqs(raw, masked)
    found: dict[int, Snippet] = {}
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as memory:
        memory.execute(f"CREATE VIRTUAL TABLE search USING fts5({COLUMNS}, tokenize='{TOKENIZER}')")
        for seq in seqs:
            hit = raw.execute(_FIRST_HIT, (expression, seq * PARTS, seq * PARTS)).fetchone()
            if hit is None or (hit[0] % PARTS != QUESTION_PART and seq in hidden):
                continue
            doc = _doc(raw, seq, hit[0] % PARTS)
            if doc is not None:
                memory.execute(PUT, [_cut(part) for part in doc.row])
        asked = ", ".join(f"snippet(search, {at}, ?2, ?3, ?4, {WORDS})" for at in range(len(Place)))
        for rowid, *cut in memory.execute(
            f"SELECT rowid, {asked} FROM search WHERE search MATCH ?1", (expression, _HIT, _END, _MORE)
        ):
            found[rowid // PARTS] = _best(dict(zip(Place, cut, strict=True)))
    return found


def _seqs(raw: sqlite3.Connection, ids: Iterable[str]) -> frozenset[int]:
    sql = f"SELECT seq FROM question WHERE id {AMONG}"
    return frozenset(seq for (seq,) in raw.execute(sql, (listed(sorted(ids)),)))


def _doc(raw: sqlite3.Connection, seq: int, part: int) -> SearchDoc | None:
    if part == QUESTION_PART:
        title, body, body_format, tags = raw.execute(_QUESTION, (seq,)).fetchone()
        return question_doc(seq, loaded(title), loaded(body) or "", TextFormat(body_format), json.loads(tags))
    if part < FIRST_COMMENT:
        body, answer_format = raw.execute(_ANSWER, (seq, part)).fetchone()
        return answer_doc(seq, part, loaded(body), TextFormat(answer_format))
    (body,) = raw.execute(_COMMENT, (seq, part - FIRST_COMMENT)).fetchone()
    return comment_doc(seq, part - FIRST_COMMENT, loaded(body))


def _cut(part: int | str) -> int | str:
    return _CONTROLS.sub(" ", part[:_READ]).strip() if isinstance(part, str) else part


def _best(cut: dict[Place, str]) -> Snippet:
    place = next((place for place in _BEST_FIRST if _HIT in cut[place]), Place.BODY)
    return Snippet(place, tuple(re.split(f"[{_HIT}{_END}]", cut[place])))
