"""What the utility panel says about replies."""

from dataclasses import replace

from textual.app import App, ComposeResult

from store.rows import Neighbour
from store.run_rows import NeighbourValue, Utility
from uq_tui.widgets.utility_panel import UtilityPanel

AROUND = [Neighbour("n1", "2 + 2?", "4", "tests"), Neighbour("n2", "3 + 3?", "6", "tests")]


def value(key: str, replies: int | None = 8, distinct: int | None = 8) -> NeighbourValue:
    return NeighbourValue(key, 3, 8, 0, replies, distinct)


def utility(*own: NeighbourValue, control: tuple[NeighbourValue, ...] = ()) -> Utility:
    lift, low, high = (0.1, -0.2, 0.4) if control else (None, None, None)
    return Utility("r", "c", "m", 0.5, 0.3, 0.7, 8, own, control, None, lift, low, high, True, False)


class Host(App[None]):
    def compose(self) -> ComposeResult:
        yield UtilityPanel()


async def said(shown: Utility) -> list[str]:
    """The panel's lines, unwrapped."""
    app = Host()
    async with app.run_test(size=(32, 40)):
        panel = app.query_one(UtilityPanel)
        panel.show(shown, AROUND, model="m", busy=False)
        return panel.content.plain.split("\n")


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
    assert "  2 cut at the length limit" in await said(utility(replace(value("n1"), cut_off=2)))


async def test_what_was_not_recorded_is_said() -> None:
    lines = await said(utility(value("n1", None, None)))

    assert "distinct replies not recorded" in lines
    assert not any("≈" in line for line in lines)
