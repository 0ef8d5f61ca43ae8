"""What opinions come to, whole and in ties."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from uq_tui.analysis.consensus import estimate, majority, weighed
from uq_tui.analysis.truth import Standing, standing
from uq_tui.words import Label

C, B, I, U = Label.CORRECT, Label.CORRECT_BORDERLINE, Label.INCORRECT, Label.UNSURE  # noqa: E741


@pytest.mark.parametrize(
    ("labels", "comes_to", "label", "tied"),
    [
        ([C, C, I], Standing.CORRECT, C, ()),
        ([C, B, I], Standing.CORRECT, None, (C, B)),
        ([C, B, B, I, I], Standing.CORRECT, B, ()),
        ([C, I], Standing.TIED, None, (C, I)),
        ([C, B, I, I], Standing.TIED, None, (C, B, I)),
        ([I, U, None, None], Standing.INCORRECT, I, ()),
        ([U, None], Standing.UNSURE, None, ()),
    ],
)
def test_the_side_is_decided_first_and_the_label_on_it_then(
    labels: list[Label | None], comes_to: Standing, label: Label | None, tied: tuple[Label, ...]
) -> None:
    found = majority(labels)
    assert (found.standing, found.label, found.tied) == (comes_to, label, tied)


def test_borderline_may_stand_on_the_other_side() -> None:
    found = majority([C, B, I], borderline_correct=False)
    assert (found.standing, found.label, found.tied) == (Standing.INCORRECT, None, (B, I))


@given(st.lists(st.sampled_from([C, B, I, U, None]), min_size=1), st.booleans())
def test_a_majority_stands_as_it_does_in_all_other_reports(labels: list[Label | None], borderline: bool) -> None:
    found = majority(labels, borderline_correct=borderline)
    assert found.standing is standing(labels, borderline_correct=borderline)
    assert sum(found.weights.values()) == pytest.approx(1 if found.weights else 0)


def test_chances_that_only_rounding_tells_apart_are_tied() -> None:
    assert weighed({C: 0.5 + 1e-9, I: 0.5 - 1e-9}).standing is Standing.TIED


def test_opinions_that_decide_nothing_are_no_labels() -> None:
    found, chances = estimate([{"a": C, "b": C}, {"a": U, "b": None}, {"a": I, "b": U}])
    assert found is not None
    assert (found.people["a"].n, found.people["b"].n) == (2, 1)
    assert chances[1] == {}
    assert chances[2][I] == pytest.approx(1)
    assert estimate([{"a": U}]) == (None, [{}])
