"""Every answer the pack states, against a computation that doesn't use the solutions' formulas."""

import functools
import subprocess
import sys
from fractions import Fraction

import pytest

from uq_tui.pack import brute_force, compute_answers
from uq_tui.pack.compute_answers import FOLDER, Comparison, final_answer, read_rows

AGREES_BY_OTHER_MEANS = {
    ("reflection-tensor", "568"): "dimensions add up to 255 instead of 256",
    ("graph-configurations", "15"): "the argument is invalid",
}
"""Wrong candidates whose final answer is right, with what their known flaw says about the derivation."""


@functools.cache
def computation() -> subprocess.CompletedProcess[str]:
    """The module run as a user runs it, once for all tests: it takes seconds."""
    command = [sys.executable, "-m", "uq_tui.pack.compute_answers"]
    return subprocess.run(command, cwd=FOLDER.parents[1], capture_output=True, text=True, check=False)


def comparisons() -> list[Comparison]:
    """The rows of the printed table."""
    cuts = (slice(0, 26), slice(26, 39), slice(39, 48), slice(48, 57))
    return [Comparison(*(line[cut].strip() for cut in cuts)) for line in computation().stdout.splitlines()]


def answer_of(key: str) -> str:
    return next(one.computed for one in comparisons() if one.question_key == key and one.what == "question")


def test_every_stated_answer_is_the_computed_one() -> None:
    assert [one for one in comparisons() if not one.agrees] == []


def test_each_problem_has_one_correct_candidate_and_two_neighbours() -> None:
    whats = [(one.question_key, one.what) for one in comparisons()]
    expected = ("question", "neighbour 1", "neighbour 2")
    assert whats == [(key, what) for key in compute_answers.PROBLEMS for what in expected]


def test_every_neighbour_of_the_pack_is_computed() -> None:
    assert {row["question_key"] for row in read_rows("neighbours.jsonl")} == set(compute_answers.PROBLEMS)


def test_neighbours_have_integer_answers_above_1000() -> None:
    """So that they are not hit by guessing."""
    assert [row["answer"] for row in read_rows("neighbours.jsonl") if int(row["answer"]) <= 1000] == []


def test_wrong_candidates_have_a_wrong_answer_or_a_flaw_in_the_derivation() -> None:
    for row in read_rows("candidates.jsonl"):
        if row["known_label"]["label"] == "incorrect":
            stated, flaw = final_answer(row["answer"]), row["known_label"]["flaw"]
            assert stated
            if stated == answer_of(row["question_key"]):
                assert AGREES_BY_OTHER_MEANS[row["question_key"], stated] in flaw


def test_the_module_succeeds_and_says_that_all_agree() -> None:
    assert (computation().returncode, computation().stderr) == (0, "")
    assert all(line.endswith("  agrees") for line in computation().stdout.splitlines())


def test_a_stated_answer_that_differs_fails_the_module(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = Comparison("sublattices", "neighbour 1", "1401", "1400")
    monkeypatch.setattr(compute_answers, "compare", lambda: iter([wrong]))
    assert compute_answers.main() == 1
    assert "1401     1400  DIFFERS" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (r"so $\boxed{854}$.", "854"),
        (r"first \boxed{1}, then \boxed{18{,}625}", "18625"),
        (r"$\boxed{\frac{619}{3}}$", "619/3"),
        (r"$\boxed{-45}$", "-45"),
        ("no box", ""),
    ],
)
def test_final_answer_reads_the_last_box(text: str, expected: str) -> None:
    assert final_answer(text) == expected


class TestBruteForceOnKnownSmallCases:
    """The counting functions against textbook values."""

    @pytest.mark.parametrize(("chords", "catalan"), [(0, 1), (1, 1), (2, 2), (3, 5), (4, 14), (5, 42)])
    def test_noncrossing_matchings_and_partitions_are_counted_by_catalan_numbers(
        self, chords: int, catalan: int
    ) -> None:
        assert len(set(brute_force.noncrossing_matchings(2 * chords))) == catalan
        assert len(set(brute_force.noncrossing_partitions(chords))) == catalan

    @pytest.mark.parametrize(
        ("chords", "rotations", "with_reflections"), [(2, 1, 1), (3, 2, 2), (5, 6, 6), (6, 14, 12)]
    )
    def test_matchings_up_to_symmetry_are_planar_trees(
        self, chords: int, rotations: int, with_reflections: int
    ) -> None:
        """OEIS A002995 and A006082: planar trees with this many edges, without and with reflections."""
        found = [
            brute_force.classes_on_circle(brute_force.noncrossing_matchings(2 * chords), reflections=reflections)
            for reflections in (False, True)
        ]
        assert found == [rotations, with_reflections]

    def test_the_square_of_the_reflection_representation(self) -> None:
        square = brute_force.tensor_power_of_reflection(5, 2)
        assert +square == {(5,): 1, (4, 1): 1, (3, 2): 1, (3, 1, 1): 1}

    def test_acyclic_orientations_of_a_triangle(self) -> None:
        triangle = brute_force.complete_graph(3)
        assert brute_force.acyclic_orientations(triangle) == 6
        assert brute_force.acyclic_orientations(triangle, only_sink=2) == 2

    def test_commuting_matrices_over_the_smallest_field(self) -> None:
        assert (brute_force.commuting_pairs(2), brute_force.commuting_triples(2)) == (88, 400)

    def test_waiting_for_one_letter(self) -> None:
        uniform = [Fraction(1, 3)] * 3
        assert brute_force.waiting_time(3, [0], uniform) == Fraction(7, 3)
        assert brute_force.waiting_time(3, [0], [Fraction(1), Fraction(0), Fraction(0)]) == 1

    def test_two_points_on_a_circle_move_on_a_circle(self) -> None:
        assert brute_force.configuration_euler_characteristic(brute_force.complete_graph(3), 3) == 0

    def test_three_points_on_a_star(self) -> None:
        """Three points on the star with three legs: a graph with Euler characteristic 1 - 3 (A. Gal's formula)."""
        assert brute_force.configuration_euler_characteristic([(0, 1), (0, 2), (0, 3)], 3) == -2

    @pytest.mark.parametrize(("n", "squares"), [(2, 1), (3, 3), (4, 12), (5, 60), (6, 270)])
    def test_squares_in_symmetric_groups(self, n: int, squares: int) -> None:
        """OEIS A003483."""
        assert brute_force.permutation_powers(n, 2) == squares

    @pytest.mark.parametrize(
        ("rank", "quotient", "expected"), [(2, (5,), 6), (2, (2, 2), 1), (3, (2, 2), 7), (2, (4,), 6), (3, (6,), 91)]
    )
    def test_sublattices_with_small_quotients(self, rank: int, quotient: tuple[int, ...], expected: int) -> None:
        assert brute_force.sublattices(rank, quotient) == expected
