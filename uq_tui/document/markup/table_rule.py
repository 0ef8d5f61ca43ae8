r"""Tables, as GitHub reads them, save that a bar within a formula or within code parts no cells.

A row is read so where that gives as many cells as the table has columns; else, where each bar parting cells does, by
that. Cells beyond the last column belong to its cell, so that no text is lost.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from markdown_it.common.utils import MD_TRIM_CHARS
from markdown_it.rules_block import StateBlock

from uq_tui.document.markup.places import Places
from uq_tui.document.maths.spans import Formulas

MAX_EMPTY_CELLS = 65_536
"""Cells that may be missing in the rows of one table: some KB of text could else ask for millions."""
MAX_TABLE = 50_000
"""Longest table, in characters: it is laid out at once, and that takes ten times as long as for plain text."""
MAX_ROW = 5_000
"""In a longer row each bar parts cells, in characters."""

_RULE = re.compile(r"\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?")
_RULE_BEGINS = frozenset("|:-")
_NO_RULE = re.compile(r"-[ \t]|.?$")
"""What a list begins with, and what is too short."""
_OPAQUE = re.compile(r"`+|\\[|$(]|\$|\|")
_HIDING = re.compile(r"[`$\\]")
"""Without one of these no bar is within a formula or code, or escaped."""
_BAR = re.compile(r"\\?\|")
_ESCAPED = re.compile(r"\\\|")


class _Cell(NamedTuple):
    """Where a cell stands in its row, without the blanks around."""

    start: int
    end: int


def placed_table(state: StateBlock, start_line: int, end_line: int, silent: bool) -> bool:
    """markdown-it's rule for a table. `meta["places"]` of each cell's `inline` token says where its content stands."""
    aligns = _aligns(state, start_line, end_line)
    if not aligns or state.is_code_block(start_line) or _is_too_long(state, start_line, start_line + 1):
        return False
    head = _row(state, start_line)
    if "|" not in head or len(_parted(head, len(aligns))) != len(aligns):
        return False
    if silent:
        return True
    parent, state.parentType = state.parentType, "table"
    opening = state.push("table_open", "table", 1)
    state.push("thead_open", "thead", 1).map = [start_line, start_line + 1]
    _push_row(state, start_line, "th", aligns, _cells(head, len(aligns)))
    state.push("thead_close", "thead", -1)
    rows = _rows(state, start_line + 2, end_line, len(aligns))
    line = start_line + 2 + len(rows)
    if rows:
        state.push("tbody_open", "tbody", 1).map = [start_line + 2, line]
        for number, cells in enumerate(rows, start_line + 2):
            _push_row(state, number, "td", aligns, cells)
        state.push("tbody_close", "tbody", -1)
    state.push("table_close", "table", -1)
    opening.map = [start_line, line]
    opening.meta["at"] = (state.bMarks[start_line] + state.tShift[start_line], state.eMarks[line - 1])
    state.parentType, state.line = parent, line
    return True


def _is_too_long(state: StateBlock, first: int, last: int) -> bool:
    return state.eMarks[last] - state.bMarks[first] > MAX_TABLE


def _row(state: StateBlock, line: int) -> str:
    return state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]].rstrip(MD_TRIM_CHARS)


def _aligns(state: StateBlock, start_line: int, end_line: int) -> list[str]:
    """How each column is aligned, from the second line of a table; none if it isn't one."""
    line = start_line + 1
    if line >= end_line or state.sCount[line] < state.blkIndent or state.is_code_block(line):
        return []
    begin = state.bMarks[line] + state.tShift[line]
    if state.src[begin : begin + 1] not in _RULE_BEGINS:
        return []
    rule = _row(state, line)
    if not _RULE.fullmatch(rule) or _NO_RULE.match(rule):
        return []
    ends = {"--": "", ":-": "left", "-:": "right", "::": "center"}
    columns = (column.strip() for column in rule.strip("|").split("|"))
    return [ends[(column[0] + column[-1])] for column in columns]


def _rows(state: StateBlock, line: int, end_line: int, columns: int) -> list[list[_Cell]]:
    """The cells of the rows from `line` on, of all that the table has. What is too long for one is a paragraph."""
    terminators = state.md.block.ruler.getRules("blockquote")
    head, missing = line - 2, 0
    rows: list[list[_Cell]] = []
    while line < end_line and state.sCount[line] >= state.blkIndent and not state.is_code_block(line):
        row = _row(state, line)
        if not row or _is_too_long(state, head, line) or any(rule(state, line, end_line, True) for rule in terminators):
            break
        cells = _cells(row, columns)
        missing += columns - len(cells)
        if missing > MAX_EMPTY_CELLS:
            break
        rows.append(cells)
        line += 1
    return rows


def _push_row(state: StateBlock, line: int, tag: str, aligns: Sequence[str], cells: Sequence[_Cell]) -> None:
    state.push("tr_open", "tr", 1).map = [line, line + 1]
    row = _row(state, line)
    start = state.bMarks[line] + state.tShift[line]
    missing = [_Cell(len(row), len(row))] * (len(aligns) - len(cells))
    for align, cell in zip(aligns, (*cells, *missing), strict=True):
        opening = state.push(f"{tag}_open", tag, 1)
        if align:
            opening.attrs = {"style": f"text-align:{align}"}
        token = state.push("inline", "", 0)
        token.map = [line, line + 1]
        token.children = []
        token.content, token.meta["places"] = _content(row[cell.start : cell.end], start + cell.start)
        state.push(f"{tag}_close", tag, -1)
    state.push("tr_close", "tr", -1)


def _content(cell: str, start: int) -> tuple[str, Places]:
    r"""What a cell holds, without the backslash of any `\|`, and where that stands in the text."""
    if "\\" not in cell:
        return cell, Places((0,), (start,))
    contents, offsets = [0], [start]
    for number, escaped in enumerate(_ESCAPED.finditer(cell), 1):
        contents.append(escaped.end() - 1 - number)
        offsets.append(start + escaped.end() - 1)
    return cell.replace(r"\|", "|"), Places(contents, offsets)


def _cells(row: str, columns: int) -> list[_Cell]:
    """The cells of a row, at most as many as there are columns."""
    cells = _parted(row, columns)
    if len(cells) > columns:
        cells[columns - 1 :] = [_Cell(cells[columns - 1].start, cells[-1].end)]
    return cells


def _parted(row: str, columns: int) -> list[_Cell]:
    """The cells of a row in the way that gives as many as there are columns, if one does."""
    plain = _between(row, [found.start() for found in _BAR.finditer(row) if found[0] == "|"])
    if len(row) > MAX_ROW or not _HIDING.search(row):
        return plain
    cells = _between(row, list(_bars(row)))
    return plain if len(cells) != columns == len(plain) else cells


def _between(row: str, bars: Sequence[int]) -> list[_Cell]:
    """What stands between the bars; one at either end of the row parts nothing."""
    edges = [-1, *bars, len(row)]
    if bars and bars[0] == 0:
        del edges[0]
    if bars and bars[-1] == len(row) - 1:
        del edges[-1]
    cells: list[_Cell] = []
    for before, after in pairwise(edges):
        text = row[before + 1 : after]
        start = before + 1 + len(text) - len(text.lstrip(MD_TRIM_CHARS))
        cells.append(_Cell(start, max(start, before + 1 + len(text.rstrip(MD_TRIM_CHARS)))))
    return cells


def _bars(row: str) -> Iterator[int]:
    """The bars outside of formulas and code."""
    formulas = Formulas(row)
    at = 0
    while found := _OPAQUE.search(row, at):
        at = found.end()
        if found[0] == "|":
            yield found.start()
        elif found[0][0] == "`":
            closing = re.compile(rf"(?<!`){found[0]}(?!`)").search(row, at)
            at = closing.end() if closing else at
        elif found[0] == "$" or found[0] == r"\(":
            span = formulas.match(found.start())
            at = span.end if span else at
