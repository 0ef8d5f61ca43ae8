"""The tokens of a segment to lines of a given width."""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from uq_tui.document.drawing.code_blocks import code_rows, plain_rows
from uq_tui.document.drawing.formulas import Display, formula_rows
from uq_tui.document.drawing.inline import inline_parts, inline_spans
from uq_tui.document.drawing.lines import Line, Span, as_one, cells, merge, wrap
from uq_tui.document.drawing.placed import Setting
from uq_tui.document.drawing.tables import Cell, table_lines
from uq_tui.document.markup.units import Unit

_MIN_ROOM = 10
"""A quote or list item that would leave less room than this is not set in any further."""
_BULLETS = "•◦▪"
_BOXES = {False: "☐", True: "☑"}
_QUOTE_BAR = Span("▌ ", "quote")


def block_lines(tokens: Sequence[Token], width: int, setting: Setting, units: Sequence[Unit]) -> list[Line]:
    """Lines of the blocks that the tokens hold, with a blank one between any two.

    Args:
        tokens: the tokens of `setting.text`.
        width: cells per line, at least 8.
        setting: the text, and what it is read with.
        units: those of the text, by their places in it.
    """
    writer = _Writer(width, setting, units)
    writer.write(tokens)
    return writer.lines


@dataclass
class _Frame:
    """A quote, a list or a list item that is open: what stands before each of its lines."""

    lead: tuple[Span, ...] = ()
    """Stands before the first line, then `rest` takes its place."""
    rest: Span | None = None
    tight: bool = False
    empty: bool = True


class _Writer:
    def __init__(self, width: int, setting: Setting, units: Sequence[Unit]) -> None:
        self.lines: list[Line] = []
        self._width = width
        self._setting = setting
        self._units = units
        self._ends = [unit.end for unit in units]
        self._starts = _line_starts(setting.text)
        self._frames = [_Frame()]
        self._here = 0
        self._bullet_depth = 0

    def write(self, tokens: Sequence[Token]) -> None:
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.map:
                self._here = self._starts[token.map[0]]
            if token.type == "table_open":
                end = next(i for i in range(index, len(tokens)) if tokens[i].type == "table_close")
                self._table(tokens[index:end])
                index = end
            else:
                self._token(token, tokens, index)
            index += 1

    def _token(self, token: Token, tokens: Sequence[Token], index: int) -> None:
        match token.type:
            case "paragraph_open":
                self._start()
            case "heading_open":
                self._start()
                self._heading(token, tokens[index + 1])
            case "inline" if tokens[index - 1].type != "heading_open":
                self._paragraph(token)
            case "fence" | "code_block":
                self._start()
                for row in code_rows(token, self._room, self._setting):
                    self._emit(row.spans, at=row.start, fill="code" if row.filled else "")
            case "math_block":
                self._start()
                self._formula(_displayed(token))
            case "plain_block":
                self._start()
                for row in plain_rows(token, self._room):
                    self._emit(row.spans, at=row.start)
            case "hr":
                self._start()
                self._emit([Span("─" * self._room, "dim")])
            case "blockquote_open":
                self._start()
                self._push((_QUOTE_BAR,), _QUOTE_BAR)
                if token.meta.get("spoiler"):
                    self._emit([Span("spoiler", "label")])
                    self._frames[-1].empty = True
            case "bullet_list_open" | "ordered_list_open":
                self._start()
                self._bullet_depth += token.type == "bullet_list_open"
                self._frames.append(_Frame(tight=_is_tight(tokens, index)))
            case "list_item_open":
                self._start()
                self._item(token, tokens[index + 1 : index + 3])
            case "footnote_open":
                self._start()
                number = self._setting.context.footnotes.get(token.meta["label"])
                mark = f"[{token.meta['label'] if number is None else number}]"
                self._hang((*as_one(mark, "dim", *token.meta["at"]), Span(" ")))
            case "list_item_close" | "blockquote_close" | "bullet_list_close" | "ordered_list_close" | "footnote_close":
                self._bullet_depth -= token.type == "bullet_list_close"
                if self._frames[-1].empty and self._frames[-1].lead:
                    self._emit([])
                self._frames.pop()

    # Lines

    @property
    def _room(self) -> int:
        return self._width - cells(frame.rest for frame in self._frames if frame.rest)

    def _prefix(self) -> list[Span]:
        spans: list[Span] = []
        for frame in self._frames:
            if frame.lead:
                spans += frame.lead
                frame.lead = ()
            elif frame.rest:
                spans.append(frame.rest)
        return spans

    def _emit(self, spans: Iterable[Span], *, at: int | None = None, fill: str = "", wide: bool = False) -> None:
        """Add a line; `at` is where it stands if nothing in it says so."""
        self._frames[-1].empty = False
        merged = merge([*self._prefix(), *spans])
        starts = [span.start for span in merged if span.start >= 0]
        start = self._risen(min(starts) if starts else self._here if at is None else at)
        end = max(start, *(span.end for span in merged)) if starts else start
        self.lines.append(Line(merged, start, end, fill, self._unit(start, end), wide))

    def _risen(self, start: int) -> int:
        return max(start, self.lines[-1].start) if self.lines else start

    def _unit(self, start: int, end: int) -> int:
        """The index of the first unit that has something of the line."""
        index = bisect_right(self._ends, start)
        if index < len(self._units) and self._units[index].start < max(end, start + 1):
            return index
        return -1

    def _start(self) -> None:
        """Begin a block: a blank line parts it from the one before, save in a tight list."""
        frame = self._frames[-1]
        if not frame.empty and not frame.tight:
            prefix = self._prefix()
            while prefix and prefix[-1].text.isspace():
                prefix.pop()
            at = self._risen(self._here)
            self.lines.append(Line(merge(prefix), at, at))
        frame.empty = False

    def _push(self, lead: tuple[Span, ...], rest: Span, *, tight: bool = False) -> None:
        if self._room - cells([rest]) >= _MIN_ROOM:
            self._frames.append(_Frame(lead, rest, tight))
        else:
            self._frames.append(_Frame(tight=tight))

    def _hang(self, mark: tuple[Span, ...]) -> None:
        """Open a frame that is set in behind a mark."""
        self._push(mark, Span(" " * cells(mark)), tight=self._frames[-1].tight)

    # Blocks

    def _item(self, token: Token, first: Sequence[Token]) -> None:
        """A list item; a task has its box for a bullet."""
        checked = token.meta.get("checked")
        mark: list[Span] = []
        if token.info:
            mark.append(Span(f"{token.info}{token.markup} ", "dim"))
        elif checked is None:
            mark.append(Span(f"{_BULLETS[(self._bullet_depth - 1) % len(_BULLETS)]} ", "dim"))
        if checked is not None:
            begins = next((inner.meta["extent"][0] for inner in first if inner.type == "inline"), self._here)
            box = self._setting.text.rfind("[", self._here, begins)
            mark += (
                Span(_BOXES[checked], "dim", box, box + 3) if box >= 0 else Span(_BOXES[checked], "dim"),
                Span(" "),
            )
        self._hang(tuple(mark))

    def _heading(self, token: Token, inline: Token) -> None:
        level = int(token.tag[1])
        marks = "#" * level + " "
        hang = len(marks) if self._room - len(marks) >= _MIN_ROOM else 0
        spans = inline_spans(inline.children or [], self._setting, "heading")
        for number, line in enumerate(wrap(spans, self._room - hang)):
            before = marks[:hang] if number == 0 else " " * hang
            self._emit([Span(before, "heading"), *line])

    def _paragraph(self, token: Token) -> None:
        for part in inline_parts(token.children or [], self._setting):
            if isinstance(part, Display):
                self._formula(part)
            else:
                for line in wrap(part, self._room):
                    self._emit(line)

    def _formula(self, formula: Display) -> None:
        rows, wide = formula_rows(formula, self._room, self._setting)
        for row in rows:
            self._emit(row, at=formula.start, wide=wide)

    def _table(self, tokens: Sequence[Token]) -> None:
        self._start()
        rows: list[list[Cell]] = []
        aligns: list[str] = []
        for index, token in enumerate(tokens):
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                style = "strong" if token.type == "th_open" else ""
                rows[-1].append(inline_spans(tokens[index + 1].children or [], self._setting, style))
                if token.type == "th_open":
                    aligns.append(str(token.attrs.get("style", "")).removeprefix("text-align:") or "left")
        table = table_lines(rows[0], rows[1:], aligns, self._room)
        for number, line in enumerate(table.lines):
            self._emit(line, at=self.lines[-1].end if number else None, wide=table.wide)


def _displayed(token: Token) -> Display:
    start, end = token.meta["at"]
    return Display(token.content, start, token.meta.get("info", (start, end))[1], token.info)


def _line_starts(text: str) -> list[int]:
    starts = [0]
    at = text.find("\n")
    while at >= 0:
        starts.append(at + 1)
        at = text.find("\n", at + 1)
    return starts


def _is_tight(tokens: Sequence[Token], index: int) -> bool:
    """Whether the list that opens at `index` is tight: no blank lines between its items."""
    level = tokens[index].level
    for token in tokens[index + 1 :]:
        if token.level == level + 2 and token.type == "paragraph_open":
            return token.hidden
        if token.level == level:
            break
    return True
