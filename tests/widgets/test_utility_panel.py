"""What the utility panel says in the 32 columns it has."""

from dataclasses import replace
from typing import Any

from rich.cells import cell_len
from textual.app import App, ComposeResult

from store.rows import Neighbour
from store.run_rows import NeighbourValue, Utility
from uq_tui.state.utility.measured import Measured, caution
from uq_tui.widgets.utility_panel import UtilityPanel
from uq_tui.words import DecidedBy, Interval, NeighbourUse

AROUND = [
    Neighbour("n1", "2 + 2?", "4", "tests", number=1),
    Neighbour("n2", "3 + 3?", "6", "tests", number=2),
]


def value(key: str, replies: int | None = 8, distinct: int | None = 8) -> NeighbourValue:
    return NeighbourValue(key, 3, 8, 0, replies, distinct)


def utility(*own: NeighbourValue, control: tuple[NeighbourValue, ...] = ()) -> Utility:
    lift, low, high = (0.1, -0.2, 0.4) if control else (None, None, None)
    return Utility("r", "c", "m", 0.5, 0.3, 0.7, 8, own, control, None, lift, low, high, True, False)


class Host(App[None]):
    def compose(self) -> ComposeResult:
        yield UtilityPanel()


async def said(
    shown: Utility | None, around: list[Neighbour] = AROUND, *, busy: bool = False, **about: Any
) -> list[str]:
    """The panel's lines, unwrapped; `about` is what was measured by."""
    app = Host()
    async with app.run_test(size=(32, 40)):
        panel = app.query_one(UtilityPanel)
        measured = Measured(shown, solver="m", basis="", **about) if shown is not None else None
        panel.show(measured, around, busy=busy)
        return panel.content.plain.split("\n")


async def test_neighbours_and_arms_have_bars_with_intervals_and_counts() -> None:
    values = (value("n1"), replace(value("n2"), solved=8))
    shown = utility(*values, control=(replace(value("n1"), solved=0), value("n2")))
    placebo = (replace(value("n1"), solved=0), replace(value("n2"), solved=1))

    lines = await said(replace(shown, control_mean=0.1875, placebo=placebo, placebo_mean=0.0625))

    assert lines[:4] == [
        "N1      █▓▓▓░░░··· 3/8 .38",
        "N2      ███████▓▓▓ 8/8 1.0",
        "control █▓░░······ 3/16 .19",
        "placebo ▓░░······· 1/16 .06",
    ]
    assert "over these 2 neighbours only" in lines
    assert "T = 8 fixed" in lines
    assert all(cell_len(line) <= 32 for line in lines)


async def test_a_neighbour_keeps_its_number_where_another_is_set_aside() -> None:
    around = [replace(AROUND[0], use=NeighbourUse.SET_ASIDE), AROUND[1]]
    assert (await said(utility(value("n2")), around))[0].startswith("N2 ")


async def test_what_says_nothing_is_counted_apart() -> None:
    odd = NeighbourValue("n1", 0, 0, 3, 3, 3, 2)
    lines = await said(replace(utility(odd), mean=None, low=None, high=None))
    assert lines[:2] == ["N1      ·········· none yet", "  3 undecided (2 cut off)"]
    assert "utility –" in lines


async def test_a_run_under_way_and_one_that_stopped_early_say_what_their_interval_holds_for() -> None:
    live = replace(utility(value("n1")), interval=Interval.ANYTIME, complete=False)
    lines = await said(live, under_way=True)
    assert {"live: holds at every look", "solver m, T = 8 ◌ measuring"} <= set(lines)
    assert "stopped early: holds at every look" in await said(replace(live, complete=True, stopped_early=True))


async def test_how_rollouts_were_decided_is_said_where_not_all_were_read_exactly() -> None:
    lines = await said(utility(value("n1")), decided={DecidedBy.EXACT: 6, DecidedBy.SYMBOLIC: 2})
    assert "rollouts: 2 by algebra" in lines
    assert not any("rollouts: " in one for one in await said(utility(value("n1"))))


async def test_many_neighbours_leave_the_utility_in_sight() -> None:
    around = [Neighbour(f"n{at}", "2 + 2?", "4", "tests", number=at) for at in range(1, 41)]

    lines = await said(utility(*(value(one.id) for one in around)), around)

    assert lines[6].startswith("N7 ")
    assert lines[7] == "33 more, 99/264; U shows each"
    assert lines.index("utility .50 [.30, .70]") < 11


async def test_advice_stands_under_the_figures() -> None:
    lines = await said(utility(value("n1")), advice="8/8 solved without a candidate: prefer a judge.")
    assert lines.index("8/8 solved without a candidate: prefer a judge.") == lines.index("utility .50 [.30, .70]") + 1


async def test_what_was_left_undecided_stands_below_each_arm_with_a_word_of_caution() -> None:
    shown = utility(replace(value("n1"), undecided=2), control=(replace(value("n1"), undecided=1, cut_off=1),))
    lines = await said(shown)

    assert lines[1] == "  2 undecided"
    assert lines[3] == "  1 undecided (1 cut off)"
    assert caution(shown) in lines
    assert caution(utility(value("n1"))) == ""


async def test_without_a_utility_it_says_what_to_do() -> None:
    aside = [replace(one, use=NeighbourUse.SET_ASIDE) for one in AROUND]
    assert await said(None) == ["2 neighbours held; u measures."]
    assert await said(None, busy=True) == ["2 neighbours held; u measures. ◌ measuring"]
    assert await said(None, aside) == ["2 neighbours, none in use. n shows them."]
    assert (await said(None, []))[0].startswith("No neighbours: no related question whose answer can be checked. u")


async def test_distinct_replies_stand_beside_all_replies() -> None:
    lines = await said(utility(value("n1"), value("n2"), control=(value("n1"), value("n2"))))

    assert "32 replies, 32 distinct" in lines
    assert not any("≈" in line for line in lines)


async def test_a_score_over_equal_replies_is_marked_in_words_and_by_a_glyph() -> None:
    lines = await said(utility(value("n1"), value("n2", 8, 5), control=(value("n1"), value("n2"))))

    assert lines[lines.index("  ≈ 8 replies, 5 distinct") - 1].startswith("N2")
    assert "utility .50 [.30, .70] ≈" in lines
    assert "lift    +.10 [-.20, +.40] ≈" in lines
    assert "≈ not independent: equal replies are one draw, the interval is too narrow" in lines
    assert all(len(line) <= 32 for line in lines if line.startswith(("N", "  ", "utility", "lift", "control")))


async def test_equal_replies_of_the_control_arm_mark_the_lift_alone() -> None:
    lines = await said(utility(value("n1"), control=(value("n1", 8, 7),)))

    assert "utility .50 [.30, .70]" in lines
    assert "lift    +.10 [-.20, +.40] ≈" in lines
    assert lines[lines.index("  ≈ 8 replies, 7 distinct") - 1].startswith("control")


async def test_at_temperature_0_one_sample_was_repeated() -> None:
    lines = await said(utility(replace(value("n1", 8, 1), temperature=0.0)))

    assert any(line.startswith("≈ temperature 0: one sample, repeated: ") for line in lines)


async def test_replies_that_were_cut_are_named() -> None:
    assert "  2 cut off" in await said(utility(replace(value("n1"), cut_off=2)))


async def test_what_was_not_recorded_is_said() -> None:
    lines = await said(utility(value("n1", None, None)))

    assert "distinct replies not recorded" in lines
    assert not any("≈" in line for line in lines)
