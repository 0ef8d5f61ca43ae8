"""Final answers: finding, reading and comparing them."""

import time
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.answers import MAX_DEPTH, MAX_LENGTH, Bracketed, compare, read

NUMBERS = st.fractions(max_denominator=1000)


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("5", "5"),
        ("5", "+5"),
        ("5", " 5."),
        ("5", "005"),
        ("5", "5.000"),
        ("5", "(5)"),
        ("5", "$5$"),
        ("5", r"\(5\)"),
        ("5", r"\text{5}"),
        ("5", r"\mathrm{\mathbf{5}}"),
        ("-3", "\u22123"),
        ("1234", "1,234"),
        ("1234", "1{,}234"),
        ("1234", r"1\,234"),
        ("1234", "1 234"),
        ("1234567.5", "1,234,567.5"),
        ("0.5", r"\frac{1}{2}"),
        ("0.5", r"\dfrac12"),
        ("0.5", "2/4"),
        ("-1/2", r"-\frac{1}{2}"),
        ("-1/2", r"\frac{-1}{2}"),
        ("1/2", r"\frac{-1}{-2}"),
        (".5", "0.50"),
        (r"\{1,2\}", r"\left\{2, 1\right\}"),
        (r"\{1,2\}", r"\{1;2\}"),
        (r"\{1,2\}", r"\{1,2,2\}"),
        (r"\emptyset", r"\{\}"),
        (r"\emptyset", r"\varnothing"),
        ("(1,2)", r"\left( 1, 2.0 \right)"),
        ("[0,1)", r"\left[0, 1\right)"),
        (r"(-\infty, 3]", r"( -\infty,3 ]"),
        (r"(0, \infty)", r"(0, +\infty)"),
        (r"\{(1,2),(3,4)\}", r"\{(3,4),(1,2)\}"),
        ("1, 2", "1,2"),
        ("x^2", "$x^2$"),
        ("Riemann", r"\text{Riemann}"),
    ],
)
def test_equal(expected: str, answer: str) -> None:
    assert compare(expected, answer) is True
    assert compare(answer, expected) is True


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("5", "6"),
        ("5", "-5"),
        ("1/3", "0.333333333333"),
        ("0.1", "0.10000000000000001"),
        ("100000000000000000000001", "100000000000000000000000"),
        (r"\{1,2\}", r"\{1,3\}"),
        (r"\{1,2\}", r"\{1,2,3\}"),
        ("(1,2)", "(2,1)"),
        ("[0,1)", "[0,2)"),
    ],
)
def test_different(expected: str, answer: str) -> None:
    assert compare(expected, answer) is False
    assert compare(answer, expected) is False


@pytest.mark.parametrize(
    ("expected", "answer"),
    [
        ("", ""),
        ("5", ""),
        ("5", r"\$5"),
        ("50", r"50\%"),
        ("5", "5 cm"),
        ("5", "five"),
        ("x=5", "y=5"),
        ("123", "0,123"),
        ("1234", "1,2,3,4"),
        ("1234567", "1,234 567"),
        ("512", "5 12"),
        ("2", "1,2"),
        ("1,2", "2,1"),
        ("(1,2)", "1,2"),
        ("(1,2)", "[1,2]"),
        (r"\{5\}", "5"),
        (r"\{1,2\}", "(1,2)"),
        ("2", r"\sqrt{4}"),
        ("1e3", "1000"),
        ("1/0", "2/0"),
        ("5", "\u0665"),
        ("5", "\uff15"),
        ("12", "1_2"),
        ("1", "True"),
        ("true", "yes"),
        ("0", "none"),
        ("(1,", "(1"),
        ("nan", "inf"),
    ],
)
def test_not_decided_here(expected: str, answer: str) -> None:
    assert compare(expected, answer) is None
    assert compare(answer, expected) is None


@given(NUMBERS)
def test_a_rational_equals_itself_in_every_notation(number: Fraction) -> None:
    top, bottom = number.numerator, number.denominator
    for text in (f"{top}/{bottom}", f"\\frac{{{top}}}{{{bottom}}}", f"$\\tfrac{{{3 * top}}}{{{3 * bottom}}}$"):
        assert read(text) == number


@given(st.integers(), st.integers())
def test_integers_are_equal_exactly_when_they_are(left: int, right: int) -> None:
    assert compare(str(left), f"{right:,}") is (left == right)


@given(st.lists(NUMBERS, min_size=1, max_size=6), st.randoms())
def test_a_set_has_no_order(numbers: list[Fraction], draws: object) -> None:
    turned = numbers[::-1]
    written = [", ".join(f"{n.numerator}/{n.denominator}" for n in some) for some in (numbers, turned)]

    assert compare(f"\\{{{written[0]}\\}}", f"\\{{{written[1]}\\}}") is True


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_two_texts_can_be_compared_and_it_is_symmetric(left: str, right: str) -> None:
    assert compare(left, right) is compare(right, left)


@given(st.text(alphabet="0123456789()[]{}\\,; ./-+frac", max_size=40))
def test_reading_what_was_read_changes_nothing(text: str) -> None:
    value = read(text)
    if isinstance(value, Fraction):
        assert read(str(value)) == value


def test_nesting_is_read_to_a_limit_only() -> None:
    shallow, deep = "[" * 3 + "1" + "]" * 3, "[" * 50 + "1" + "]" * 50

    assert isinstance(read(shallow), Bracketed)
    assert compare(deep, deep) is True
    assert compare("[" * (MAX_DEPTH + 2) + "1" + "]" * (MAX_DEPTH + 2), "[1]") is None


def test_long_answers_are_compared_as_texts_only() -> None:
    digits = "7" * (MAX_LENGTH + 1)

    assert compare(digits, f" {digits}") is True
    assert compare(digits, f"+{digits}") is None


@pytest.mark.parametrize(
    "text",
    [
        "\\boxed{" * 150_000,
        "\\boxed{}" * 130_000,
        "\\boxed{" + "{" * 1_000_000,
        "\\boxed{" + "9" * 1_000_000 + "}",
        "\\boxed" + " " * 1_000_000,
        "\\" * 1_000_000,
        "{" * 1_000_000,
        "(" * 1_000_000,
        "\\text{" * 200_000,
    ],
    ids=lambda text: f"{text[:12]}...",
)
def test_a_megabyte_takes_no_time(text: str) -> None:
    start = time.process_time()

    compare("5", text)
    compare("5", text[:MAX_LENGTH])

    assert time.process_time() - start < 5.0


def test_ten_thousand_pairs_take_a_second_at_most() -> None:
    pairs = [(str(number), f"{number:,}") for number in range(5_000)]
    pairs += [(f"({number}, 2)", f"\\left({number},2\\right)") for number in range(5_000)]
    start = time.process_time()
    equal = sum(compare(left, right) is True for left, right in pairs)

    assert equal == 10_000
    assert time.process_time() - start < 2.0
