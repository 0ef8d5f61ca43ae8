"""LaTeX cut into tokens, and a cursor over them."""

import re
from collections.abc import Iterable

_TOKEN = re.compile(
    r"\\[A-Za-z]+|\\.|\s+"
    # A character with its combining marks, and pictographs that are joined.
    "|.(?:[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f]|\u200d.)*",
    re.DOTALL,
)
_LENGTH = re.compile(r"[-+]?[\d.]+ *(?:pt|em|ex|mu|cm|mm|in|px|bp|pc)")
_ROW_GAP = re.compile(r"\[ *[-+]?[\d.]+ *[a-z]{0,2} *\]")
_LOST_BACKSLASH = re.compile(r"(?<!\\)((?:\\\\)*)\\(\[ *[-+]?[\d.]+ *(?:pt|em|ex|mu|cm|mm|in) *\])")
r"""`\[2pt]`, which within a formula can only be meant for `\\[2pt]`."""
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?")

ROW_ENDS = frozenset({"\\\\", "\\cr", "\\newline"})
CELL_ENDS = ROW_ENDS | {"&", "\\end"}

_OPENING = {"{": "}", "\\begin": "\\end", "\\left": "\\right"}
_CLOSING = frozenset(_OPENING.values())


class UnreadableError(Exception):
    """The formula can't be read: braces or environments don't match, an unknown environment, too deep or too long."""


def tokenise(latex: str) -> list[str]:
    """Commands, runs of white space, and single characters; comments are white space."""
    if "\\[" in latex:
        latex = _LOST_BACKSLASH.sub(r"\1\\\\\2", latex)
    tokens: list[str] = _TOKEN.findall(_COMMENT.sub(r"\1 ", latex) if "%" in latex else latex)
    return tokens


def as_text(tokens: Iterable[str]) -> str:
    r"""The tokens as LaTeX again. `\alpha` and `x` that came to stand together are kept apart."""
    parts: list[str] = []
    after_word = False
    for token in tokens:
        if after_word and token[0].isalpha():
            parts.append(" ")
        parts.append(token)
        after_word = len(token) > 1 and token[0] == "\\" and token[-1].isalpha()
    return "".join(parts)


class Tokens:
    """A place in a list of tokens that moves to the right."""

    def __init__(self, tokens: list[str]) -> None:
        self.tokens = tokens
        self.at = 0
        """How many tokens are passed."""

    def peek(self) -> str | None:
        """The next token; None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def next(self) -> str:
        """The next token, passed over.

        Raises:
            UnreadableError: there is none.
        """
        if self.at >= len(self.tokens):
            raise UnreadableError
        self.at += 1
        return self.tokens[self.at - 1]

    def back(self) -> None:
        """Step back before the token that was passed last."""
        self.at -= 1

    def insert(self, tokens: Iterable[str]) -> None:
        """Let `tokens` come next."""
        self.tokens[self.at : self.at] = tokens

    def __len__(self) -> int:
        """How many tokens there are, passed ones too."""
        return len(self.tokens)

    def skip_space(self) -> None:
        """Pass over white space."""
        while self.at < len(self.tokens) and self.tokens[self.at].isspace():
            self.at += 1

    def skip_row_gap(self) -> None:
        r"""Pass over the `[2pt]` that may follow `\\`."""
        if self.peek() == "[" and (found := _ROW_GAP.match("".join(self.tokens[self.at : self.at + 16]))):
            self._pass(found.end())

    def skip(self, token: str) -> bool:
        """Pass over `token` if it comes next, with white space before it. Whether it did."""
        start = self.at
        self.skip_space()
        if self.peek() == token:
            self.at += 1
            return True
        self.at = start
        return False

    def group(self) -> list[str]:
        """What stands in the braces that come next, as it is written; without braces, the next token."""
        self.skip_space()
        token = self.next()
        if token != "{":
            return [token]
        start, depth = self.at, 1
        while depth:
            token = self.next()
            depth += (token == "{") - (token == "}")
        return self.tokens[start : self.at - 1]

    def raw_group(self) -> str:
        """`group` as text."""
        return as_text(self.group())

    def length(self) -> str:
        """The length that comes next, in braces or not, as `2pt`; empty where there is none."""
        self.skip_space()
        if self.peek() == "{":
            return self.raw_group().strip()
        found = _LENGTH.match("".join(self.tokens[self.at : self.at + 16]))
        if not found:
            return ""
        self._pass(found.end())
        return found[0]

    def _pass(self, characters: int) -> None:
        """Pass over tokens of so many characters."""
        while characters > 0:
            characters -= len(self.next())

    def raw_option(self) -> list[str] | None:
        """What stands in the square brackets that come next, braces respected; None where there are none."""
        if not self.skip("["):
            return None
        start, depth = self.at, 0
        while (token := self.next()) != "]" or depth:
            depth += (token == "{") - (token == "}")
        return self.tokens[start : self.at - 1]


def partners(tokens: list[str]) -> dict[int, int]:
    r"""Where each `\left` and where its `\right` stands, for those that have one in the same cell and group."""
    found: dict[int, int] = {}
    open_at: list[int] = []
    for at, token in enumerate(tokens):
        if token in _OPENING:
            open_at.append(at)
        elif token in _CLOSING:
            # One that is never closed doesn't keep what is around it from closing.
            while open_at and _OPENING[tokens[open_at[-1]]] != token and tokens[open_at[-1]] == "\\left":
                open_at.pop()
            if open_at and _OPENING[tokens[open_at[-1]]] == token:
                start = open_at.pop()
                if token == "\\right":
                    found[start] = at
        elif token == "&" or token in ROW_ENDS:
            while open_at and tokens[open_at[-1]] == "\\left":
                open_at.pop()
    return found
