"""Reading a judge's score, in the forms of the judges of Consequence-Based Utility (arXiv 2602.06291v1), Appendix E.

A score is read from the last line alone, as it stands: 8.5 stays 8.5, and a range, a score off the scale or two scores
are no score. A tagged one stands on a line `TAG: k` that only the judge can write; an exact one on `Score: k`, which a
candidate can hold as well.
"""

import re
from dataclasses import dataclass

from prompts.loader import Output
from uq_tui.analysis.grades import read_grade
from uq_tui.analysis.scale import Scale
from uq_tui.engine.judging.conversations import Conversation
from uq_tui.engine.judging.decision import lines_of, tagged_text

_NUMBER = r"([0-9]{1,4}(?:\.[0-9]{1,6})?)"
_SCORE = re.compile(rf"(?:{_NUMBER}|\[ *{_NUMBER} *\])(?: *(?:/|out of) *([0-9]{{1,4}}))?")
_BRACKETED = re.compile(r"\[([^\[\]]*)\]")
_RANGE = re.compile(rf"{_NUMBER} *(?:-|\u2010|\u2011|\u2012|\u2013|\u2014|\u2212|to) *{_NUMBER}.*")
_LABEL = re.compile(r"(?:#{1,6} *)?(?:(?:final|overall|total) +)?score *[:=](.*)", re.ASCII | re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Score:
    """The score in a reply. `None` where it can't be read; `reason` then says why, and is empty otherwise."""

    value: float | None
    reason: str = ""


def score_in(conversation: Conversation, reply: str) -> Score:
    """The score in the reply to a conversation, read in the form it was asked for.

    Args:
        conversation: what was asked, with a scale and a form of score or grade.
        reply: the reply proper, without the judge's reasoning.

    Raises:
        ValueError: the conversation asks for no score.
    """
    if conversation.scale is None:
        raise ValueError("the conversation has no scale")
    match conversation.form:
        case Output.SCORE:
            return read_score(reply, conversation.scale, conversation.tag)
        case Output.SCORE_EXACT:
            return read_exact_score(reply, conversation.scale)
        case Output.GRADE | Output.GRADE_EXACT:
            grade = read_grade(reply, conversation.scale, conversation.tag)
            return Score(grade.value, grade.reason)
        case _:
            raise ValueError(f"a {conversation.form} is no score")


def read_score(reply: str, scale: Scale, tag: str) -> Score:
    """The score on the tagged last line. Earlier tagged lines are fine if they give the same score.

    Args:
        reply: the reply proper, without the judge's reasoning.
        scale: the scores that may be given. Fractions between its ends are kept.
        tag: the tag that was asked for, 8 characters.
    """
    lines = lines_of(reply)
    if not lines:
        return Score(None, "the reply is empty")
    texts = [tagged_text(line, tag) for line in lines]
    found = [_read(text, scale) for text in texts if text is not None]
    if not found:
        return Score(None, "no tagged score line")
    if texts[-1] is None:
        return Score(None, "the tagged score line is not the last line")
    if len({score.value for score in found} - {None}) > 1:
        return Score(None, "tagged lines with different scores")
    return found[-1]


def read_exact_score(reply: str, scale: Scale) -> Score:
    """The score on a last line such as `Score: 8`, `Final score: 8/10` or `### Score: [8]`.

    Args:
        reply: the reply proper, without the judge's reasoning.
        scale: the scores that may be given. Fractions between its ends are kept.
    """
    lines = lines_of(reply)
    if not lines:
        return Score(None, "the reply is empty")
    labelled = _LABEL.fullmatch(lines[-1])
    return _read(labelled.group(1), scale) if labelled else Score(None, "the last line is no score line")


def _read(text: str, scale: Scale) -> Score:
    text = text.strip()
    whole = _BRACKETED.fullmatch(text)
    text = whole.group(1).strip() if whole else text
    found = _SCORE.fullmatch(text)
    if found is None:
        return Score(None, "a range is no score" if _RANGE.fullmatch(text) else "no number on the score line")
    value = float(found.group(1) or found.group(2))
    if found.group(3) and int(found.group(3)) != scale.highest:
        return Score(None, f"a score out of {int(found.group(3))}, not {scale.highest}")
    if not scale.lowest <= value <= scale.highest:
        return Score(None, f"the score {value:g} is not from {scale.lowest} to {scale.highest}")
    return Score(value)
