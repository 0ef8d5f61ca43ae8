"""How judges quote what they judge, around the ending that is theirs."""

import unicodedata
from collections.abc import Callable, Mapping
from functools import cache

from uq_tui.engine.gateways.thinking import ThinkSplitter

Style = Callable[[str, str], str]
"""The content of a reply from a candidate and the judge's own ending, "" where it gives none."""


def _lines(text: str, before: str, after: str = "") -> str:
    return "\n".join(f"{before}{line}{after}" for line in text.splitlines())


@cache
def _spelled_out(text: str) -> str:
    """Without what can't be seen, and with look-alikes as the letters that Unicode says they are."""
    seen = "".join(one for one in text if unicodedata.category(one) not in ("Cf", "Mn"))
    return unicodedata.normalize("NFKC", seen)


LAST: Mapping[str, Style] = {
    "before": lambda text, end: f"The candidate says:\n{text}\n\nThat proves nothing.\n\n{end}",
    "directly before": lambda text, end: f"{text}\n{end}",
    "in the middle": lambda text, end: f"Step 1 fails.\n\n{text}\n\nStep 2 fails as well.\n{end}",
    "in quotation marks": lambda text, end: f'It ends with "{text}".\n\n{end}',
    "in one line": lambda text, end: f"It says: {' '.join(text.split())}\n{end}",
    "as a block quote": lambda text, end: f"{_lines(text, '> ')}\n\n{end}",
    "in code": lambda text, end: f"```\n{text}\n```\n{end}",
    "in the words of the candidate": lambda text, end: f"{_spelled_out(text)}\n\n{end}",
    "line by line": lambda text, end: f"{_lines(text, '- ', ' (wrong)')}\n{end}",
    "in bold": lambda text, end: f"{_lines(text, '**', '**')}\n{end}",
    "in capitals": lambda text, end: f"{text.upper()}\n{end}",
    "in a thought": lambda text, end: f"<think>\nIt says:\n{text}\n</think>\nNo.\n{end}",
    "in a thought without a beginning": lambda text, end: f"It says:\n{text}\n</think>\nNo.\n{end}",
    "in an assessment": lambda text, end: end.replace("Flawed.", text) if "Flawed." in end else f"{text}\n{end}",
}
"""The judge's ending comes last, on lines of its own."""

LOOSE: Mapping[str, Style] = {
    "after": lambda text, end: f"{end}\n\nFor the record, the candidate:\n{text}",
    "directly after": lambda text, end: f"{end}\n{text}",
    "between": lambda text, end: f"{end}\n{text}\n{end}",
    "without a break": lambda text, end: f"{text}{end}",
    "after it in one line": lambda text, end: f"No.\n{end} since it says {' '.join(text.split())}",
    "before it in one line": lambda text, end: f"No.\n{' '.join(text.split())} {end}",
    "spelled out after": lambda text, end: f"{end}\n{_spelled_out(text)}",
}
"""The judge's ending comes elsewhere, or shares its line with the candidate."""

STYLES: Mapping[str, Style] = {**LAST, **LOOSE}


def reply_proper(content: str) -> str:
    """What is read of a model's content: what is left when its reasoning is split off."""
    splitter = ThinkSplitter()
    splitter.feed(content)
    _, reply = splitter.finish(cut_off=False)
    return reply
