"""Conflicts on the screen: listed, read side by side, settled with the form, undone."""

import pytest
import pytest_asyncio
from textual.pilot import Pilot

from store import adjudications, conflicts, drafts
from store.workspace import Workspace
from tests.screens.conftest import Host
from tests.screens.test_contrast import pale
from tests.screens.waiting import screen_text, shown, wait_until
from tests.state.reviewing.laid_out import desk_of
from tests.store.disputed import MODEL, dispute
from tests.store.standing import EVE
from uq_tui.screens.adjudicating.adjudicate import AdjudicateScreen
from uq_tui.screens.adjudicating.conflicts import ConflictsScreen
from uq_tui.state.desk import Desk
from uq_tui.state.reading.lines.highlights import Layer
from uq_tui.themes import BY_NAME
from uq_tui.widgets.adjudicating.side_panes import LOOKS
from uq_tui.widgets.document import Document
from uq_tui.widgets.reading import looks
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import ConflictBy, Label, VerdictRole


@pytest_asyncio.fixture
async def eve(workspace: Workspace) -> Desk:
    """Eve's desk, with two conflicts on it."""
    dispute(workspace, 2)
    return (await desk_of(workspace)).for_reviewer(EVE)


def marked(pilot: Pilot[None], layer: Layer) -> list[str]:
    text = pilot.app.screen.query_one("#text", Document)
    return [text.source[start:end] for start, end in text.highlights.ranges(layer)]


async def test_a_conflict_is_read_and_settled_and_undone_by_keys(eve: Desk) -> None:
    app = Host(ConflictsScreen(eve, TitleBar()))
    async with app.run_test(size=(160, 44)) as pilot:
        await shown(pilot, "2 conflicts, 0 settled", "ada: correct 6/7, bob: incorrect 2/7   open")
        await pilot.press("enter")
        await shown(pilot, "Settle  1 of 2", "A  ada: correct 6/7", "B  bob: incorrect 2/7", "The last step fails.")
        assert marked(pilot, Layer.QUOTE_A) == ["**Dirac**"]
        assert marked(pilot, Layer.QUOTE_B) == ["infinite ones"]
        assert MODEL not in screen_text(pilot)
        await pilot.press("right_square_bracket", "right_square_bracket")
        await shown(pilot, "B bob: incorrect reasoning: No cycle.")
        assert marked(pilot, Layer.POINTED) == ["infinite ones"]
        await pilot.press("right", "right", "t")
        await shown(pilot, "Your verdict on c1, settling 2 verdicts", "2 errors")
        await wait_until(pilot, lambda: marked(pilot, Layer.QUOTE_OWN) == ["infinite ones"])
        await pilot.press("ctrl+s")
        await shown(pilot, "Settle  2 of 2", "Recorded on c1, Question 0: incorrect.")
        await pilot.press("u")
        await shown(pilot, "Settle  1 of 2", "Taken back: it says retracted by now.")
        await pilot.press("enter", "c", "ctrl+s")
        await shown(pilot, "Settle  2 of 2", "Recorded on c1, Question 0: correct.")
        await pilot.press("escape")
        await shown(pilot, "2 conflicts, 1 settled", "settled by eve: correct")
        assert app.errors == []


async def test_the_form_keeps_its_letters_and_its_draft(eve: Desk) -> None:
    app = Host(ConflictsScreen(eve, TitleBar()))
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "2 conflicts")
        await pilot.press("enter")
        await shown(pilot, "Settle  1 of 2")
        await pilot.press("enter")
        await shown(pilot, "settling 2 verdicts")
        await pilot.press("x", "n", "p", "escape")
        await wait_until(pilot, lambda: not pilot.app.screen.has_class("-judging"))
        (key, *_) = [one.candidate_id for one in conflicts.conflicts(eve.workspace)]
        kept = drafts.get(eve.workspace, EVE.id, key, role=VerdictRole.ADJUDICATION)
        assert kept is not None
        assert kept.form.label is Label.INCORRECT
        await pilot.press("n")
        await shown(pilot, "Settle  2 of 2")
        await pilot.press("right")
        await shown(pilot, "Which theorem?")
        assert not pilot.app.screen.query_one("#text").display
        await pilot.press("a")
        await shown(pilot, "Body")
        assert adjudications.latest(eve.workspace, EVE.id, key) is None
        assert app.errors == []


async def test_what_counts_as_a_conflict_is_turned_by_a_key(eve: Desk) -> None:
    app = Host(ConflictsScreen(eve, TitleBar()))
    async with app.run_test(size=(120, 24)) as pilot:
        for words in ("against incorrect", "any two of correct", "2 or more apart", "against incorrect"):
            await shown(pilot, words, "2 conflicts")
            await pilot.press("b")
        assert len(ConflictBy) == 3


@pytest.mark.parametrize("size", [(40, 12), (200, 60)])
async def test_any_size_will_do_and_all_text_has_contrast(eve: Desk, size: tuple[int, int]) -> None:
    found = conflicts.conflicts(eve.workspace)
    app = Host(AdjudicateScreen(eve, found, found[0].candidate_id, TitleBar()))
    theme = BY_NAME["high-contrast"]
    app.register_theme(theme)
    app.theme = theme.name
    async with app.run_test(size=size) as pilot:
        await shown(pilot, "Settle", "By Dirac")
        assert pale(pilot) == set()
        await pilot.press("right", "enter")
        await shown(pilot, "Verdict")
        assert app.errors == []


def test_a_letter_is_marked_as_what_its_verdict_quotes() -> None:
    for layer, look in LOOKS.items():
        style, ground = look.split(" $text on ")
        assert f"& > .document--{layer} {{ background: {ground}; text-style: {style}; }}" in looks.CSS
