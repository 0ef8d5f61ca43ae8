"""Advice on neighbours: near-duplicates, answers given away or beyond checking, control arms at the ends."""

import csv
import json
import re
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.shared import shared_file
from uq_tui.analysis.neighbour_advice import (
    Concern,
    Control,
    Likeness,
    Posed,
    advice,
    is_checkable,
    is_large_integer,
    likeness,
    states_answer,
)

QUESTION = (
    "Place 20 points at the corners of a regular 20-gon and join them in 10 pairs by straight chords, no two of which"
    " meet. Two such diagrams count as the same when a rotation carries one to the other. How many are there?"
)
FINE = Posed("How many noncrossing partitions does a regular heptagon with two marked corners have?", "1430")
TEXTS = st.text(st.sampled_from("ab cd$\\{}(),.+-=0123456789\n"), max_size=120)
NUMBER = re.compile(r"\d+")


def concerns(
    neighbour: Posed, *others: Posed, control: Control | None = None, generated: bool = False
) -> list[Concern]:
    found = advice(QUESTION, neighbour, others=others, control=control, generated=generated)
    return [one.kind for one in found]


def test_nothing_speaks_against_another_problem_with_a_number() -> None:
    assert advice(QUESTION, FINE, others=[Posed("What is 2 + 2?", "4", "N1")], generated=True) == ()


@pytest.mark.parametrize(
    ("text", "near"),
    [
        (QUESTION, Likeness.SAME),
        (QUESTION.upper().replace(" ", "\n "), Likeness.SAME),
        (f"${QUESTION}$".replace(".", " !"), Likeness.SAME),
        (QUESTION.replace("20", "22").replace("10", "eleven"), Likeness.SWAPPED),
        (QUESTION.replace("rotation", "reflection"), Likeness.NEAR),
        (f"Warm up first. {QUESTION} Prove it, too, and say for which other polygons it holds.", Likeness.NEAR),
        (QUESTION.split(".")[0], Likeness.NEAR),
        (FINE.statement, Likeness.OTHER),
        ("", Likeness.OTHER),
    ],
)
def test_how_near_texts_are_to_a_question(text: str, near: Likeness) -> None:
    assert likeness(QUESTION, text) is near


def test_lists_of_other_lengths_are_other_numbers() -> None:
    assert likeness("Is (1, 1, 2) a score?", "Is (1, 2, 3, 4, 5) a score?") is Likeness.SWAPPED


@pytest.mark.parametrize("other", ["Find the order of $G$.", "Find the order of $H$."])
def test_short_texts_are_near_only_when_they_are_the_same(other: str) -> None:
    near = likeness("Find the order of $G$.", other)
    assert near is (Likeness.SAME if "G" in other else Likeness.OTHER)


@given(TEXTS, TEXTS)
def test_likeness_is_symmetric(left: str, right: str) -> None:
    assert likeness(left, right) is likeness(right, left)


@given(TEXTS)
def test_every_text_is_the_same_as_itself(text: str) -> None:
    assert likeness(text, text) is Likeness.SAME


@given(TEXTS, st.lists(st.integers(0, 10**6), min_size=40, max_size=40))
def test_swapping_numbers_never_hides_a_text(text: str, numbers: list[int]) -> None:
    fresh = iter(numbers * 2)
    swapped = NUMBER.sub(lambda _: str(next(fresh)), text)
    assert likeness(text, swapped) in (Likeness.SAME, Likeness.SWAPPED)


def test_duplicates_are_severe_and_named() -> None:
    twin = Posed(FINE.statement.replace("two", "three"), "2002", "N4")
    (about,) = advice(QUESTION, FINE, others=[twin])
    assert (about.kind, about.severe) == (Concern.NEAR_DUPLICATE, True)
    assert about.text == "It is N4 with other numbers."
    (again,) = advice(FINE.statement, FINE)
    assert again.text == "It is the question again, word for word."


@pytest.mark.parametrize(("answer", "said"), [("7", ", with another answer"), ("2001.0", ""), ("no number", "")])
def test_a_twin_with_another_answer_is_told_as_that(answer: str, said: str) -> None:
    twin = Posed("How many?", answer, "N4")
    (about, *_) = advice(QUESTION, Posed("How many?", "2001"), others=[twin])
    assert about.text == f"It is N4 again, word for word{said}."


@pytest.mark.parametrize(
    ("statement", "answer", "stated"),
    [
        ("Show that the count is 1430.", "1430", True),
        ("Show that the count is 1,430, as Cayley did.", "1430", True),
        (r"Show that the count is $1\,430$.", "1,430", True),
        ("Take 14 300 points.", "1430", False),
        ("The constant is 1430.5 or 0.1430.", "1430", False),
        ("The constant is 21430.", "1430", False),
        ("Let 2 points and 7 lines be given.", "7", False),
        ("Hint: the answer is 7.", "7", True),
        ("The answer is 71.", "7", False),
        ("The answer is an integer.", "7", False),
        ("Show that it is -1430 at most.", "-1430", True),
        ("Is it half of 3/2?", "3/2", False),
        (r"Prove that $\frac{n (n+1)}{2}$ is a square.", r"\frac{n(n+1)}{2}", True),
        (r"A subset of $\mathbb{Z}$ is rich if...", r"\mathbb{Z}", False),
        ("True or false: every even number is a sum of two primes.", "true", False),
        ("Take $n+1$ points.", "n+1", False),
        ("", "1430", False),
    ],
)
def test_whether_the_answer_stands_in_the_text(statement: str, answer: str, stated: bool) -> None:
    assert states_answer(statement, answer) is stated
    assert (Concern.ANSWER_STATED in concerns(Posed(statement, answer))) is stated


@given(st.integers(21, 10**9), TEXTS)
def test_a_large_answer_on_its_own_in_a_text_is_found(answer: int, text: str) -> None:
    assume(not re.search(r"\d\s*$", text))
    assert states_answer(f"{text} so {answer} of them", str(answer))


@pytest.mark.parametrize("text", ["the answer is" + " " * 500_000, "the answer " * 100_000, "1.1" * 300_000])
def test_looking_for_the_answer_is_linear_in_the_text(text: str) -> None:
    assert not states_answer(text, "12345")


@pytest.mark.parametrize(
    "answer",
    [
        *("1430", "-7", "3/4", r"\frac{1}{2}", "(1, 2)", r"\{1, 2\}", "x^2 + 1", r"2^{10}", "x = 5", r"\infty"),
        *("No", "yes", "True", r"\begin{pmatrix} 1 & x \\ 0 & 1 \end{pmatrix}"),
    ],
)
def test_answers_that_can_be_checked(answer: str) -> None:
    assert is_checkable(answer)
    assert concerns(Posed("What is it?", answer)) == []


@pytest.mark.parametrize(
    "answer", ["", "maybe", "the empty set", "all primes", "it depends on $n$", "(1, red)", "9" * 5000]
)
def test_answers_that_cannot(answer: str) -> None:
    assert not is_checkable(answer)
    assert concerns(Posed("What is it?", answer)) == [Concern.ANSWER_FORM]


@pytest.mark.parametrize(
    ("answer", "large"),
    [("1001", True), ("1,001", True), ("1000", False), ("-5000", False), ("5000/3", False), ("x", False)],
)
def test_generated_neighbours_need_a_large_integer(answer: str, large: bool) -> None:
    assert is_large_integer(answer) is large
    assert concerns(Posed("What is it?", answer), generated=True) == ([] if large else [Concern.ANSWER_FORM])
    assert concerns(Posed("What is it?", answer)) == []


@pytest.mark.parametrize(
    ("control", "said"),
    [
        (Control(0, 16), "control 0/16 [.00, .19]"),
        (Control(0, 4), "control 0/4 [.00, .49]"),
        (Control(16, 16, "gpt-x"), "control 16/16 [.81, 1.00] by gpt-x"),
        (Control(15, 16), "control 15/16 [.72, .99]"),
        (Control(0, 3), ""),
        (Control(3, 3), ""),
        (Control(1, 16), ""),
        (Control(14, 16), ""),
        (Control(8, 16), ""),
        (Control(0, 0), ""),
    ],
)
def test_control_arms_at_the_ends(control: Control, said: str) -> None:
    found = advice(QUESTION, FINE, control=control)
    assert [one.kind for one in found] == ([Concern.CONTROL] if said else [])
    assert all(said in one.text and not one.severe for one in found)


@pytest.mark.shared
def test_unrelated_problems_are_no_near_duplicates() -> None:
    with shared_file("data/imo-bench/answerbench_v2.csv").open(encoding="utf-8", newline="") as file:
        texts = [row["Problem"] for row in csv.DictReader(file)]
    assert len(texts) == 400
    assert [pair for pair in combinations(texts, 2) if likeness(*pair) is not Likeness.OTHER] == []


@pytest.mark.shared
def test_real_questions_with_other_numbers_are_found() -> None:
    rows = json.loads(shared_file("data/theoremqa/theoremqa_test.json").read_text(encoding="utf-8"))
    texts = [text for row in rows if NUMBER.search(text := row["Question"])]
    assert len(texts) > 500
    for text in texts:
        swapped = NUMBER.sub(lambda found: str(int(found[0]) * 7 + 3), text)
        assert likeness(text, swapped) is Likeness.SWAPPED, text


@pytest.mark.shared
def test_how_many_pairs_of_theoremqa_are_near() -> None:
    rows = json.loads(shared_file("data/theoremqa/theoremqa_test.json").read_text(encoding="utf-8"))
    texts = [row["Question"] for row in rows[:400]]
    near = [pair for pair in combinations(texts, 2) if likeness(*pair) is not Likeness.OTHER]
    assert len(near) == 29
    # Their first words agree, but for one pair.
    alike = [pair for pair in near if pair[0].lower().split()[:2] == pair[1].lower().split()[:2]]
    assert len(near) - len(alike) == 1
