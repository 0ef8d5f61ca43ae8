"""Which highlights count as the reader's choice, and what a line tells."""

from dataclasses import replace

from rich.cells import cell_len
from textual.app import App, ComposeResult

from store.failed_answers import FailedAnswer
from store.rows import Candidate, Origin, Text
from store.run_rows import NeighbourValue, Utility
from uq_tui.state.utility.measured import Measured
from uq_tui.widgets.candidate_list import NAME_CELLS, CandidateLine, CandidateList
from uq_tui.words import AuthorKind, TextFormat


def line(number: int) -> CandidateLine:
    answer = Text("0" * 64, TextFormat.MARKDOWN, "An answer.", "An answer.")
    candidate = Candidate(f"id{number}", "q", number, answer, "", False, (), "2026-01-01T00:00:00Z")
    return CandidateLine(candidate, None, None, None, False)


def measured(utility: Utility, *, under_way: bool = False) -> Measured:
    return Measured(utility, "solver", "", under_way=under_way)


class Host(App[None]):
    def __init__(self) -> None:
        super().__init__()
        self.chosen: list[str] = []

    def compose(self) -> ComposeResult:
        yield CandidateList(id="candidates")

    def on_candidate_list_chosen(self, message: CandidateList.Chosen) -> None:
        self.chosen.append(message.candidate_id)


async def test_only_the_readers_own_moves_are_choices() -> None:
    app = Host()
    async with app.run_test() as pilot:
        listing = app.query_one(CandidateList)
        listing.focus()
        listing.show([line(1), line(2)], [], "id1")
        listing.show([line(1), line(2)], ["call"], "call")
        await pilot.pause()
        assert (listing.highlighted, app.chosen) == (2, [])
        await pilot.press("up")
        assert app.chosen == ["id2"]


async def test_a_line_says_what_was_cut_and_which_score_rests_on_equal_replies() -> None:
    values = (NeighbourValue("n", 3, 8, 0, replies=8, distinct=5),)
    scored = Utility("r", "id1", "m", 0.5, 0.3, 0.7, 8, values, (), None, None, None, None, True, False)
    whole = replace(line(1), measured=measured(replace(scored, neighbours=(replace(values[0], distinct=8),))))
    cut = replace(line(2), candidate=replace(line(2).candidate, cut_off=True), measured=measured(scored))
    app = Host()
    async with app.run_test():
        listing = app.query_one(CandidateList)
        listing.show([whole, cut], [], "id1")
        first, second = (str(listing.get_option_at_index(index).prompt) for index in (0, 1))
    assert "[.30 .70] " in first
    assert "[.30 .70]≈ " in second
    assert ("cut at the length limit" in first, "cut at the length limit" in second) == (False, True)


async def test_a_utility_that_stopped_early_or_goes_on_and_the_reference_are_marked() -> None:
    values = (NeighbourValue("n", 3, 8, 0),)
    scored = Utility("r", "id1", "m", 0.5, 0.3, 0.7, 8, values, (), None, None, None, None, True, False)
    early = replace(line(1), measured=measured(replace(scored, stopped_early=True)))
    going = replace(line(2), measured=measured(scored, under_way=True))
    reference = replace(line(3), candidate=replace(line(3).candidate, reference=True))
    app = Host()
    async with app.run_test():
        listing = app.query_one(CandidateList)
        listing.show([early, going, reference], [], "id1")
        first, second, third = (str(listing.get_option_at_index(index).prompt) for index in range(3))
    assert "[.30 .70]⊣ " in first
    assert "[.30 .70] ◌" in second
    assert "◆ reference" in third
    assert "◆" not in first + second


async def test_a_name_of_any_length_takes_little_room() -> None:
    origin = Origin(AuthorKind.MODEL, model="漢" * 5_000 + "[bold]")
    named = replace(line(1), candidate=replace(line(1).candidate, origins=(origin,)))
    app = Host()
    async with app.run_test():
        listing = app.query_one(CandidateList)
        listing.show([named, line(2)], [], "id1")
        _, name = str(listing.get_option_at_index(0).prompt).splitlines()
    assert 40 < cell_len(name.strip()) <= NAME_CELLS
    assert name.endswith("…")


async def test_an_answer_that_failed_says_why_and_how_to_ask_again_and_is_none_to_choose() -> None:
    failed = [FailedAnswer("q", "o3\x1b[2J", "rate [b]limited[/b] " * 50, "f"), FailedAnswer("q", "", "x", "f")]
    app = Host()
    async with app.run_test() as pilot:
        listing = app.query_one(CandidateList)
        listing.focus()
        listing.show([line(1)], [], "id1", failed=failed, retry="G asks again")
        await pilot.press("down", "enter")
        shown = [str(listing.get_option_at_index(index).prompt) for index in (1, 2)]
        assert (listing.highlighted, app.chosen) == (0, [])
    assert shown[0].startswith("!   failed o3")
    assert "\x1b" not in shown[0]
    assert ": rate [b]limited[/b] rate" in shown[0]
    assert shown[0].endswith("…\n    G asks again")
    assert shown[1] == "!   failed a model without a name: x"
