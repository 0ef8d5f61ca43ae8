r"""What a text defines for its formulas: macros, and the tags and numbers of labelled equations.

A text is read from top to bottom, a stretch at a time. Macros are looked for in formulas and in preambles, which are
lines outside of formulas that begin with a `\newcommand` or its like.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from uq_tui.document.maths.macros import DEFINING, NONE, Definition, Macro, Macros, expand
from uq_tui.document.maths.spans import math_spans
from uq_tui.document.maths.tokens import UnreadableError, tokenise

MAX_MACROS = 500
"""Definitions that are kept of one text; later ones are not known."""
MAX_LABELS = 2_000
"""Labels that are kept of one text."""
_MAX_PREAMBLE = 20_000
"""Longest preamble, in characters."""

_NAMES = "|".join(sorted((name[1:] for name in DEFINING), key=len, reverse=True))
_ANYTHING = re.compile(rf"\\(?:{_NAMES}|label|tag)(?![A-Za-z])")
_PREAMBLE = re.compile(rf"^[ \t]*\\(?:{_NAMES})(?![A-Za-z])", re.MULTILINE)
_PREAMBLE_END = re.compile(r"\n[ \t]*(?=\n)|\n(?![ \t]*[\\{}#])")
_ROW = re.compile(r"\\\\|\\cr(?![A-Za-z])")
_LABEL = re.compile(r"\\label[ \t]*\{([^{}]{1,200})\}")
_TAG = re.compile(r"\\tag\*?[ \t]*\{([^{}]{1,100})\}")
_REFERENCE = re.compile(r"\\(eq|c|auto)?ref[ \t]*\{([^{}]{1,200})\}")


class Reference(NamedTuple):
    r"""A `\ref{..}` at `text[start:end]` outside of formulas, and what is shown for it."""

    start: int
    end: int
    shown: str


class _Placed(NamedTuple):
    at: int
    definition: Definition


@dataclass(frozen=True, eq=False)
class Definitions:
    """What the text up to somewhere defines. Grows by `extended`; compared by identity."""

    tags: Mapping[str, str] = field(default_factory=dict)
    """Labels, and the tag or number of their equations, without brackets."""
    _placed: tuple[_Placed, ...] = ()
    _numbered: int = 0

    def extended(self, text: str, at: int) -> "Definitions":
        """With what `text` defines, which stands at offset `at` of the whole, after all that was read before.

        Returns self where it defines nothing.
        """
        if not _ANYTHING.search(text):
            return self
        placed = list(self._placed)
        tags, numbered = dict(self.tags), self._numbered
        known = dict(self.at(at + len(text)).commands)
        for start, latex, is_formula in _stretches(text):
            for definition in _defined(latex, known):
                if len(placed) < MAX_MACROS and not (definition.weak and definition.name in known):
                    placed.append(_Placed(at + start, definition))
                    known[definition.name] = definition.macro
            if is_formula:
                numbered = _label(latex, tags, numbered)
        if len(placed) == len(self._placed) and len(tags) == len(self.tags):
            return self
        return Definitions(tags, tuple(placed), numbered)

    def at(self, position: int) -> Macros:
        """What is in force at `position`: the last definition before it, else the first one after it."""
        if not self._placed and not self.tags:
            return NONE
        before = bisect_right(self._placed, position, key=lambda placed: placed.at)
        return _in_force(self, before)

    def references(self, text: str) -> Iterator[Reference]:
        r"""The `\ref{..}` and `\eqref{..}` in a plain text whose label is known, from left to right."""
        if not self.tags:
            return
        for found in _REFERENCE.finditer(text):
            tag = self.tags.get(found[2].strip())
            if tag is not None:
                yield Reference(found.start(), found.end(), f"({tag})" if found[1] == "eq" else tag)


EMPTY = Definitions()
"""Nothing defined."""


@lru_cache(maxsize=512)
def _in_force(definitions: Definitions, before: int) -> Macros:
    commands: dict[str, Macro] = {}
    for _, definition in definitions._placed[:before]:
        commands[definition.name] = definition.macro
    for _, definition in definitions._placed[before:]:
        commands.setdefault(definition.name, definition.macro)
    return Macros(commands, definitions.tags)


def _stretches(text: str) -> Iterator[tuple[int, str, bool]]:
    """Formulas and preambles: offset, LaTeX, whether it is a formula."""
    end = 0
    for span in math_spans(text):
        yield from _preambles(text, end, span.start)
        yield span.start, text[span.inner_start : span.inner_end], True
        end = span.end
    yield from _preambles(text, end, len(text))


def _preambles(text: str, start: int, end: int) -> Iterator[tuple[int, str, bool]]:
    while found := _PREAMBLE.search(text, start, end):
        stop = _PREAMBLE_END.search(text, found.end(), min(end, found.start() + _MAX_PREAMBLE))
        start = stop.start() if stop else end
        yield found.start(), text[found.start() : min(start, found.start() + _MAX_PREAMBLE)], False


def _defined(latex: str, known: dict[str, Macro]) -> tuple[Definition, ...]:
    """What a formula or a preamble defines; nothing where it can't be read."""
    if not _ANYTHING.search(latex):
        return ()
    try:
        return expand(tokenise(latex), known).definitions
    except UnreadableError:
        return ()


def _label(latex: str, tags: dict[str, str], numbered: int) -> int:
    """Give the labels of a formula the tag of their row, else the next number. Returns the last number given."""
    if "\\label" not in latex:
        return numbered
    for row in _ROW.split(latex):
        labels = [label.strip() for label in _LABEL.findall(row)]
        if not labels or len(tags) >= MAX_LABELS:
            continue
        if tag := _TAG.search(row):
            shown = tag[1].strip().strip("$")
        else:
            numbered += 1
            shown = str(numbered)
        for label in labels:
            tags.setdefault(label, shown)
    return numbered
