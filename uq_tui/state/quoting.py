"""Foreign text inside Markdown of our own, where it may be read as text but not leave its place."""

import re

from store.html import text_in_place
from store.rows import Text

_DESTINATION = re.compile(r"(?<=\]\()(?:<[^<>\n]*>|[a-z]+:[^()\s]*|[/#][^()\s]*)(?=\))", re.IGNORECASE)


def one_line(text: str) -> str:
    """`text` on one line: it can begin no block of its own."""
    return " ".join(text.split())


def inline_code(text: str) -> str:
    """`text` on one line as inline code, which nothing in it can end."""
    line = one_line(text)
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence, blank = "`" * (longest + 1), " " if longest else ""
    return f"{fence}{blank}{line}{blank}{fence}"


def quoted(text: str) -> str:
    """`text` as a Markdown quotation that nothing in it can end."""
    return "\n".join(f"> {line}" for line in text.replace("\r", "\n").split("\n"))


def place_in_markdown(answer: Text, start: int, end: int) -> tuple[int, int] | None:
    """Where code points `start` to `end` of the raw answer stand in the Markdown that is read.

    The two differ for answers in HTML. There the same text is looked for; of several places the one that has as many
    before it, or the last. Tags, comments and where links lead are no text on either side. `None` when it isn't there.
    """
    if answer.raw == answer.markdown:
        return start, end
    wanted = answer.raw[start:end]
    shown = _DESTINATION.sub(lambda found: "\0" * len(found[0]), answer.markdown)
    at = shown.find(wanted) if wanted else -1
    for _ in range(text_in_place(answer.raw).count(wanted, 0, start) if at >= 0 else 0):
        following = shown.find(wanted, at + len(wanted))
        if following < 0:
            break
        at = following
    return None if at < 0 else (at, at + len(wanted))
