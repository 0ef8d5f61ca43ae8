"""Markdown with mathematics into tokens that know their places.

CommonMark by markdown-it-py, with tables, strikethrough, tasks, footnotes and Stack Exchange's spoilers. Formulas are
tokens of their own before anything in them can be taken for markup. HTML is text. Nesting is bounded; what lies deeper
is one plain token, so no text is lost and recursion stays shallow. The text is read as it is: a lone carriage return or
a NUL is a sign like any other, so that a place in a token is a place in the text.
"""

from collections import ChainMap
from collections.abc import Container, Iterator, Mapping
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from uq_tui.document.markup.block_rules import MAX_NESTING, use_block_rules
from uq_tui.document.markup.inline_rules import use_inline_rules
from uq_tui.document.markup.places import PlacedBlocks, Places

__all__ = ["MAX_INLINE", "MAX_NESTING", "References", "parse", "parse_blocks", "parse_inline"]

MAX_INLINE = 50_000
"""Longest paragraph read for inline markup, in characters; a longer one is plain text."""
PROSE = "prose"
"""The language of a code block that holds sentences: its lines are broken at blanks, and it isn't named."""

References = Mapping[str, Mapping[str, Any]]
"""Link definitions: address `href` and `title` by normalised label."""


def parse(text: str, references: References, footnotes: Container[str] = ()) -> tuple[list[Token], References]:
    """Tokens of `text`, and the link definitions known after it: `references` and those that `text` adds.

    Token types are markdown-it's, plus

    - `math_inline`, `math_display` (within a paragraph) and `math_block`, with LaTeX as their content; a `math_block`'s
      info is the punctuation after it;
    - `plain_block`, text that lies too deep to be read as markup;
    - `footnote_ref` where its label is among `footnotes`; `footnote_open` and `footnote_close` around a definition;
    - `text_special`, an escape or entity, which isn't joined with the text around.

    Places are offsets in `text`, start and end. `meta["at"]` of an inline token is all that it was read from, its marks
    too, and for a text its very signs; `meta["inner"]` is what stands between the marks. `meta["extent"]` of an
    `inline` token is its content, and `meta["lines"]` of a block of code or plain text where each line of its content
    begins; these and `table_open` have `meta["at"]` too. A task's `list_item_open` says in `meta["checked"]` whether it
    is done, a spoiler's `blockquote_open` has `meta["spoiler"]`.
    """
    tokens, known = parse_blocks(text, references)
    for token in tokens:
        if token.type == "inline":
            parse_inline(token, known, footnotes)
    return tokens, known


def parse_blocks(text: str, references: References) -> tuple[list[Token], ChainMap[str, Mapping[str, Any]]]:
    """The same without reading what `inline` tokens hold, which is much the slower part.

    New link definitions are in the first map of the result, and say in `map` which lines they stand on.
    """
    known = ChainMap[str, Mapping[str, Any]]({}, references)  # type: ignore[arg-type]
    tokens: list[Token] = []
    state = PlacedBlocks(text, _parser(), {"references": known}, tokens)
    state.md.block.tokenize(state, 0, state.lineMax)
    for token in tokens:
        if token.type == "inline":
            token.meta["extent"] = token.meta["places"].span(0, len(token.content))
    return tokens, known


def parse_inline(token: Token, references: References, footnotes: Container[str]) -> list[Token]:
    """Read what an `inline` token of `parse_blocks` holds: its children."""
    children: list[Token] = []
    if len(token.content) <= MAX_INLINE:
        parser = _parser()
        parser.inline.parse(token.content, parser, {"references": references, "footnotes": footnotes}, children)
    elif token.meta["extent"][1] - token.meta["extent"][0] == len(token.content):
        children.append(Token("text", "", 0, content=token.content, meta={"at": (0, len(token.content))}))
    else:
        at = 0
        for number, line in enumerate(token.content.split("\n")):
            if number:
                children.append(Token("softbreak", "br", 0, meta={"at": (at - 1, at)}))
            children.append(Token("text", "", 0, content=line, meta={"at": (at, at + len(line))}))
            at += len(line) + 1
    token.children = list(_settled(children, token.meta["places"]))
    return token.children


def _settled(tokens: list[Token], places: Places) -> Iterator[Token]:
    """The tokens with places in the text for places in the content. A text that isn't one stretch there is cut."""
    for token in tokens:
        meta = token.meta
        start, end = meta["at"]
        if token.type in ("softbreak", "hardbreak"):
            # What stands before the next line's content, as the marks of a quote, is a part of the break.
            meta["at"] = places.at(start), places.at(end)
        else:
            meta["at"] = places.span(start, end)
        if "inner" in meta:
            meta["inner"] = places.span(*meta["inner"])
        if token.children:
            token.children = list(_settled(token.children, places))
        if token.type == "text" and meta["at"][1] - meta["at"][0] != end - start:
            for first, last in places.stretches(start, end):
                content = token.content[first - start : last - start]
                yield Token("text", "", 0, content=content, level=token.level, meta={"at": places.span(first, last)})
        else:
            yield token


@cache
def _parser() -> MarkdownIt:
    # Inline rules recurse as far as maxNesting says, so it is little above what blocks may use up.
    parser = MarkdownIt("commonmark", {"html": False, "tasklists": True, "maxNesting": MAX_NESTING + 20})
    parser.enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    use_block_rules(parser)
    use_inline_rules(parser)
    return parser
