"""The state of a search."""

from uq_tui.document.find import MOST
from uq_tui.state.reading.finding import NOT_FINDING, Finding

SOURCE = "a lemma, a proof, a lemma and a lemma"


def test_one_begins_at_the_first_match_from_where_one_is() -> None:
    assert Finding.begin(SOURCE, "lemma", 0).here == (2, 7)
    assert Finding.begin(SOURCE, "lemma", 2).counts == "1 of 3"
    assert Finding.begin(SOURCE, "lemma", 3).here == (20, 25)


def test_behind_the_last_match_one_begins_at_the_first() -> None:
    assert Finding.begin(SOURCE, "lemma", 35).counts == "1 of 3"


def test_steps_go_round() -> None:
    begun = Finding.begin(SOURCE, "lemma", 0)
    assert [begun.step(by).counts for by in (1, 2, 3, -1)] == ["2 of 3", "3 of 3", "1 of 3", "3 of 3"]


def test_nothing_found_is_said_and_stays_so() -> None:
    begun = Finding.begin(SOURCE, "theorem", 0)
    assert (begun.counts, begun.here, begun.step(1)) == ("not found", None, begun)


def test_nothing_looked_for_says_nothing() -> None:
    assert (NOT_FINDING.counts, NOT_FINDING.here) == ("", None)
    assert Finding.begin(SOURCE, " ", 0).counts == ""


def test_a_count_that_stops_says_so() -> None:
    assert Finding.begin("a" * (MOST + 1), "a", 2).counts == "3 of 10,000+"


def test_in_a_text_that_grew_one_stays_where_one_was() -> None:
    begun = Finding.begin(SOURCE, "lemma", 0).step(1)
    assert begun.again(SOURCE + ", a lemma").counts == "2 of 4"
    assert begun.again("").counts == "not found"
