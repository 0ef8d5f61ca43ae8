"""Laid-out texts as tests look at them."""

import textwrap
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from markdown_it.token import Token

from uq_tui.document.drawing.layout import lay_out_segment
from uq_tui.document.drawing.lines import STYLES, Line, Span
from uq_tui.document.markup.parse import parse
from uq_tui.document.markup.scan import Scan
from uq_tui.document.markup.units import Heading
from uq_tui.document.maths.readable import one_line
from uq_tui.text import clean

_MATHS = ("math_inline", "math_display", "math_block")
WHITE = frozenset(" \t\n\r\x0b\x0c")


class Document(NamedTuple):
    """A laid-out text."""

    lines: tuple[Line, ...]
    headings: tuple[Heading, ...]


def lay_out(source: str, width: int) -> Document:
    """`source`, which is Markdown with mathematics, laid out to `width` cells.

    Places count in `source`. A line's unit is the index among the units of all segments.
    """
    change = Scan().feed(source)
    lines: list[Line] = []
    units = 0
    for segment in change.segments:
        drawn = lay_out_segment(source[segment.start : segment.end], segment, width, change.context)
        if lines and drawn:
            at = max(lines[-1].start, segment.start)
            lines.append(Line((), at, at))
        for line in drawn:
            unit = line.unit + units if line.unit >= 0 else -1
            lines.append(line.shifted(segment.start)._replace(unit=unit))
        units += len(segment.units)
    headings = tuple(
        heading._replace(start=heading.start + segment.start)
        for segment in change.segments
        for heading in segment.headings
    )
    return Document(tuple(lines), headings)


def shown(source: str, width: int = 40) -> str:
    """The laid-out text, without blanks at the ends of lines."""
    return "\n".join(line.text.rstrip() for line in lay_out(source, width).lines)


def styled(source: str, style: str, width: int = 60) -> list[str]:
    """All stretches of text that have this style among theirs."""
    return [span.text for line in lay_out(source, width).lines for span in line.spans if style in span.style.split()]


def placed(source: str, width: int = 40) -> list[tuple[str, str]]:
    """What is shown, piece by piece, with the text that it shows; without bars, bullets and insets."""
    pieces: list[tuple[str, int, int]] = []
    for text, _, start, end in spans_of(source, width):
        if pieces and pieces[-1][1:] == (start, end):
            text = pieces.pop()[0] + text
        pieces.append((text, start, end))
    return [(text, source[start:end]) for text, start, end in pieces]


def expect(text: str) -> str:
    """A picture of what is shown, as it stands in a test."""
    return textwrap.dedent(text).strip("\n")


def check(lines: Iterable[Line], source: str, width: int) -> None:
    """That lines are within the width, that nothing in them can do harm, and that their places are right."""
    reached = 0
    for line in lines:
        assert line.wide or line.width <= width
        assert reached <= line.start <= line.end <= len(source)
        reached = line.start
        last = 0
        for text, style, start, end in line.spans:
            assert text
            assert set(style.split()) <= set(STYLES)
            assert not any(unicodedata.category(c) in ("Cc", "Cs") or c in "\u202a\u202b\u202d\u202e" for c in text)
            if start < 0:
                assert start == end == -1
                continue
            assert last <= start <= end <= len(source)
            assert line.start <= start
            assert end <= line.end
            last = start
            if end - start == len(text) > 1:
                assert all(map(_is_shown, text, source[start:end]))


def _is_shown(sign: str, source: str) -> bool:
    """Whether the sign is what is shown of one code point of a source, or of its mark."""
    return sign == source or sign in clean(source) or (sign == " " and source in WHITE)


def check_all_shown(lines: Iterable[Line], source: str) -> None:
    """That each sign which a token of the text holds, save white space, is shown, and at one place only."""
    count = Counter(place for start, end in _shown_places(lines) for place in range(start, end))
    for start, end in _places_of_tokens(source):
        for place in range(start, end):
            sign = source[place]
            if sign not in WHITE:
                # A mark may be cut in two at the end of a line, and its parts be joined with the signs around it.
                most = 1 if clean(sign) == sign else 2
                assert 1 <= count[place] <= most, (place, sign)


def _shown_places(lines: Iterable[Line]) -> set[tuple[int, int]]:
    """Each place once, however many spans stand for it as one."""
    return {(span.start, span.end) for line in lines for span in line.spans if span.start >= 0}


def _places_of_tokens(source: str) -> Iterator[tuple[int, int]]:
    change = Scan().feed(source)
    for segment in change.segments:
        text = source[segment.start : segment.end]
        tokens, _ = parse(text, change.context.references, change.context.footnotes)
        for start, end in _leaves(tokens):
            yield segment.start + start, segment.start + end


def _leaves(tokens: Iterable[Token]) -> Iterator[tuple[int, int]]:
    for token in tokens:
        if token.type == "inline":
            yield from _leaves(token.children or [])
        elif _is_blank(token):
            continue
        elif token.type in ("text", "text_special", "footnote_ref", *_MATHS):
            yield token.meta["at"]
        elif token.type in ("code_inline", "image"):
            yield token.meta["inner"]
        elif token.type in ("fence", "code_block", "plain_block"):
            for line, start in zip(token.content.split("\n"), token.meta["lines"], strict=False):
                blanks = len(line) - len(line.lstrip(" "))
                yield start + blanks, start + len(line)


def _is_blank(token: Token) -> bool:
    """Whether the token is an entity or a formula that is nothing but space."""
    if token.type in _MATHS:
        return not one_line(token.content)
    return token.type == "text_special" and token.content.isspace()


def spans_of(source: str, width: int = 40) -> list[Span]:
    """All spans that show something of the source."""
    return [span for line in lay_out(source, width).lines for span in line.spans if span.start >= 0]
