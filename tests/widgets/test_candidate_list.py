"""Which highlights count as the reader's choice."""

from textual.app import App, ComposeResult

from store.rows import Candidate, Text
from uq_tui.widgets.candidate_list import CandidateLine, CandidateList
from uq_tui.words import TextFormat


def line(number: int) -> CandidateLine:
    answer = Text("0" * 64, TextFormat.MARKDOWN, "An answer.", "An answer.")
    candidate = Candidate(f"id{number}", "q", number, answer, "", False, (), "2026-01-01T00:00:00Z")
    return CandidateLine(candidate, None, None, None, False)


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
