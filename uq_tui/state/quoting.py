"""Foreign text inside Markdown of our own, where it may be read as text but not leave its place."""

import re

from uq_tui.document.markup.parse import PROSE


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


def fences(text: str) -> tuple[str, str]:
    """What stands before and after `text` in a block that shows it as it is, and that nothing in it can close."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    ticks = "`" * max(3, longest + 1)
    return f"{ticks}{PROSE}\n", f"\n{ticks}"
