r"""Regular expressions whose time is bounded whatever the pattern and the text.

The standard library's try one way after the other, which takes `(a+)+b` longer than a reader lives, and can't be
stopped. These are automata: all ways are tried at once, sign by sign, and the sets of states met are kept (Ken
Thompson, Communications of the ACM 11, 1968; Russ Cox, "Regular Expression Matching in the Wild", 2010). What that has
no place for isn't known: `\b`, `^`, `$`, what stands before or behind, references back. The longest of several matches
at a place is the one that counts.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from uq_tui.document.ranges import Range
from uq_tui.errors import PatternError

MOST_STATES = 2_000
"""States of a pattern, repetitions written out."""
_MOST_SETS = 2_000
"""Sets of states that are kept at a time."""
MOST_STEPS = 2_000_000
"""Signs read in search of the ends of matches, beyond one reading of the text; half a second."""
MOST_WORK = 500_000
"""States looked at while sets of them are made; about a second."""

_ATOM = re.compile(r"\\(?:[dDwWsSnt]|[^A-Za-z0-9])|\[\^?\]?(?:\\.|[^\]\\\[])*\]|[^\\\[()|*+?^$]", re.DOTALL)
_RESERVED = re.compile(r"--|&&|\|\||~~")
"""What may come to mean something else within a class of signs."""
_TIMES = re.compile(r"([*+?])|\{(\d{1,3})(?:(,)(\d{1,3})?)?\}")
_ENDS = {"*": (0, None), "+": (1, None), "?": (0, 1)}
_HINT = r"Known are . [a-z] \d \w \s | ( ) * + ? {2,5}, and \ before a sign that is to stand for itself."

_Matches = Callable[[str], object]
"""Whether one sign is meant."""


class _Sign(NamedTuple):
    matches: _Matches


class _Sequence(NamedTuple):
    parts: tuple["_Node", ...]


class _Either(NamedTuple):
    parts: tuple["_Node", ...]


class _Repeated(NamedTuple):
    part: "_Node"
    least: int
    most: int | None


_Node = _Sign | _Sequence | _Either | _Repeated


class Pattern:
    """One regular expression. Raises PatternError where it isn't one, or is too large."""

    def __init__(self, expression: str, *, ignore_case: bool = False) -> None:
        node = _Reader(expression, re.IGNORECASE if ignore_case else re.NOFLAG).read()
        self._forward = _Automaton(node, backward=False)
        self._backward = _Automaton(node, backward=True)

    def find(self, text: str, limit: int) -> tuple[tuple[Range, ...], bool]:
        """The leftmost longest matches, none of them empty, and whether these are all.

        Raises:
            PatternError: the pattern has too many ways to go in this text.
        """
        starts = self._starts(text)
        ranges: list[Range] = []
        at, steps = 0, MOST_STEPS
        for start in reversed(starts):
            if start < at:
                continue
            if len(ranges) == limit or steps <= 0:
                return tuple(ranges), False
            end, read = self._forward.longest(text, start)
            steps -= read
            at = max(at, end)
            if end > start:
                ranges.append(Range(start, end))
        return tuple(ranges), True

    def _starts(self, text: str) -> list[int]:
        """Where matches begin, the last first, by reading the text once from its end."""
        automaton = self._backward
        begin = automaton.begin
        state, starts = begin, []
        for at in range(len(text) - 1, -1, -1):
            state = state.after.get(text[at]) or automaton.step(state, text[at], and_begin=True)
            if state.accepts:
                starts.append(at)
        return starts


@dataclass(slots=True, eq=False)
class _Set:
    """States that are held at once."""

    states: frozenset[int]
    accepts: bool
    after: dict[str, "_Set"] = field(default_factory=dict)


class _Automaton:
    def __init__(self, node: _Node, *, backward: bool) -> None:
        self._backward = backward
        self._signs: list[_Matches | None] = [None]
        """What a state waits for; `None` where it goes on by itself. State 0 is the end."""
        self._next: list[list[int]] = [[]]
        self._first = self._build(node, 0)
        self._sets: dict[frozenset[int], _Set] = {}
        self._work = 0
        self.begin = self._set([self._first])

    def _add(self, matches: _Matches | None, following: list[int]) -> int:
        if len(self._signs) >= MOST_STATES:
            raise PatternError("This pattern is too large once its repetitions are written out.", hint=_HINT)
        self._signs.append(matches)
        self._next.append(following)
        return len(self._signs) - 1

    def _build(self, node: _Node, after: int) -> int:
        """Add the states of a node that goes on to state `after`; the one it begins with."""
        match node:
            case _Sign(matches):
                return self._add(matches, [after])
            case _Sequence(parts):
                for part in parts if self._backward else reversed(parts):
                    after = self._build(part, after)
                return after
            case _Either(parts):
                return self._add(None, [self._build(part, after) for part in parts])
            case _Repeated(part, least, most):
                begin = after
                if most is None:
                    begin = self._add(None, [after])
                    self._next[begin].append(self._build(part, begin))
                for _ in range((most or least) - least):
                    begin = self._add(None, [self._build(part, begin), after])
                for _ in range(least):
                    begin = self._build(part, begin)
                return begin

    def _set(self, states: Iterable[int]) -> _Set:
        """What is held when these states are: they, and what they go on to by themselves."""
        met: set[int] = set()
        waiting = list(states)
        while waiting:
            state = waiting.pop()
            if state not in met:
                met.add(state)
                waiting += self._next[state] if self._signs[state] is None else ()
        key = frozenset(state for state in met if self._signs[state] is not None or state == 0)
        if key not in self._sets:
            self._sets[key] = _Set(key, 0 in key)
        return self._sets[key]

    def step(self, held: _Set, sign: str, *, and_begin: bool = False) -> _Set:
        """What is held after one more sign, at which a match may also begin."""
        self._work += len(held.states) + 1
        if self._work > MOST_WORK:
            raise PatternError(
                "This pattern has too many ways to go in this text.", hint="Search for something simpler."
            )
        if len(self._sets) > _MOST_SETS:
            self._sets.clear()
            self.begin.after.clear()
            held.after.clear()
        following = [self._first] if and_begin else []
        for state in held.states:
            matches = self._signs[state]
            if matches is not None and matches(sign):
                following += self._next[state]
        held.after[sign] = found = self._set(following)
        return found

    def longest(self, text: str, start: int) -> tuple[int, int]:
        """The end of the longest match that begins at `start`, and how many signs were read for it."""
        state, end, at = self.begin, start, start
        while at < len(text) and state.states:
            state = state.after.get(text[at]) or self.step(state, text[at])
            at += 1
            if state.accepts:
                end = at
        return end, at - start


class _Reader:
    def __init__(self, expression: str, flags: re.RegexFlag) -> None:
        self._text = expression
        self._flags = flags
        self._at = 0

    def read(self) -> _Node:
        node = self._either()
        if self._at < len(self._text):
            raise self._problem()
        return node

    def _either(self) -> _Node:
        parts = [self._sequence()]
        while self._takes("|"):
            parts.append(self._sequence())
        return parts[0] if len(parts) == 1 else _Either(tuple(parts))

    def _sequence(self) -> _Node:
        parts: list[_Node] = []
        while self._at < len(self._text) and self._text[self._at] not in "|)":
            parts.append(self._repeated())
        return _Sequence(tuple(parts))

    def _repeated(self) -> _Node:
        node = self._one()
        while times := _TIMES.match(self._text, self._at):
            least, most = _ENDS[times[1]] if times[1] else (int(times[2]), int(times[4] or times[2]))
            if times[3] and not times[4]:
                most = None
            if most is not None and most < least:
                raise self._problem()
            self._at = times.end()
            node = _Repeated(node, least, most)
        return node

    def _one(self) -> _Node:
        if self._takes("("):
            self._takes("?:")
            node = self._either()
            if not self._takes(")"):
                raise self._problem()
            return node
        atom = _ATOM.match(self._text, self._at)
        if atom is None or (atom[0][0] == "[" and _RESERVED.search(atom[0])):
            raise self._problem()
        try:
            sign = re.compile(atom[0], self._flags)
        except re.error:
            raise self._problem() from None
        self._at = atom.end()
        return _Sign(sign.fullmatch)

    def _takes(self, wanted: str) -> bool:
        taken = self._text.startswith(wanted, self._at)
        self._at += len(wanted) if taken else 0
        return taken

    def _problem(self) -> PatternError:
        rest = self._text[self._at :]
        where = f"Not understood from {rest[:20]!a} on." if rest else "The pattern breaks off."
        return PatternError(where, hint=_HINT)
