"""Full-text search: what is indexed, and how what people type becomes a query that is never an error."""

import html
import re

from uq_tui.words import TextFormat

MOST_TERMS = 40
"""Words of a query that are looked at; further ones are ignored."""

PREFIX_FROM = 3
"""Letters from which the last word also finds words that begin with it."""

_UNENCODABLE = re.compile("[\0\ud800-\udfff]")
_TAG = re.compile(r"<[^<>]*>")
_TAG_IN_WORD = re.compile(r"</?(?:a|b|code|em|i|kbd|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>", re.IGNORECASE)


def match_expression(text: str) -> str:
    """The FTS5 expression that finds the words of `text`, all of them, in any order; "" when it holds no word.

    Every blank-separated word becomes a quoted phrase, so nothing in it is syntax: `C*-algebra` finds `C` followed
    by `algebra`. The last word is also a prefix, from PREFIX_FROM letters on, so that a search works while typing.
    """
    words = [word for word in _UNENCODABLE.sub(" ", text).split() if any(map(str.isalnum, word))][:MOST_TERMS]
    if not words:
        return ""
    phrases = ['"' + word.replace('"', '""') + '"' for word in words]
    if sum(map(str.isalnum, words[-1])) >= PREFIX_FROM:
        phrases[-1] += " *"
    return " ".join(phrases)


def indexed(text: str) -> str:
    """A text as the index can hold it: lone surrogates and NUL become blanks."""
    return _UNENCODABLE.sub(" ", text)


def id_range(prefix: str) -> tuple[str, str]:
    """Every id that starts with `prefix` is at least the first of these and below the second."""
    first = indexed(prefix)
    return first, first + chr(0x10FFFF)


def plain_text(body: str, text_format: TextFormat) -> str:
    """A body without its markup, for the index. Takes time linear in its length, whatever the markup."""
    if text_format is TextFormat.HTML:
        body = html.unescape(_TAG.sub(" ", _TAG_IN_WORD.sub("", body)))
    return indexed(body)
