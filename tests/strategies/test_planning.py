"""How many calls a strategy takes."""

import pytest
from hypothesis import given

from tests.strategies.trees import strategies
from uq_tui.strategies.notation import parse, to_notation
from uq_tui.strategies.planning import PlannedCalls, most_calls, planned_calls
from uq_tui.strategies.tree import CheckKind, Strategy, places


def calls_of(text: str, *, exact: bool = False) -> tuple[int, int]:
    root = parse(text)
    found = planned_calls(Strategy("s", "S", "", root, to_notation(root)), exact=exact)
    return found.fewest, found.most


@pytest.mark.parametrize(
    ("text", "fewest", "most"),
    [
        ("cc", 2, 2),
        ("cc => c", 2, 3),
        ("cc r3 u", 2, 4),
        ("cc r3 m", 3, 4),
        ("cc x3 m", 4, 6),
        ("c x4 m", 2, 4),
        ("c x1 m", 1, 1),
        ("c r3 u x5 m", 3, 15),
        ("c r3 m x5 m", 6, 15),
        ("(cc => c) @[1, 2, 3] m", 4, 9),
        ("{c, cc, flc} m", 3, 4),
        ("{cc, c, flc} u", 2, 4),
        ("c debate[1, 2, 3] m", 5, 6),
        ("cc debate[1, 2] u", 5, 6),
        ("plugin(a)", 0, 0),
        ("plugin(a) => c", 0, 1),
        ("{plugin(a), c, flc} m => cc", 1, 4),
    ],
)
def test_calls_by_hand(text: str, fewest: int, most: int) -> None:
    assert calls_of(text) == (fewest, most)
    assert calls_of(text, exact=True) == (most, most)


@given(strategies())
def test_fewest_are_never_more_than_most(strategy: Strategy) -> None:
    calls = planned_calls(strategy)

    assert 0 <= calls.fewest <= calls.most
    assert planned_calls(strategy, exact=True) == PlannedCalls(calls.most, calls.most)


@given(strategies(plugins=False, kinds=[kind for kind in CheckKind if kind.calls == 1]))
def test_every_call_has_a_place_where_no_check_takes_two(strategy: Strategy) -> None:
    assert planned_calls(strategy).most == sum(not place.composed for place in places(strategy))


def test_judgements_of_plug_ins_can_be_counted_as_calls() -> None:
    assert most_calls(parse("{plugin(a), c} m x3 m => plugin(b)"), each_plugin=1) == 7
