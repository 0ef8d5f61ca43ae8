"""Dividing problems: nobody's share is lost or doubled, and shares come out even."""

from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uq_tui.analysis.assignment import divide

KEY = b"a secret"
SIZES = st.lists(st.integers(1, 12), min_size=1, max_size=60).map(lambda ns: {f"q{i}": n for i, n in enumerate(ns)})
PEOPLE = st.integers(2, 5).map(lambda n: [f"r{i}" for i in range(n)])


@settings(max_examples=40)
@given(SIZES, PEOPLE, st.floats(0, 1), st.booleans())
def test_every_problem_goes_to_one_reviewer_or_is_shared(
    sizes: dict[str, int], people: list[str], overlap: float, everyone: bool
) -> None:
    shares = divide(sizes, people, overlap=overlap, everyone=everyone, key=KEY)
    times = {one: sum(one in share for share in shares.values()) for one in sizes}
    shared = [one for one, n in times.items() if n > 1]
    assert len(shared) == int(overlap * len(sizes) + 0.5)
    assert {times[one] for one in shared} <= {len(people) if everyone else 2}
    assert all(times[one] == 1 for one in sizes if one not in shared)


@settings(max_examples=40)
@given(SIZES, PEOPLE, st.floats(0, 1), st.booleans())
def test_shares_are_as_even_as_is_promised(
    sizes: dict[str, int], people: list[str], overlap: float, everyone: bool
) -> None:
    shares = divide(sizes, people, overlap=overlap, everyone=everyone, key=KEY)
    loads = [sum(sizes[one] for one in share) for share in shares.values()]
    assert max(loads) - min(loads) <= max(sizes.values()) * max(1, len(people) - 2)
    if not everyone:
        common = [sum(sizes[one] for one in shares[a] & shares[b]) for a, b in combinations(people, 2)]
        assert max(common) - min(common) <= max(sizes.values())


@settings(max_examples=40)
@given(SIZES, PEOPLE)
def test_neither_the_order_of_problems_nor_that_of_reviewers_matters(sizes: dict[str, int], people: list[str]) -> None:
    turned = dict(reversed(sizes.items()))
    assert divide(sizes, people, overlap=0.3, key=KEY) == divide(turned, people[::-1], overlap=0.3, key=KEY)


def test_another_key_shares_other_problems() -> None:
    sizes = {f"q{i}": 9 for i in range(40)}
    shared = {
        key: frozenset.intersection(*divide(sizes, ["a", "b"], overlap=0.25, key=key).values())
        for key in (KEY, b"another")
    }
    assert [len(some) for some in shared.values()] == [10, 10]
    assert shared[KEY] != shared[b"another"]


@pytest.mark.parametrize(("people", "overlap"), [([], 0.0), (["alone"], 0.1)])
def test_nobody_and_an_overlap_with_nobody_are_refused(people: list[str], overlap: float) -> None:
    with pytest.raises(ValueError, match="can't share"):
        divide({"q": 1}, people, overlap=overlap, key=KEY)
