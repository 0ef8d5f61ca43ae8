"""Blocks that CommonMark doesn't know, and markdown-it's own with the places of what they hold."""

import re
from collections.abc import Callable

from markdown_it import MarkdownIt
from markdown_it.common.utils import MD_TRIM_CHARS, isStrSpace
from markdown_it.ruler import RuleOptionsType
from markdown_it.rules_block import StateBlock, code, fence, heading, reference

from uq_tui.document.markup.formula_blocks import math_block
from uq_tui.document.markup.places import PlacedBlocks, Places
from uq_tui.document.markup.rule_choice import BlockRules
from uq_tui.document.markup.table_rule import placed_table

MAX_NESTING = 40
"""Levels of quotes and list items read as such."""

MAX_DEFINITION = 100
"""Lines that the definition of a link may have."""

_LABEL = re.compile(r"\[(?:[^\[\]\\]|\\.){1,999}\]:", re.DOTALL)
"""CommonMark allows so many characters in the label of a link, and no bracket."""
_FOOTNOTE = re.compile(r"\[\^([^\s\[\]]{1,100})\]:")
_SPOILER = re.compile(r">!(?!\[)")
_QUOTE = re.compile(r">!?[ ]?")

_Rule = Callable[[StateBlock, int, int, bool], bool]


def use_block_rules(parser: MarkdownIt) -> None:
    """Have `parser` read blocks by these rules."""
    ruler = parser.block.ruler
    all_others: RuleOptionsType = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    ruler.before("table", "plain_block", _plain_block)
    ruler.before("table", "math_block", math_block, all_others)
    ruler.at("table", placed_table, {"alt": ["paragraph", "reference"]})
    ruler.at("code", _with_lines(code))
    ruler.at("fence", _with_lines(fence), all_others)
    ruler.before("blockquote", "spoiler", _spoiler, all_others)
    ruler.before("reference", "footnote", _footnote, all_others)
    ruler.at("reference", _reference)
    ruler.at("heading", _heading, {"alt": ["paragraph", "reference", "blockquote"]})
    parser.block.ruler = BlockRules(ruler)


def _placed(state: StateBlock) -> PlacedBlocks:
    assert isinstance(state, PlacedBlocks)
    return state


def _plain_block(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """All that is left of a container that lies too deep, as one token."""
    if state.level < MAX_NESTING:
        return False
    line = start_line
    while line < end_line and (state.isEmpty(line) or state.sCount[line] >= state.blkIndent):
        line += 1
    line = max(line, start_line + 1)
    while line > start_line + 1 and state.isEmpty(line - 1):
        line -= 1
    token = state.push("plain_block", "", 0)
    token.content = state.getLines(start_line, line, state.blkIndent, False)
    token.meta["lines"] = list(_placed(state).taken.offsets)
    token.map = [start_line, line]
    state.line = line
    token.meta["at"] = _extent(state, start_line)
    return True


def _extent(state: StateBlock, start_line: int) -> tuple[int, int]:
    """Where the block that was just read stands, from its first sign to the end of its last line."""
    return state.bMarks[start_line] + state.tShift[start_line], state.eMarks[state.line - 1]


def _with_lines(rule: _Rule) -> _Rule:
    """A rule for a block of code that also says where its lines stand."""

    def placed(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
        _placed(state).taken = Places((), ())
        if not rule(state, start_line, end_line, silent):
            return False
        if not silent:
            token = state.tokens[-1]
            token.meta["lines"] = list(_placed(state).taken.offsets)
            token.meta["at"] = _extent(state, start_line)
            if info := token.info.strip():
                start = state.eMarks[start_line] - len(token.info) + token.info.index(info)
                token.meta["info"] = (start, start + len(info))
        return True

    return placed


def _heading(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    if not heading(state, start_line, end_line, silent):
        return False
    if not silent:
        start = state.bMarks[start_line] + state.tShift[start_line] + len(state.tokens[-3].markup)
        line = state.src[start : state.eMarks[start_line]]
        start += len(line) - len(line.lstrip(MD_TRIM_CHARS))
        state.tokens[-2].meta["places"] = Places((0,), (start,))
    return True


def _reference(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """markdown-it's rule for the definition of a link, which looks for the end of a label or a title without bounds."""
    if not _LABEL.match(state.src, state.bMarks[start_line] + state.tShift[start_line]):
        return False
    line_max, state.lineMax = state.lineMax, min(state.lineMax, start_line + MAX_DEFINITION)
    try:
        return reference(state, start_line, end_line, silent)
    finally:
        state.lineMax = line_max


def _footnote(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A footnote, `[^name]: text`; what belongs to it is set in by four columns."""
    if state.is_code_block(start_line):
        return False
    start = state.bMarks[start_line] + state.tShift[start_line]
    if not state.src.startswith("[^", start):
        return False
    found = _FOOTNOTE.match(state.src, start, state.eMarks[start_line])
    if found is None:
        return False
    if silent:
        return True
    token = state.push("footnote_open", "", 1)
    token.meta.update(label=found[1], at=found.span())
    saved = state.bMarks[start_line], state.tShift[start_line], state.sCount[start_line], state.parentType
    state.blkIndent += 4
    state.parentType = "footnote"
    state.bMarks[start_line] = found.end()
    state.tShift[start_line] = min(state.skipSpaces(found.end()), state.eMarks[start_line]) - found.end()
    state.sCount[start_line] = state.blkIndent
    state.md.block.tokenize(state, start_line, end_line)
    state.blkIndent -= 4
    state.bMarks[start_line], state.tShift[start_line], state.sCount[start_line], state.parentType = saved
    token.map = [start_line, state.line]
    state.push("footnote_close", "", -1)
    return True


def _spoiler(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """A quote that is hidden until asked for, by the custom of Stack Exchange: its first line begins with `>!`."""
    if state.is_code_block(start_line):
        return False
    if not _SPOILER.match(state.src, state.bMarks[start_line] + state.tShift[start_line], state.eMarks[start_line]):
        return False
    if silent:
        return True
    saved_lines: list[tuple[int, int, int, int]] = []
    line = start_line
    while line < end_line and state.blkIndent <= state.sCount[line] < state.blkIndent + 4:
        found = _QUOTE.match(state.src, state.bMarks[line] + state.tShift[line], state.eMarks[line])
        if found is None:
            break
        saved_lines.append((state.bMarks[line], state.tShift[line], state.sCount[line], state.bsCount[line]))
        _set_in(state, line, found)
        line += 1
    saved = state.blkIndent, state.lineMax, state.parentType
    state.blkIndent, state.lineMax, state.parentType = 0, line, "blockquote"
    token = state.push("blockquote_open", "blockquote", 1)
    token.markup = ">!"
    token.map = [start_line, line]
    token.meta["spoiler"] = True
    state.md.block.tokenize(state, start_line, line)
    state.push("blockquote_close", "blockquote", -1).markup = ">!"
    state.blkIndent, state.lineMax, state.parentType = saved
    for number, marks in enumerate(saved_lines, start_line):
        state.bMarks[number], state.tShift[number], state.sCount[number], state.bsCount[number] = marks
    state.line = line
    return True


def _set_in(state: StateBlock, line: int, mark: re.Match[str]) -> None:
    """Have `line` begin behind `mark`."""
    begun = offset = state.sCount[line] + len(mark[0])
    at = mark.end()
    while at < state.eMarks[line] and isStrSpace(state.src[at]):
        offset += 4 - offset % 4 if state.src[at] == "\t" else 1
        at += 1
    state.bMarks[line], state.tShift[line] = mark.end(), at - mark.end()
    state.sCount[line], state.bsCount[line] = offset - begun, begun
