"""Reading the element that a proof grader ends its reply with.

It is read by one pattern, not by an XML parser: there are no entities to expand and no nesting to go down, and what a
grader wrote in its prose cannot become structure. The score stands before the prose and right behind the opening tag,
whose code the author of a proof cannot know.
"""

import re
from dataclasses import dataclass

from uq_tui.analysis.scale import Scale

_PROSE = r"([^<]*(?:<(?!/?(?:grade|score|assessment|errors)\b)[^<]*)*)"
_REST = re.compile(
    rf"\s*<score>\s*([0-9]{{1,4}}(?:\.[0-9]{{1,6}})?)\s*</score>"
    rf"\s*<assessment>{_PROSE}</assessment>\s*<errors>{_PROSE}</errors>\s*</grade>[\s`*]*"
)
_OPENING = re.compile(r'<grade(?: code="[A-Z2-7]{8}")?>')
_ITEM = re.compile(r"^ {0,3}(?:[-*•+]|\d{1,3}[.)])[ \t]+", re.MULTILINE)
"""How an entry of a list of errors begins."""
_NOTHING = re.compile(r"(?:none|no errors|nothing|n/a|-|–)\.?", re.IGNORECASE)
"""What graders write where they are to write nothing."""


@dataclass(frozen=True, slots=True)
class Grade:
    """A grader's element. `value` is `None` where it can't be read; `reason` then says why, and is empty otherwise.

    `assessment` and `errors` are the grader's words as they stand.
    """

    value: float | None
    reason: str = ""
    assessment: str = ""
    errors: str = ""


def read_grade(reply: str, scale: Scale, tag: str) -> Grade:
    """The grade in a reply: one element of the form that `ending.grade` asks for, at the very end.

    Errors must be empty, or say that there are none, if the score is the highest, and only then.

    Args:
        reply: the reply proper, without the grader's reasoning.
        scale: the scores that may be given.
        tag: the tag that was asked for; "" for the exact form, whose element has none.
    """
    if not reply.strip():
        return Grade(None, "the reply is empty")
    opening = f'<grade code="{tag}">' if tag else "<grade>"
    parts = reply.split(opening)
    if len(parts) == 1:
        return Grade(None, "no element with the tag" if tag else "no element <grade>")
    if len(parts) > 2:
        return Grade(None, "several elements with the tag" if tag else "several elements <grade>")
    found = _REST.fullmatch(parts[1])
    if found is None:
        return Grade(None, "the element is malformed or not the end of the reply")
    value, assessment, errors = float(found.group(1)), found.group(2).strip(), found.group(3).strip()
    if _NOTHING.fullmatch(errors):
        errors = ""
    if not scale.lowest <= value <= scale.highest:
        return Grade(None, f"the score {value:g} is not from {scale.lowest} to {scale.highest}")
    if value == scale.highest and errors:
        return Grade(None, "the highest score, but errors are listed")
    if value < scale.highest and not errors:
        return Grade(None, "no errors are listed, but the score is not the highest")
    return Grade(value, assessment=assessment, errors=errors)


def errors_in(reply: str) -> tuple[str, ...]:
    """What a grader holds against a proof, error by error, in a reply whose grade `read_grade` has read.

    Only one element can stand at the very end, so it is the one that was read, and its tag need not be known. A list is
    taken apart into its entries; what is written otherwise is one error.
    """
    openings = list(_OPENING.finditer(reply))
    found = _REST.fullmatch(reply, openings[-1].end()) if openings else None
    errors = found.group(3).strip() if found else ""
    if not errors or _NOTHING.fullmatch(errors):
        return ()
    starts = list(_ITEM.finditer(errors))
    if not starts:
        return (errors,)
    ends = [*(one.start() for one in starts[1:]), len(errors)]
    parts = [errors[: starts[0].start()], *(errors[one.end() : end] for one, end in zip(starts, ends, strict=True))]
    return tuple(part.strip() for part in parts if part.strip())
