"""How rollouts look in a list, however hostile their answers are."""

from store.rows import Neighbour
from store.run_rows import Rollout
from uq_tui.state.utility.rollouts import grouped
from uq_tui.widgets.rollout_lines import ANSWER_CELLS, about, entries
from uq_tui.words import DecidedBy

NEIGHBOUR = Neighbour("n", "What is $2 + 2$?", "4", "tests", number=1)


def rollout(answer: str, value: int | None, by: DecidedBy, reason: str = "") -> Rollout:
    return Rollout("r", "c", "n", 2, value, by, answer, "k", reason)


def lines(one: Rollout) -> list[str]:
    return [entry.prompt.plain for entry in entries(grouped([one], [NEIGHBOUR]))]


def test_a_rollout_stands_under_its_neighbour_and_kind_with_its_answer() -> None:
    one = rollout("4.0", 1, DecidedBy.SYMBOLIC)
    assert lines(one) == ["N1  1/1 solved\nWhat is 2 + 2?", "  ✓ solved 1", "     3  4.0  by algebra"]
    assert about(one, NEIGHBOUR).plain == "N1 rollout 3  ✓ solved, by algebra   answer 4.0   expected 4"


def test_what_has_no_value_says_why() -> None:
    one = rollout("", None, DecidedBy.FAILED, "ended after 5 s")
    assert lines(one)[1:] == ["  ? not compared 1", "     3  ended after 5 s"]
    assert about(one, NEIGHBOUR).plain.endswith("no answer in a box   expected 4\nended after 5 s")


def test_foreign_text_is_cleaned_and_cut() -> None:
    one = rollout("\x1b[2J[bold]" + "9" * 1_000 + "\n\n", 0, DecidedBy.EXACT)
    line = lines(one)[2]
    assert line.startswith("     3  ␛[2J[bold]999")
    assert len(line) == 8 + ANSWER_CELLS
    assert "\x1b" not in about(one, NEIGHBOUR).plain
