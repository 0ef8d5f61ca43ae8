import pytest

from uq_tui.analysis.truth import Standing, standing
from uq_tui.words import Label

RIGHT, BORDERLINE, WRONG, UNSURE = Label.CORRECT, Label.CORRECT_BORDERLINE, Label.INCORRECT, Label.UNSURE


@pytest.mark.parametrize(
    ("opinions", "expected"),
    [
        ([], Standing.UNLABELLED),
        ([RIGHT], Standing.CORRECT),
        ([WRONG], Standing.INCORRECT),
        ([BORDERLINE], Standing.CORRECT),
        ([UNSURE], Standing.UNSURE),
        ([None, None], Standing.UNSURE),
        ([RIGHT, WRONG], Standing.TIED),
        ([RIGHT, WRONG, UNSURE, None], Standing.TIED),
        ([RIGHT, WRONG, WRONG], Standing.INCORRECT),
        ([BORDERLINE, WRONG, RIGHT], Standing.CORRECT),
        ([UNSURE, UNSURE, WRONG], Standing.INCORRECT),
    ],
)
def test_the_majority_of_those_who_decide(opinions: list[Label | None], expected: Standing) -> None:
    assert standing(opinions) is expected


def test_borderline_may_count_as_incorrect() -> None:
    assert standing([BORDERLINE], borderline_correct=False) is Standing.INCORRECT
    assert standing([BORDERLINE, RIGHT], borderline_correct=False) is Standing.TIED
    assert standing([RIGHT], borderline_correct=False) is Standing.CORRECT
