from uq_tui.state.spend import Spend


def test_nothing_spent() -> None:
    assert Spend().text() == "$0.00"


def test_the_latest_totals_of_each_run_are_added() -> None:
    spend = Spend()
    spend.note("a", 0.01, 0)
    spend.note("a", 0.02, 0)
    spend.note("b", 1.5, 0)
    assert spend.text() == "$1.52"


def test_unknown_costs_are_counted_not_taken_for_zero() -> None:
    spend = Spend()
    spend.note("a", None, 3)
    spend.note("b", 0.0123, 1)
    assert spend.text() == "$0.0123 + 4 calls of unknown cost"
