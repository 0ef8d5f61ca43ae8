"""The tokens of one top-level block to lines of a given width."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from markdown_it.token import Token
from rich.cells import cell_len

from uq_tui.document.inline import Display, display, inline_parts, inline_spans
from uq_tui.document.lines import Heading, Line, Span, chop, merge, wrap
from uq_tui.document.tables import Cell, table_lines
from uq_tui.text import clean, clean_line

PROSE = "prose"
"""The language of a code block that holds sentences: its lines are broken at blanks, and it isn't named."""
_MIN_ROOM = 10
"""A quote or list item that would leave less room than this is not set in any further."""
_BULLETS = "•◦▪"
_QUOTE_BAR = Span("▌ ", "quote")
_CODE_BAR = Span("│ ", "dim")
_CONTINUED = Span("↪ ", "dim code")
_TAB = 4


def block_lines(tokens: Sequence[Token], width: int, first_line: int) -> tuple[list[Line], list[Heading]]:
    """Lines of one top-level block, and its headings, numbered from the block's first line.

    Args:
        tokens: the block's tokens, whose maps count from `first_line` of the source.
        width: cells per line, at least 8.
        first_line: the source line that the maps count from.
    """
    writer = _Writer(width, first_line)
    writer.write(tokens)
    return writer.lines, writer.headings


@dataclass
class _Frame:
    """A quote, a list or a list item that is open: what stands before each of its lines."""

    lead: Span | None = None
    """Stands before the first line, then `rest` takes its place."""
    rest: Span | None = None
    tight: bool = False
    empty: bool = True


class _Writer:
    def __init__(self, width: int, first_line: int) -> None:
        self.lines: list[Line] = []
        self.headings: list[Heading] = []
        self._width = width
        self._offset = first_line
        self._frames = [_Frame()]
        self._first = self._last = first_line
        self._bullet_depth = 0

    def write(self, tokens: Sequence[Token]) -> None:
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.map:
                self._first, self._last = (self._offset + line for line in token.map)
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
                self._code(token)
            case "math_block":
                self._start()
                self._formula(display(token.content, token.info))
            case "plain_block":
                self._plain(token)
            case "hr":
                self._start()
                self._emit([Span("─" * self._room, "dim")])
            case "blockquote_open":
                self._start()
                self._push(_QUOTE_BAR, _QUOTE_BAR)
            case "bullet_list_open" | "ordered_list_open":
                self._start()
                self._bullet_depth += token.type == "bullet_list_open"
                self._frames.append(_Frame(tight=_is_tight(tokens, index)))
            case "list_item_open":
                self._start()
                self._item(token)
            case "list_item_close" | "blockquote_close" | "bullet_list_close" | "ordered_list_close":
                self._bullet_depth -= token.type == "bullet_list_close"
                if self._frames[-1].empty and self._frames[-1].lead:
                    self._emit([])
                self._frames.pop()

    # Lines

    @property
    def _room(self) -> int:
        return self._width - sum(cell_len(frame.rest.text) for frame in self._frames if frame.rest)

    def _prefix(self) -> list[Span]:
        spans: list[Span] = []
        for frame in self._frames:
            if frame.lead:
                spans.append(frame.lead)
                frame.lead = None
            elif frame.rest:
                spans.append(frame.rest)
        return spans

    def _emit(self, spans: Iterable[Span], *, first: int | None = None, fill: str = "") -> None:
        """Add a line. `first` is its one source line; without it the line stands for all of its block."""
        self._frames[-1].empty = False
        begin, end = self._first, self._last
        if first is not None:
            begin = min(first, end - 1)
            end = begin + 1
        self.lines.append(Line(merge([*self._prefix(), *spans]), begin, end, fill))

    def _start(self) -> None:
        """Begin a block: a blank line parts it from the one before, save in a tight list."""
        frame = self._frames[-1]
        if not frame.empty and not frame.tight:
            prefix = self._prefix()
            while prefix and prefix[-1].text.isspace():
                prefix.pop()
            self.lines.append(Line(merge(prefix), self._first, self._first))
        frame.empty = False

    def _push(self, lead: Span, rest: Span, *, tight: bool = False) -> None:
        fits = self._room - cell_len(rest.text) >= _MIN_ROOM
        self._frames.append(_Frame(lead if fits else None, rest if fits else None, tight))

    # Blocks

    def _item(self, token: Token) -> None:
        if token.info:
            mark = f"{token.info}{token.markup} "
        else:
            mark = f"{_BULLETS[(self._bullet_depth - 1) % len(_BULLETS)]} "
        self._push(Span(mark, "dim"), Span(" " * cell_len(mark)), tight=self._frames[-1].tight)

    def _heading(self, token: Token, inline: Token) -> None:
        level = int(token.tag[1])
        marks = "#" * level + " "
        hang = len(marks) if self._room - len(marks) >= _MIN_ROOM else 0
        spans = inline_spans(inline.children or [], "heading")
        self.headings.append(Heading(level, "".join(span.text for span in spans).strip(), len(self.lines)))
        lines = wrap(spans, self._room - hang)
        for number, line in enumerate(lines):
            before = marks[:hang] if number == 0 else " " * hang
            self._emit([Span(before, "heading"), *line])

    def _paragraph(self, token: Token) -> None:
        for part in inline_parts(token.children or []):
            if isinstance(part, Display):
                self._formula(part)
            else:
                for line in wrap(part, self._room):
                    self._emit(line)

    def _formula(self, formula: Display) -> None:
        """A displayed formula, set in, a row of it a line; what doesn't fit goes on further in."""
        inset = min(4, self._room // 8)
        further = 2 * inset
        for row in formula.rows:
            text = row.lstrip(" ")
            before = min(inset + len(row) - len(text), self._room // 2)
            first, *others = wrap([Span(text, "math")], self._room - further, room=self._room - before)
            self._emit([Span(" " * before), *first])
            for line in others:
                self._emit([Span(" " * further), *line])

    def _code(self, token: Token) -> None:
        self._start()
        line = self._first
        if token.type == "fence":
            language = clean_line(token.info)
            if language and language != PROSE:
                for part in chop(language, self._room - 2, self._room - 2):
                    self._emit([_CODE_BAR, Span(part, "dim")], first=line)
            line += 1
        for number, source in enumerate(token.content.removesuffix("\n").split("\n")):
            self._code_line(clean(source).expandtabs(_TAB), line + number, at_blanks=token.info.strip() == PROSE)

    def _code_line(self, text: str, source_line: int, *, at_blanks: bool) -> None:
        room = self._room - cell_len(_CODE_BAR.text)
        width = room - cell_len(_CONTINUED.text)
        parts: Iterable[tuple[Span, ...]] = ((Span(part, "code"),) for part in chop(text, room, width))
        if at_blanks:
            words = text.lstrip(" ")
            indent = Span(text[: min(len(text) - len(words), room // 2)], "code")
            first, *others = wrap([Span(words, "code")], width, room=room - len(indent.text))
            parts = ((indent, *first), *others)
        for number, part in enumerate(parts):
            before = [_CODE_BAR, _CONTINUED] if number else [_CODE_BAR]
            self._emit([*before, *part], first=source_line, fill="code")

    def _plain(self, token: Token) -> None:
        self._start()
        for number, source in enumerate(token.content.split("\n")):
            for line in wrap([Span(clean(source).expandtabs(_TAB))], self._room):
                self._emit(line, first=self._first + number)

    def _table(self, tokens: Sequence[Token]) -> None:
        self._start()
        rows: list[list[Cell]] = []
        aligns: list[str] = []
        for index, token in enumerate(tokens):
            if token.type == "tr_open":
                rows.append([])
            elif token.type in ("th_open", "td_open"):
                style = "strong" if token.type == "th_open" else ""
                rows[-1].append(inline_spans(tokens[index + 1].children or [], style))
                if token.type == "th_open":
                    aligns.append(str(token.attrs.get("style", "")).removeprefix("text-align:") or "left")
        for line in table_lines(rows[0], rows[1:], aligns, self._room):
            self._emit(line)


def _is_tight(tokens: Sequence[Token], index: int) -> bool:
    """Whether the list that opens at `index` is tight: no blank lines between its items."""
    level = tokens[index].level
    for token in tokens[index + 1 :]:
        if token.level == level + 2 and token.type == "paragraph_open":
            return token.hidden
        if token.level == level:
            break
    return True
