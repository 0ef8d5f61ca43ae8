"""The neighbours of a question, on the screen."""

from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input, TextArea

from store import neighbours, questions
from store.rows import QuestionFilter
from tests.proposed_runs import begun_proposing, put_proposal
from tests.screens.conftest import Host, bench, engine_of, first_question, opened
from tests.screens.waiting import screen_text, shown, wait_until
from uq_tui.engine.protocol import (
    CallStarted,
    NeighbourProposed,
    ProposalDecided,
    RunFinished,
    RunProgress,
    RunStarted,
    TextDelta,
)
from uq_tui.engine.requests import ModelChoice, NeighboursRequest
from uq_tui.errors import StoreError
from uq_tui.screens.neighbours import NeighboursScreen
from uq_tui.screens.workbench import WorkbenchScreen
from uq_tui.state.desk import Desk
from uq_tui.widgets.document import Document
from uq_tui.widgets.title_bar import TitleBar
from uq_tui.words import NeighbourUse, ProposalState, RunKind, RunState

SIZE = (120, 40)
NARROW = (80, 24)
HOSTILE = "How many $x^2$ are [b]odd[/b]\x1b[2J?\n\n```\nnever closed"


def host(desk: Desk, question_id: str = "") -> Host:
    """On the question about parity, which has two neighbours, 2+2 and 3+3."""
    bar = TitleBar()
    bar.place, bar.status = "Workbench", "a-model  $0.42"
    question = questions.get(desk.workspace, question_id or first_question(desk.workspace))
    return Host(NeighboursScreen(desk, question, bar))


async def gone(pilot: Pilot[None], *texts: str) -> None:
    await wait_until(pilot, lambda: not any(text in screen_text(pilot) for text in texts))


def uses(desk: Desk) -> list[NeighbourUse]:
    return [one.use for one in neighbours.of_question(desk.workspace, first_question(desk.workspace))]


def disagreed(desk: Desk, statement: str = HOSTILE) -> None:
    """A finished run with one proposal on which its solvers did not agree."""
    run = begun_proposing(desk.workspace, first_question(desk.workspace))
    answers = {"openai/o3": ["2024", "2024", "2024", "2025"], "qwen": ["2025", "2025"]}
    put_proposal(desk.workspace, run, 1, statement, answers, state=ProposalState.DISAGREED, reason="qwen says 2025")


async def test_neighbours_are_listed_and_the_one_stood_on_is_read_whole(desk: Desk) -> None:
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(
            pilot, "2 in use, 0 set aside", "In use (2)", "N1  2+2?", "N2  3+3?", "Neighbours  source:", "$0.42"
        )
        await shown(pilot, "Answer: 4", "In use", "Source: test")
        await pilot.press("down")
        await shown(pilot, "Answer: 6")
        await pilot.click("#list", offset=(6, 2))
        await shown(pilot, "Answer: 4")
        assert app.errors == []


async def test_a_statement_can_be_marked_and_quoted(desk: Desk) -> None:
    async with host(desk).run_test(size=SIZE) as pilot:
        statement = pilot.app.screen.query_one("#statement", Document)
        await wait_until(pilot, lambda: bool(statement.readable.texts))
        (first, *_) = neighbours.of_question(desk.workspace, first_question(desk.workspace))
        assert statement.readable.to_raw(0, 3) == (statement.readable.texts[0], 0, 3)
        assert (statement.source, statement.readable.name) == (first.statement, "n1")


async def test_one_is_set_aside_and_taken_back_by_the_same_key(desk: Desk) -> None:
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Answer: 4")
        await pilot.press("d")
        await shown(pilot, "1 in use, 1 set aside", "Set aside (1)", "Set aside: set aside by hand", "Answer: 4")
        assert uses(desk) == [NeighbourUse.SET_ASIDE, NeighbourUse.IN_USE]
        await pilot.press("space")
        await shown(pilot, "2 in use, 0 set aside", "Answer: 4")
        assert uses(desk) == [NeighbourUse.IN_USE, NeighbourUse.IN_USE]


async def test_one_is_written_by_hand_with_advice_while_it_is_typed(desk: Desk) -> None:
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Answer: 4")
        await pilot.press("n", "ctrl+s")
        await shown(pilot, "There is no statement yet.")
        await pilot.press(*"2+2?")
        await shown(pilot, "! near-duplicate", "N1")
        await pilot.press("backspace", *"=5040, why", "tab", *"5040")
        await shown(pilot, "! answer stated", "Its answer stands in its text.")
        await pilot.press("escape")
        await shown(pilot, "esc again leaves without keeping")
        await pilot.press("ctrl+s")
        await shown(pilot, "In use (3)", "Answer: 5040", f"Source: {desk.reviewer.handle}")
        assert app.errors == []


async def test_escape_keeps_nothing_and_asks_only_where_something_would_be_lost(desk: Desk) -> None:
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Answer: 4")
        await pilot.press("n")
        await shown(pilot, "New neighbour")
        await pilot.press("escape")
        await gone(pilot, "New neighbour")
        await pilot.press("n")
        await shown(pilot, "New neighbour")
        await pilot.press("x", "escape")
        await shown(pilot, "esc again leaves")
        await pilot.press("escape")
        await gone(pilot, "New neighbour")
        assert len(uses(desk)) == 2


async def test_what_could_not_be_stored_is_not_lost(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise StoreError("The disk is full.")

    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Answer: 4")
        with monkeypatch.context() as patched:
            patched.setattr(desk.workspace, "write", full)
            await pilot.press("n", *"9+9?", "tab", *"18", "enter")
            await wait_until(pilot, lambda: [str(error) for error in app.errors] == ["The disk is full."])
        await shown(pilot, "New neighbour", "9+9?")
        await pilot.press("ctrl+s")
        await shown(pilot, "In use (3)", "Answer: 18")


async def test_an_edit_replaces_and_says_so(desk: Desk) -> None:
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Answer: 4")
        await pilot.press("e")
        await shown(pilot, "Edit N1", "N1 is set aside")
        await pilot.press("tab", "0", "enter")
        await shown(pilot, "N3  2+2?", "Answer: 40", "Set aside (1)", "edited, now N3")
        assert uses(desk) == [NeighbourUse.SET_ASIDE, NeighbourUse.IN_USE, NeighbourUse.IN_USE]


async def test_a_proposal_says_what_solvers_answered_and_is_taken_over_by_hand(desk: Desk) -> None:
    disagreed(desk)
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Proposed, no neighbours (1)", "P1  How many x² are [b]odd[/b]␛[2J?", "not agreed")
        await pilot.press("end")
        await shown(pilot, "openai/o3 gave 2024 3 times of 4, 2025 once.", "qwen gave 2025 twice of 2.")
        await shown(pilot, "Not agreed. qwen says 2025", "Exercises: counting")
        await pilot.press("t")
        await shown(pilot, "Take over P1", "has to be yours")
        assert pilot.app.screen.query_one("#statement", TextArea).text == HOSTILE
        assert "\x1b" not in screen_text(pilot)
        await pilot.press("tab", *"2025", "ctrl+s")
        await shown(pilot, "In use (3)", "Answer: 2025", "taken over as N3")
        assert app.errors == []


async def test_neighbours_are_generated_and_stream_in_until_they_are_cancelled(desk: Desk) -> None:
    question_id = first_question(desk.workspace)
    app, engine = host(desk), engine_of(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Answer: 4")
        await pilot.press("g")
        await shown(pilot, "Generate neighbours", "Solver 2 needs a model", "replay/none, the app's")
        await pilot.press("enter", *"qwen")
        await shown(pilot, "solver 3", "41–42 calls")
        await pilot.press("enter")
        await wait_until(pilot, lambda: bool(engine.requests))
        assert engine.requests == [NeighboursRequest(question_id, desk.model, (desk.model, ModelChoice("qwen")), 4)]
        run = begun_proposing(desk.workspace, question_id)
        engine.tell(
            RunStarted("ticket-1", run.id, RunKind.NEIGHBOURS, "x"),
            CallStarted(run.id, "writing", "", "propose", "replay/none"),
        )
        await shown(pilot, "Under way (1)", "◌ a model writes proposals")
        await pilot.press("end")
        await wait_until(pilot, lambda: engine.watched == ["writing"])
        engine.tell(TextDelta("writing", "", 0, "How many *faces*", 0), TextDelta("writing", "", 0, " has it?", 16))
        await shown(pilot, "How many faces has it?")
        put_proposal(desk.workspace, run, 1, "How many faces has it?", {"qwen": ["12"]})
        engine.tell(NeighbourProposed(run.id, question_id, 1), RunProgress(run.id, 0, 5, 1, 0, 0, None, 0))
        await shown(pilot, "◌ 0 of 5 proposals decided", "P1  How many faces has it?", "◌ being solved")
        put_proposal(desk.workspace, run, 1, "How many faces has it?", {"qwen": ["12"]}, state=ProposalState.UNANSWERED)
        engine.tell(
            ProposalDecided(run.id, question_id, 1, ProposalState.UNANSWERED),
            RunProgress(run.id, 1, 5, 9, 0, 0, None, 0),
        )
        await shown(pilot, "◌ 1 of 5 proposals decided", "not answered")
        await pilot.press("k")
        assert engine.cancelled == [run.id]
        engine.tell(RunFinished(run.id, RunState.CANCELLED, ""))
        await gone(pilot, "Under way")
        await pilot.press("g")
        await shown(pilot, "Generate neighbours", "solver 3", "qwen")
        assert app.errors == []


async def test_a_file_of_neighbours_is_imported_for_this_question(desk: Desk, tmp_path: Path) -> None:
    file = tmp_path / "more.jsonl"
    file.write_text('{"statement": "4+5?", "answer": "9"}\n', encoding="utf-8")
    app = host(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Answer: 4")
        await pilot.press("i")
        await shown(pilot, "Rows that name no question belong to this one.")
        pilot.app.screen.query_one("#path", Input).value = str(file)
        await pilot.press("enter")
        await shown(pilot, "1 new")
        await pilot.press("escape")
        await shown(pilot, "In use (3)", "N3  4+5?")
        assert app.errors == []


async def test_without_neighbours_it_says_why_they_matter_and_what_to_do(desk: Desk) -> None:
    other = next(row for row in questions.page(desk.workspace, QuestionFilter()).rows if "bold" in row.title)
    app, engine = host(desk, other.id), engine_of(desk)
    async with app.run_test(size=SIZE) as pilot:
        await shown(pilot, "Why neighbours", "related questions whose answers can be", "n writes one by hand")
        await pilot.press("g", "enter", *"qwen", "enter")
        await wait_until(pilot, lambda: bool(engine.requests))
        run = begun_proposing(desk.workspace, other.id)
        engine.tell(
            RunStarted("ticket-1", run.id, RunKind.NEIGHBOURS, "x"),
            RunFinished(run.id, RunState.FAILED, "Its reply holds 4 problems."),
        )
        await shown(pilot, "Its reply holds 4 problems.")


async def test_on_a_narrow_terminal_enter_reads_and_escape_goes_back_and_leaves(desk: Desk) -> None:
    app = host(desk)
    async with app.run_test(size=NARROW) as pilot:
        await shown(pilot, "N1  2+2?")
        assert "Answer: 4" not in screen_text(pilot)
        await pilot.press("enter")
        await shown(pilot, "Answer: 4")
        await pilot.press("right", "left", "escape")
        await shown(pilot, "N1  2+2?")
        await pilot.press("escape")
        await wait_until(pilot, lambda: not isinstance(app.screen, NeighboursScreen))


async def test_the_dialogs_fit_a_narrow_terminal(desk: Desk) -> None:
    app = host(desk)
    async with app.run_test(size=NARROW) as pilot:
        await shown(pilot, "N1  2+2?")
        await pilot.press("n")
        await shown(pilot, "Statement", "Its answer", "^s keeps it")
        await pilot.press("escape", "g")
        await shown(pilot, "proposes", "solver 2", "samples", "Solver 2 needs a model")
        fields = [field.id for field in pilot.app.screen.query(Input)]
        assert fields == ["proposer", "solver-1", "solver-2", "samples"]


async def test_the_workbench_opens_them_and_reads_what_was_done(desk: Desk) -> None:
    app = bench(desk)
    async with app.run_test(size=SIZE) as pilot:
        await opened(pilot)
        workbench = app.screen
        assert isinstance(workbench, WorkbenchScreen)
        await pilot.press("n")
        await shown(pilot, "2 in use, 0 set aside")
        await pilot.press("d")
        await shown(pilot, "1 in use, 1 set aside")
        await pilot.press("escape")
        await wait_until(pilot, lambda: app.screen is workbench)
        await wait_until(pilot, lambda: [one.use for one in workbench._state.neighbours] == uses(desk))
        assert NeighbourUse.SET_ASIDE in uses(desk)
        assert app.errors == []
