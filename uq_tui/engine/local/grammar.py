"""Grammars (GBNF, llama.cpp's notation) that hold a local model's reply to the form it was asked for.

A model of 135 million parameters doesn't follow formats by itself. So it writes freely, up to a cap, and then the
grammar leaves it only the choice that was asked for. The cap is such that the reply always ends before
`max_tokens`: free text is ASCII, and no ASCII character takes more than one token.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from prompts.loader import Output
from uq_tui.analysis.scale import Scale
from uq_tui.engine.judging import rating_reading
from uq_tui.words import Outcome

LINE = 160
"""Characters of free text in a line."""
PROSE = 80
"""Characters of each text in a grader's element."""
_ENDING = 72
"""Tokens kept for the enforced last line and the end mark."""
_ELEMENT = 2 * PROSE + 120
"""Tokens kept for a grader's element and the end mark."""
_RATING = PROSE + 200
"""Tokens kept for the object of a rating and the end mark."""
# Free text has no colon, so that no free line can pass for a tagged one, and no `<`, so that it can't open a block of
# reasoning.
_FREE = r"""line ::= char{1,%d} "\n"
char ::= [ !"#$%%&'()*+,./0-9;=>?@A-Z\\^_`a-z{|}~\[\]-]
"""
# Nor `\b...` where a box is asked for: the only box is the grammar's. A backslash comes with what it stands before, so
# a character may be two.
_FREE_OF_BOXES = r"""line ::= char{1,%d} "\n"
char ::= [ !"#$%%&'()*+,./0-9;=>?@A-Z^_`a-z{|}~\[\]-] | "\\" [ac-zA-Z(),;{}\[\]]
"""
_BOXED = r"""root ::= line{0,%d} "\\boxed{" answer "}"
answer ::= "-"? ([0-9]{1,12} | short | short? special short?)
special ::= "\\pi" | "\\sqrt{" short "}" | "\\frac{" short "}{" short "}"
short ::= [0-9a-zA-Z(] [0-9a-zA-Z+*/^(),.= -]{0,11}
"""
_OBJECT = r"""share ::= [1-9]? [0-9] | "100"
yes ::= "true" | "false"
text ::= plain{1,%d}
plain ::= [ !#$%%&'()*+,./0-9;=>?@A-Z^_`a-z{|}~\[\]-]
"""
_PROSE = r"""assessment ::= "\n<assessment>" prose "</assessment>\n"
prose ::= [0-9A-Za-z] plain{0,%d}
plain ::= [ !"#$%%&'()*+,./0-9;=>?@A-Z^_`a-z{|}~\[\]-]
"""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A grammar and the token limit within which every text it allows ends."""

    grammar: str
    max_tokens: int


def constraint(form: Output, tag: str, max_tokens: int, scale: Scale | None = None) -> Constraint | None:
    """What enforces an answer form; `None` for free text, for audits, whose quotes no grammar can make exact, and for
    proposed neighbours, which would be five texts of nothing.

    Args:
        form: how the reply must end.
        tag: what its end is marked with, in the forms that have a tag.
        max_tokens: what the reply may take. Raised where it leaves no room for one line and the answer.
        scale: the scores that may be given, where a score is asked for; whole ones only.

    Raises:
        ValueError: a score is asked for without a scale.
    """
    if form in (Output.FREE, Output.AUDIT, Output.NEIGHBOURS):
        return None
    if form is Output.RATING:
        limit = max(max_tokens, _RATING + LINE + 1)
        lines = (limit - _RATING) // (LINE + 1)
        return Constraint(f"root ::= line{{0,{lines}}} {_rating(tag)}\n" + _FREE % LINE + _OBJECT % PROSE, limit)
    graded = form in (Output.GRADE, Output.GRADE_EXACT)
    ending = _ELEMENT if graded else _ENDING
    limit = max(max_tokens, ending + LINE + 1)
    lines = (limit - ending) // (LINE + 1)
    if form is Output.BOXED:
        return Constraint(_BOXED % lines + _FREE_OF_BOXES % (LINE // 2), limit)
    root = f"root ::= line{{0,{lines}}} {_end(form, tag, scale)}\n"
    return Constraint(root + _FREE % LINE + (_PROSE % (PROSE - 1) if graded else ""), limit)


def _end(form: Output, tag: str, scale: Scale | None) -> str:
    match form:
        case Output.DECISION:
            return f"{_literal(f'{tag}: ')} {_one_of((Outcome.ACCEPT, Outcome.REJECT))}"
        case Output.DECISION_EXACT:
            return _one_of(("[[Y]]", "[[N]]"))
        case Output.SCORE:
            return f"{_literal(f'{tag}: ')} {_one_of(_scores(scale))}"
        case Output.SCORE_EXACT:
            return f'"Score: " {_one_of(_scores(scale))}'
        case Output.GRADE | Output.GRADE_EXACT:
            *lower, highest = _scores(scale)
            opening = f'<grade code="{tag}">' if form is Output.GRADE else "<grade>"
            flawed = f'{_one_of(lower)} "</score>" assessment "<errors>" prose "</errors>"'
            perfect = f'{_literal(highest)} "</score>" assessment "<errors></errors>"'
            return f'{_literal(opening)} "\\n<score>" ({flawed} | {perfect}) "\\n</grade>"'
        case _:
            raise ValueError(f"no grammar ends a reply in the form {form}")


def _rating(tag: str) -> str:
    keys = [(key, "share") for key in rating_reading.FIGURES] + [(key, "yes") for key in rating_reading.ANSWERS]
    values = " ".join(f"{_literal(f', {json.dumps(key)}: ')} {rule}" for key, rule in keys)
    opening = _literal(f'{{"code": {json.dumps(tag)}')
    explanation = _literal(f', "{rating_reading.TEXT}": "')
    return f"{opening} {values} {explanation} text {_literal(chr(34) + '}')}"


def _scores(scale: Scale | None) -> list[str]:
    if scale is None:
        raise ValueError("a score needs a scale")
    return [str(score) for score in range(scale.lowest, scale.highest + 1)]


def _one_of(texts: Sequence[str]) -> str:
    return f"({' | '.join(_literal(text) for text in texts)})"


def _literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
