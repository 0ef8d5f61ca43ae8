"""Tells reasoning from answer where a model writes both into one text, as `<think>...</think>` before the answer.

Only leading blocks are reasoning: a tag that stands inside the answer is part of the answer. When in doubt the
text counts as answer, so that an answer is never lost:

- A block that is never closed is reasoning when the reply was cut off, else it is the answer.
- A closing tag without an opening one (some chat templates write the opening tag into the prompt) ends
  reasoning only when it stands on a line of its own outside a code fence and text follows it.
"""

import re

_OPENING = ("<think>", "<thinking>")
_LONE_CLOSING = re.compile(r"^[ \t]*</think(?:ing)?>[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~)", re.MULTILINE)


class ThinkSplitter:
    """Splits a text that arrives in pieces, at any cut."""

    def __init__(self) -> None:
        self._pending = ""
        self._closing = ""
        """The tag that ends the open block; empty outside a block."""
        self._answering = False
        self._seen_block = False
        self._open_block: list[str] = []
        self._reasoning: list[str] = []
        self._reply: list[str] = []

    def feed(self, text: str) -> tuple[str, str]:
        """Take the next piece; returns the reasoning and the reply that are new and certain enough to show."""
        if self._answering:
            self._reply.append(text)
            return "", text
        self._pending += text
        reasoning: list[str] = []
        while not self._answering and (self._inside(reasoning) if self._closing else self._before()):
            pass
        reply = self._pending if self._answering else ""
        if reply:
            self._pending = ""
            self._reply.append(reply)
        return "".join(reasoning), reply

    def _before(self) -> bool:
        """Look for an opening tag where none is open. True when there is more to do."""
        start = self._pending.lstrip()
        for tag in _OPENING:
            if start.startswith(tag):
                self._closing = tag.replace("<", "</")
                self._pending = start.removeprefix(tag)
                self._open_block = [tag]
                return True
        if any(tag.startswith(start) for tag in _OPENING):
            return False
        if self._seen_block:
            self._pending = start
        self._answering = True
        return False

    def _inside(self, out: list[str]) -> bool:
        """Take reasoning up to the closing tag. True when the block has ended."""
        found, closing, rest = self._pending.partition(self._closing)
        if not closing:
            kept = _overlap(found, self._closing)
            found, rest = found[: len(found) - kept], found[len(found) - kept :]
        self._open_block.append(found)
        out.append(found)
        self._pending = rest
        if not closing:
            return False
        self._reasoning += self._open_block[1:]
        self._open_block = []
        self._closing = ""
        self._seen_block = True
        return True

    def finish(self, *, cut_off: bool) -> tuple[str, str]:
        """The whole reasoning and the whole reply, once no more text comes.

        Args:
            cut_off: the reply ended at a length limit or by a failure, not by itself.
        """
        if self._closing:
            block = [*self._open_block, self._pending]
            (self._reasoning if cut_off else self._reply).extend(block[1:] if cut_off else block)
        elif not self._answering and not (self._seen_block and not self._pending.strip()):
            self._reply.append(self._pending)
        reasoning, reply = "".join(self._reasoning).strip(), "".join(self._reply)
        if not self._seen_block and not reasoning:
            return _split_at_lone_closing(reply)
        return reasoning, reply


def _overlap(text: str, tag: str) -> int:
    """How many characters at the end of `text` may be the beginning of `tag`."""
    return next((n for n in range(min(len(text), len(tag) - 1), 0, -1) if text.endswith(tag[:n])), 0)


def _split_at_lone_closing(text: str) -> tuple[str, str]:
    found = _LONE_CLOSING.search(text)
    if found is None:
        return "", text
    before, after = text[: found.start()], text[found.end() :].lstrip()
    in_fence = len(_FENCE.findall(before)) % 2 == 1
    return ("", text) if in_fence or not after else (before.strip(), after)
