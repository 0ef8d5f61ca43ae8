"""The answers of one problem as they are listed."""

from store.review_rows import QueueItem
from uq_tui.state.reviewing.problem import AnswerLine, Mark, answer_lines, span
from uq_tui.words import ItemRole, ItemState

NAMES = {"k1": "B", "k2": "A", "k3": "C"}


def item(
    id: str,
    candidate: str,
    position: int,
    *,
    state: ItemState = ItemState.OPEN,
    group: int = 0,
    role: ItemRole = ItemRole.PLAIN,
    linked_to: str = "",
) -> QueueItem:
    return QueueItem(id, "q", "r", position, "p", candidate, group, role, linked_to, state, "", "", None)


def test_answers_with_one_final_answer_stand_together_and_then_by_name() -> None:
    items = [item("1", "k1", 0, group=4), item("2", "k2", 1, group=7), item("3", "k3", 2, group=4)]
    lines = answer_lines(items, NAMES, {}, "1")
    assert [(line.called, line.group) for line in lines] == [("B", 1), ("C", 1), ("A", 2)]


def test_every_state_has_a_sign_and_a_word() -> None:
    items = [
        item("1", "k1", 0),
        item("2", "k2", 1, state=ItemState.PUT_OFF),
        item("3", "k3", 2, state=ItemState.DECIDED),
    ]
    assert answer_lines(items, NAMES, {"3": "incorrect"}, "1") == (
        AnswerLine("2", "A", 1, Mark.PUT_OFF, "put off"),
        AnswerLine("1", "B", 1, Mark.NOW, "now"),
        AnswerLine("3", "C", 1, Mark.DONE, "yours: incorrect"),
    )
    (line, *_) = answer_lines([item("3", "k3", 2, state=ItemState.DECIDED)], NAMES, {"3": "incorrect"}, "3")
    assert line.words == "now, was incorrect"


def test_an_answer_that_comes_again_says_nothing_of_the_first_time_nor_which_one_it_is() -> None:
    first, other = item("1", "k1", 0, state=ItemState.DECIDED), item("2", "k2", 1, state=ItemState.DECIDED)
    given = {"1": "correct", "2": "incorrect"}
    for state in (ItemState.OPEN, ItemState.PUT_OFF):
        again = item("9", "k1", 9, role=ItemRole.REPEAT, state=state)
        for items in ([first, other, again], [again, other, first]):
            a, b = answer_lines(items, NAMES, given, "elsewhere")
            assert (a.item_id, b.item_id) == ("2", "1"), "the second time comes in its place of the queue only"
            assert (a.mark, a.words) == (b.mark, b.words) == (Mark.DONE, "done")
            a, b = answer_lines(items, NAMES, given, "9")
            assert (a.words, b) == ("yours: incorrect", AnswerLine("9", "B", 1, Mark.NOW, "now"))


def test_an_answer_that_has_come_again_says_what_was_decided_then() -> None:
    first = item("1", "k1", 0, state=ItemState.DECIDED)
    again = item("9", "k1", 9, role=ItemRole.REPEAT, state=ItemState.DECIDED)
    (line,) = answer_lines([again, first], NAMES, {"1": "correct", "9": "unsure"}, "elsewhere")
    assert line.words == "yours: unsure"


def test_an_identical_answer_leads_to_the_one_that_is_judged() -> None:
    items = [item("1", "k1", 0), item("2", "k2", 1, linked_to="1")]
    assert answer_lines(items, NAMES, {}, "")[0] == AnswerLine("1", "A", 1, Mark.SAME, "identical to B")


def test_names_are_told_as_a_span() -> None:
    assert (span(["A"]), span(["A", "B", "I"])) == ("A", "A-I")
