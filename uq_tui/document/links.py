"""Where a text leads: its links and images, with the whole of their addresses."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from markdown_it.token import Token

from uq_tui.document.markup.parse import parse
from uq_tui.document.markup.scan import Scan
from uq_tui.document.markup.units import plain_text

_MARKS = ("[", "<")
"""Without one of these a segment holds no link."""


class Link(NamedTuple):
    """A link or an image, as it is written."""

    words: str
    """What is said, on one line; "" where only the address is."""
    address: str
    start: int
    """Where it begins in the source."""
    image: bool = False


def links_of(source: str) -> tuple[Link, ...]:
    """All links and images of a text, in order. Reads all of it: up to two seconds a megabyte."""
    change = Scan().feed(source)
    context = change.context
    found: list[Link] = []
    for segment in change.segments:
        text = source[segment.start : segment.end]
        if any(mark in text for mark in _MARKS):
            tokens, _ = parse(text, context.references, context.footnotes)
            for token in tokens:
                found += (link._replace(start=segment.start + link.start) for link in _links(token.children or ()))
    return tuple(found)


def _links(tokens: Sequence[Token]) -> Iterator[Link]:
    opened: list[tuple[int, Token]] = []
    for index, token in enumerate(tokens):
        if token.type == "link_open":
            opened.append((index, token))
        elif token.type == "link_close":
            first, link = opened.pop()
            address, words = str(link.attrs.get("href", "")), plain_text(tokens[first:index])
            yield Link("" if words == address else words, address, link.meta["at"][0])
        elif token.type == "image":
            yield Link(
                plain_text(token.children or ()), str(token.attrs.get("src", "")), token.meta["at"][0], image=True
            )
