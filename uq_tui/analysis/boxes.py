"""Finding the final answer in a reply: what it puts into `\\boxed{...}`.

All functions are pure and take time linear in the text.
"""

import re

_BOXED = re.compile(r"\\boxed\s*\{")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BOX_OR_BRACE = re.compile(r"\\boxed\s*\{|\\(?!\\boxed\s*\{).|[{}]", re.DOTALL)
_NOTHING = re.compile(r"[\s$*.]*+(?:\\[\[\]()][\s$*.]*+)?")
"""A line that only opens or closes mathematics, or holds nothing."""


def final_boxes(reply: str) -> tuple[str, ...]:
    """Contents of the boxes with which a reply ends, in their order, each once; empty where none is whole.

    What stands behind them doesn't matter. They are the last box that isn't empty, the others on its line, and those on
    lines directly before that have a box as well. Boxes further up are steps on the way, or were taken back; of several
    different ones here none can be told to be the answer.
    """
    found = _last(reply)
    if found is None:
        return ()
    first = _BOXED.search(reply, _block_start(reply, found[0]))
    ends = _contents(reply[first.start() if first else found[0] : found[2] + 1])
    return tuple(dict.fromkeys(content.strip() for content in ends if content.strip()))


def _last(reply: str) -> tuple[int, int, int] | None:
    """Where the last box that isn't empty begins, and its content from and to."""
    for opened in reversed(list(_BOXED.finditer(reply))):
        end = _closing(reply, opened.end())
        if end is None:
            return None
        if reply[opened.end() : end].strip():
            return opened.start(), opened.end(), end
    return None


def _block_start(reply: str, at: int) -> int:
    """Where the lines with boxes begin that run up to the one at `at`, lines without any words between them skipped."""
    start = reply.rfind("\n", 0, at) + 1
    before = start
    while before > 0:
        line_start = reply.rfind("\n", 0, before - 1) + 1
        line = reply[line_start : before - 1]
        if _BOXED.search(line):
            start = line_start
        elif not _NOTHING.fullmatch(line):
            break
        before = line_start
    return start


def _contents(text: str) -> list[str]:
    """Contents of the boxes in a text that have no box in them, in the order in which they close."""
    contents: list[str] = []
    level, box = 0, (0, 0)  # of the box opened last: the level of its content, and where that begins
    for found in _BOX_OR_BRACE.finditer(text):
        what = found.group()
        if what == "}":
            if level and level == box[0]:
                contents.append(text[box[1] : found.start()])
                box = (0, 0)
            level = max(level - 1, 0)
        elif what.endswith("{") and what != "\\{":
            level += 1
            if what != "{":
                box = (level, found.end())
    return contents


def _closing(text: str, start: int) -> int | None:
    """Where the brace stands that closes the one before `start`; escaped braces don't count."""
    level = 1
    for found in _BRACE.finditer(text, start):
        level += {"{": 1, "}": -1}.get(found.group(), 0)
        if level == 0:
            return found.start()
    return None
