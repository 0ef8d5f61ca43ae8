"""Reading proposed neighbours: exactly five, each with the skill it exercises, in the one object with the code."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from uq_tui.analysis.neighbour_advice import Likeness, likeness
from uq_tui.engine.judging.coded_json import StructureError, coded_object, list_of, require_keys
from uq_tui.text import counted

WANTED = 5
"""Problems in a reply (arXiv 2602.06291v1, the prompt that makes practice problems for RealMath targets)."""
LONGEST_STATEMENT, LONGEST_SKILL = 8_000, 400
"""Characters. A practice problem is short; what is longer was not asked for."""

_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f]")
"""What LaTeX turns into that was written into JSON as it stands: the backslash and first letter of `\\theta`, `\\beta`,
`\\frac` and `\\rho` are the escapes of such characters."""
_HALF = re.compile("[\ud800-\udfff]")
"""A surrogate without its partner: solvers can't be sent it."""
_BROKEN = re.compile(r"\n(?:abla|cong|eg|eq|exists|geq|leq|mid|otin|parallel|sim|subseteq)(?![a-zA-Z])")
"""The same of `\\nabla` and `\\neq`: a line break, which texts may hold, and a rest that no mathematics begins a
line with."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem as the model proposed it."""

    skill: str
    statement: str


@dataclass(frozen=True, slots=True)
class ReadProblems:
    """What a reply proposes. `trouble` says why it can't be read; then there are no problems."""

    problems: tuple[Problem, ...] = ()
    trouble: str = ""


def read_problems(reply: str, tag: str) -> ReadProblems:
    """The problems in a reply: `WANTED` or none.

    Args:
        reply: the reply proper, without the model's reasoning.
        tag: the code that was asked for.
    """
    try:
        return ReadProblems(_problems(coded_object(reply, tag)))
    except StructureError as error:
        return ReadProblems(trouble=str(error))


def _problems(proposed: Mapping[str, Any]) -> tuple[Problem, ...]:
    require_keys(proposed, ("code", "problems"), "the object")
    entries = list_of(proposed["problems"], "problems")
    if len(entries) != WANTED:
        raise StructureError(f"{counted(len(entries), 'problem')} instead of {WANTED}")
    read: list[Problem] = []
    for number, entry in enumerate(entries, start=1):
        one = _problem(entry, f"problem {number}")
        for earlier, other in enumerate(read, start=1):
            if likeness(one.statement, other.statement) is Likeness.SAME:
                raise StructureError(f"problem {number} is problem {earlier} again")
        read.append(one)
    return tuple(read)


def _problem(entry: Any, where: str) -> Problem:
    require_keys(entry, ("skill", "statement"), where)
    return Problem(
        _text(entry["skill"], f"the skill of {where}", LONGEST_SKILL),
        _text(entry["statement"], f"the statement of {where}", LONGEST_STATEMENT),
    )


def _text(value: Any, where: str, longest: int) -> str:
    if not isinstance(value, str) or not value.strip():
        raise StructureError(f"{where} is not a text, or empty")
    if len(value) > longest:
        raise StructureError(f"{where} has {len(value):,} characters, {longest:,} at most")
    if _CONTROL.search(value):
        raise StructureError(f"{where} holds a control character, as LaTeX does whose backslashes are not doubled")
    if _HALF.search(value):
        raise StructureError(f"{where} holds half a character (a lone surrogate)")
    if any(value.count("$", 0, found.start()) % 2 for found in _BROKEN.finditer(value)):
        raise StructureError(f"{where} holds a line break in the place of a backslash that is not doubled")
    return value.strip()
