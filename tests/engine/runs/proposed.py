"""A model that proposes five problems, and solvers that answer them."""

import json

from tests.engine.runs.scripted import Said

STATEMENTS = (
    "How many noncrossing partitions of a regular $n$-gon with $n = 12$ corners have no singleton?",
    "Find the number of standard tableaux whose shape is the staircase with five steps.",
    "Let $G$ be the symmetric group on ten letters. Count its involutions without fixed points.",
    "What is the coefficient of $q^{40}$ in the product of the first twenty cyclotomic polynomials?",
    "Determine how many acyclic orientations the octahedron graph has with exactly one sink.",
)
ANSWERS = ("1424", "292864", "945", "1716", "2310")
"""That of the third is no integer above 1,000."""


def problems(statements: tuple[str, ...] = STATEMENTS) -> list[dict[str, str]]:
    """The five as a model writes them."""
    return [{"skill": f"skill {number}", "statement": text} for number, text in enumerate(statements, start=1)]


def reply(code: str = "{tag}", statements: tuple[str, ...] = STATEMENTS) -> str:
    """What the proposing model says; `{tag}` becomes the code that was asked for."""
    return f"Skills first.\n{json.dumps({'code': code, 'problems': problems(statements)})}"


def boxed(answer: str) -> Said:
    """What a solver says."""
    return Said(f"So it is \\boxed{{{answer}}}.")
