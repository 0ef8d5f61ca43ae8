"""Dividing problems: nobody's share is lost or doubled, and shares come out even, by field and length too."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from uq_tui.analysis.assignment import Load, divide

KEY = b"a secret"
Loads = dict[str, Load]


def named(loads: Iterable[Load]) -> Loads:
    return {f"q{i}": load for i, load in enumerate(loads)}


FIELDS = st.sampled_from(["algebra", "analysis", "topology", ""])
ONE = st.builds(Load, st.integers(1, 12), FIELDS, st.integers(0, 50_000))
LOADS = st.lists(ONE, min_size=1, max_size=60).map(named)
SAME_SIZE = st.lists(st.builds(Load, st.just(9), FIELDS, st.integers(0, 50_000)), min_size=1, max_size=60).map(named)
PEOPLE = st.integers(2, 5).map(lambda n: [f"r{i}" for i in range(n)])


@settings(max_examples=40)
@given(LOADS, PEOPLE, st.floats(0, 1), st.booleans())
def test_every_problem_goes_to_one_reviewer_or_is_shared(
    loads: Loads, people: list[str], overlap: float, everyone: bool
) -> None:
    shares = divide(loads, people, overlap=overlap, everyone=everyone, key=KEY)
    times = {one: sum(one in share for share in shares.values()) for one in loads}
    shared = [one for one, n in times.items() if n > 1]
    assert len(shared) == int(overlap * len(loads) + 0.5)
    assert {times[one] for one in shared} <= {len(people) if everyone else 2}
    assert all(times[one] == 1 for one in loads if one not in shared)


@settings(max_examples=80)
@given(LOADS, PEOPLE, st.floats(0, 1), st.booleans())
def test_shares_are_as_even_as_is_promised(loads: Loads, people: list[str], overlap: float, everyone: bool) -> None:
    shares = divide(loads, people, overlap=overlap, everyone=everyone, key=KEY)
    answers = [sum(loads[one].answers for one in share) for share in shares.values()]
    most = max(load.answers for load in loads.values())
    assert max(answers) - min(answers) <= most * max(1, len(people) - 2)
    if not everyone:
        common = [sum(loads[one].answers for one in shares[a] & shares[b]) for a, b in combinations(people, 2)]
        assert max(common) - min(common) <= most


@settings(max_examples=80)
@given(SAME_SIZE, PEOPLE)
def test_fields_are_as_even_as_is_promised(loads: Loads, people: list[str]) -> None:
    shares = divide(loads, people, key=KEY)
    for field in {load.field for load in loads.values()}:
        counts = [sum(loads[one].field == field for one in share) for share in shares.values()]
        assert max(counts) - min(counts) <= 1


def test_lengths_and_fields_come_out_even_where_there_is_room() -> None:
    draw = Random(7)
    fields = ["algebra"] * 30 + ["analysis"] * 20 + ["topology"] * 10
    loads = named(Load(9, field, round(draw.lognormvariate(9, 1))) for field in fields)
    shares = divide(loads, ["a", "b", "c"], key=KEY)
    lengths = [sum(loads[one].length for one in share) for share in shares.values()]
    assert max(lengths) - min(lengths) < 0.1 * max(lengths)
    for share in shares.values():
        counts = Counter(loads[one].field for one in share)
        assert counts["algebra"] == 10
        assert counts["analysis"] in (6, 7)
        assert counts["topology"] in (3, 4)


@settings(max_examples=40)
@given(LOADS, PEOPLE)
def test_neither_the_order_of_problems_nor_that_of_reviewers_matters(loads: Loads, people: list[str]) -> None:
    turned = dict(reversed(loads.items()))
    assert divide(loads, people, overlap=0.3, key=KEY) == divide(turned, people[::-1], overlap=0.3, key=KEY)


def test_another_key_shares_other_problems() -> None:
    loads = named([Load(9)] * 40)
    shared = {
        key: frozenset.intersection(*divide(loads, ["a", "b"], overlap=0.25, key=key).values())
        for key in (KEY, b"another")
    }
    assert [len(some) for some in shared.values()] == [10, 10]
    assert shared[KEY] != shared[b"another"]


@pytest.mark.parametrize(("people", "overlap"), [([], 0.0), (["alone"], 0.1)])
def test_nobody_and_an_overlap_with_nobody_are_refused(people: list[str], overlap: float) -> None:
    with pytest.raises(ValueError, match="can't share"):
        divide({"q": Load(1)}, people, overlap=overlap, key=KEY)
