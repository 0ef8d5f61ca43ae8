"""Stepping through what stands behind a rung, against a real store."""

from dataclasses import replace

from textual.app import App, ComposeResult

from store import calls, runs
from store.run_rows import Message
from store.workspace import Workspace
from tests.fakes.scripted_engine import ScriptedEngine
from tests.kept_calls import stored_call
from tests.screens.waiting import wait_until
from uq_tui.engine.protocol import CallFinished, CallStarted, EventsLost, OutcomeDecided, TextDelta
from uq_tui.state.ladder.ladder import Ladder
from uq_tui.state.ladder.shape import LadderShape
from uq_tui.widgets.reply_view import ReplyView
from uq_tui.words import CallState, Outcome, RunKind

CYCLE = LadderShape.of({"strategy": {"title": "Cycle", "notation": "cycle_consistency"}})
PATH = "cycle_consistency"


class Host(App[None]):
    def __init__(self, workspace: Workspace) -> None:
        super().__init__()
        self.engine = ScriptedEngine(workspace.path)
        self.view = ReplyView(workspace, self.engine, id="reply")

    def compose(self) -> ComposeResult:
        yield self.view


def two_calls(workspace: Workspace) -> Ladder:
    """A judgement that took two calls."""
    run = runs.create(workspace, RunKind.VALIDATE, "x", {}, 1)
    infer = replace(stored_call("infer", run.id, "What is two and two?"), template="check.cycle_infer")
    prompt = "Ignore *all* of this.\n```\n# Not a heading\n````"
    compare = replace(stored_call("compare", run.id, "They agree."), messages=(Message("user", prompt),))
    calls.save(workspace, [infer, compare])
    ladder = Ladder(run.id, CYCLE)
    for key in ("infer", "compare"):
        ladder.apply(CallFinished(run.id, key, "c", PATH, CallState.DONE, None, "", False))
    ladder.apply(OutcomeDecided(run.id, "c", PATH, Outcome.ACCEPT, "", "compare"))
    return ladder


async def test_all_calls_behind_a_judgement_are_read_one_after_the_other(workspace: Workspace) -> None:
    app, ladder = Host(workspace), two_calls(workspace)
    async with app.run_test() as pilot:
        app.view.turn_to(PATH)
        app.view.read_ladder(ladder)
        await wait_until(pilot, lambda: app.view.text == "They agree.")
        assert str(app.view.border_title).startswith("Reply 2 of 2 [ ]")
        app.view.step(-1)
        await wait_until(pilot, lambda: app.view.text == "What is two and two?")
        assert str(app.view.border_title).startswith("Reply 1 of 2")


async def test_the_prompt_is_shown_as_it_was_sent(workspace: Workspace) -> None:
    app, ladder = Host(workspace), two_calls(workspace)
    async with app.run_test() as pilot:
        app.view.turn_to(PATH)
        app.view.read_ladder(ladder)
        await wait_until(pilot, lambda: app.view.text == "They agree.")
        app.view.toggle_prompt()
        assert app.view.text.splitlines() == [
            "### User",
            "",
            "│ Ignore *all* of this.",
            "│ ```",
            "│ # Not a heading",
            "│ ````",
        ]
        assert [heading.text for heading in app.view.headings] == ["User"]
        assert str(app.view.border_title).startswith("Prompt 2 of 2")
        app.view.toggle_prompt()
        assert app.view.text == "They agree."


async def test_a_rung_without_calls_tells_how_it_came_about(workspace: Workspace) -> None:
    app, ladder = Host(workspace), two_calls(workspace)
    async with app.run_test() as pilot:
        app.view.turn_to("")
        app.view.read_ladder(ladder)
        await wait_until(pilot, lambda: "1 part: 1 accept." in app.view.text)
        app.view.toggle_prompt()
        assert str(app.view.border_title) == "Cycle"


async def test_a_running_call_streams_and_the_next_one_takes_its_place(workspace: Workspace) -> None:
    app, ladder = Host(workspace), Ladder("r", CYCLE)
    async with app.run_test() as pilot:
        app.view.turn_to(PATH)
        ladder.apply(CallStarted("r", "infer", "c", PATH, "m"))
        app.view.read_ladder(ladder)
        await wait_until(pilot, lambda: app.engine.watched == ["infer"])
        app.view.receive(TextDelta("infer", "", 0, "What is", 0))
        await wait_until(pilot, lambda: app.view.text == "What is")
        app.view.receive(TextDelta("infer", "", 0, " it?", 7))
        await wait_until(pilot, lambda: app.view.text == "What is it?")
        ladder.apply(CallStarted("r", "compare", "c", PATH, "m"))
        app.view.read_ladder(ladder)
        await wait_until(pilot, lambda: app.engine.watched == ["compare"])


async def test_lost_events_have_a_running_call_followed_anew(workspace: Workspace) -> None:
    app, ladder = Host(workspace), Ladder("r", CYCLE)
    async with app.run_test() as pilot:
        app.view.turn_to(PATH)
        ladder.apply(CallStarted("r", "k", "c", PATH, "m"))
        app.view.read_ladder(ladder)
        await wait_until(pilot, lambda: app.engine.watched == ["k"])
        run = runs.create(workspace, RunKind.VALIDATE, "x", {}, 1)
        calls.save(workspace, [stored_call("k", run.id, "It ended meanwhile.")])
        app.view.receive(EventsLost())
        await wait_until(pilot, lambda: app.view.text == "It ended meanwhile.")
