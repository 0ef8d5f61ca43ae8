"""Reading LaTeX into terms, where it has one reading only.

The language is small on purpose: a formula that is misread would be refuted. What has two common readings (`1/2x`,
`\\sin(x)^2`, `\\log`, `[x]`, `x * y`, a sum with a plus behind it), or a letter that nobody said is a variable, is
refused.
"""

import re
from fractions import Fraction

from uq_tui.plugins.numeric_identity.terms import (
    Absolute,
    Apply,
    Binomial,
    Constant,
    Factorial,
    Function,
    Number,
    Power,
    Product,
    Quotient,
    Root,
    Series,
    Sum,
    Term,
    Variable,
)

MAX_LENGTH = 1_000
"""Characters of a formula that is read."""
MAX_DEPTH = 30
"""Nesting that is read."""
MAX_DIGITS = 40
"""Digits of one number that is read."""

_TOKEN = re.compile(r"[0-9]+(?:\.[0-9]+)?|[a-zA-Z]|\\[a-zA-Z]+|.", re.DOTALL)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_NO_MEANING = re.compile(
    r"\\(?:left|right|[bB]igg?[lr]?|displaystyle|textstyle|limits|nolimits|q?quad)(?![a-zA-Z])|\\[,;:! ]|~|\s+"
)
_SAME = (("\\dfrac", "\\frac"), ("\\tfrac", "\\frac"), ("\\dbinom", "\\binom"), ("\\tbinom", "\\binom"))
GREEK = (
    r"\\(?:alpha|beta|gamma|delta|epsilon|varepsilon|zeta|eta|theta|kappa|lambda|mu|nu|xi|rho|sigma|tau|phi|varphi|chi"
    r"|psi|omega)(?![a-zA-Z])"
)
_GREEK = re.compile(GREEK)
NAME = rf"(?:[a-zA-Z]|{GREEK})(?:_(?:[0-9a-zA-Z]|\{{[0-9a-zA-Z]{{1,3}}\}}))?"
"""The LaTeX of a variable, as a regular expression."""
_FUNCTIONS = {f"\\{function.value}": function for function in Function}
_TIMES = ("\\cdot", "\\times")
_COUNTS = frozenset("nmkj")
"""Letters that are read as a factor of an argument without brackets: `\\sin nx`."""


class RefusedError(Exception):
    """The text isn't in the language."""


def plain(latex: str) -> str:
    """LaTeX without sizing and spacing, and with one name for each fraction and binomial."""
    for variant, name in _SAME:
        latex = latex.replace(variant, name)
    # A space keeps `\\alpha x` from becoming `\\alphax`.
    return _NO_MEANING.sub(" ", latex).strip()


def name_of(latex: str) -> str:
    """A variable's name in one form: `x_{1}` is `x_1`."""
    return latex.replace("{", "").replace("}", "").replace(" ", "")


def read(latex: str, variables: frozenset[str]) -> Term:
    """The term that a formula stands for.

    Args:
        latex: the formula, without relations.
        variables: names of the letters that may occur; indices of sums may besides, and `e` with an exponent is Euler's
            number unless it is one of them.

    Raises:
        RefusedError: the formula isn't in the language, or has other letters.
    """
    if len(latex) > MAX_LENGTH:
        raise RefusedError
    return _Reader(latex, variables).whole()


class _Reader:
    """Recursive descent over the tokens."""

    def __init__(self, latex: str, variables: frozenset[str]) -> None:
        self._tokens = [token for token in _TOKEN.findall(plain(latex)) if not token.isspace()]
        self._at = 0
        self._depth = 0
        self._names = variables
        self._open_series = False
        """Whether the last factor was the body of a sum, to which a plus behind it might belong or not."""

    def whole(self) -> Term:
        term = self._sum()
        if self._next():
            raise RefusedError
        return term

    def _next(self, ahead: int = 0) -> str:
        place = self._at + ahead
        return self._tokens[place] if place < len(self._tokens) else ""

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
            raise RefusedError

    def _sum(self) -> Term:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise RefusedError
        self._open_series = False
        sign = self._take() if self._next() in ("+", "-") else "+"
        parts = [_signed(sign, self._product())]
        while self._next() in ("+", "-"):
            if self._open_series:
                raise RefusedError
            parts.append(_signed(self._take(), self._product()))
        self._depth -= 1
        return parts[0] if len(parts) == 1 else Sum(tuple(parts))

    def _closed(self, closing: str) -> Term:
        term = self._sum()
        self._expect(closing)
        self._open_series = False
        return term

    def _product(self) -> Term:
        factors, divided = [self._power()], False
        while True:
            token = self._next()
            if token in _TIMES:
                self._take()
                factors.append(self._power())
            elif token == "/":
                if divided or self._open_series:
                    raise RefusedError
                self._take()
                factors, divided = [Quotient(_multiplied(factors), self._power())], True
            elif self._starts_factor(token):
                unclear = self._after_number() and (token == "\\frac" or _NUMBER.fullmatch(token))
                if divided or unclear:
                    raise RefusedError
                factors.append(self._power())
            else:
                return _multiplied(factors)

    def _after_number(self) -> bool:
        return _NUMBER.fullmatch(self._tokens[self._at - 1]) is not None

    def _starts_factor(self, token: str) -> bool:
        if not token or token == "|":
            return False
        return token.isalnum() or token in "({" or (token[0] == "\\" and token not in _TIMES)

    def _power(self) -> Term:
        is_bare = self._next() in _FUNCTIONS or self._next() in ("\\log", "\\sum", "\\prod")
        base = self._base()
        if self._skip("!"):
            if self._next() in ("!", "^", "_"):
                raise RefusedError
            return Factorial(base)
        if self._next() == "_":
            raise RefusedError
        if not self._skip("^"):
            return base
        if is_bare:
            raise RefusedError
        if self._next() == "{" and self._next(1) == "(":
            raise RefusedError  # a derivative or a rising power, maybe
        exponent = self._argument()
        if self._next() in ("^", "!", "_"):
            raise RefusedError
        return Power(base, exponent)

    def _base(self) -> Term:
        token = self._take()
        if _NUMBER.fullmatch(token):
            return _number(token)
        if token in ("(", "{"):
            return self._closed(")" if token == "(" else "}")
        if token == "|":
            return Absolute(self._closed("|"))
        if token == "\\pi":
            if self._next() in ("(", "_"):
                raise RefusedError  # it counts primes, maybe
            return Constant.PI
        if token in _FUNCTIONS:
            return self._applied(_FUNCTIONS[token])
        if _is_letter(token):
            return self._letter(token)
        match token:
            case "\\frac":
                top = self._argument()
                return Quotient(top, self._argument())
            case "\\binom":
                top = self._argument()
                return Binomial(top, self._argument())
            case "\\sqrt":
                return Root(self._index(), self._argument())
            case "\\log":
                return self._logarithm()
            case "\\sum" | "\\prod":
                return self._series(is_product=token == "\\prod")
        raise RefusedError

    def _letter(self, token: str) -> Term:
        name = token
        if self._skip("_"):
            name = f"{token}_{self._subscript()}"
        if name in self._names:
            return Variable(name)
        if name == "e" and self._next() == "^":
            return Constant.E
        raise RefusedError

    def _subscript(self) -> str:
        if not self._skip("{"):
            token = self._take()
            if len(token) > 1 or not token.isalnum():
                raise RefusedError
            return token
        written = ""
        while not self._skip("}"):
            token = self._take()
            if not token.isalnum():
                raise RefusedError
            written += token
        return written

    def _argument(self) -> Term:
        """What follows `^` or `\\frac`: a group, one digit, or one letter."""
        token = self._next()
        if token == "{":
            self._take()
            return self._closed("}")
        if token.isdigit() and token.isascii() and len(token) > 1:
            # `\\frac12` is plain, but the writer of `x^10` may not have known that only the 1 is raised.
            if len(token) > 2 or self._tokens[self._at - 1] == "^":
                raise RefusedError
            self._tokens[self._at : self._at + 1] = list(token)
        elif not (token.isalnum() or _GREEK.fullmatch(token) or token == "\\pi"):
            raise RefusedError
        return self._base()

    def _index(self) -> int:
        if not self._skip("["):
            return 2
        token = self._take()
        self._expect("]")
        if not (token.isdigit() and token.isascii() and 2 <= int(token[:3]) < 100):
            raise RefusedError
        return int(token)

    def _applied(self, function: Function) -> Term:
        """A function with its argument; `\\sin^2 x` is the square of the sine."""
        exponent = None
        if self._skip("^"):
            exponent = self._argument()
            if not (isinstance(exponent, Number) and exponent.value > 1) or function in (Function.EXP, Function.LN):
                raise RefusedError
        applied = Apply(function, self._function_argument())
        return Power(applied, exponent) if exponent is not None else applied

    def _logarithm(self) -> Term:
        """Only with its base: a bare one is to 2, e or 10."""
        self._expect("_")
        base = self._argument()
        return Quotient(Apply(Function.LN, self._function_argument()), Apply(Function.LN, base))

    def _function_argument(self) -> Term:
        """In brackets, or a short product that can't be read otherwise: `2x`, `n\\theta`, `\\frac{x}{2}`."""
        if self._next() in ("(", "{"):
            return self._closed(")" if self._take() == "(" else "}")
        parts = [self._base()] if self._next() == "\\frac" else self._short_product()
        following = self._next()
        unclear = following in ("^", "!", "/", "_", "(", "{", "\\frac", "\\pi", "\\sqrt", "\\binom")
        if not parts or unclear or _NUMBER.fullmatch(following) or _is_letter(following):
            raise RefusedError
        return _multiplied(parts)

    def _short_product(self) -> list[Term]:
        """At most a number, a letter that counts, pi and a letter, in this order."""
        parts: list[Term] = []
        if _NUMBER.fullmatch(self._next()):
            parts.append(_number(self._take()))
        if self._next() in _COUNTS and (_is_letter(self._next(1)) or self._next(1) == "\\pi"):
            parts.append(self._letter(self._take()))
        if self._next() == "\\pi":
            parts.append(self._base())
        if _is_letter(self._next()):
            parts.append(self._letter(self._take()))
        return parts

    def _series(self, *, is_product: bool) -> Term:
        self._expect("_")
        self._expect("{")
        index = self._take()
        if not index.isalpha() or index in self._names:
            raise RefusedError
        self._expect("=")
        low = self._closed("}")
        self._expect("^")
        high = self._argument()
        outer, self._names = self._names, self._names | {index}
        body = self._product()
        self._names = outer
        self._open_series = True
        return Series(is_product, index, low, high, body)


def _is_letter(token: str) -> bool:
    return token.isalpha() or _GREEK.fullmatch(token) is not None


def _multiplied(factors: list[Term]) -> Term:
    return factors[0] if len(factors) == 1 else Product(tuple(factors))


def _signed(sign: str, term: Term) -> Term:
    return Product((Number(Fraction(-1)), term)) if sign == "-" else term


def _number(token: str) -> Number:
    if len(token) > MAX_DIGITS:
        raise RefusedError
    return Number(Fraction(token))
