"""What the answers of a problem stand below, where they are listed."""

import pytest

from uq_tui.state.reviewing.problem import AnswerLine, Mark
from uq_tui.widgets.reviewing.answer_list import headings

ALONE = "no other like it"


@pytest.mark.parametrize(
    ("groups", "expected"),
    [
        ([], []),
        ([1], [""]),
        ([1, 2, 3], ["", "", ""]),
        ([1, 1], ["", ""]),
        ([1, 2, 2, 3], [ALONE, "same final answer", "same final answer", ALONE]),
        ([1, 1, 2, 2], ["same final answer (1)"] * 2 + ["same final answer (2)"] * 2),
    ],
)
def test_only_answers_that_share_a_final_answer_are_said_to_have_one(groups: list[int], expected: list[str]) -> None:
    assert headings([AnswerLine("i", "A", group, Mark.OPEN, "open") for group in groups]) == expected
