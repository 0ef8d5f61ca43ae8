"""Grammars (GBNF, llama.cpp's notation) that hold a local model's reply to the form it was asked for.

A model of 135 million parameters doesn't follow formats by itself. So it writes freely, up to a cap, and then the
grammar leaves it only the choice that was asked for. The cap is such that the reply always ends before
`max_tokens`: free text is ASCII, and no ASCII character takes more than one token.
"""

from dataclasses import dataclass

from uq_tui.engine.spec import AnswerForm
from uq_tui.words import Outcome

LINE = 160
"""Characters of free text in a line."""
_ENDING = 72
"""Tokens kept for the enforced last line and the end mark."""
_LEAST = _ENDING + LINE + 1
# Free text has no colon, so that no free line can pass for a tagged one, and no `\b...`, so that \boxed{} stays the
# grammar's; and no `<`, so that it can't open a block of reasoning.
_FREE = r"""line ::= char{1,%d} "\n"
char ::= [ !"#$%%&'()*+,./0-9;=>?@A-Z^_`a-z{|}~\[\]-] | "\\" [ac-zA-Z(),;{}\[\]]
"""
_BOXED = r"""root ::= line{0,%d} "\\boxed{" answer "}"
answer ::= "-"? ([0-9]{1,12} | short | short? special short?)
special ::= "\\pi" | "\\sqrt{" short "}" | "\\frac{" short "}{" short "}"
short ::= [0-9a-zA-Z(] [0-9a-zA-Z+*/^(),.= -]{0,11}
"""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A grammar and the token limit within which every text it allows ends."""

    grammar: str
    max_tokens: int


def constraint(form: AnswerForm, tag: str, max_tokens: int) -> Constraint | None:
    """What enforces an answer form; `None` for free text, and for audits, whose quotes no grammar can make exact.

    Args:
        tag: the decision tag, when a decision is asked for.
        max_tokens: what the reply may take. Raised where it leaves no room for one line and the answer.
    """
    if form in (AnswerForm.FREE, AnswerForm.AUDIT):
        return None
    limit = max(max_tokens, _LEAST)
    lines = (limit - _ENDING) // (LINE + 1)
    if form is AnswerForm.BOXED:
        return Constraint(_BOXED % lines + _FREE % LINE, limit)
    decisions = " | ".join(_literal(word) for word in (Outcome.ACCEPT, Outcome.REJECT))
    root = f"root ::= line{{0,{lines}}} {_literal(f'{tag}: ')} ({decisions})\n"
    return Constraint(root + _FREE % LINE, limit)


def _literal(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'
