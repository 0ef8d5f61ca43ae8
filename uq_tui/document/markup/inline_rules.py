"""Markup within a paragraph: markdown-it's rules and two of our own, each token with its place in the content.

A token's place is `meta["at"]`, start and end; `meta["inner"]` is the place of what stands between its marks.
"""

import re
from functools import cached_property
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.parser_inline import ParserInline
from markdown_it.rules_inline import StateInline, autolink, backtick, image, link, newline, text
from markdown_it.token import Token
from markdown_it.utils import EnvType

from uq_tui.document.markup.rule_choice import InlineRules
from uq_tui.document.maths.spans import Formulas

_FOOTNOTE = re.compile(r"\[\^([^\s\[\]]{1,100})\]")


def use_inline_rules(parser: MarkdownIt) -> None:
    """Have `parser` read paragraphs by these rules."""
    inline = _PlacedInline()
    inline.ruler, inline.ruler2 = parser.inline.ruler, parser.inline.ruler2
    inline.rules = InlineRules(inline.ruler)
    parser.inline = inline
    inline.ruler.before("escape", "math", _math)
    inline.ruler.at("newline", _newline)
    inline.ruler.at("backticks", _code)
    inline.ruler.at("link", _link)
    inline.ruler.after("link", "footnote", _footnote)
    inline.ruler.at("image", _image)
    inline.ruler.at("autolink", _autolink)
    inline.ruler2.at("fragments_join", _join)


class _PlacedState(StateInline):
    """markdown-it's state of reading a paragraph, which also knows where text that is put together began."""

    _begun = -1

    @cached_property
    def formulas(self) -> Formulas:
        """Where formulas are in the paragraph."""
        return Formulas(self.src)

    def append_pending(self, text: str) -> None:
        # What is added always stands where the reading is, and is one stretch of the content until it is pushed.
        if self._begun < 0:
            self._begun = self.pos
        super().append_pending(text)

    def pushPending(self) -> Token:  # noqa: N802
        token = super().pushPending()
        token.meta["at"] = (self._begun, self._begun + len(token.content))
        self._begun = -1
        return token

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        token = super().push(ttype, tag, nesting)
        self._begun = -1
        return token


class _PlacedInline(ParserInline):
    """markdown-it's reader of paragraphs. Each token that a rule adds gets the place that the rule has read."""

    rules: InlineRules

    def parse(self, src: str, md: MarkdownIt, env: EnvType, tokens: list[Token]) -> list[Token]:
        state = _PlacedState(src, md, env, tokens)
        self.tokenize(state)
        for rule in self.ruler2.getRules(""):
            rule(state)
        return state.tokens

    def tokenize(self, state: StateInline) -> None:
        by_sign, plain = self.rules.by_sign, (text,)
        end, deepest = state.posMax, state.md.options["maxNesting"]
        while state.pos < end:
            start, count = state.pos, len(state.tokens)
            for rule in by_sign.get(state.src[start], plain) if state.level < deepest else ():
                if rule(state, False):
                    if len(state.tokens) > count:
                        _place(state, count, start)
                    break
            else:
                state.append_pending(state.src[start])
                state.pos = start + 1
        if state.pending:
            state.pushPending()


def _place(state: StateInline, first: int, start: int) -> None:
    """Give their places to the tokens from the index `first` on that have none: all of what was read since `start`.

    Texts, which are the marks of emphasis, follow each other from there.
    """
    at = start
    for token in state.tokens[first:]:
        if "at" in token.meta:
            continue
        if token.type == "text":
            token.meta["at"] = (at, at + len(token.content))
            at += len(token.content)
        else:
            token.meta["at"] = (start, state.pos)


# Rules


def _math(state: StateInline, silent: bool) -> bool:
    """A formula."""
    start = state.pos
    if state.src[start] not in "$\\":
        return False
    assert isinstance(state, _PlacedState)
    span = state.formulas.match(start)
    if span is None or span.end > state.posMax:
        if not state.src.startswith("$$", start) or start + 2 > state.posMax:
            return False
        # Neither of two dollars that open nothing may open anything alone.
        if not silent:
            state.append_pending("$$")
        state.pos += 2
        return True
    if not silent:
        token = state.push("math_display" if span.display else "math_inline", "math", 0)
        token.content = state.src[span.inner_start : span.inner_end]
        token.meta["inner"] = (span.inner_start, span.inner_end)
    state.pos = span.end
    return True


def _footnote(state: StateInline, silent: bool) -> bool:
    """The mark of a footnote, `[^name]`, where such a one is defined."""
    if not state.src.startswith("[^", state.pos):
        return False
    found = _FOOTNOTE.match(state.src, state.pos, state.posMax)
    if found is None or found[1] not in state.env["footnotes"]:
        return False
    if not silent:
        token = state.push("footnote_ref", "", 0)
        token.content = found[0]
        token.meta["label"] = found[1]
    state.pos = found.end()
    return True


def _newline(state: StateInline, silent: bool) -> bool:
    """The end of a line, with the blanks before and behind it."""
    start = state.pos
    if state.src[start] != "\n":
        return False
    if not silent:
        pending = state.pending
        start -= len(pending) - len(pending.rstrip(" "))
    newline(state, silent)
    if not silent:
        state.tokens[-1].meta["at"] = (start, state.pos)
    return True


def _code(state: StateInline, silent: bool) -> bool:
    start, count = state.pos, len(state.tokens)
    if not backtick(state, silent):
        return False
    if len(state.tokens) > count:
        token = state.tokens[-1]
        inner = (start + len(token.markup), state.pos - len(token.markup))
        stripped = (inner[1] - inner[0] - len(token.content)) // 2
        token.meta["inner"] = (inner[0] + stripped, inner[1] - stripped)
    return True


def _link(state: StateInline, silent: bool) -> bool:
    start, count = state.pos, len(state.tokens)
    if not link(state, silent):
        return False
    if not silent:
        opening = next(token for token in state.tokens[count:] if token.type == "link_open" and "at" not in token.meta)
        end = max(start + 1, state.tokens[-2].meta.get("at", (0, 0))[1])
        opening.meta.update(at=(start, state.pos), inner=(start + 1, end))
        state.tokens[-1].meta.update(opening.meta)
    return True


def _image(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if not image(state, silent):
        return False
    if not silent:
        token = state.tokens[-1]
        token.meta["inner"] = (start + 2, start + 2 + len(token.content))
        move(token.children or [], start + 2)
    return True


def _autolink(state: StateInline, silent: bool) -> bool:
    start = state.pos
    if not autolink(state, silent):
        return False
    if not silent:
        opening, address, closing = state.tokens[-3:]
        inner = (start + 1, state.pos - 1)
        address.content = state.src[slice(*inner)]
        address.meta["at"] = inner
        for token in (opening, closing):
            token.meta.update(at=(start, state.pos), inner=inner)
    return True


def move(tokens: list[Token], by: int) -> None:
    """Move the places of the tokens by so many signs."""
    for token in tokens:
        for key in ("at", "inner"):
            if key in token.meta:
                start, end = token.meta[key]
                token.meta[key] = (start + by, end + by)
        if token.children:
            move(token.children, by)


# Afterwards


def _join(state: StateInline) -> None:
    """Join texts that follow each other, and set the levels; both may have changed as emphasis was found.

    Takes the place of markdown-it's rule of the same name, which knows no places. The marks of strong emphasis are a
    token and an empty text each, of which one token is made.
    """
    kept: list[Token] = []
    parts: list[str] = []
    level, outer = 0, -1
    for token in state.tokens:
        last = kept[-1] if kept else None
        if token.type == "text":
            start, end = token.meta["at"]
            if not token.content:
                if last is not None and last.type == "strong_close" and last.meta["at"][1] <= start:
                    last.meta["at"] = (last.meta["at"][0], start + 1)
                else:
                    outer = start
                continue
            if last is not None and start < last.meta["at"][0]:
                start, end = _swap(kept, token)
            if last is not None and last.type == "text" and last.meta["at"][1] == start:
                parts.append(token.content)
                last.meta["at"] = (last.meta["at"][0], end)
                continue
        if len(parts) > 1:
            kept[-1].content = "".join(parts)
        parts = [token.content]
        if token.type == "strong_open" and outer >= 0:
            token.meta["at"] = (outer, token.meta["at"][1])
        outer = -1
        level += min(token.nesting, 0)
        token.level = level
        level += max(token.nesting, 0)
        kept.append(token)
    if len(parts) > 1:
        kept[-1].content = "".join(parts)
    state.tokens[:] = kept


def _swap(kept: list[Token], lone: Token) -> tuple[int, int]:
    """Give a lone tilde, which markdown-it moves behind the marks that close, its place there: all are tildes."""
    at = lone.meta["at"][0]
    first = len(kept)
    while first and kept[first - 1].type == "s_close" and kept[first - 1].meta["at"][0] > at:
        first -= 1
    for token in kept[first:]:
        token.meta["at"] = (at, at + len(token.markup))
        at += len(token.markup)
    lone.meta["at"] = (at, at + len(lone.content))
    return at, at + len(lone.content)
