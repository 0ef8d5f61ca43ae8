"""Full-text search: what is indexed, and how what people type becomes a query that is never an error."""

import html
import re
from dataclasses import dataclass, replace

from uq_tui.words import TextFormat

MOST_TERMS = 40
"""Words of a query that are looked at; further ones are ignored."""

PREFIX_FROM = 3
"""Letters from which the last word also finds words that begin with it."""

_TERM = re.compile(r'(?<!\S)(?P<minus>-?)(?:"(?P<quoted>[^"]*)"(?!\S)|(?P<word>\S+))')
_UNENCODABLE = re.compile("[\0\ud800-\udfff]")
_TAG = re.compile(r"<[^<>]*>")
_TAG_IN_WORD = re.compile(r"</?(?:a|b|code|em|i|kbd|s|small|span|strong|sub|sup|u)(?:\s[^<>]*)?>", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Term:
    """A word or a quoted phrase of a query. A word such as `C*-algebra` is a phrase too: `C` followed by `algebra`."""

    words: str
    excluded: bool = False
    beginning: bool = False
    """Also found where its last word only begins so."""

    @property
    def phrase(self) -> str:
        """In FTS5's own syntax, in which nothing but a quote is special between quotes."""
        return '"' + self.words.replace('"', '""') + '"' + (" *" if self.beginning else "")


def terms(text: str) -> tuple[Term, ...]:
    """What a text asks for.

    `"two words"` stand next to each other, `-word` and `-"two words"` must not be there, `word*` begins so, from
    PREFIX_FROM letters on. So does the last word, as long as no blank follows it: a search works while one types.
    All else is literal. Where everything is to be excluded, nothing is left to look for, and `-` is literal too.
    """
    text = _UNENCODABLE.sub(" ", text)
    found = [term for match in _TERM.finditer(text) if (term := _term(match)) is not None][:MOST_TERMS]
    if all(term.excluded for term in found):
        found = [replace(term, excluded=False) for term in found]
    if found and text[-1:] not in ('"', "") and not text[-1].isspace() and not found[-1].excluded:
        found[-1] = replace(found[-1], beginning=_can_begin(found[-1].words))
    return tuple(found)


def match_expression(text: str) -> str:
    """The FTS5 expression for `terms` of a text: all of its words, in any order; "" when it holds no word."""
    asked = terms(text)
    wanted = " ".join(term.phrase for term in asked if not term.excluded)
    unwanted = " OR ".join(term.phrase for term in asked if term.excluded)
    return f"({wanted}) NOT ({unwanted})" if unwanted else wanted


def _term(match: re.Match[str]) -> Term | None:
    quoted, word = match["quoted"], match["word"]
    words = word if quoted is None else quoted
    if not any(map(str.isalnum, words)):
        return None
    excluded = bool(match["minus"]) and (quoted is not None or words[0].isalnum())
    return Term(words, excluded, quoted is None and words.endswith("*") and _can_begin(words))


def _can_begin(words: str) -> bool:
    return sum(map(str.isalnum, words)) >= PREFIX_FROM


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
