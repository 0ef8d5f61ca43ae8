"""What labels come to by Dawid and Skene: figures of other software, laws, and cases that can be told by hand."""

import random
from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.shared import shared_file
from uq_tui.analysis.dawid_skene import dawid_skene

UNITS = st.lists(st.dictionaries(st.sampled_from("abc"), st.sampled_from("yn"), min_size=1), min_size=1, max_size=12)


TWENTY_FOUR = (
    "ccc. ccc. .ibi iiic iib. bbbi iii. cccc cici ibii iii. i..i bbbb iiii c.cc cc.c cbii iiii iibi c.b. iic. cccb cccb"
    " ..bi"
)
"""Units that we made up: what each of four people says."""


def by_person(row: str) -> dict[str, str]:
    """`c.bi`: what each of four people says, `.` for nothing."""
    return {f"p{number}": label for number, label in enumerate(row) if label != "."}


def test_people_who_agree_with_each_other_are_believed_over_one_who_does_not() -> None:
    # With the votes of two that always agree, the third is right at random: a tie of two goes by who is reliable.
    rows = ["yyn", "yyy", "nnn", "nny", "yyn", "nnn", "yyy", "nny", "y.n", "n.y"]
    found = dawid_skene([by_person(row) for row in rows], "yn")
    said = ["y" if chance["y"] > 0.5 else "n" for chance in found.chances]
    assert "".join(said) == "yynnynynyn"
    assert found.people["p0"].right == pytest.approx(1, abs=1e-6)
    assert found.people["p2"].right == pytest.approx(0.4, abs=0.01)
    assert (found.people["p1"].n, found.people["p2"].n) == (8, 10)


def test_the_estimate_is_that_of_crowd_kit() -> None:
    """Figures of crowd-kit 1.4.2, `DawidSkene(n_iter=3000, tol=-1e9)`, for the same units."""
    found = dawid_skene([by_person(row) for row in TWENTY_FOUR.split()], "cbi")
    assert found.converged
    assert found.prevalence == pytest.approx({"c": 0.29116, "i": 0.616856, "b": 0.091984}, abs=1e-4)
    assert sum(max(chance.values()) for chance in found.chances) == pytest.approx(23.780214, abs=1e-3)
    assert found.chances[14] == pytest.approx({"c": 0.98783, "i": 0.01217, "b": 0.0}, abs=1e-4)
    assert found.chances[23] == pytest.approx({"c": 0.0, "i": 0.79238, "b": 0.20762}, abs=1e-3)
    assert found.people["p0"].says["i"] == pytest.approx({"c": 0.23149, "i": 0.76851, "b": 0.0}, abs=1e-4)
    assert found.people["p3"].says["b"] == pytest.approx({"c": 0.0, "i": 0.54702, "b": 0.45298}, abs=1e-3)


@pytest.mark.shared
def test_the_estimate_from_a_crowd_is_that_of_crowd_kit() -> None:
    """39 workers, 1 to 8 labels an item, the later of two counts. crowd-kit 1.4.2, `n_iter=1500, tol=-1e9`."""
    path = shared_file("data/crowd-labels-get-another-label/CopyrightInfringement/labels.txt")
    units = defaultdict[str, dict[str, str]](dict)
    for line in path.read_text(encoding="utf-8").splitlines():
        worker, item, label = line.split("\t")
        units[item][worker] = label
    labels = ["broken", "no", "yes"]
    found = dawid_skene(list(units.values()), labels)
    assert found.converged
    assert found.prevalence == pytest.approx({"broken": 0.114255, "no": 0.535172, "yes": 0.350573}, abs=5e-4)
    assert sum(max(chance.values()) for chance in found.chances) == pytest.approx(495.42973, abs=0.1)
    likeliest = Counter(max(labels, key=lambda label: chance[label]) for chance in found.chances)
    assert likeliest == {"broken": 58, "no": 276, "yes": 196}


def test_one_who_says_the_opposite_is_found_out_and_used() -> None:
    rows = ["yyn", "yyn", "nny", "nny", "yyn", "nny", "..n", "..y"]
    found = dawid_skene([by_person(row) for row in rows], "yn")
    assert [round(chance["y"], 3) for chance in found.chances[-2:]] == [1, 0]
    assert found.people["p2"].says["y"]["n"] == pytest.approx(1, abs=1e-6)


def test_a_label_nobody_gives_and_one_person_alone() -> None:
    found = dawid_skene([{"a": "y"}, {"a": "y"}, {"a": "n"}], "ynb")
    assert [max(chance, key=lambda label: chance[label]) for chance in found.chances] == ["y", "y", "n"]
    assert found.prevalence["b"] == pytest.approx(0, abs=1e-9)
    assert found.converged


@pytest.mark.parametrize("units", [[], [{}], [{"a": "y"}, {}]])
def test_nothing_comes_of_nothing(units: list[dict[str, str]]) -> None:
    with pytest.raises(ValueError, match=r"no (label|unit)"):
        dawid_skene(units, "yn")


@settings(max_examples=20)
@given(UNITS, st.randoms(use_true_random=False))
def test_chances_sum_to_one_and_dont_depend_on_order_or_copies(
    units: list[dict[str, str]], drawing: random.Random
) -> None:
    found = dawid_skene(units, "yn")
    for chance in found.chances:
        assert sum(chance.values()) == pytest.approx(1)
    assert sum(found.prevalence.values()) == pytest.approx(1)
    assert all(0 <= one.right <= 1 + 1e-9 for one in found.people.values())
    order = drawing.sample(range(len(units)), len(units))
    shuffled = dawid_skene([dict(reversed(units[place].items())) for place in order], "yn")
    twice = dawid_skene([*units, *units], "yn")
    for place, chance in zip(order, shuffled.chances, strict=True):
        assert chance == pytest.approx(found.chances[place], abs=1e-6)
    assert twice.chances[0] == pytest.approx(found.chances[0], abs=1e-6)
