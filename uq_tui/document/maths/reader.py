"""Reads LaTeX mathematics by recursive descent into pieces, set as a `Flat` or a `Stacked` says.

Depth is bounded, and every step consumes a token, so hostile input ends soon. What can't be read raises
`UnreadableError`; a command that nobody knows stays as it is written.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from uq_tui.document.maths import symbols as sym
from uq_tui.document.maths.commands import STRUCTURES, unknown
from uq_tui.document.maths.environments import read_rows
from uq_tui.document.maths.flat import Flat, Row
from uq_tui.document.maths.kets import angle
from uq_tui.document.maths.pieces import CHARACTERS, COMMANDS, Piece, Role
from uq_tui.document.maths.tokens import CELL_ENDS, Tokens, UnreadableError, partners

MAX_DEPTH = 40
"""More deeply nested formulas are not read."""

_SCRIPT_MARKS = frozenset({"^", "_", "'", "\\limits", "\\nolimits"})
_GROUP_END = frozenset("}")
_OPTION_END = frozenset("]")
_INFIX = {"\\over": None, "\\atop": "", "\\choose": "choose"}
"""Commands between the two things they join; None: with a line between."""


class Reader(Tokens):
    """Reads one formula, once.

    Args:
        tokens: the formula, without macros.
        setting: how its parts are put together.
        tags: labels, and what stands beside their equations.
    """

    def __init__(self, tokens: list[str], setting: Flat, tags: Mapping[str, str]) -> None:
        super().__init__(tokens)
        self.setting: Flat = setting
        self.tags = tags
        self.tag = ""
        """What stands at the end of the row that is being read."""
        self._stops: frozenset[str] = frozenset()
        self._depth = 0
        self._fences: Mapping[int, int] | None = None

    def formula(self) -> tuple[list[Row], str]:
        """The rows of the formula, and the name of the environment that they are all of it; empty where there is none.

        Raises:
            UnreadableError: see there.
            TooLargeError: it can't be set so large.
        """
        self.skip_space()
        start = self.at
        if self.peek() == "\\begin":
            self.next()
            name = self.name()
            if name in sym.STACKS:
                rows = read_rows(self, name)
                self.skip_space()
                if self.peek() is None:
                    return rows, name
            self.at, self.tag = start, ""
        rows = read_rows(self, "")
        if self.peek() is not None:
            raise UnreadableError
        return rows, ""

    def within(self, tokens: list[str]) -> "Reader":
        """A reader of other tokens within this formula, as deep as this one is."""
        inner = Reader(tokens, self.setting, self.tags)
        inner._depth = self._depth
        inner._enter()
        return inner

    def name(self) -> str:
        r"""The name after `\begin` or `\end`, without its star."""
        return self.raw_group().strip().rstrip("*")

    def add_tag(self, tag: str) -> None:
        """Let `tag` stand at the end of the row that is being read, behind others that do."""
        if tag not in self.tag:
            self.tag = f"{self.tag} {tag}".strip()

    def fence(self, start: int) -> int | None:
        r"""Where the `\right` of the `\left` at `start` stands; None where it has none in its cell."""
        if self._fences is None:
            self._fences = partners(self.tokens)
        return self._fences.get(start)

    def _enter(self) -> None:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise UnreadableError

    @contextmanager
    def in_scripts(self) -> Iterator[None]:
        """What is read meanwhile is set as scripts are."""
        outer, self.setting = self.setting, self.setting.script
        yield
        self.setting = outer

    # Sequences

    def sequence(self, stops: frozenset[str]) -> list[Piece]:
        """Pieces up to one of `stops`, which is not consumed, or up to the end of the formula."""
        self._enter()
        outer, self._stops = self._stops, stops
        pieces: list[Piece] = []
        while (token := self.peek()) is not None and token not in stops:
            if token.isspace():
                self.next()
            elif token in _SCRIPT_MARKS:
                pieces.append(self._scripts(self.setting.take_base(pieces)))
            elif token in _INFIX:
                self.next()
                pieces = [self._infix(token, pieces, self.sequence(stops))]
            else:
                pieces += self._element(pieces)
        self._depth -= 1
        self._stops = outer
        return pieces

    def rest(self) -> list[Piece]:
        """The pieces up to the end of the sequence that is being read."""
        return self.sequence(self._stops)

    def argument(self) -> list[Piece]:
        """The next argument of a command: a group, a command with its own arguments, or one character."""
        self.skip_space()
        self._enter()
        token = self.next()
        if token == "{":
            pieces = self.sequence(_GROUP_END)
            self.next()
        elif token in CELL_ENDS:
            raise UnreadableError
        else:
            self.back()
            pieces = self._element([])
        self._depth -= 1
        return pieces

    def script_argument(self) -> list[Piece]:
        """As `argument`, set as scripts are."""
        with self.in_scripts():
            return self.argument()

    def option(self) -> list[Piece]:
        """The pieces of an optional argument in square brackets, set as scripts are; none where there is none."""
        if not self.skip("["):
            return []
        with self.in_scripts():
            pieces = self.sequence(_OPTION_END)
        self.next()
        return pieces

    def whole(self, pieces: list[Piece]) -> list[Piece]:
        """`pieces` of a group, as one where scripts follow that belong to all of it."""
        self.skip_space()
        if self.peek() not in _SCRIPT_MARKS:
            return pieces
        # Scripts after an empty group are not those of what stands before it.
        return self.setting.whole(pieces) if pieces else [Piece("", Role.ATOM)]

    def _infix(self, command: str, left: list[Piece], right: list[Piece]) -> Piece:
        between = _INFIX[command]
        return self.setting.fraction(left, right) if between is None else self.setting.pair(left, right, between)

    def _element(self, before: list[Piece]) -> list[Piece]:
        """The pieces of the next token and its arguments. `before` stands left of it in the same sequence."""
        token = self.next()
        if token[0] == "\\" and len(token) > 1:
            return self._command(token[1:])
        if token == "{":
            self.back()
            pieces = self.argument()
            if len(pieces) == 1 and pieces[0].role in (Role.BINARY, Role.RELATION, Role.COMMA):
                return [pieces[0]._replace(role=Role.ATOM)]
            return self.whole(pieces)
        if token in "}\\^_&":
            raise UnreadableError
        if token == "~":
            return [Piece(" ", Role.SPACE)]
        if (token, self.peek()) in ((":", "="), ("=", ":")):
            return [Piece(token + self.next(), Role.RELATION)]
        if token in "<>":
            return [angle(self, token, before)]
        return [Piece(token, CHARACTERS.get(token[0], Role.ATOM))]

    def _scripts(self, base: Piece) -> Piece:
        """`base` with the scripts and primes that follow it."""
        below: list[Piece] = []
        above: list[Piece] = []
        primes = 0
        while (token := self.peek()) is not None and (token in _SCRIPT_MARKS or token.isspace()):
            self.next()
            if token == "'":
                primes += 1
            elif token == "^":
                above += self.script_argument()
            elif token == "_":
                below += self.script_argument()
            elif not token.isspace():
                base = base._replace(limits=token == "\\limits")
        return self.setting.scripted(base, below, above, primes)

    def _command(self, name: str) -> list[Piece]:
        if piece := COMMANDS.get(name):
            if name in sym.SPACES_WITH_ARGUMENT:
                self.group()
            return [piece]
        if name in sym.DROPPED:
            return []
        if name in sym.DROPPED_WITH_ARGUMENT:
            self.group()
            return []
        if name in sym.TRANSPARENT:
            return self.whole(self.argument())
        if name in sym.ACCENTS:
            return [self.setting.accented(name, self.argument())]
        if structure := STRUCTURES.get(name):
            return structure(self, name)
        return unknown(self, name)
