"""What is entered before models are asked."""

import pytest

from store.review_rows import NewItem
from store.workspace import Workspace
from tests.engine.runs.scripted import add_candidates
from tests.fakes.scripted_engine import ScriptedEngine
from tests.state.curating.curated import curated
from tests.state.reviewing.laid_out import desk_of, make_queue
from uq_tui.engine.requests import CurateRequest, ModelChoice
from uq_tui.state.curating.asking import Asked, AskingEditor
from uq_tui.state.curating.funnel import FunnelState

APP = ModelChoice("replay/app")


@pytest.fixture
def editor(workspace: Workspace) -> AskingEditor:
    return AskingEditor(curated(workspace), APP, waiting=40)


def test_all_that_waits_is_asked_of_the_apps_model_unless_something_else_is_entered(editor: AskingEditor) -> None:
    assert editor.asked() == Asked(APP, (APP,))
    assert editor.planned.startswith("40 questions of 40 that wait: 160 calls, 1 answer and 3 ratings each")


def test_what_is_entered_is_asked(editor: AskingEditor) -> None:
    fields = {"answerer": "a/b", "raters": " c/d , e/f http://x/v1,", "limit": "12", "usd": "0.50", "tokens": "9"}
    for field, text in fields.items():
        editor.enter(field, text)
    raters = (ModelChoice("c/d"), ModelChoice("e/f", "http://x/v1"))
    assert editor.asked() == Asked(ModelChoice("a/b"), raters, 12, 0.5, 9)
    assert editor.planned.startswith("12 questions of 40 that wait: 48 calls,")


def test_no_more_is_planned_than_waits(editor: AskingEditor) -> None:
    editor.enter("limit", "1000")
    assert editor.planned.startswith("40 questions of 40")


@pytest.mark.parametrize(
    ("field", "text"),
    [("limit", "0"), ("limit", "many"), ("usd", "-1"), ("usd", "nan"), ("usd", "inf"), ("tokens", "1.5")],
)
def test_what_is_no_number_is_named(editor: AskingEditor, field: str, text: str) -> None:
    editor.enter(field, text)
    assert editor.wrong is not None
    assert editor.wrong.field == field
    assert editor.asked() is None


def test_nothing_is_asked_where_nothing_waits(workspace: Workspace) -> None:
    editor = AskingEditor(curated(workspace), APP, waiting=0)
    assert editor.wrong is not None
    assert editor.asked() is None


async def test_a_run_is_of_the_first_questions_that_wait(workspace: Workspace) -> None:
    curation = curated(workspace)
    state = FunnelState(await desk_of(workspace))
    assert not await state.ask(Asked(APP, (APP,)))
    await state.load()
    assert await state.ask(Asked(APP, (APP,), usd=2.0))
    assert await state.ask(Asked(APP, (APP,), questions=1))
    engine = state.desk.engine
    assert isinstance(engine, ScriptedEngine)
    assert engine.requests == [
        CurateRequest(curation.id, ("new", "half"), APP, (APP,)),
        CurateRequest(curation.id, ("new",), APP, (APP,)),
    ]
    assert engine.given == [(2.0, None), (None, None)]


async def test_what_is_judged_blind_is_not_asked(workspace: Workspace) -> None:
    curated(workspace)
    desk = await desk_of(workspace)
    make_queue(workspace, desk, [NewItem("new", add_candidates(workspace, "An answer.", question_id="new")[0])])
    state = FunnelState(desk)
    await state.load()
    assert await state.ask(Asked(APP, (APP,)))
    assert isinstance(desk.engine, ScriptedEngine)
    (request,) = desk.engine.requests
    assert isinstance(request, CurateRequest)
    assert request.question_ids == ("half",)
