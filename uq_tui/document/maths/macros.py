r"""Macros: how `\newcommand` and its like are read, and their expansion.

Expansion works on tokens, never glues two of them together, and is bounded in steps and in length, so that
`\def\a{\a\a}` ends soon.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from uq_tui.document.maths.tokens import Tokens, UnreadableError

MAX_STEPS = 2_000
"""Macros expanded in one formula."""
MAX_TOKENS = 20_000
"""Tokens of an expanded formula, and of what still waits to be read while it is expanded."""
_MAX_PARAMETERS = 9

_NEW = frozenset({"\\newcommand", "\\renewcommand", "\\providecommand", "\\DeclareRobustCommand"})
_PLAIN = frozenset({"\\def", "\\gdef", "\\edef", "\\xdef"})
_LET = frozenset({"\\let"})
_OPERATOR = frozenset({"\\DeclareMathOperator"})
_PAIRED = frozenset({"\\DeclarePairedDelimiter"})
_PREFIXES = frozenset({"\\global", "\\long", "\\protected"})
DEFINING = _NEW | _PLAIN | _LET | _OPERATOR | _PAIRED
"""Commands that define others."""


class Macro(NamedTuple):
    """What a command stands for: `body` with `#1`, .. in it for `parameters` arguments."""

    body: tuple[str, ...]
    parameters: int = 0
    default: tuple[str, ...] | None = None
    """The first argument where it isn't given in square brackets; None: it is not optional."""


class Definition(NamedTuple):
    """A command and its new meaning. `weak`: only where it has none yet."""

    name: str
    macro: Macro
    weak: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Macros:
    """What is defined at one place of a text. Compared by identity, so that it can be a key."""

    commands: Mapping[str, Macro] = field(default_factory=dict)
    """With backslash."""
    tags: Mapping[str, str] = field(default_factory=dict)
    """Labels of formulas, and the tag or number that stands beside them, without brackets."""


NONE = Macros()
"""Nothing defined."""


class Expanded(NamedTuple):
    """A formula without macros, and what it defines itself, in order."""

    tokens: list[str]
    definitions: tuple[Definition, ...]


def expand(tokens: list[str], commands: Mapping[str, Macro]) -> Expanded:
    """The tokens with all macros replaced, those of `commands` and those that they define on their way.

    Raises:
        UnreadableError: an argument is missing, or it doesn't end within the bounds.
    """
    if not any(token in commands or token in DEFINING for token in tokens if len(token) > 1):
        return Expanded(tokens, ())
    known, found = dict(commands), list[Definition]()
    out: list[str] = []
    waiting = Tokens(list(tokens))
    steps = 0
    while (token := waiting.peek()) is not None:
        waiting.next()
        if token in DEFINING:
            definition = _definition(token, waiting, known)
            found.append(definition)
            if not (definition.weak and definition.name in known):
                known[definition.name] = definition.macro
        elif macro := known.get(token):
            steps += 1
            waiting.insert(_applied(macro, waiting))
            if steps > MAX_STEPS or len(waiting) > MAX_TOKENS:
                raise UnreadableError
        elif token not in _PREFIXES:
            out.append(token)
    return Expanded(out, tuple(found))


def _applied(macro: Macro, waiting: Tokens) -> list[str]:
    """The body with the arguments in it that come next."""
    if not macro.parameters:
        return list(macro.body)
    arguments: list[tuple[str, ...]] = []
    if macro.default is not None:
        given = waiting.raw_option()
        arguments.append(macro.default if given is None else tuple(given))
    while len(arguments) < macro.parameters:
        arguments.append(tuple(waiting.group()))
    out: list[str] = []
    number = False
    for token in macro.body:
        if number and token.isdigit() and 0 < int(token) <= len(arguments):
            out += arguments[int(token) - 1]
        elif token != "#":
            out.append(token)
        if len(out) > MAX_TOKENS:
            raise UnreadableError
        number = token == "#"
    return out


def _definition(command: str, waiting: Tokens, known: Mapping[str, Macro]) -> Definition:
    """The definition that `command` begins."""
    starred = waiting.skip("*")
    name = _name(waiting)
    if command in _LET:
        waiting.skip("=")
        waiting.skip_space()
        meaning = waiting.next()
        return Definition(name, known.get(meaning, Macro((meaning,))))
    if command in _OPERATOR:
        operator = ["\\operatorname", *(["*"] if starred else []), "{", *waiting.group(), "}"]
        return Definition(name, Macro(tuple(operator)))
    if command in _PAIRED:
        left, right = waiting.group(), waiting.group()
        return Definition(name, Macro(("\\left", *left, "#", "1", "\\right", *right), 1))
    if command in _PLAIN:
        return Definition(name, Macro(parameters=_plain_parameters(waiting), body=tuple(waiting.group())))
    parameters, default = 0, None
    if (count := waiting.raw_option()) is not None:
        written = "".join(count).strip()
        if not (written.isdigit() and written.isascii() and int(written) <= _MAX_PARAMETERS):
            raise UnreadableError
        parameters, default = int(written), waiting.raw_option()
    macro = Macro(tuple(waiting.group()), parameters, None if default is None else tuple(default))
    return Definition(name, macro, weak=command == "\\providecommand")


def _name(waiting: Tokens) -> str:
    """The command that is defined, in braces or not."""
    name = [token for token in waiting.group() if not token.isspace()]
    if len(name) != 1 or name[0][0] != "\\":
        raise UnreadableError
    return name[0]


def _plain_parameters(waiting: Tokens) -> int:
    r"""How many parameters a `\def` has. Those with text between them are not read."""
    count = 0
    while waiting.skip("#"):
        count += 1
        if waiting.next() != str(count):
            raise UnreadableError
    waiting.skip_space()
    if waiting.peek() != "{":
        raise UnreadableError
    return count
