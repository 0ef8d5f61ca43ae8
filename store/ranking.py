"""Relevance: the first hits of a search, the best of them first.

FTS5's own `bm25` reads every hit of every word before it gives the first score: seconds where a word stands in a
million questions. So a bounded number of hits is ranked, the first ones in order of arrival, by what can be told from
their titles and tags and from which texts of the question hit.
"""

import json
import re
import unicodedata
from itertools import islice
from sqlite3 import Connection

from store import hits
from store.browse_sql import Query
from store.driver import AMONG, listed, loaded
from store.rows import PageKey
from store.search import terms

RANKED = 1_000
"""Questions among which relevance ranks: the first ones that are hit."""

_WORD = re.compile(r"[^\W_]+")
_TITLES = f"SELECT seq, title, tags, score FROM question WHERE seq {AMONG}"


def page(db: Connection, expression: str, query: Query, limit: int) -> list[PageKey]:
    """Up to `limit` of the first `RANKED` hits, the best first. The key of a row is its place among them."""
    seqs = list(islice(hits.in_order(db, expression, Query(query.wanted, masked=query.masked)), RANKED))
    folded = [_words(term.words) for term in terms(query.wanted.text) if not term.excluded]
    rows = [(seq, loaded(title), tags, score) for seq, title, tags, score in db.execute(_TITLES, (listed(seqs),))]
    ranked = sorted(rows, key=lambda row: (*_relevance(folded, row[1], row[2]), -(row[3] or 0), row[0]))
    start = 0 if query.after is None else int(query.after.value or 0)
    return [PageKey(row[0], place) for place, row in enumerate(ranked[start : start + limit], start + 1)]


def _relevance(folded: list[list[str]], title: str, tags: str) -> tuple[int, int, int]:
    """Smaller is better: words that the title doesn't hold, then those that tags don't, then the title's length."""
    in_title, in_tags = _words(title), _words(" ".join(json.loads(tags)))
    missing = sum(not _holds(in_title, word) for word in folded)
    untagged = sum(not _holds(in_tags, word) for word in folded)
    return missing, untagged, len(in_title)


def _holds(words: list[str], phrase: list[str]) -> bool:
    size = len(phrase)
    return any(words[at : at + size] == phrase for at in range(len(words) - size + 1))


def _words(text: str) -> list[str]:
    apart = unicodedata.normalize("NFKD", text.casefold())
    return _WORD.findall("".join(sign for sign in apart if not unicodedata.combining(sign)))
