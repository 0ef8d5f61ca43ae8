"""What quantifiers are read as, by the points they allow."""

from collections.abc import Callable
from fractions import Fraction

import pytest

from uq_tui.plugins.numeric_identity.domains import points, stated
from uq_tui.plugins.numeric_identity.reader import RefusedError

Test = Callable[..., bool]


def is_whole(*values: Fraction) -> bool:
    return all(value.denominator == 1 for value in values)


@pytest.mark.parametrize(
    ("latex", "words", "holds"),
    [
        (r"x \in \mathbb{R}", "", lambda x: True),
        (r"x\in\mathbb R^+", "", lambda x: x > 0),
        (r"x\in\mathbb{R}_{\ge 0}", "", lambda x: x >= 0),
        (r"n \in \mathbb{N}", "", lambda n: n > 0 and is_whole(n)),
        (r"m, n \in \mathbb{Z}", "", is_whole),
        ("n", "positive integers", lambda n: n > 0 and is_whole(n)),
        ("n", "non-negative integers", lambda n: n >= 0 and is_whole(n)),
        ("x", "nonzero real", lambda x: x != 0),
        (r"n \ge 3", "", lambda n: n >= 3 and is_whole(n)),
        ("x > 0", "", lambda x: x > 0),
        ("a, b > 0", "", lambda a, b: a > 0 and b > 0 and is_whole(a, b)),
        (r"0 \le k \leq n", "", lambda k, n: 0 <= k <= n and is_whole(k, n)),
        (r"0 < x < \frac{\pi}{2}", "", lambda x: 0 < x < 1.5708),
        (r"x \in (0, 1]", "", lambda x: 0 < x <= 1),
        (r"x \neq y", "real numbers", lambda x, y: x != y),
        (r"x \neq 1", "", lambda x: x != 1),
    ],
)
def test_points_satisfy_what_is_said(latex: str, words: str, holds: Test) -> None:
    domain = stated(latex, frozenset(words.split()))
    found = list(points((domain,), 12, "seed"))

    assert len(found) == 12
    assert all(holds(*point.values()) for point in found)


def test_real_numbers_are_no_integers() -> None:
    domain = stated(r"x \in \mathbb{R}", frozenset())

    assert not any(is_whole(point["x"]) for point in points((domain,), 5, "seed"))


def test_the_same_seed_brings_the_same_points() -> None:
    domain = stated(r"x, y \in \mathbb{R}", frozenset())

    assert list(points((domain,), 9, "a")) == list(points((domain,), 9, "a"))
    assert list(points((domain,), 9, "a")) != list(points((domain,), 9, "b"))


def test_conditions_that_nothing_satisfies_bring_no_points() -> None:
    assert list(points((stated("n > n", frozenset()),), 9, "seed")) == []


@pytest.mark.parametrize(
    ("latex", "words", "expected"),
    [
        ("x", "", False),
        ("x > 0", "", False),
        (r"n \ge 1", "", True),
        ("n", "", False),
        ("x", "real", True),
        (r"x \in \mathbb{Z}", "", True),
    ],
)
def test_whether_the_kind_of_numbers_is_stated(latex: str, words: str, expected: bool) -> None:
    assert stated(latex, frozenset(words.split())).is_stated is expected


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        ("", ""),
        ("f(x)", ""),
        (r"x \in S", ""),
        (r"x \in \mathbb{C}", ""),
        (r"x \in \mathbb{F}_p", ""),
        (r"x \in \mathbb{R}, x \neq 1", ""),
        (r"n = 1, 2, \ldots", ""),
        (r"n \mid m", ""),
        (r"n \ge N_0(\varepsilon)", ""),
        (r"x \in \mathbb{R}", "integers"),
        ("n", "real integers"),
    ],
)
def test_refused(latex: str, words: str) -> None:
    with pytest.raises(RefusedError):
        stated(latex, frozenset(words.split()))
