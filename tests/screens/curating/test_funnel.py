"""The funnel screen: begun, applied, read beside the paper, and what lies behind its lines."""

from textual.screen import ModalScreen

from store import curation_lists, curations, datasets
from store.curation_rows import Place
from tests.screens.conftest import Host, engine_of
from tests.screens.waiting import screen_text, shown, wait_until
from tests.state.curating.curated import curated
from uq_tui.engine.protocol import RunFinished, RunStarted
from uq_tui.engine.requests import CurateRequest
from uq_tui.screens.curating.funnel import FunnelScreen
from uq_tui.screens.questions import QuestionsScreen
from uq_tui.state.desk import Desk
from uq_tui.words import CurationStage, RunKind, RunState


class Opening(Host):
    """Gathers what is to be opened."""

    def __init__(self, screen: FunnelScreen) -> None:
        super().__init__(screen)
        self.opened: list[str] = []

    def on_questions_screen_opened(self, message: QuestionsScreen.Opened) -> None:
        self.opened.append(message.question_id)


async def test_passes_are_begun_chosen_and_their_rules_applied(desk: Desk) -> None:
    app = Host(FunnelScreen(desk))
    async with app.run_test(size=(80, 24)) as pilot:
        await shown(pilot, "No pass yet: n begins one")
        await pilot.press("n", *"may", "tab", *"none.toml", "enter")
        await shown(pilot, "none.toml")
        await pilot.press(*["backspace"] * len("none.toml"), "enter")
        await shown(pilot, "Nothing was looked at yet: a applies the rules", "Curation  may")
        await pilot.press("a")
        await shown(pilot, "looked at", "rules applied", "3,000,000", "age, figure unknown")
        await pilot.press("n", *"june", "enter")
        await shown(pilot, "Curation  june", "Nothing was looked at yet")
        await pilot.press("c")
        await shown(pilot, "Passes of the funnel")
        await pilot.press(*"ma", "enter")
        await shown(pilot, "Curation  may", "rules applied")
    assert not app.errors


async def test_counts_stand_beside_the_papers_and_lead_to_questions(desk: Desk) -> None:
    curation = curated(desk.workspace)
    app = Opening(FunnelScreen(desk))
    async with app.run_test(size=(120, 40)) as pilot:
        await shown(pilot, "passed the models", "fell, figure unknown", "33,916")
        await pilot.press("right")
        await shown(pilot, "Fell at the rules")
        await pilot.press("down", "enter")
        await shown(pilot, "How few?", "fell at the rules: 120 views < 500", "views: 1 question")
        await wait_until(pilot, lambda: "Text of few." in screen_text(pilot))
        await pilot.press("enter")
        assert app.opened == ["few"]
        await pilot.press("escape", "g")
        await shown(pilot, "2 questions of 2 that wait: 8 calls,")
        await pilot.press(*"a/b", "tab", "tab", "1", "tab", *"0.5", "enter")
        await shown(pilot, "Models are asked")
        (request,) = engine_of(desk).requests
        assert isinstance(request, CurateRequest)
        assert (request.model.id, request.question_ids, engine_of(desk).given) == ("a/b", ("new",), [(0.5, None)])
        engine_of(desk).tell(RunStarted("ticket-1", "run", RunKind.CURATE, "pilot"))
        place = curation_lists.page(desk.workspace, curation.id, CurationStage.MODEL, "").rows[0].place
        desk.workspace.write(lambda db: curations.move(db, curation.id, Place(place.seq, CurationStage.REVIEW)))
        engine_of(desk).tell(RunFinished("run", RunState.DONE, ""))
        await wait_until(pilot, lambda: "Models are asked" not in screen_text(pilot))
        await pilot.press("left")
        await wait_until(pilot, lambda: "not asked yet" not in screen_text(pilot).split("Fell at the rules")[0])
        await pilot.press("d", "enter")
        await shown(pilot, "A version's name is one line")
        await pilot.press(*"v1", "enter")
        await wait_until(pilot, lambda: not isinstance(app.screen, ModalScreen))
        (pin,) = datasets.entries(desk.workspace, "v1")
        assert pin.question_id == "good"
    assert not app.errors
