"""Final answers: finding, reading and comparing them."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.analysis.answer_writing import written, written_matrix, written_set, written_tuple
from uq_tui.analysis.answers import MAX_DEPTH, MAX_LENGTH, Bracketed, compare, read

NUMBERS = st.fractions(max_denominator=1000)
SETS = st.frozensets(st.fractions(-3, 3, max_denominator=3), min_size=1, max_size=4)
TUPLES = st.lists(st.fractions(-2, 2, max_denominator=2), min_size=2, max_size=3).map(tuple)
MATRICES = st.tuples(st.integers(1, 3), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(*[st.tuples(*[st.integers(-1, 1)] * shape[1])] * shape[0])
)


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
        ("x=5", "x = 5"),
        ("5", "$x = 5$"),
        ("5", r"x_{1}=\frac{10}{2}"),
        ("5", r"\lambda = 5"),
        ("1024", "2^{10}"),
        ("-4", "-2^2"),
        ("1/8", "2^{-3}"),
        ("120000", r"1.2 \times 10^{5}"),
        ("-0.012", r"-1.2\cdot10^{-2}"),
        ("1/3", r"0.\overline{3}"),
        ("1/6", r"0.1\overline{6}"),
        ("1", r"0.\overline{9}"),
        ("1/7", r"0.\dot{1}4285\dot{7}"),
        ("-1/3", r"-.\dot{3}"),
        (r"\pm 5", r"\{5, -5\}"),
        (r"\{-1, 1\}", r"x = \pm 1"),
        (r"\{0, \pm 2\}", r"\{-2, 0, 2\}"),
        (r"\infty", r"+\infty"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \\ \end{bmatrix}"),
        (r"\begin{pmatrix}1&2\end{pmatrix}", r"\left[\begin{array}{cc} 1 & \frac42 \end{array}\right]"),
        ("50%", r"50\%"),
        ("5", r"\quad 5 \qquad"),
        ("True", "true"),
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
        (r"(-\infty, 3)", "(-3, 3)"),
        (r"\infty", r"-\infty"),
        (r"\infty", "5"),
        ("5", "x=6"),
        ("x=5", "x=6"),
        ("1025", "2^{10}"),
        ("1/3", r"0.\overline{33334}"),
        (r"\pm 5", r"\{5, -6\}"),
        ("3, 4", "3, 5"),
        ("5", "3, 4"),
        ("5", r"\pm 5"),
        ("5", "[0, 5]"),
        ("5", r"\{5, x\}"),
        ("1, 2, 3", "1, 2, 4"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&3\\2&4\end{pmatrix}"),
        (r"\begin{pmatrix}1&2\\3&4\end{pmatrix}", r"\begin{pmatrix}1&2\end{pmatrix}"),
        ("1024", r"\text{none}"),
        ("7", "No solution."),
        ("True", "False"),
        ("yes", "no"),
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
        ("0.5", r"50\%"),
        ("(1, 2)", r"(\pm 1, 2)"),
        ("5/2", r"2\frac{1}{2}"),
        ("5/2", "2 1/2"),
        ("1/6", "0.1(6)"),
        ("1/3", "0.333..."),
        ("1000", "10^{3.0}"),
        ("12", "10^12"),
        ("1000000000000", "10^12"),
        ("1", "5^{0"),
        ("1", "0^{0}"),
        ("0", "0^{5}"),
        ("1", "10^{999999}"),
        ("1", "9^{99999999999}"),
        ("3 or 4", r"3\text{ or }4"),
        ("34", r"3\text{ or }4"),
        ("1,5", "1,50"),
        ("-2", r"\begin{vmatrix}1&2\\3&4\end{vmatrix}"),
        ("1", r"\begin{pmatrix}1\end{pmatrix}"),
        ("(1,2)", r"\begin{pmatrix}1&2\end{pmatrix}"),
        (r"\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}1&2\end{pmatrix}"),
        (r"\begin{pmatrix}1&2\\3\end{pmatrix}", r"\begin{pmatrix}1&2\\3&\end{pmatrix}"),
        ("30", r"30^{\circ}"),
        ("5123", r"5 \quad 123"),
        ("1, 5", "1{,}5"),
        ("1.5", "1{,}5"),
        ("12345", r"12 \\ 345"),
        (r"\begin{pmatrix}1&2\end{pmatrix}", r"\left[\begin{array}{c|c}1&2\end{array}\right]"),
    ],
)
def test_not_decided_here(expected: str, answer: str) -> None:
    assert compare(expected, answer) is None
    assert compare(answer, expected) is None


@given(st.data(), NUMBERS)
def test_a_rational_equals_itself_in_every_notation(data: st.DataObject, number: Fraction) -> None:
    left, right = data.draw(written(number)), data.draw(written(number))

    assert read(left) == number
    assert compare(left, right) is True


@given(st.data(), NUMBERS, NUMBERS)
def test_rationals_that_differ_differ_in_every_notation(data: st.DataObject, left: Fraction, right: Fraction) -> None:
    assume(left != right)

    assert compare(data.draw(written(left)), data.draw(written(right))) is False


@given(st.data(), SETS, SETS)
def test_sets_are_equal_exactly_when_they_are(
    data: st.DataObject, left: frozenset[Fraction], right: frozenset[Fraction]
) -> None:
    assert compare(data.draw(written_set(left)), data.draw(written_set(left))) is True
    assert compare(data.draw(written_set(left)), data.draw(written_set(right))) is (left == right)


@given(st.data(), TUPLES, TUPLES)
def test_tuples_are_equal_exactly_when_they_are(
    data: st.DataObject, left: tuple[Fraction, ...], right: tuple[Fraction, ...]
) -> None:
    assert compare(data.draw(written_tuple(left)), data.draw(written_tuple(left))) is True
    assert compare(data.draw(written_tuple(left)), data.draw(written_tuple(right))) is (left == right)


@given(st.data(), MATRICES, MATRICES)
def test_matrices_are_equal_only_when_they_are(
    data: st.DataObject, left: tuple[tuple[int, ...], ...], right: tuple[tuple[int, ...], ...]
) -> None:
    assert compare(data.draw(written_matrix(left)), data.draw(written_matrix(left))) is True
    assert (compare(data.draw(written_matrix(left)), data.draw(written_matrix(right))) is True) is (left == right)


@given(st.data(), NUMBERS, TUPLES, SETS, MATRICES)
def test_values_of_different_kinds_are_never_equal(
    data: st.DataObject,
    number: Fraction,
    row: tuple[Fraction, ...],
    some: frozenset[Fraction],
    rows: tuple[tuple[int, ...], ...],
) -> None:
    texts = [data.draw(one) for one in (written(number), written_tuple(row), written_set(some), written_matrix(rows))]

    assert [(left, right) for left, right in combinations(texts, 2) if compare(left, right) is True] == []


@given(st.integers(2, 99), st.integers(-30, 120), st.integers(-9_999, 9_999))
def test_powers_are_worked_out(base: int, exponent: int, other: int) -> None:
    value = Fraction(base) ** exponent

    assert compare(f"{value.numerator}/{value.denominator}", f"{base}^{{{exponent}}}") is True
    assert compare(str(other), f"{base}^{{{exponent}}}") is (value == other)


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
        "9" * 1_000_000,
        "\\" * 1_000_000,
        "{" * 1_000_000,
        "(" * 1_000_000,
        "\\text{" * 200_000,
        "\\pm" * 300_000,
        "\\begin{pmatrix}" * 60_000,
        "1&" * 500_000,
        "2^{" * 300_000,
        "x=" * 500_000,
        "1," * 500_000,
    ],
    ids=lambda text: f"{text[:12]}...",
)
def test_the_longest_texts_are_nothing_special(text: str) -> None:
    assert compare("5", text) is None
    assert compare("5", text[: MAX_LENGTH - 1]) is not True
    assert compare(text[:MAX_LENGTH], text[:MAX_LENGTH]) is not False
