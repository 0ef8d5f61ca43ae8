"""Markdown with mathematics into tokens.

CommonMark with tables and strikethrough, by markdown-it-py. Formulas are tokens of their own before anything in them
can be taken for markup. HTML is text. Nesting is bounded; what lies deeper is one plain token, so no text is lost
and recursion stays shallow.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_core import StateCore
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from uq_tui.document.maths.spans import MAX_DISPLAY, MathSpan, match_math

MAX_NESTING = 40
"""Levels of quotes and list items read as such."""
MAX_INLINE = 50_000
"""Longest paragraph read for inline markup, in characters; a longer one is plain text."""

_MAX_ATTEMPTS = 4
"""How many lines are tried as the last of one formula."""
_PUNCTUATION = re.compile(r"\s*[.,;:]?\s*")
_BLOCK_OPENER = re.compile(r"\$\$|\\\[|\\begin\{(?P<name>[A-Za-z]+\*?)\}")

References = Mapping[str, Mapping[str, Any]]


def parse(text: str, references: References) -> tuple[list[Token], dict[str, Any]]:
    """Tokens of `text`, and the link definitions known after it: `references` and those that `text` adds.

    Token types are markdown-it's, plus `math_inline`, `math_display` (within a paragraph), `math_block` and
    `plain_block`, all with LaTeX or text as their content. A `math_block`'s info is the punctuation after it.
    """
    env: dict[str, Any] = {"references": dict(references)}
    tokens = _parser().parse(text, env)
    return tokens, env["references"]


@cache
def _parser() -> MarkdownIt:
    # Inline rules recurse as far as maxNesting says, so it is little above what blocks may use up.
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": MAX_NESTING + 20})
    parser.enable(["table", "strikethrough"])
    parser.disable(["html_block", "html_inline"])
    parser.block.ruler.before("table", "plain_block", _plain_block)
    parser.block.ruler.before(
        "table", "math_block", _math_block, {"alt": ["paragraph", "reference", "blockquote", "list"]}
    )
    parser.inline.ruler.before("escape", "math", _math_inline)
    parser.core.ruler.at("inline", _inline)
    return parser


def _inline(state: StateCore) -> None:
    for token in state.tokens:
        if token.type != "inline":
            continue
        token.children = []
        if len(token.content) <= MAX_INLINE:
            state.md.inline.parse(token.content, state.md, state.env, token.children)
            continue
        for number, line in enumerate(token.content.split("\n")):
            if number:
                token.children.append(Token("softbreak", "br", 0))
            token.children.append(Token("text", "", 0, content=line))


def _plain_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """All that is left of a container that lies too deep, as one token."""
    if state.level < MAX_NESTING:
        return False
    line = start_line
    while line < end_line and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
    line = max(line, start_line + 1)
    token = state.push("plain_block", "", 0)
    token.content = state.getLines(start_line, line, state.blkIndent, False).strip("\n")
    token.map = [start_line, line]
    state.line = line
    return True


def _math_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A displayed formula on lines of its own. It may interrupt a paragraph, and never holds a blank line."""
    if state.sCount[start_line] - state.blkIndent >= 4:
        return False
    found = _find_block(state, start_line, min(end_line, state.lineMax))
    if found is None:
        return False
    text, span, last_line = found
    rest = text[span.end :]
    goes_on = not _PUNCTUATION.fullmatch(rest)
    if goes_on and last_line == start_line:
        return False
    if silent:
        return True
    token = state.push("math_block", "math", 0)
    token.content = text[span.inner_start : span.inner_end]
    token.info = "" if goes_on else rest.strip()
    token.map = [start_line, last_line + 1]
    state.line = last_line + 1
    if goes_on:
        # The paragraph that begins behind the formula has this line's end for its first line.
        state.line = last_line
        state.bMarks[last_line] = state.eMarks[last_line] - len(rest.lstrip())
        state.tShift[last_line] = 0
        state.sCount[last_line] = state.blkIndent
    return True


def _find_block(state: StateBlock, start_line: int, end_line: int) -> tuple[str, MathSpan, int] | None:
    """The formula that opens `start_line`: the text of its lines, where it is in that text, its last line."""
    text = _line_text(state, start_line)
    opener = _BLOCK_OPENER.match(text)
    if opener is None:
        return None
    closer = {"$$": "$$", r"\[": r"\]"}.get(opener[0]) or rf"\end{{{opener['name']}}}"
    hopeless: dict[str, range] = state.env.setdefault("hopeless", {})
    if start_line in hopeless.get(closer, ()):
        return None
    line, tail, attempts = start_line, text[opener.end() :], 0
    while True:
        if closer in tail:
            span = match_math(text, 0)
            if span:
                return text, span, line
            attempts += 1
        line += 1
        if line >= end_line or state.isEmpty(line) or state.sCount[line] < state.blkIndent:
            break
        if len(text) > MAX_DISPLAY or attempts >= _MAX_ATTEMPTS:
            break
        tail = _line_text(state, line)
        text += "\n" + tail
    # Nor does any of the same kind that opens in between, or every line would be searched from every line.
    hopeless[closer] = range(start_line, line)
    return None


def _line_text(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]]


def _math_inline(state: StateInline, silent: bool) -> bool:
    """A formula within a paragraph."""
    if state.src[state.pos] not in "$\\":
        return False
    span = match_math(state.src, state.pos)
    if span is None or span.end > state.posMax:
        if not state.src.startswith("$$", state.pos) or state.pos + 2 > state.posMax:
            return False
        # Neither of two dollars that open nothing may open anything alone.
        if not silent:
            state.append_pending("$$")
        state.pos += 2
        return True
    if not silent:
        token = state.push("math_display" if span.display else "math_inline", "math", 0)
        token.content = state.src[span.inner_start : span.inner_end]
    state.pos = span.end
    return True
