"""Reads LaTeX mathematics by recursive descent into pieces. `readable.py` is the way in.

Depth is bounded, and every step consumes a token, so hostile input ends soon. What can't be read raises
`UnreadableError`; a command that nobody knows stays as it is written.
"""

import re

from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.pieces import (
    CHARACTERS,
    COMMANDS,
    INFIX,
    SIGNS,
    Piece,
    Role,
    accented,
    bracket,
    fraction,
    infix,
    is_atom,
    join,
    negated,
    scripted,
)
from uq_tui.document.maths.spans import math_spans
from uq_tui.document.maths.tokens import UnreadableError, tokenise

MAX_DEPTH = 40
"""More deeply nested formulas are not read."""
_MAX_MARGIN = 24
"""Furthest that rows are moved to the right to align them, in characters."""
_MAX_REPEATED = 200
"""Longest text that a command may write twice: nested ones would double it each time."""

_SCRIPT_MARKS = frozenset("^_'")
_ROW_ENDS = frozenset({"\\\\", "\\cr", "\\newline"})
_CELL_ENDS = _ROW_ENDS | {"&", "\\end"}
_GROUP_END = frozenset("}")
_OPTION_END = frozenset("]")


class Reader:
    """Reads one formula, once."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._at = 0
        self._depth = 0

    def rows(self) -> list[str]:
        """The formula as text, row by row.

        Raises:
            UnreadableError: see there.
        """
        if self._peek() == "\\begin":
            self._at += 1
            name = self._name()
            if name in sym.STACKS:
                rows = self._environment_rows(name)
                self._skip_space()
                if self._peek() is None:
                    return _aligned(rows)
            self._at = 0
        rows = self._rows()
        if self._peek() is not None:
            raise UnreadableError
        return _aligned(rows)

    # Tokens

    def _peek(self) -> str | None:
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def _next(self) -> str:
        if self._at >= len(self._tokens):
            raise UnreadableError
        self._at += 1
        return self._tokens[self._at - 1]

    def _skip_space(self) -> None:
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1

    def _raw_group(self) -> str:
        """What stands in the braces that come next, as it is written; without braces, the next token."""
        self._skip_space()
        token = self._next()
        if token != "{":
            return token
        start, depth = self._at, 1
        while depth:
            token = self._next()
            depth += (token == "{") - (token == "}")
        return "".join(self._tokens[start : self._at - 1])

    def _name(self) -> str:
        r"""The name after `\begin` or `\end`, without its star."""
        return self._raw_group().strip().rstrip("*")

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise UnreadableError

    # Sequences

    def _sequence(self, stops: frozenset[str]) -> list[Piece]:
        """Pieces up to one of `stops`, which is not consumed, or up to the end of the formula."""
        self._enter()
        pieces: list[Piece] = []
        while (token := self._peek()) is not None and token not in stops:
            if token.isspace():
                self._at += 1
            elif token in _SCRIPT_MARKS:
                base = pieces.pop() if pieces and pieces[-1].role is not Role.SPACE else Piece("", Role.ATOM)
                pieces.append(self._scripts(base))
            elif token in INFIX:
                self._at += 1
                pieces = [infix(token, pieces, self._sequence(stops))]
            else:
                pieces += self._element(pieces)
        self._depth -= 1
        return pieces

    def _argument(self) -> list[Piece]:
        """The next argument of a command: a group, a command with its own arguments, or one character."""
        self._skip_space()
        self._enter()
        token = self._next()
        if token == "{":
            pieces = self._sequence(_GROUP_END)
            self._next()
        elif token in _CELL_ENDS:
            raise UnreadableError
        else:
            self._at -= 1
            pieces = self._element([])
        self._depth -= 1
        return pieces

    def _whole(self, pieces: list[Piece]) -> list[Piece]:
        """`pieces` of a group: brackets show its extent where scripts follow that belong to all of it."""
        self._skip_space()
        if len(pieces) > 1 and self._peek() in _SCRIPT_MARKS:
            return [Piece(bracket(pieces, needed=not is_atom(pieces)), Role.ATOM)]
        return pieces

    def _element(self, before: list[Piece]) -> list[Piece]:
        """The pieces of the next token and its arguments. `before` stands left of it in the same sequence."""
        token = self._next()
        if token[0] == "\\" and len(token) > 1:
            return self._command(token[1:])
        if token == "{":
            self._at -= 1
            pieces = self._argument()
            if len(pieces) == 1 and pieces[0].role in (Role.BINARY, Role.RELATION, Role.COMMA):
                return [Piece(pieces[0].text, Role.ATOM)]
            return self._whole(pieces)
        if token in "}\\^_":
            raise UnreadableError
        if token in "~&":
            return [Piece(" ", Role.SPACE)]
        if token == ":" and self._peek() == "=":
            self._at += 1
            return [Piece(":=", Role.RELATION)]
        if token in "<>":
            return [_angle(token, before)]
        return [Piece(token, CHARACTERS.get(token, Role.ATOM))]

    def _scripts(self, base: Piece) -> Piece:
        """`base` with the scripts and primes that follow it."""
        below, above, primes = "", "", 0
        while (token := self._peek()) is not None and (token in _SCRIPT_MARKS or token.isspace()):
            self._at += 1
            if token == "'":
                primes += 1
            elif token == "^":
                above += join(self._argument(), tight=True)
            elif token == "_":
                below += join(self._argument(), tight=True)
        return scripted(base, below=below, above=above, primes=primes)

    # Commands

    def _command(self, name: str) -> list[Piece]:
        if name in COMMANDS:
            if name in sym.SPACES_WITH_ARGUMENT:
                self._raw_group()
            return [COMMANDS[name]]
        if name in sym.DROPPED:
            return []
        if name in sym.DROPPED_WITH_ARGUMENT:
            self._raw_group()
            return []
        if name in sym.TRANSPARENT:
            return self._whole(self._argument())
        if name in sym.FONTS or name in sym.PLAIN_FONTS:
            return self._font(name)
        if name in sym.TEXTS:
            return [Piece(self._text(), Role.TEXT)]
        if name in sym.ACCENTS:
            return [accented(name, self._argument())]
        return self._structure(name)

    def _structure(self, name: str) -> list[Piece]:
        """Commands that arrange their arguments."""
        match name:
            case "frac" | "dfrac" | "tfrac" | "cfrac" | "nicefrac" | "sfrac":
                above = self._argument()
                return [fraction(above, self._argument())]
            case "sqrt":
                return [self._root()]
            case "binom" | "dbinom" | "tbinom":
                above = self._argument()
                return [infix("\\choose", above, self._argument())]
            case "left" | "right":
                return self._delimiter(Role.OPEN if name == "left" else Role.CLOSE)
            case "middle":
                return self._delimiter(Role.ATOM)
            case "begin":
                return self._environment(self._name())
            case "operatorname":
                if self._peek() == "*":
                    self._at += 1
                return [Piece(join(self._argument()), Role.NAME)]
            case "ket" | "Ket" | "bra" | "Bra" | "braket" | "Braket" | "ketbra" | "proj" | "norm" | "abs":
                return [self._brackets(name)]
            case "boxed":
                return [Piece(f"[ {join(self._argument())} ]", Role.ATOM)]
            case "tag":
                return [Piece("  ", Role.SPACE), Piece(f"({self._text()})", Role.TEXT)]
            case "pmod":
                return [Piece(" ", Role.SPACE), Piece(f"(mod {join(self._argument())})", Role.ATOM)]
            case "not":
                pieces = self._argument()
                if not pieces or not pieces[0].text:
                    raise UnreadableError
                return [negated(pieces[0]), *pieces[1:]]
            case "overset" | "stackrel" | "underset":
                script = join(self._argument(), tight=True)
                base = _as_one(self._argument())
                if name == "underset":
                    return [scripted(base, below=script)]
                return [scripted(base, above=script)]
            case "xrightarrow" | "xleftarrow":
                below = join(self._option(), tight=True)
                arrow = Piece("⟶" if name == "xrightarrow" else "⟵", Role.RELATION)
                return [scripted(arrow, below=below, above=join(self._argument(), tight=True))]
            case "textcolor" | "colorbox" | "href":
                self._raw_group()
                return self._whole(self._argument())
            case "\\" | "cr" | "newline":  # within braces; between cells they are read as ends of rows
                self._skip_row_gap()
                return [Piece(";", Role.COMMA)]
            case "end":
                raise UnreadableError
        return self._unknown(name)

    def _unknown(self, name: str) -> list[Piece]:
        if name in sym.DEFINING:
            raise UnreadableError
        text = "\\" + name
        while self._peek() == "{":
            text += f"{{{join(self._argument())}}}"
        return [Piece(text, Role.ATOM if text.endswith("}") or len(name) == 1 else Role.NAME)]

    def _font(self, name: str) -> list[Piece]:
        pieces = self._argument()
        if name in sym.PLAIN_FONTS:
            text = join(pieces)
            if len(text) > 1 and text.isalpha():
                return [Piece(text, Role.NAME)]
            return self._whole(pieces)
        table = sym.FONTS[name]
        return self._whole([Piece("".join(table.get(c, c) for c in text), role) for text, role in pieces])

    def _text(self) -> str:
        r"""The text of a `\text{..}`, with formulas between dollars in it made readable."""
        raw = self._raw_group()
        parts: list[str] = []
        at = 0
        for span in math_spans(raw):
            inner = Reader(tokenise(raw[span.inner_start : span.inner_end]))
            inner._depth = self._depth
            inner._enter()
            parts += (raw[at : span.start], "; ".join(inner.rows()))
            at = span.end
        parts.append(raw[at:])
        return re.sub(r"\\([%$#&_{} ])", r"\1", "".join(parts)).replace("~", " ")

    def _option(self) -> list[Piece]:
        """The pieces of an optional argument in square brackets; none where there is none."""
        self._skip_space()
        if self._peek() != "[":
            return []
        self._at += 1
        pieces = self._sequence(_OPTION_END)
        self._next()
        return pieces

    def _root(self) -> Piece:
        degree = join(self._option(), tight=True)
        radicand = self._argument()
        sign = {"": "√", "2": "√", "3": "∛", "4": "∜"}.get(degree)
        if sign is None:
            sign = f"{scripted(Piece('', Role.ATOM), above=degree).text}√"
        return Piece(sign + bracket(radicand, needed=not is_atom(radicand)), Role.ATOM)

    def _delimiter(self, role: Role) -> list[Piece]:
        self._skip_space()
        token = self._next()
        if token == ".":
            return []
        if token in "<>":
            return [Piece("⟨" if token == "<" else "⟩", role)]
        if token[0] != "\\":
            return [Piece(token, role)]
        known = COMMANDS.get(token[1:])
        return [Piece(known.text if known else token, role)]

    def _brackets(self, name: str) -> Piece:
        inner = join(self._argument())
        match name:
            case "ket" | "Ket":
                text = f"|{inner}⟩"
            case "bra" | "Bra":
                text = f"⟨{inner}|"
            case "braket" | "Braket":
                self._skip_space()
                text = f"⟨{inner}|{join(self._argument())}⟩" if self._peek() == "{" else f"⟨{inner}⟩"
            case "ketbra" | "proj":
                self._skip_space()
                other = join(self._argument()) if name == "ketbra" and self._peek() == "{" else inner
                if len(other) > _MAX_REPEATED:
                    raise UnreadableError
                text = f"|{inner}⟩⟨{other}|"
            case "norm":
                text = f"‖{inner}‖"
            case _:
                text = f"|{inner}|"
        return Piece(text, Role.ATOM)

    # Environments

    def _environment(self, name: str) -> list[Piece]:
        rows = [[join(cell) for cell in row] for row in self._environment_rows(name)]
        rows = [row for row in rows if any(row)]
        if name in sym.STACKS:
            return [Piece("; ".join(" ".join(filter(None, row)) for row in rows), Role.TEXT)]
        spaced = any(" " in cell for row in rows for cell in row)
        text = "; ".join((", " if spaced else " ").join(row) for row in rows)
        if name in sym.BRACKETS:
            left, right = sym.BRACKETS[name]
            return [Piece(f"{left}{text}{right}", Role.ATOM)]
        return [Piece(text, Role.GRID)]

    def _environment_rows(self, name: str) -> list[list[list[Piece]]]:
        if name not in sym.BRACKETS and name not in sym.GRIDS and name not in sym.STACKS:
            raise UnreadableError
        if name in sym.WITH_COLUMNS:
            self._option()
            self._raw_group()
        rows = self._rows()
        if self._next() != "\\end" or self._name() != name:
            raise UnreadableError
        return rows

    def _rows(self) -> list[list[list[Piece]]]:
        r"""Rows of cells up to `\end`, which is not consumed, or to the end of the formula."""
        rows: list[list[list[Piece]]] = [[]]
        while True:
            rows[-1].append(self._sequence(_CELL_ENDS))
            token = self._peek()
            if token is None or token == "\\end":
                return rows
            self._at += 1
            if token in _ROW_ENDS:
                self._skip_row_gap()
                rows.append([])

    def _skip_row_gap(self) -> None:
        r"""Pass over the `[2pt]` that may follow `\\`."""
        rest = self._tokens[self._at : self._at + 12]
        if rest[:1] == ["["] and "]" in rest and rest[1].isdigit():
            self._at += rest.index("]") + 1


def _aligned(rows: list[list[list[Piece]]]) -> list[str]:
    """Rows with their first column marks one below the other; every second mark parts two formulas."""
    lefts = [join(cells[0]) if len(cells) > 1 else "" for cells in rows]
    margin = min(_MAX_MARGIN, max(map(len, lefts)))
    lines: list[str] = []
    for left, cells in zip(lefts, rows, strict=True):
        pieces: list[Piece] = []
        for column, cell in enumerate(cells[1:] if len(cells) > 1 else cells):
            if column % 2:
                pieces.append(Piece("  ", Role.SPACE))
            pieces += cell
        right = join(pieces)
        lines.append(f"{left.rjust(margin)} {right}".rstrip() if margin and len(cells) > 1 else right)
    return lines


def _as_one(pieces: list[Piece]) -> Piece:
    if len(pieces) == 1:
        return pieces[0]
    return Piece(bracket(pieces, needed=not is_atom(pieces)), Role.ATOM)


def _angle(token: str, before: list[Piece]) -> Piece:
    """`<` and `>`, which many write for the brackets of a bra or a ket."""
    if token == ">" and before and before[-1].text != "|" and sum(piece.text == "|" for piece in before) % 2:
        return Piece("⟩", Role.CLOSE)
    if token == "<" and (not before or before[-1].role in SIGNS):
        return Piece("⟨", Role.OPEN)
    return Piece(token, Role.RELATION)
