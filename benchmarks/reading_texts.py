"""Made-up answers of any size, the same each time: prose, lists, code, tables and formulas as a proof has them."""

import random
from collections.abc import Callable

_PROSE = (
    "bounded operator compact every limit norm sequence space therefore which converges measure finite subset open the "
    "a of in on we have let then since so that there exists unique such by continuity and hence it follows from above"
)
_WORDS = _PROSE.split()
_INLINE = (
    r"$x_{n+1} \le \frac{1}{2} x_n$",
    r"$f \in L^2(\mathbb{R}^d)$",
    r"$\|T\|$",
    r"$\varepsilon > 0$",
    r"$n \to \infty$",
)
_DISPLAY = (
    r"\sum_{k=0}^{n} \binom{n}{k} x^k = (1 + x)^n",
    r"\int_0^\infty \frac{\sin x}{x}\,dx = \frac{\pi}{2}",
    r"\begin{aligned} a &= b + c \\ &\le \sqrt{d^2 + e^2} \end{aligned}",
)


def made_text(characters: int, seed: int = 6) -> str:
    """Markdown of just over `characters` code points."""
    chance = random.Random(seed)
    parts = ["# Beginning of the text"]
    length = len(parts[0])
    while length < characters:
        kind: Callable[[random.Random], str] = chance.choices(
            (_prose, _display, _list, _code, _table, _heading), (60, 16, 10, 5, 3, 6)
        )[0]
        parts.append(kind(chance))
        length += len(parts[-1]) + 2
    parts.append("The end of the text.")
    return "\n\n".join(parts)


def _sentence(chance: random.Random) -> str:
    words = chance.choices(_WORDS, k=chance.randint(6, 18))
    if chance.random() < 0.4:
        words.insert(chance.randrange(len(words)), chance.choice(_INLINE))
    if chance.random() < 0.1:
        words.insert(chance.randrange(len(words)), f"**{chance.choice(_WORDS)}**")
    return " ".join(words).capitalize() + "."


def _prose(chance: random.Random) -> str:
    return " ".join(_sentence(chance) for _ in range(chance.randint(2, 6)))


def _display(chance: random.Random) -> str:
    return f"$$\n{chance.choice(_DISPLAY)}\n$$"


def _list(chance: random.Random) -> str:
    return "\n".join(f"- {_sentence(chance)}" for _ in range(chance.randint(2, 6)))


def _code(chance: random.Random) -> str:
    lines = [f"    total += weights[{chance.randrange(99)}]  # {chance.choice(_WORDS)}" for _ in range(6)]
    return "\n".join(["```python", "def check(weights):", *lines, "```"])


def _table(chance: random.Random) -> str:
    rows = [f"| {chance.choice(_WORDS)} | {chance.randrange(999)} | {chance.choice(_INLINE)} |" for _ in range(5)]
    return "\n".join(["| name | value | bound |", "|---|---|---|", *rows])


def _heading(chance: random.Random) -> str:
    return f"{'#' * chance.randint(2, 3)} {chance.choice(_WORDS).capitalize()} {chance.choice(_WORDS)}"
