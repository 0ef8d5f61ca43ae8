"""Tells reasoning from answer where a model writes both into one text, as `<think>...</think>` before the answer.

Only leading blocks are reasoning: a tag that stands inside the answer is part of the answer. When in doubt the
text counts as answer, so that an answer is never lost:

- A block that is never closed is reasoning when the reply was cut off, else it is the answer.
- A block that holds opening tags ends where as many have been closed, not counting tags in code. When they never
  all are, it ends at the last closing tag.
- A closing tag without an opening one (some chat templates write the opening tag into the prompt) ends
  reasoning only when it stands on a line of its own outside a code fence and text follows it.
"""

import re
from dataclasses import dataclass

_NAMES = ("think", "thinking")
_LONE_CLOSING = re.compile(r"^[ \t]*</think(?:ing)?>[ \t]*$", re.MULTILINE)
_FENCE = re.compile(r"^[ ]{0,3}(?:```|~~~)", re.MULTILINE)
_TOKENS = {name: re.compile(rf"<(?P<end>/?){name}>|\n(?P<fence> {{0,3}}(?:```|~~~))?|(?P<ticks>`+)") for name in _NAMES}
_UNCERTAIN = re.compile(r"(?:</?[a-z]{0,8}|\n {0,3}[`~]{0,2})\Z")
"""A beginning of one of these tokens at the end of what has come. Backticks may come one by one."""


@dataclass(slots=True)
class _Block:
    """A block of reasoning that has been opened. Positions count characters from the start of the text."""

    name: str
    opened_at: int
    text_at: int
    """After the opening tag."""
    depth: int = 1
    closed: tuple[int, int] | None = None
    """Where the last closing tag stands."""
    in_fence: bool = False
    in_code: bool = False
    ticks_to: int = -1
    """Where the last backticks end."""

    def take(self, token: re.Match[str], at: int) -> bool:
        """Note a token that begins at `at`; True when the block ends with it."""
        end = at + len(token[0])
        if token["ticks"]:
            self.in_code = self.in_code != (at != self.ticks_to)
            self.ticks_to = end
        elif token[0][0] == "\n":
            self.in_code = False
            self.in_fence = self.in_fence != bool(token["fence"])
            self.ticks_to = end
        elif self.closed and (self.in_code or self.in_fence):
            pass  # what follows a closing tag may be the answer, and a tag in its code is literal
        elif token["end"]:
            self.depth -= 1
            self.closed = (at, end)
            self.in_code = self.in_fence = False
        elif not (self.in_code or self.in_fence):
            self.depth += 1
        return self.depth == 0


class ThinkSplitter:
    """Splits a text that arrives in pieces, at any cut."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._pending = ""
        self._at = 0
        """Where the pending text begins."""
        self._block: _Block | None = None
        self._reasoning: list[tuple[int, int]] = []
        """Where closed blocks begin and end, without their tags."""
        self._answer_at: int | None = None

    def feed(self, text: str) -> tuple[str, str]:
        """Take the next piece; returns the reasoning and the reply that are new and certain enough to show."""
        self._pieces.append(text)
        if self._answer_at is not None:
            return "", text
        self._pending += text
        reasoning: list[str] = []
        while self._inside(reasoning) if self._block else self._before():
            pass
        return "".join(reasoning), self._reply_begun()

    def _reply_begun(self) -> str:
        """What has come of the answer when it has just begun, else nothing."""
        if self._answer_at is None:
            return ""
        reply, self._pending = self._pending, ""
        return reply

    def _skip(self, count: int) -> None:
        self._pending = self._pending[count:]
        self._at += count

    def _before(self) -> bool:
        """Look for an opening tag where none is open. True when there is more to do."""
        start = self._pending.lstrip()
        blanks = len(self._pending) - len(start)
        for name in _NAMES:
            if start.startswith(tag := f"<{name}>"):
                self._skip(blanks + len(tag))
                self._block = _Block(name, self._at - len(tag), self._at)
                return True
        if any(f"<{name}>".startswith(start) for name in _NAMES):
            return False
        if self._reasoning:
            self._skip(blanks)
        self._answer_at = self._at
        return False

    def _inside(self, out: list[str]) -> bool:
        """Take reasoning up to the end of the block. True when it has ended."""
        block = self._block
        if block is None:
            return False
        uncertain = _UNCERTAIN.search(self._pending)
        certain = uncertain.start() if uncertain else len(self._pending)
        for token in _TOKENS[block.name].finditer(self._pending, 0, certain):
            if block.take(token, self._at + token.start()):
                out.append(self._pending[: token.start()])
                self._reasoning.append((block.text_at, self._at + token.start()))
                self._skip(token.end())
                self._block = None
                return True
        out.append(self._pending[:certain])
        self._skip(certain)
        return False

    def finish(self, *, cut_off: bool) -> tuple[str, str]:
        """The whole reasoning and the whole reply, once no more text comes.

        Args:
            cut_off: the reply ended at a length limit or by a failure, not by itself.
        """
        text = "".join(self._pieces)
        spans = list(self._reasoning)
        block = self._block
        if block is not None and block.closed:
            spans.append((block.text_at, block.closed[0]))
            reply = text[block.closed[1] :].lstrip()
        elif block is not None and cut_off:
            spans.append((block.text_at, len(text)))
            reply = ""
        elif block is not None:
            reply = text[block.opened_at :]
        else:
            reply = text[self._at if self._answer_at is None else self._answer_at :]
            if spans and not reply.strip():
                reply = ""
        if not spans:
            return _split_at_lone_closing(reply)
        return "".join(text[start:end] for start, end in spans).strip(), reply


def _split_at_lone_closing(text: str) -> tuple[str, str]:
    found = _LONE_CLOSING.search(text)
    if found is None:
        return "", text
    before, after = text[: found.start()], text[found.end() :].lstrip()
    in_fence = len(_FENCE.findall(before)) % 2 == 1
    return ("", text) if in_fence or not after else (before.strip(), after)
