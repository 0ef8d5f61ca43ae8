"""Rewriting a formula so that it has one reading only.

LaTeX parsers guess: the one behind math-verify reads `7 8` as 15, `(3)(4)` as 7, `2^3!` as 8! and `A^T` as A. So only a
small language passes here, and it comes out with every product and group written out. What has two common readings
(`1/2x`, `2\\frac{1}{2}`, `\\log 2`, `1e5`, `f(3)`, `0.1(6)`, words) is refused, and so is what may not commute (`AB`).
"""

import re
from functools import lru_cache

MAX_LENGTH = 1_000
"""Characters of a formula that is read."""
MAX_DEPTH = 30
"""Nesting that is read."""
MAX_DIGITS = 300
"""Digits of one number that is read."""

_TOKEN = re.compile(r" +|[0-9]+(?:\.[0-9]+)?|\.[0-9]+|[a-zA-Z]+|\\[a-zA-Z]+|[-+*/^_!(){}\[\]]|.", re.DOTALL)
_NUMBER = re.compile(r"[0-9]*\.?[0-9]+")
_TEXT = re.compile(r"\\(?:text\w*|mbox|math\w+|operatorname)\s*\{[^{}]*[a-zA-Z]")
_SCIENTIFIC = re.compile(r"[0-9] ?[eE] ?[-+]?[0-9]")
_ASSIGNMENT = re.compile(
    r"\s*((?:[a-zA-Z]|\\[a-zA-Z]{2,10})(?:_(?:[0-9a-zA-Z]|\{[0-9a-zA-Z]+\}))?(?:\([a-z](?:, ?[a-z]){0,5}\))?)\s*=(?!=)"
)
_PROGRAM = re.compile(
    r"__|\*\*|(?<![\\a-zA-Z])(?:[a-zA-Z][a-zA-Z0-9_]{2,}\(|(?:eval|exec|getattr|setattr|globals|locals)(?![a-zA-Z]))"
)
_BRACKET = re.compile(r"[(\[{]|[)\]}]")
_WORD = re.compile("as|at|be|by|cm|do|if|in|is|it|kg|km|lg|ln|mm|mu|nd|no|nu|of|on|or|pi|so|th|to|up|we|xi")
"""Two letters that are a word, a unit or the name of a function or letter rather than a product."""
_FUNCTION = re.compile(r"\\(?:arc)?(?:sin|cos|tan)|\\(?:cot|sec|csc|sinh|cosh|tanh|ln|exp)")
_CONSTANT = re.compile(
    r"\\(?:pi|alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|rho|sigma|tau|phi|varphi"
    r"|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Phi|Psi|Omega)"
)
_TIMES = frozenset(("\\cdot", "\\times", "*"))
_MULTIPLIES_BRACKETS = frozenset("abckmnpqrstuvwxyz")
"""Letters that are read as a factor before brackets with a letter in them; others may name a function there."""


def beyond_limits(text: str) -> str:
    """Why a text isn't tried as a formula at all, "" where it may be."""
    if _PROGRAM.search(text):
        return "program text is never read"
    depth = deepest = 0
    for bracket in _BRACKET.findall(text):
        depth += 1 if bracket in "([{" else -1
        deepest = max(deepest, depth)
    return f"nested deeper than {MAX_DEPTH}" if deepest > MAX_DEPTH else ""


@lru_cache(maxsize=1_024)
def canonical(text: str) -> str | None:
    """The formula with one reading, as LaTeX; `None` when it isn't in the language or could be read in two ways."""
    if len(text) > MAX_LENGTH or _TEXT.search(text) or _SCIENTIFIC.search(text):
        return None
    try:
        return _Reader(text).whole()
    except _RefusedError:
        return None


def split_assignment(text: str) -> tuple[str, str]:
    """The name and the right side of `x = ...`; the name is empty where the text isn't of that form."""
    found = _ASSIGNMENT.match(text)
    return (found.group(1), text[found.end() :].strip()) if found else ("", text)


class _RefusedError(Exception):
    """The text isn't in the language."""


class _Reader:
    """Recursive descent over the tokens, writing as it reads."""

    def __init__(self, text: str) -> None:
        self._tokens = []
        for token in _TOKEN.findall(text):
            if token.isascii() and token.isalpha():
                if len(token) > 2 or _WORD.fullmatch(token):
                    raise _RefusedError
                self._tokens.extend(token)
            elif token[0] != " ":
                self._tokens.append(token)
        self._at = 0
        self._depth = 0

    def whole(self) -> str:
        written = self._sum()
        if self._next():
            raise _RefusedError
        return written

    def _next(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._next()
        self._at += 1
        return token

    def _skip(self, wanted: str) -> bool:
        if self._next() == wanted:
            self._at += 1
            return True
        return False

    def _expect(self, wanted: str) -> None:
        if not self._skip(wanted):
            raise _RefusedError

    def _sum(self) -> str:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise _RefusedError
        written = ""
        if self._next() in ("+", "-"):
            written = "-" if self._take() == "-" else ""
        written += self._product()
        while self._next() in ("+", "-"):
            written += self._take() + self._product()
        self._depth -= 1
        return written

    def _product(self) -> str:
        before = self._next()
        written = last = self._power()
        divided = False
        while True:
            token = self._next()
            if token in _TIMES:
                self._take()
                before = self._next()
                divided, last = False, self._power()
                written += "\\cdot " + last
            elif token == "/":
                self._take()
                if divided:
                    raise _RefusedError
                divided, last = True, self._power()
                written = f"\\frac{{{written}}}{{{last}}}"
            elif self._starts_factor(token):
                mixed = last.isdigit() and (token == "\\frac" or _NUMBER.fullmatch(token))
                repeating = token == "(" and "." in before
                matrices = _is_capital(before) and _is_capital(token)
                if divided or mixed or repeating or matrices:
                    raise _RefusedError
                before = token
                last = self._power()
                written += "\\cdot " + last
            else:
                return written

    def _starts_factor(self, token: str) -> bool:
        return bool(token) and (token.isalnum() or token in "({" or (token[0] in "\\." and token not in _TIMES))

    def _power(self) -> str:
        base = self._base()
        if self._skip("!"):
            if self._next() in ("!", "^"):
                raise _RefusedError
            return f"({base}!)"
        if not self._skip("^"):
            return base
        exponent = self._argument()
        if exponent == "T" or self._next() in ("^", "!"):
            raise _RefusedError
        return f"({base})^{{{exponent}}}"

    def _base(self) -> str:
        token = self._take()
        if _NUMBER.fullmatch(token):
            return _number(token)
        if token in ("(", "{"):
            return f"({self._closed(')' if token == '(' else '}')})"
        if len(token) == 1 and token.isascii() and token.isalpha():
            return self._letter(token)
        if _CONSTANT.fullmatch(token):
            if self._next() in ("(", "_"):
                raise _RefusedError
            return token + " "
        if token in ("\\frac", "\\binom"):
            top, bottom = self._argument(digits=2), self._argument()
            if token == "\\frac" and top.startswith("d"):
                raise _RefusedError
            return f"({token}{{{top}}}{{{bottom}}})"
        if token == "\\sqrt":
            return f"(\\sqrt{self._index()}{{{self._argument()}}})"
        if _FUNCTION.fullmatch(token):
            return f"({token}({self._function_argument()}))"
        if token == "\\log" and self._skip("_"):
            return f"(\\log_{{{self._argument()}}}({self._function_argument()}))"
        raise _RefusedError

    def _closed(self, closing: str) -> str:
        inner = self._sum()
        self._expect(closing)
        return inner

    def _letter(self, letter: str) -> str:
        if letter == "I":
            raise _RefusedError
        written = letter
        if self._skip("_"):
            written = f"{letter}_{{{self._subscript()}}}"
        if self._next() == "(" and not (written in _MULTIPLIES_BRACKETS and self._letter_in_brackets()):
            raise _RefusedError
        return written

    def _letter_in_brackets(self) -> bool:
        """Whether a letter stands in the brackets that open here: `n(n+1)` is a product, `p(10)` is not."""
        level = 0
        for token in self._tokens[self._at :]:
            level += {"(": 1, ")": -1}.get(token, 0)
            if token.isalpha():
                return True
            if level == 0:
                return False
        return False

    def _subscript(self) -> str:
        if not self._skip("{"):
            token = self._take()
            if len(token) == 1 and token.isascii() and token.isalnum():
                return token
            raise _RefusedError
        parts = []
        while not self._skip("}"):
            token = self._take()
            if not (token.isascii() and token.isalnum()):
                raise _RefusedError
            parts.append(token)
        return "".join(parts)

    def _index(self) -> str:
        if not self._skip("["):
            return ""
        index = self._take()
        self._expect("]")
        if not (index.isdigit() and 2 <= int(index[:3]) < 100):
            raise _RefusedError
        return f"[{index}]"

    def _argument(self, digits: int = 1) -> str:
        """What follows `^`, `\\frac` and the like: a group, one digit or one letter.

        `x^10` is refused, since its writer may not have known that only the 1 is raised; `\\frac12` is plain, so the
        first of two arguments may stand with the second in one token of two `digits`.
        """
        token = self._take()
        if token == "{":
            return self._closed("}")
        if token.isascii() and token.isdigit() and len(token) <= digits:
            if len(token) > 1:
                self._tokens.insert(self._at, token[1:])
            return token[0]
        if len(token) == 1 and token.isascii() and token.isalpha() and token != "I":
            return token
        if _CONSTANT.fullmatch(token):
            return token + " "
        raise _RefusedError

    def _function_argument(self) -> str:
        """A bracketed argument, or one factor with nothing behind it that might belong to it."""
        if self._next() in ("(", "{"):
            closing = ")" if self._take() == "(" else "}"
            inner = self._closed(closing)
            if self._next() in ("^", "!"):
                raise _RefusedError
            return inner
        argument = self._base()
        if self._next() in ("^", "!", "/") or self._starts_factor(self._next()):
            raise _RefusedError
        return argument


def _is_capital(token: str) -> bool:
    return len(token) == 1 and token.isupper()


def _number(token: str) -> str:
    if len(token) > MAX_DIGITS:
        raise _RefusedError
    whole, _, places = token.partition(".")
    return f"(\\frac{{{int(whole + places)}}}{{1{'0' * len(places)}}})" if places else str(int(whole))
