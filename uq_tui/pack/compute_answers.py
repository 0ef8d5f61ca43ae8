"""Compare every known answer of the bundled pack with a computation of it.

Run as `python -m uq_tui.pack.compute_answers`: prints a table; the exit code is 1 when a neighbour's answer, or the
boxed answer of a candidate labelled correct, differs from what `brute_force` counts. Standard library only.
"""

import json
import math
import re
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from uq_tui.pack import brute_force as count

FOLDER = Path(__file__).parent

Number = int | Fraction


@dataclass(frozen=True, slots=True)
class Problem:
    """How the final answer of one question and those of its neighbours, in the file's order, are computed."""

    answer: Callable[[], Number]
    neighbours: tuple[Callable[[], Number], ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """One known answer beside its computed value."""

    question_key: str
    what: str
    stated: str
    computed: str

    @property
    def agrees(self) -> bool:
        return self.stated == self.computed


_ABACABA = (0, 1, 0, 2, 0, 1, 0)
_THIRD = Fraction(1, 3)

PROBLEMS: Mapping[str, Problem] = {
    "noncrossing-rotation": Problem(
        lambda: count.classes_on_circle(count.noncrossing_matchings(20), reflections=False),
        (
            lambda: count.classes_on_circle(count.noncrossing_matchings(22), reflections=True),
            lambda: count.classes_on_circle(count.noncrossing_partitions(11), reflections=False),
        ),
    ),
    "reflection-tensor": Problem(
        lambda: count.tensor_power_of_reflection(5, 8)[(5,)],
        (
            lambda: count.tensor_power_of_reflection(5, 9)[(1, 1, 1, 1, 1)],
            lambda: count.tensor_power_of_reflection(6, 8)[(5, 1)],
        ),
    ),
    "acyclic-one-sink": Problem(
        lambda: count.acyclic_orientations(count.complete_bipartite(4, 4), only_sink=0),
        (
            lambda: count.acyclic_orientations(count.complete_bipartite(3, 6), only_sink=0),
            lambda: count.acyclic_orientations(count.complete_bipartite(4, 4)),
        ),
    ),
    "commuting-triples": Problem(
        lambda: count.commuting_triples(3),
        (lambda: count.commuting_pairs(5), lambda: count.commuting_pairs(4)),
    ),
    "no-repeat-word": Problem(
        lambda: count.waiting_time(3, _ABACABA, (_THIRD, _THIRD, _THIRD)),
        (
            lambda: count.waiting_time(5, _ABACABA, (*[Fraction(0)] * 4, Fraction(1))),
            lambda: count.waiting_time(4, (0, 1, 2, 0, 1, 2, 0, 1), (Fraction(1), *[Fraction(0)] * 3)),
        ),
    ),
    "graph-configurations": Problem(
        lambda: count.configuration_euler_characteristic(count.complete_bipartite(3, 3), 4),
        (
            lambda: math.factorial(4) * count.configuration_euler_characteristic(count.complete_graph(6), 4),
            lambda: math.factorial(4) * count.configuration_euler_characteristic(count.complete_bipartite(3, 4), 4),
        ),
    ),
    "permutation-square-roots": Problem(
        lambda: count.permutation_powers(8, 2),
        (lambda: count.permutation_powers(8, 3), lambda: count.permutation_powers(8, 6)),
    ),
    "sublattices": Problem(
        lambda: count.sublattices(3, (2, 12)),
        (lambda: count.sublattices(4, (2, 6)), lambda: count.sublattices(3, (2, 24))),
    ),
}


def read_rows(name: str) -> list[dict[str, Any]]:
    """The rows of one JSONL file of the pack."""
    with (FOLDER / name).open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def final_answer(text: str) -> str:
    """The content of the last `\\boxed{...}` as a plain number, `619/3` for `\\frac{619}{3}`; "" without one."""
    boxes = re.findall(r"\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}", text)
    if not boxes:
        return ""
    return re.sub(r"\\frac\{(\d+)\}\{(\d+)\}", r"\1/\2", boxes[-1].replace("{,}", ""))


def compare() -> Iterator[Comparison]:
    """Every known answer of the pack, in the order of `PROBLEMS`."""
    neighbours, candidates = read_rows("neighbours.jsonl"), read_rows("candidates.jsonl")
    for key, problem in PROBLEMS.items():
        answer = str(problem.answer())
        for row in candidates:
            if row["question_key"] == key and row["known_label"]["label"] == "correct":
                yield Comparison(key, "question", final_answer(row["answer"]), answer)
        stated = [row["answer"] for row in neighbours if row["question_key"] == key]
        for number, (known, compute) in enumerate(zip(stated, problem.neighbours, strict=True), 1):
            yield Comparison(key, f"neighbour {number}", known, str(compute()))


def main() -> int:
    """Print the table; 0 when all answers agree, else 1."""
    agreed = True
    for row in compare():
        agreed = agreed and row.agrees
        mark = "agrees" if row.agrees else "DIFFERS"
        sys.stdout.write(f"{row.question_key:26}{row.what:13}{row.stated:>9}{row.computed:>9}  {mark}\n")
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
