"""LaTeX cut into tokens, and a cursor over them."""

import re
from collections.abc import Iterable

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\s+|.", re.DOTALL)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?")


class UnreadableError(Exception):
    """The formula can't be read: braces or environments don't match, an unknown environment, too deep or too long."""


def tokenise(latex: str) -> list[str]:
    """Commands, runs of white space, and single characters; comments are white space."""
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
        self._tokens = tokens
        self._at = 0

    def peek(self) -> str | None:
        """The next token; None at the end."""
        return self._tokens[self._at] if self._at < len(self._tokens) else None

    def next(self) -> str:
        """The next token, passed over.

        Raises:
            UnreadableError: there is none.
        """
        if self._at >= len(self._tokens):
            raise UnreadableError
        self._at += 1
        return self._tokens[self._at - 1]

    def back(self) -> None:
        """Step back before the token that was passed last."""
        self._at -= 1

    def insert(self, tokens: Iterable[str]) -> None:
        """Let `tokens` come next."""
        self._tokens[self._at : self._at] = tokens

    def __len__(self) -> int:
        """How many tokens there are, passed ones too."""
        return len(self._tokens)

    def skip_space(self) -> None:
        """Pass over white space."""
        while self._at < len(self._tokens) and self._tokens[self._at].isspace():
            self._at += 1

    def skip_row_gap(self) -> None:
        r"""Pass over the `[2pt]` that may follow `\\`."""
        rest = self._tokens[self._at : self._at + 12]
        if rest[:1] == ["["] and "]" in rest and rest[1].lstrip("-").isdigit():
            self._at += rest.index("]") + 1

    def skip(self, token: str) -> bool:
        """Pass over `token` if it comes next, with white space before it. Whether it did."""
        start = self._at
        self.skip_space()
        if self.peek() == token:
            self._at += 1
            return True
        self._at = start
        return False

    def group(self) -> list[str]:
        """What stands in the braces that come next, as it is written; without braces, the next token."""
        self.skip_space()
        token = self.next()
        if token != "{":
            return [token]
        start, depth = self._at, 1
        while depth:
            token = self.next()
            depth += (token == "{") - (token == "}")
        return self._tokens[start : self._at - 1]

    def raw_group(self) -> str:
        """`group` as text."""
        return as_text(self.group())

    def raw_option(self) -> list[str] | None:
        """What stands in the square brackets that come next, braces respected; None where there are none."""
        if not self.skip("["):
            return None
        start, depth = self._at, 0
        while (token := self.next()) != "]" or depth:
            depth += (token == "{") - (token == "}")
        return self._tokens[start : self._at - 1]
