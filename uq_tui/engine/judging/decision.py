"""Reading a judge's decision.

A tagged decision stands on a line `TAG: accept` or `TAG: reject` that only the judge can write (`conversations.py`). An
exact one is the bare `[[Y]]` or `[[N]]` of Unsolved Questions (arXiv 2508.17580v1), which a candidate can hold as well:
it is read from the last line alone, and nothing keeps a judge that ends by quoting a candidate from being misread.
"""

import re
from dataclasses import dataclass

from prompts.loader import Output
from uq_tui.engine.judging.conversations import Conversation
from uq_tui.words import Outcome

_DECORATION = str.maketrans("", "", "*`")
_LINE_END = re.compile(r"\r\n|\r|\n")
_EXACT = re.compile(r"\[\[[ \t]*([YyNn])[ \t]*\]\]")
_EXACT_OUTCOMES = {"Y": Outcome.ACCEPT, "N": Outcome.REJECT}


@dataclass(frozen=True, slots=True)
class Decision:
    """What a reply decides. `reason` says why it is unparsed; empty for a decision."""

    outcome: Outcome
    reason: str = ""


def decision_in(conversation: Conversation, reply: str) -> Decision:
    """The decision in the reply to a conversation, read in the form it was asked for.

    Args:
        conversation: what was asked, with a form of decision.
        reply: the reply proper, without the judge's reasoning.
    """
    if conversation.form is Output.DECISION_EXACT:
        return read_exact_decision(reply)
    return read_decision(reply, conversation.tag)


def read_decision(reply: str, tag: str) -> Decision:
    """The decision in a judge's reply: exactly one, on a tagged line that is the last line with anything on it.

    Bold marks and backticks around it and the case of the two words don't matter; everything else does. Earlier tagged
    lines are fine if they say the same. Anything else is `unparsed`, with the reason.

    Args:
        reply: the reply proper, without the judge's reasoning.
        tag: the tag that was asked for, 8 characters.
    """
    lines = lines_of(reply)
    decisions = [_tagged(line, tag) for line in lines]
    distinct = {decision for decision in decisions if decision}
    if not lines:
        return Decision(Outcome.UNPARSED, "the reply is empty")
    if not distinct:
        return Decision(Outcome.UNPARSED, "no tagged decision line")
    if len(distinct) > 1:
        return Decision(Outcome.UNPARSED, "tagged lines for both accept and reject")
    if decisions[-1] is None:
        return Decision(Outcome.UNPARSED, "the tagged decision line is not the last line")
    return Decision(decisions[-1])


def read_exact_decision(reply: str) -> Decision:
    """The decision by the bare marks of Unsolved Questions, Appendix E.7: `[[Y]]` or `[[N]]` on the last line.

    Case, spaces inside the brackets and words beside them don't matter. A last line with both, or with neither, is
    `unparsed`: what is missing is never a no.

    Args:
        reply: the reply proper, without the judge's reasoning.
    """
    lines = lines_of(reply)
    if not lines:
        return Decision(Outcome.UNPARSED, "the reply is empty")
    found = {letter.upper() for letter in _EXACT.findall(lines[-1])}
    if not found:
        return Decision(Outcome.UNPARSED, "neither [[Y]] nor [[N]] on the last line")
    if len(found) > 1:
        return Decision(Outcome.UNPARSED, "both [[Y]] and [[N]] on the last line")
    return Decision(_EXACT_OUTCOMES[found.pop()])


def lines_of(reply: str) -> list[str]:
    """The lines of a reply that hold anything, without bold marks, backticks and blanks around them."""
    undecorated = (line.translate(_DECORATION).strip() for line in _LINE_END.split(reply))
    return [line for line in undecorated if line]


def tagged_text(line: str, tag: str) -> str | None:
    """What a line of `lines_of` says after `TAG:`; `None` where it has no such beginning."""
    head, colon, text = line.partition(":")
    return text.strip() if tag and colon and head.rstrip() == tag else None


def _tagged(line: str, tag: str) -> Outcome | None:
    word = (tagged_text(line, tag) or "").lower()
    return Outcome(word) if word in (Outcome.ACCEPT, Outcome.REJECT) else None
